/** The page on which somebody buys a membership: what it is, what it costs, what one agrees to. */
import {
  agreed,
  buy,
  finishPurchase,
  lockPurchase,
  readPurchase,
  type About,
  type Bought,
  type Purchase,
} from './purchase.ts';
import { endWork } from '../../../../kernel/own-work.ts';
import { EMPTY, readForm, withError, type Draft } from '../../../../kernel/pages/form.ts';
import { eyesOf, peopleOf } from '../at-event.ts';
import { Failure, translate } from '../../../../kernel/api/refusals.ts';
import { goOn, seeOther, type PageAnswer } from '../../../../kernel/pages/visit.ts';
import { at, type Business } from '../business.ts';
import { linkOverPage } from '../views/entry.ts';
import { memberOf, type At, type Desk, type Member } from '../desk.ts';
import { ownViewer, type Viewer } from '../../../../kernel/access/viewer.ts';
import { purchaseFields } from '../views/fields.ts';
import { purchasePage, refusedPurchasePage, resultUrl } from '../views/purchase.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import { withReturn } from '../views/parts.ts';
import { Work } from '../../../../kernel/work.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';
import type { Problem } from '../../../../kernel/api/problem.ts';
import type { Transaction } from '../../../../kernel/db/database.ts';

/** Ends a transaction that was to find out, and gives what it found. */
class Found extends Error {
  readonly bought: Bought;
  constructor(bought: Bought) {
    super('only tried');
    this.bought = bought;
  }
}

/** In whose eyes it is finished. Null: it takes another person. */
async function eyes(
  desk: Desk,
  tx: Transaction,
  visit: At,
  member: Member | null,
  purchase: Purchase,
): Promise<Viewer | null> {
  // Where staff made the address, it is the credential.
  if (purchase.byStaff) return ownViewer(visit.site.id, `purchase:${purchase.id}`);
  const viewer = await eyesOf(tx, visit, member);
  if (viewer.customerId === null) return null;
  const people = await peopleOf(workOf(desk, visit, tx, viewer));
  return people.some((person) => person.id === purchase.customer) ? viewer : null;
}

const workOf = ({ registry }: Desk, { site, now, requestId }: At, tx: Transaction, viewer: Viewer): Work =>
  new Work({ tx, registry, tenant: site.tenant, viewer, now, requestId });

async function aboutOf(tx: Transaction, { site }: At, purchase: Purchase, me: number | null): Promise<About> {
  const row = (await tx.one<{
    name: string;
    description: string;
    first_name: string | null;
    event: About['event'];
  }>(sql`
    SELECT m.name, m.description, c.first_name, (SELECT jsonb_build_object('name', e.name, 'startsAt', extract(epoch FROM e.starts_at) * 1000, 'zone', e.timezone)
      FROM event e WHERE e.provider_id = m.provider_id AND e.id = ${purchase.event}::bigint) AS event
    FROM membership m JOIN customer c ON c.provider_id = m.provider_id AND c.id = ${purchase.customer}
    WHERE m.provider_id = ${site.id} AND m.id = ${purchase.membership}`))!;
  return {
    name: row.name,
    description: row.description,
    forWhom: me === purchase.customer ? null : row.first_name || 'Your child',
    event: row.event,
  };
}

type Outcome =
  | { readonly kind: 'over' | 'log_in' | 'somebody_else' }
  | { readonly kind: 'finished'; readonly purchase: Purchase; readonly customerMembership: number }
  | { readonly kind: 'refused'; readonly purchase: Purchase; readonly why: string }
  | {
      readonly kind: 'open';
      readonly purchase: Purchase;
      readonly about: About;
      readonly bought: Bought;
      readonly draft: Draft;
    };

/** What the terms were that a form agreed to: their id and version, or nothing where there were none. */
export const termsKey = ({ terms }: Bought): string => (terms === null ? '' : `${terms.id}.${terms.version}`);

interface Sent {
  readonly agrees: boolean;
  readonly terms: string;
  readonly due: string;
}

/** Looks at it, or with `sent` finishes it. */
async function settle(desk: Desk, visit: At, secret: string, sent: Sent | null): Promise<Outcome> {
  const member = await memberOf(desk, visit);
  const { db } = desk.door;
  const open = await db.transaction(
    visit.site.id,
    async (tx): Promise<Outcome | { kind: 'try'; purchase: Purchase; about: About }> => {
      const purchase = await readPurchase(tx, visit.site.id, secret, visit.now);
      if (!purchase) return { kind: 'over' };
      const viewer = await eyes(desk, tx, visit, member, purchase);
      if (!viewer) return { kind: member ? 'somebody_else' : 'log_in' };
      if (purchase.customerMembership !== null)
        return { kind: 'finished', purchase, customerMembership: purchase.customerMembership };
      return { kind: 'try', purchase, about: await aboutOf(tx, visit, purchase, viewer.customerId) };
    },
  );
  if (open.kind !== 'try') return open;
  const { purchase, about } = open;
  let wrong: Draft = EMPTY;
  try {
    return await db.transaction(visit.site.id, async (tx): Promise<Outcome> => {
      const viewer = await eyes(desk, tx, visit, member, purchase);
      if (!viewer) return { kind: 'somebody_else' };
      const work = workOf(desk, visit, tx, viewer);
      const locked = await lockPurchase(tx, visit.site.id, secret, visit.now);
      if (!locked) return { kind: 'over' };
      if (locked.customerMembership !== null)
        return { kind: 'finished', purchase, customerMembership: locked.customerMembership };
      const bought = await buy(work, purchase);
      if (sent === null) throw new Found(bought);
      wrong = objection(bought, sent);
      if (bought.due > 0 || wrong !== EMPTY) throw new Found(bought);
      if (bought.terms !== null) await agreed(work, purchase, bought.terms);
      await finishPurchase(work, purchase, bought.customerMembership);
      await endWork(work, desk.registry, 'page purchase');
      return { kind: 'finished', purchase, customerMembership: bought.customerMembership };
    });
  } catch (error) {
    if (error instanceof Found) return { kind: 'open', purchase, about, bought: error.bought, draft: wrong };
    return { kind: 'refused', purchase, why: refusal(desk, error).message };
  }
}

/** What keeps a form from being finished: what was shown is not so any more, or nobody agreed to the terms. */
function objection(bought: Bought, { agrees, terms, due }: Sent): Draft {
  if (terms !== termsKey(bought) || due !== String(bought.due))
    return withError(
      EMPTY,
      '',
      'The price or the terms have changed since you opened this page. Check them again.',
      409,
    );
  return bought.terms !== null && !agrees ? withError(EMPTY, 'agree', 'Agree to the terms to continue.') : EMPTY;
}

function refusal({ registry }: Desk, error: unknown): Problem {
  const problem = translate(error, registry.constraints);
  if (problem instanceof Failure) throw error;
  return problem.heardBy('customer');
}

const pageOf = (site: Business, secret: string): string =>
  `${at(site, 'purchase')}?ticket=${encodeURIComponent(secret)}`;

function answer(visit: At, secret: string, outcome: Outcome): PageAnswer {
  switch (outcome.kind) {
    case 'log_in':
      return seeOther(withReturn(at(visit.site, 'log-in'), pageOf(visit.site, secret)));
    case 'over':
    case 'somebody_else':
      return linkOverPage(visit);
    case 'finished':
      return goOn(resultUrl(outcome.purchase.returnTo, 'completed', outcome.customerMembership));
    case 'refused':
      return refusedPurchasePage(visit, outcome.why, outcome.purchase.returnTo);
    case 'open':
      return purchasePage(visit, {
        ...outcome,
        returnTo: outcome.purchase.returnTo,
        secret,
        terms: termsKey(outcome.bought),
      });
  }
}

export const purchaseRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/purchase',
    charged: 'page',
    get: async (visit) => {
      const secret = visit.query.get('ticket') ?? '';
      return answer(visit, secret, await settle(desk, visit, secret, null));
    },
    post: async (visit) => {
      const { values } = readForm(purchaseFields, visit.sent);
      if (!values) return linkOverPage(visit);
      return answer(
        visit,
        values.ticket,
        await settle(desk, visit, values.ticket, { agrees: values.agree, terms: values.terms, due: values.due }),
      );
    },
  },
];
