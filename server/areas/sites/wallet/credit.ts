/** The page of account credit: the balance, its history, and what can be done with it. */
import {
  type At,
  type Desk,
  type Business,
  at,
  type Person,
  withDone,
  type Ask,
  accountPage,
  acting,
  memberPage,
  reading,
  withForm,
  type Asker,
} from '../frame/index.ts';
import { creditOf } from '../../money/ledger/index.ts';
import { creditPage, familyOf, type CreditView, type Movement } from './views/credit.ts';
import { EMPTY, type Draft } from '../../../kernel/pages/form.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { moveFields } from './fields.ts';
import { walletFor, type WalletWritten } from './messages.ts';
import { seeOther } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const PAGE = 'profile/credit';
/** Changes on one page. */
const MAX_ROWS = 50;

/** Returns the person whose credit is shown: the one in the address if the reader acts for them, else the reader. */
const shownPerson = (people: readonly Person[], { query, sent }: At): Person => {
  const asked = sent.get('of') ?? query.get('of');
  return people.find(({ id }) => String(id) === asked) ?? people[0];
};

async function historyOf(ask: Ask, { id }: Person, pageNumber: number, currency: string) {
  const { results, next } = await ask('GET /credit_movements', {
    query: {
      customer: id,
      fields: 'id,amount,kind,about,explanation,posted_at',
      page_size: MAX_ROWS,
      page: pageNumber,
    },
  });
  const rows = results;
  const released = new Set(rows.filter((one) => one.kind === 'checkout_credit_released').map((one) => one.about.id));
  // Credit that a payment reserved and released again changed nothing.
  const changed = rows.filter((one) => !one.kind.startsWith('checkout_credit_') || !released.has(one.about.id));
  return {
    more: next !== null,
    movements: changed.map((one): Movement => ({
      amount:
        (one.amount.string.startsWith('-') ? -1 : 1) * minorOf('amount', one.amount.string.replace('-', ''), currency),
      explanation: one.kind === 'checkout_credit_held' ? null : one.explanation,
      at: Date.parse(one.posted_at),
    })),
  };
}

async function viewOf(desk: Desk, turn: Asker): Promise<CreditView | null> {
  const { visit } = turn;
  const { currency } = visit.site.tenant;
  const asked = Number(visit.query.get('page') ?? 1);
  const page = Number.isSafeInteger(asked) && asked > 0 && asked < 100_000 ? asked : 1;
  return reading(desk, turn, async ({ ask, people }) => {
    if (!people) return null;
    const who = shownPerson(people, visit);
    const { credit, held_credit: held } = await ask('GET /customers/{id}/account_balance', {
      params: { id: String(who.id) },
    });
    return {
      who,
      people,
      credit: minorOf('credit', credit.string, currency),
      held: minorOf('held_credit', held.string, currency),
      ...(await historyOf(ask, who, page, currency)),
      page,
    };
  });
}

/** Returns the credit that the person who reads the page can spend. */
export const readCredit = (desk: Desk, turn: Asker): Promise<number> =>
  reading(desk, turn, async ({ tx, viewer: { customerId } }) =>
    customerId === null ? 0 : creditOf({ tx, providerId: turn.visit.site.id }, customerId),
  );

export const creditRoutes = (desk: Desk): PageRoute<Business>[] =>
  memberPage<WalletWritten, Draft>(desk, {
    path: `/{provider_id}/${PAGE}`,
    texts: walletFor,
    here: accountPage(PAGE),
    show: async (turn, draft = EMPTY) => {
      const { visit, written } = turn;
      const view = await viewOf(desk, turn);
      return view ? creditPage(visit, written, view, draft) : seeOther(at(visit.site, 'profile'));
    },
    forms: {
      /** Moves credit to somebody else in the family. */
      '': async (turn) => {
        const { visit, written } = turn;
        const view = await viewOf(desk, turn);
        if (!view) return at(visit.site, 'profile');
        return withForm(
          desk,
          turn,
          moveFields(written.say, familyOf(written.say, view)),
          async ({ to, amount }) => {
            await acting(desk, turn, ({ ask }) =>
              ask('POST /customers/{id}/move_credit', {
                params: { id: String(view.who.id) },
                query: { fields: 'id' },
                body: { to: Number(to), amount: amount.replace(',', '.') },
              }),
            );
            return withDone(`${at(visit.site, PAGE)}?of=${view.who.id}`, 'moved');
          },
          (property) => (property === 'amount' ? 'amount' : null),
        );
      },
    },
  });
