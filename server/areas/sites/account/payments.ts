/** The payments of a person: what they owe, their credit, receipts, and the payment methods that they saved. */
import {
  askAs,
  at,
  loadStaffViewer,
  forMembers,
  shownTo,
  withDone,
  type Ask,
  type At,
  type Business,
  type Desk,
  type Member,
  type Person,
} from '../frame/index.ts';
import { asking, askingParts, pageAsked, type Asking } from './asking.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { newCardOf, refusedCard, savingWays, startNewCard } from './new-card/new-card.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import {
  paymentsPage,
  receiptsPage,
  type ChargedPlan,
  type PaymentParts,
  type Receipt,
  type SavedMethod,
} from './views/payments.ts';
import type { NewCard } from './new-card/views.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { readCredit, readOwed } from '../wallet/index.ts';
import { seeOther, toKeep, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const LATEST_RECEIPTS = 3;
const MAX_RECEIPTS = 50;
const MAX_METHODS = 20;
const MAX_PLANS = 100;
const PAGE = 'profile/payments';

async function receipts(asking: Asking, query: { page_size: number; page?: number }) {
  const { currency } = asking;
  const { results, next } = await asking.ask('GET /invoices', {
    query: { fields: 'id,number,issue_date,total_amount_due,outstanding_amount,status', sort: '-id', ...query },
  });
  const money = (name: string, { string }: { string: string }) => ({
    minor: (string.startsWith('-') ? -1 : 1) * minorOf(name, string.replace('-', ''), currency),
    currency,
  });
  return {
    receipts: results.map((one): Receipt => ({
      id: one.id,
      number: one.number,
      issuedOn: one.issue_date,
      amount: money('total_amount_due', shownTo(one.total_amount_due)),
      open: money('outstanding_amount', shownTo(one.outstanding_amount)),
    })),
    more: next !== null,
  };
}

const expiryOf = ({
  expiration_month: month,
  expiration_year: year,
}: Record<`expiration_${'month' | 'year'}`, number | null>) =>
  month === null || year === null ? null : { month, year };

const methods = async ({ ask, people }: Asking): Promise<PaymentParts['methods']> => ({
  saved: await methodsOf(ask, people),
  plans: await chargedPlans(ask, people),
  ways: await savingWays(ask),
});

/** Returns the plans that have a next payment, with the method that it is charged to. */
async function chargedPlans(ask: Ask, people: readonly Person[]): Promise<ChargedPlan[]> {
  const { results } = await ask('GET /payment_subscriptions', {
    query: {
      customer: people.map(({ id }) => id).join(),
      expand: 'customer_membership',
      fields: 'payment_method,customer_membership.id,customer_membership.name,customer_membership.next_billing_date',
      page_size: MAX_PLANS,
    },
  });
  return results.flatMap(({ payment_method: method, customer_membership: plan }) =>
    method === null || !plan?.next_billing_date ? [] : [{ id: plan.id, name: plan.name, method }],
  );
}

/** Returns the payment methods that people saved. */
export async function methodsOf(ask: Ask, people: readonly Person[]): Promise<SavedMethod[]> {
  const { results } = await ask('GET /payment_methods', {
    query: {
      customer: people.map(({ id }) => id).join(),
      fields: 'id,customer,short_description,expiration_month,expiration_year,can_delete',
      page_size: MAX_METHODS,
    },
  });
  return results.map((one) => ({
    id: one.id,
    name: one.short_description,
    forWhom: people.find(({ id }) => id === one.customer)?.name ?? null,
    expires: expiryOf(one),
    removable: one.can_delete,
  }));
}

/** The result of a form that is shown on the page. */
interface Result {
  readonly refused?: NewCard;
  /** id of the method that is to be removed while plans are charged to it */
  readonly removing?: number;
}

async function show(desk: Desk, visit: At, member: Member, { refused, removing }: Result = {}): Promise<PageAnswer> {
  const added = refused ?? (await newCardOf(desk, { visit, member }));
  const parts = await askingParts<PaymentParts>(desk, visit, member, {
    receipts: (of) => receipts(of, { page_size: LATEST_RECEIPTS }),
    methods,
  });
  if (!parts) return seeOther(at(visit.site, 'profile'));
  const owed = await readOwed(desk, { visit, member });
  return paymentsPage(visit, {
    ...parts,
    added,
    removing: removing ?? null,
    owed: owed.reduce((all, { amount }) => all + amount, 0),
    credit: await readCredit(desk, { visit, member }),
  });
}

const RECEIPTS = 'profile/receipts';
const ADD = 'profile/payment-methods/add';
const METHODS = 'profile/payment-methods/remove';

export function paymentRoutes(desk: Desk): PageRoute<Business>[] {
  return [
    {
      path: `/{provider_id}/${PAGE}`,
      charged: 'page',
      get: forMembers(desk, (visit, member) => show(desk, visit, member)),
    },
    {
      path: `/{provider_id}/${RECEIPTS}`,
      charged: 'page',
      get: forMembers(desk, async (visit, member) => {
        const page = pageAsked(visit);
        const found = await asking(desk, visit, member, (of) => receipts(of, { page_size: MAX_RECEIPTS, page }));
        return found ? receiptsPage(visit, { ...found, page }) : seeOther(at(visit.site, 'profile'));
      }),
    },
    {
      path: `/{provider_id}/${RECEIPTS}/{invoice_id}`,
      charged: 'page',
      get: forMembers(desk, async (visit, member) => {
        const id = idIn(visit.params.invoice_id);
        const file = await asking(desk, visit, member, ({ ask }) =>
          ask('GET /invoices/{id}/document', { params: { id } }),
        );
        return file ? toKeep(file) : seeOther(at(visit.site, 'profile'));
      }),
    },
    {
      path: `/{provider_id}/${ADD}`,
      charged: 'page',
      get: async ({ site }) => seeOther(at(site, PAGE)),
      post: forMembers(
        desk,
        (visit, member) =>
          startNewCard(desk, { visit, member }, { here: at(visit.site, PAGE), subscription: null }).catch((error) =>
            show(desk, visit, member, { refused: refusedCard(desk, visit, error) }),
          ),
        PAGE,
      ),
    },
    {
      path: `/{provider_id}/${METHODS}`,
      charged: 'page',
      get: async ({ site }) => seeOther(at(site, PAGE)),
      post: forMembers(desk, (visit, member) => removeMethod(desk, visit, member), PAGE),
    },
  ];
}

/**
 * Removes a saved payment method. One that is gone, or that a running payment uses, is unchanged. If plans are charged
 * to it, the page asks first.
 */
async function removeMethod(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const done = (what: string) => seeOther(withDone(at(visit.site, PAGE), what));
  const id = idIn(visit.sent.get('id'));
  const isSure = visit.sent.get('sure') === 'yes';
  try {
    const removed = await desk.door.db.transaction(visit.site.id, async (tx) => {
      const { viewer, people } = await loadStaffViewer(tx, visit, member);
      const ask = askAs(desk, visit, viewer, tx);
      if (!isSure && (await chargedPlans(ask, people ?? [])).some(({ method }) => method === id)) return false;
      await ask('DELETE /payment_methods/{id}', { params: { id } });
      return true;
    });
    return removed ? done('method-removed') : await show(desk, visit, member, { removing: id });
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return done('not-possible');
    throw error;
  }
}
