/** The page of open charges, of a person and their family, paid together in one checkout. */
import {
  askAs,
  forMembers,
  received,
  type At,
  type Desk,
  type Member,
  type Business,
  at,
  eyesOf,
  type Person,
  shownTo,
  type Ask,
} from '../frame/index.ts';
import { beginCheckout } from '../checkout/index.ts';
import { EMPTY, withError } from '../../../kernel/pages/form.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { owedPage, type Owed } from './views/owed.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { walletFor } from './messages.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** A checkout holds no more; the rest is paid in another one. */
const MAX_ROWS = 50;

/** Returns the open charges, oldest first. Empty for somebody who is not a customer here. */
async function owedBy(ask: Ask, people: readonly Person[] | null, currency: string): Promise<Owed[]> {
  if (!people) return [];
  const { results } = await ask('GET /account_entries', {
    query: {
      customer: people.map(({ id }) => id).join(),
      kind: 'charge',
      status: 'open',
      fields: 'id,customer,explanation,amount,due_date',
      sort: 'due_date',
      page_size: MAX_ROWS,
    },
  });
  return results.map((one): Owed => ({
    id: one.id,
    customer: shownTo(one.customer),
    forWhom: people.find(({ id }) => id === one.customer)!.name,
    explanation: one.explanation ?? '',
    amount: minorOf('amount', shownTo(one.amount).string, currency),
    dueOn: one.due_date,
  }));
}

/** Puts the charges into one checkout, and returns the address of its page. */
const pay = (ask: Ask, payer: number, owed: readonly Owed[]): Promise<string> =>
  beginCheckout(
    ask,
    payer,
    owed.map(({ id, customer }) => ({ item_type: 'ACCT_ENTRY', account_entry: id, customer })),
  );

async function readIn(desk: Desk, tx: Transaction, visit: At, member: Member) {
  const { viewer, people } = await eyesOf(tx, visit, member);
  const ask = askAs(desk, visit, viewer, tx);
  return { ask, viewer, owed: await owedBy(ask, people, visit.site.tenant.currency) };
}

/** Returns the open charges of the person who reads the page. */
export const readOwed = async (desk: Desk, visit: At, member: Member): Promise<Owed[]> =>
  (await desk.door.db.looking(visit.site.id, (tx) => readIn(desk, tx, visit, member))).owed;

export function owedRoutes(desk: Desk): PageRoute<Business>[] {
  return [
    {
      path: '/{provider_id}/profile/owed',
      charged: 'page',
      get: forMembers(desk, async (visit, member) =>
        owedPage(visit, walletFor(visit), await readOwed(desk, visit, member)),
      ),
      post: forMembers(
        desk,
        async (visit, member): Promise<PageAnswer> => {
          try {
            const next = await desk.door.db.transaction(visit.site.id, async (tx) => {
              const { ask, viewer, owed } = await readIn(desk, tx, visit, member);
              return owed.length === 0 ? null : pay(ask, viewer.customerId!, owed);
            });
            return seeOther(next ?? at(visit.site, 'profile/owed'));
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
            const { message, status } = received(desk, visit, error);
            return owedPage(
              visit,
              walletFor(visit),
              await readOwed(desk, visit, member),
              withError(EMPTY, '', message, status),
            );
          }
        },
        'profile/owed',
      ),
    },
  ];
}
