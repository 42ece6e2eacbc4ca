/** The payments of a person: what they owe, their credit, receipts, and the payment methods that they saved. */
import {
  askAs,
  at,
  eyesOf,
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
import { minorOf } from '../../../kernel/api/amount.ts';
import { paymentsPage, receiptsPage, type PaymentParts, type Receipt, type SavedMethod } from './views/payments.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { readCredit, readOwed } from '../wallet/index.ts';
import { seeOther, toKeep, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const LATEST_RECEIPTS = 3;
const MAX_RECEIPTS = 50;
const MAX_METHODS = 20;
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

const methods = ({ ask, people }: Asking): Promise<SavedMethod[]> => methodsOf(ask, people);

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

async function show(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const parts = await askingParts<PaymentParts>(desk, visit, member, {
    receipts: (of) => receipts(of, { page_size: LATEST_RECEIPTS }),
    methods,
  });
  if (!parts) return seeOther(at(visit.site, 'profile'));
  const owed = await readOwed(desk, { visit, member });
  return paymentsPage(visit, {
    ...parts,
    owed: owed.reduce((all, { amount }) => all + amount, 0),
    credit: await readCredit(desk, { visit, member }),
  });
}

const RECEIPTS = 'profile/receipts';
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
      path: `/{provider_id}/${METHODS}`,
      charged: 'page',
      get: async ({ site }) => seeOther(at(site, PAGE)),
      post: forMembers(desk, (visit, member) => removeMethod(desk, visit, member), PAGE),
    },
  ];
}

/** Removes a saved payment method. One that is gone, or that a running payment uses, is unchanged. */
async function removeMethod(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const done = (what: string) => seeOther(withDone(at(visit.site, PAGE), what));
  try {
    await desk.door.db.transaction(visit.site.id, async (tx) => {
      const { viewer } = await eyesOf(tx, visit, member);
      const id = idIn(visit.sent.get('id'));
      await askAs(desk, visit, viewer, tx)('DELETE /payment_methods/{id}', { params: { id } });
    });
    return done('method-removed');
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return done('not-possible');
    throw error;
  }
}
