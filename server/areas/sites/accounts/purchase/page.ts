/** The page on which somebody buys a membership: what it is, what it costs, what one agrees to. */
import { agree, buy, finishPurchase, lockPurchase, trying, type Bought, type Purchase } from './purchase.ts';
import { askAs, memberOf, type At, type Desk, type Member } from '../desk.ts';
import { EMPTY, readForm, withError, type Draft } from '../../../../kernel/pages/form.ts';
import { eyesOf } from '../eyes.ts';
import { Failure, translate } from '../../../../kernel/api/refusals.ts';
import { goOn, seeOther, type PageAnswer } from '../../../../kernel/pages/visit.ts';
import { at, type Business } from '../business.ts';
import { linkOverPage } from '../views/entry.ts';
import { ownViewer, type Viewer } from '../../../../kernel/access/viewer.ts';
import { purchaseFields } from '../views/fields.ts';
import { purchasePage, refusedPurchasePage, resultUrl } from '../views/purchase.ts';
import { withReturn } from '../views/parts.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';
import type { Problem } from '../../../../kernel/api/problem.ts';
import type { Transaction } from '../../../../kernel/db/database.ts';

/** Ends a transaction that was to find out, and gives what it found. */
class Found extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('only tried');
    this.outcome = outcome;
  }
}

/** In whose eyes it is finished. Null: it takes another person. */
async function eyes(tx: Transaction, visit: At, member: Member | null, purchase: Purchase): Promise<Viewer | null> {
  // Where staff made the address, it is the credential.
  if (purchase.byStaff) return ownViewer(visit.site.id, `purchase:${purchase.id}`);
  const { viewer, people } = await eyesOf(tx, visit, member);
  return people?.some((person) => person.id === purchase.customer) ? viewer : null;
}

type Outcome =
  | { readonly kind: 'over' | 'log_in' | 'somebody_else' }
  | { readonly kind: 'finished'; readonly purchase: Purchase; readonly customerMembership: number }
  | { readonly kind: 'refused'; readonly purchase: Purchase; readonly why: string }
  | {
      readonly kind: 'open';
      readonly purchase: Purchase;
      readonly bought: Bought;
      /** first name; null: the person before the page */
      readonly forWhom: string | null;
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
  const { id: providerId, tenant } = visit.site;
  let purchase: Purchase | null = null;
  try {
    return await desk.door.db.transaction(providerId, async (tx): Promise<Outcome> => {
      purchase = await lockPurchase(tx, providerId, secret, visit.now);
      if (!purchase) return { kind: 'over' };
      const viewer = await eyes(tx, visit, member, purchase);
      if (!viewer) return { kind: member ? 'somebody_else' : 'log_in' };
      if (purchase.customerMembership !== null)
        return { kind: 'finished', purchase, customerMembership: purchase.customerMembership };
      const ask = askAs(desk, visit, viewer, tx);
      const where = { tx, providerId, currency: tenant.currency };
      const bought = await buy({ ask: sent === null ? trying(ask) : ask, ...where }, purchase);
      const draft = sent === null ? EMPTY : objection(bought, sent);
      if (sent === null || bought.due > 0 || draft !== EMPTY) {
        const forWhom = viewer.customerId === purchase.customer ? null : bought.firstName || 'Your child';
        throw new Found({ kind: 'open', purchase, bought, forWhom, draft });
      }
      if (bought.terms !== null) await agree(ask, purchase, bought.terms);
      await finishPurchase({ ...where, now: visit.now }, purchase, bought.customerMembership);
      return { kind: 'finished', purchase, customerMembership: bought.customerMembership };
    });
  } catch (error) {
    if (error instanceof Found) return error.outcome;
    if (!purchase) throw error;
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
