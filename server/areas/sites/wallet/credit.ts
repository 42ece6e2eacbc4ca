/** The page of account credit: the balance, its history, and what can be done with it. */
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
  withDone,
  type Ask,
} from '../frame/index.ts';
import { creditOf } from '../../money/ledger/index.ts';
import { creditPage, familyOf, type CreditView, type Movement } from './views/credit.ts';
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { moveFields } from './fields.ts';
import { walletFor } from './messages.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
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

async function viewOf(desk: Desk, visit: At, member: Member): Promise<CreditView | null> {
  const { currency } = visit.site.tenant;
  const asked = Number(visit.query.get('page') ?? 1);
  const pageNumber = Number.isSafeInteger(asked) && asked > 0 && asked < 100_000 ? asked : 1;
  return desk.door.db.looking(visit.site.id, async (tx) => {
    const { viewer, people } = await eyesOf(tx, visit, member);
    if (!people) return null;
    const ask = askAs(desk, visit, viewer, tx);
    const who = shownPerson(people, visit);
    const { credit, held_credit: held } = await ask('GET /customers/{id}/account_balance', {
      params: { id: String(who.id) },
    });
    const { movements, more } = await historyOf(ask, who, pageNumber, currency);
    return {
      who,
      people,
      credit: minorOf('credit', credit.string, currency),
      held: minorOf('held_credit', held.string, currency),
      movements,
      page: pageNumber,
      more,
    };
  });
}

/** Returns the credit that the person who reads the page can spend. */
export const readCredit = (desk: Desk, visit: At, member: Member): Promise<number> =>
  desk.door.db.looking(visit.site.id, async (tx) => {
    const { viewer } = await eyesOf(tx, visit, member);
    return viewer.customerId === null ? 0 : creditOf({ tx, providerId: visit.site.id }, viewer.customerId);
  });

async function show(desk: Desk, visit: At, member: Member, draft: Draft = EMPTY): Promise<PageAnswer> {
  const view = await viewOf(desk, visit, member);
  return view ? creditPage(visit, walletFor(visit), view, draft) : seeOther(at(visit.site, 'profile'));
}

export function creditRoutes(desk: Desk): PageRoute<Business>[] {
  return [
    {
      path: `/{provider_id}/${PAGE}`,
      charged: 'page',
      get: forMembers(desk, (visit, member) => show(desk, visit, member)),
      post: forMembers(desk, (visit, member) => move(desk, visit, member), PAGE),
    },
  ];
}

/** Moves credit to somebody else in the family. */
async function move(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const view = await viewOf(desk, visit, member);
  if (!view) return seeOther(at(visit.site, 'profile'));
  const written = walletFor(visit);
  const { values, draft } = readForm(moveFields(written.say, familyOf(written.say, view)), visit.sent, written.say);
  if (!values) return creditPage(visit, written, view, draft);
  try {
    await desk.door.db.transaction(visit.site.id, async (tx) => {
      const { viewer } = await eyesOf(tx, visit, member);
      await askAs(
        desk,
        visit,
        viewer,
        tx,
      )('POST /customers/{id}/move_credit', {
        params: { id: String(view.who.id) },
        query: { fields: 'id' },
        body: { to: Number(values.to), amount: values.amount.replace(',', '.') },
      });
    });
    return seeOther(withDone(`${at(visit.site, PAGE)}?of=${view.who.id}`, 'moved'));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { message, status, fields } = received(desk, visit, error);
    const wrong = fields.amount?.[0];
    return creditPage(
      visit,
      written,
      view,
      withError(draft, wrong ? 'amount' : '', wrong ?? message, wrong ? 422 : status),
    );
  }
}
