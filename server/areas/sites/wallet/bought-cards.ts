/** Pages of the gift cards that a person bought: the state of each, a change of its address, and its code to print. */
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
  withDone,
  shownTo,
  type Ask,
} from '../frame/index.ts';
import { boughtCardPage, boughtCardsPage, printedCardPage, type BoughtCard } from './views/bought-cards.ts';
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { otherAddressFields } from './fields.ts';
import { walletFor } from './messages.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const PAGE = 'gift-cards';
/** Cards on one page, latest first. */
const MAX_ROWS = 100;
const FIELDS =
  'id,purchaser,amount,recipient_name,recipient_email,status,delivery_status,delivery_help,deliver_on_date';

export function boughtCardRoutes(desk: Desk): PageRoute<Business>[] {
  const route = (name: string, does: Omit<PageRoute<Business>, 'path' | 'charged'>): PageRoute<Business> => ({
    path: `/{provider_id}/${PAGE}${name}`,
    charged: 'page',
    ...does,
  });
  return [
    route('', { get: forMembers(desk, (visit, member) => list(desk, visit, member)) }),
    route('/{card_id}', {
      get: forMembers(desk, (visit, member) => show(desk, visit, member)),
      post: forMembers(desk, (visit, member) => readdress(desk, visit, member), PAGE),
    }),
    route('/{card_id}/print', {
      get: async (visit) => seeOther(here(visit)),
      post: forMembers(desk, (visit, member) => print(desk, visit, member), PAGE),
    }),
  ];
}

const here = ({ site, params }: At): string => at(site, `${PAGE}/${encodeURIComponent(params.card_id ?? '')}`);

/** Calls the interface as the person who reads the page. */
const asking = <T>(desk: Desk, visit: At, member: Member, act: (ask: Ask) => Promise<T>): Promise<T> =>
  desk.door.db.transaction(visit.site.id, async (tx) => {
    const { viewer } = await eyesOf(tx, visit, member);
    return act(askAs(desk, visit, viewer, tx));
  });

async function list(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const { results } = await asking(desk, visit, member, (ask) =>
    ask('GET /gift_cards', { query: { fields: FIELDS, sort: '-id', page_size: MAX_ROWS } }),
  );
  return boughtCardsPage(visit, walletFor(visit), results);
}

const cardOf = async (ask: Ask, { params }: At): Promise<BoughtCard> => {
  return ask('GET /gift_cards/{id}', { params: { id: idIn(params.card_id) }, query: { fields: FIELDS } });
};

async function show(desk: Desk, visit: At, member: Member, draft: Draft = EMPTY): Promise<PageAnswer> {
  return boughtCardPage(visit, walletFor(visit), await asking(desk, visit, member, (ask) => cardOf(ask, visit)), draft);
}

async function readdress(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const { say } = walletFor(visit);
  const { values, draft } = readForm(otherAddressFields(say), visit.sent, say);
  if (!values) return show(desk, visit, member, draft);
  try {
    await asking(desk, visit, member, (ask) =>
      ask('PATCH /gift_cards/{id}', { params: { id: visit.params.card_id }, query: { fields: 'id' }, body: values }),
    );
    return seeOther(withDone(here(visit), 'readdressed'));
  } catch (error) {
    return show(desk, visit, member, refused(desk, visit, draft, error));
  }
}

async function print(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  try {
    const card = await asking(desk, visit, member, (ask) =>
      ask('POST /gift_cards/{id}/print', {
        params: { id: visit.params.card_id },
        query: { fields: `${FIELDS},redeem_by,image,code` },
      }),
    );
    return printedCardPage(visit, walletFor(visit), { ...card, code: shownTo(card.code) });
  } catch (error) {
    return show(desk, visit, member, refused(desk, visit, EMPTY, error));
  }
}

function refused(desk: Desk, visit: At, draft: Draft, error: unknown): Draft {
  if (!(error instanceof Problem)) throw error;
  const { message, status, fields } = received(desk, visit, error);
  const [named] = Object.entries(fields).filter(([name]) => name === 'recipient_name' || name === 'recipient_email');
  return named ? withError(draft, named[0], named[1][0], 422) : withError(draft, '', message, status);
}
