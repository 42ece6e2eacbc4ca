/** The page of open charges, of a person and their family, paid together in one checkout. */
import {
  type Desk,
  type Business,
  type Person,
  shownTo,
  type Ask,
  accountPage,
  acting,
  memberPage,
  reading,
  refusedDraft,
  type Asker,
  type Acting,
} from '../frame/index.ts';
import { beginCheckout } from '../checkout/index.ts';
import { EMPTY, type Draft } from '../../../kernel/pages/form.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { owedPage, type Owed } from './views/owed.ts';
import { walletFor, type WalletWritten } from './messages.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

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

const owedTo = (turn: Asker, { ask, people }: Acting): Promise<Owed[]> =>
  owedBy(ask, people, turn.visit.site.tenant.currency);

/** Returns the open charges of the person who reads the page. */
export const readOwed = (desk: Desk, turn: Asker): Promise<Owed[]> => reading(desk, turn, (as) => owedTo(turn, as));

const PAGE = 'profile/owed';

export const owedRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<WalletWritten, Draft>(desk, {
    path: `/{provider_id}/${PAGE}`,
    texts: walletFor,
    here: accountPage(PAGE),
    show: async (turn, draft) => owedPage(turn.visit, turn.written, await readOwed(desk, turn), draft),
    forms: {
      '': (turn) =>
        acting(desk, turn, async (as) => {
          const owed = await owedTo(turn, as);
          return owed.length === 0 ? accountPage(PAGE)(turn.visit) : pay(as.ask, as.viewer.customerId!, owed);
        }),
    },
    refused: ({ visit }, error) => refusedDraft(desk, visit, EMPTY, error),
  });
