/** Putting a membership on hold and ending a hold, each with an exact preview of the effects. */
import {
  nowAt,
  type Desk,
  type Business,
  at,
  holdFields,
  withDone,
  writtenFor,
  type Ask,
  type Effect,
  acting,
  memberPage,
  refusedDraft,
  withForm,
  type Asker,
  type Outcome,
  type Turn,
  type AccountWritten,
} from '../frame/index.ts';
import { listConsequences, versionOf } from './follows.ts';
import { EMPTY, readForm, type Draft } from '../../../kernel/pages/form.ts';
import { holdPage, proposalPage, type HeldView, type Hold, type Proposal } from './views/holds.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export const holdPath = (site: Business, customerMembership: number): string =>
  at(site, `profile/holds/${customerMembership}`);

export const holdRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<AccountWritten, Draft>(desk, {
    path: '/{provider_id}/profile/holds/{customermembership_id}',
    texts: writtenFor,
    here: ({ path }) => path,
    show: async (turn, draft = EMPTY) => holdPage(turn.visit, await read(desk, turn), draft),
    forms: { '': (turn) => propose(desk, turn) },
  });

type Act<T> = (ask: Ask, held: HeldView) => Promise<T>;

/**
 * Calls `act` with the membership in the address.
 * @throws Problem 404 unless it belongs to the person or to somebody whom they act for
 */
function actingOn<T>(desk: Desk, turn: Asker, act: Act<T>): Promise<T> {
  const { visit } = turn;
  const id = idIn(visit.params.customermembership_id);
  return acting(desk, turn, async ({ ask, people }) => {
    const { results } = await ask('GET /customer_memberships', {
      query: { ids: id, fields: 'id,name,customer,expiration_date,customers_can_hold' },
    });
    const [one] = results;
    const owner = people?.find((person) => person.id === one?.customer);
    if (!owner) throw notFound();
    const { results: holds } = await ask('GET /customer_membership_holds', {
      query: {
        customer_membership: id,
        status: 'upcoming,active',
        fields: 'id,start_date,end_date,made_by,active',
        sort: 'start_date',
      },
    });
    return act(ask, {
      id,
      name: one.name,
      forWhom: owner.name,
      today: wallAt(nowAt(visit), visit.site.tenant.zone).date,
      canHold: one.customers_can_hold,
      holds: holds.map((hold): Hold => ({
        id: hold.id,
        start: hold.start_date,
        end: hold.end_date,
        active: hold.active,
        own: hold.made_by === 'customer',
      })),
    });
  });
}

const read = (desk: Desk, turn: Asker): Promise<HeldView> => actingOn(desk, turn, async (_ask, held) => held);

const holdOf = ({ id }: HeldView, { start, end }: Extract<Proposal, { act: 'hold' }>) => ({
  customer_membership: id,
  start_date: start,
  end_date: end,
});

/** Returns the effects of the proposal, from a dry run of the same call. */
async function previewEffects(ask: Ask, held: HeldView, proposal: Proposal): Promise<readonly Effect[]> {
  const query = { dry_run: true } as const;
  const { effects } =
    proposal.act === 'hold'
      ? await ask('POST /customer_membership_holds', { query, body: holdOf(held, proposal) })
      : await ask('POST /customer_membership_holds/{id}/end', { params: { id: proposal.hold }, query, body: {} });
  return effects;
}

async function perform(ask: Ask, held: HeldView, proposal: Proposal): Promise<void> {
  if (proposal.act === 'hold') await ask('POST /customer_membership_holds', { body: holdOf(held, proposal) });
  else await ask('POST /customer_membership_holds/{id}/end', { params: { id: proposal.hold }, body: {} });
}

async function propose(desk: Desk, turn: Turn<AccountWritten>): Promise<Outcome<Draft>> {
  const { visit } = turn;
  const { sent, site } = visit;
  const ending = sent.get('act') === 'end';
  const fields = holdFields(turn.written.say);
  const agree = async (proposal: Proposal): Promise<Outcome<Draft>> => {
    const { held, follows } = await actingOn(desk, turn, async (ask, view) => ({
      held: view,
      follows: await listConsequences(ask, await previewEffects(ask, view, proposal)),
    }));
    const version = versionOf(follows);
    // People agree only to the effects that they saw: if these have changed, the page shows the new ones first.
    if (sent.get('seen') !== version) return proposalPage(visit, held, proposal, { follows, version });
    await actingOn(desk, turn, (ask, view) => perform(ask, view, proposal));
    return withDone(holdPath(site, held.id), ending ? 'hold-ended' : 'on-hold');
  };
  if (!ending) return withForm(desk, turn, fields, ({ start, end }) => agree({ act: 'hold', start, end }));
  const hold = idIn(sent.get('hold'));
  return agree({ act: 'end', hold }).catch((error) => ({
    again: refusedDraft(desk, visit, readForm(fields, sent).draft, error),
  }));
}
