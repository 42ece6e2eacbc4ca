/** The page on which a person reads the effects of what their assistant proposes, and makes it or doesn't. */
import { createHash } from 'node:crypto';
import {
  ASSISTANTS,
  limitedPage,
  proposalPage,
  settledPage,
  type ProposalView,
  type Written,
} from './views/proposal.ts';
import { allows } from '../../../kernel/api/who.ts';
import {
  askAs,
  at,
  dashboardOf,
  loadStaffViewer,
  memberPage,
  nowAt,
  refusal,
  staffViewer,
  type Business,
  writtenWith,
  type Desk,
  type Turn,
} from '../frame/index.ts';
import { effectsInWords } from './effects.ts';
import { countUse, type Use } from './rules/daily-limits.ts';
import { endProposal, findProposal, lockProposal, type Proposal } from './proposals.ts';
import { findExceeded, type Exceeded } from './limits.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import type { EffectLike } from './rules/effect-lines.ts';
import type { PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';

type Reading = Turn<Written>;

/** The text above the effects: they have changed, or a refusal. */
type Said = { readonly changed: true } | { readonly refused: string };

export const proposalRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<Written, Said>(desk, {
    path: '/{provider_id}/proposal/{handle}',
    texts: (visit) => writtenWith(visit, ASSISTANTS),
    here: ({ path }) => path,
    show: (turn, said) => show(desk, turn, said),
    forms: { '': (turn) => decide(desk, turn) },
    refused: ({ visit }, error) => ({ refused: refusal(desk, visit, error) }),
  });

interface Opened {
  readonly proposal: Proposal;
  /** the person, with the assistant as the application that they use, as the audit names it */
  readonly viewer: Viewer;
}

/**
 * Finds the proposal in the address, as the person who may confirm it. They have the permissions that they have now.
 * @throws Problem 404 for anybody else
 */
async function open(tx: Transaction, { visit, member }: Reading, { lock = false } = {}): Promise<Opened> {
  const { site, params } = visit;
  const proposal = lock
    ? await lockProposal(tx, site.id, params.handle, nowAt(visit))
    : await findProposal(tx, site.id, params.handle);
  if (!proposal || (proposal.user_id !== null && proposal.user_id !== member.account.id)) throw notFound();
  const viewer =
    proposal.mode === 'provider'
      ? await staffViewer(tx, visit, member)
      : (await loadStaffViewer(tx, visit, member)).viewer;
  if (viewer?.mode !== proposal.mode) throw notFound();
  if (proposal.user_id === null && !viewer.permissions.has('super_admin')) throw notFound();
  const { application_id: applicationId, application_name: applicationName } = proposal;
  return { proposal, viewer: { ...viewer, applicationId, applicationName } };
}

interface Previewed {
  readonly view: ProposalView;
  readonly use: Use;
  /** the daily limit that the change would exceed */
  readonly exceeded: Exceeded | null;
}

/** Tries the change, and returns what the page shows of it. */
async function preview(desk: Desk, turn: Reading, tx: Transaction, { proposal, viewer }: Opened): Promise<Previewed> {
  const { visit, written } = turn;
  const ask = askAs(desk, visit, viewer, tx) as (operation: string, asked: object) => Promise<any>;
  const { operation, asked } = proposal;
  const tried = await ask(operation, { ...asked, query: { ...asked.query, dry_run: true } });
  const look = async (name: string, query: object) =>
    allows(desk.registry.operation(name).who, viewer) ? ask(name, { query }) : null;
  const { words, currency, zone } = visit.site.tenant;
  const found: EffectLike[] = tried.effects ?? [];
  const effects = await effectsInWords(found, { look, reader: written.reader, words, currency, zone });
  return {
    view: {
      assistant: proposal.application_name,
      summary: proposal.mode === 'provider' ? desk.registry.operation(operation).summary : null,
      effects,
      texts: textsIn(asked.body),
    },
    use: countUse(found, currency),
    exceeded: await findExceeded(tx, found, { providerId: visit.site.id, proposal, currency, now: nowAt(visit) }),
  };
}

/** A moment, an amount or a name of a choice says nothing that the effects don't. */
const SENTENCE = /\p{L}.*\s.*\p{L}/u;

/** Returns the texts in a body that somebody else will read. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return SENTENCE.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Returns a hash of what a page shows, which its form sends back: people agree only to what they saw. */
const versionOf = (view: ProposalView): string => createHash('sha256').update(JSON.stringify(view)).digest('base64url');

/** Returns the link to where the person makes changes without an assistant. */
const ownScreen = (desk: Desk, { visit, written: { say } }: Reading, { mode }: Proposal) =>
  mode === 'provider'
    ? { href: dashboardOf(desk.installation, visit.site), label: say('limited.dashboard') }
    : { href: at(visit.site, 'profile'), label: say('nav.account') };

function show(desk: Desk, turn: Reading, said?: Said): Promise<PageAnswer> {
  const { visit, written } = turn;
  return desk.door.db.transaction(visit.site.id, async (tx) => {
    const opened = await open(tx, turn);
    const { proposal } = opened;
    const ending = { assistant: proposal.application_name, way: ownScreen(desk, turn, proposal) };
    if (proposal.outcome !== null) return settledPage(visit, written, proposal.outcome, ending);
    if (proposal.expires_at <= nowAt(visit)) return settledPage(visit, written, 'expired', ending);
    try {
      const { view, exceeded } = await tx.attempt(() => preview(desk, turn, tx, opened));
      if (exceeded) return limitedPage(visit, written, exceeded, ending);
      return proposalPage(visit, written, view, { seen: versionOf(view), ...said });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return settledPage(visit, written, 'refused', { ...ending, why: refusal(desk, visit, error) });
    }
  });
}

/** Makes the change, or ends the proposal. If the effects are no longer what the person saw, shows the new ones. */
function decide(desk: Desk, turn: Reading): Promise<string | { again: Said }> {
  const { visit } = turn;
  const { id: providerId } = visit.site;
  return desk.door.db.transaction(providerId, async (tx) => {
    const opened = await open(tx, turn, { lock: true });
    const { proposal, viewer } = opened;
    const now = nowAt(visit);
    if (proposal.outcome !== null || proposal.expires_at <= now) return visit.path;
    if (visit.sent.get('act') === 'decline') {
      await endProposal(tx, providerId, proposal.id, 'declined', now);
      return visit.path;
    }
    const { view, use, exceeded } = await preview(desk, turn, tx, opened);
    // The page says which limit it is.
    if (exceeded) return visit.path;
    if (visit.sent.get('seen') !== versionOf(view)) return { again: { changed: true } };
    const ask = askAs(desk, visit, viewer, tx) as (operation: string, asked: object) => Promise<unknown>;
    // The result may contain a secret that is shown once, so nobody gets it.
    await ask(proposal.operation, proposal.asked);
    await endProposal(tx, providerId, proposal.id, 'made', now, use);
    return visit.path;
  });
}
