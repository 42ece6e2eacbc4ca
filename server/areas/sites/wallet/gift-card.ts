/** Pages of gift cards: one redeems a code, and one buys a card for somebody else. */
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import {
  askAlone,
  askAs,
  forMembers,
  received,
  type At,
  type Desk,
  type Member,
  type Business,
  at,
  loadStaffViewer,
  hasSite,
  sitePath,
  withDone,
} from '../frame/index.ts';
import { beginCheckout, fillCheckout } from '../checkout/index.ts';
import { EMPTY, readForm, withError, type Draft, type Fields } from '../../../kernel/pages/form.ts';
import { guestRoute, type Selling } from '../guests/index.ts';
import { amountsFor, walletFor } from './messages.ts';
import { giftCardFields, giftCodeFields, otherAddressFields } from './fields.ts';
import { giftCardsForSale } from '../../commerce/gift-cards/index.ts';
import { buyPage, notForSalePage, redeemPage } from './views/gift-card.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const REDEEM = 'gift-card';
const BUY = 'gift-card/buy';
/** The page for people without an account, below the account pages of the business. */
export const GUEST = 'gift-card/guest';

export function giftCardRoutes(desk: Desk): PageRoute<Business>[] {
  return [
    {
      path: `/{provider_id}/${REDEEM}`,
      charged: 'page',
      get: forCustomers(desk, (visit) => show(desk, visit)),
    },
    {
      path: `/{provider_id}/${REDEEM}/redeem`,
      charged: 'credentials',
      get: async ({ site }) => seeOther(at(site, REDEEM)),
      post: forCustomers(desk, (visit, member) => redeem(desk, visit, member), REDEEM),
    },
    {
      path: `/{provider_id}/${BUY}`,
      charged: 'page',
      get: forCustomers(desk, async (visit) => {
        const fields = await fieldsOf(desk, visit);
        return fields ? buyPage(visit, walletFor(visit), fields) : notForSalePage(visit, walletFor(visit));
      }),
      post: forCustomers(desk, (visit, member) => buy(desk, visit, member), BUY),
    },
    guestRoute(desk, `/{provider_id}/${GUEST}`, {
      from: (visit) => at(visit.site, BUY),
      selling: (visit) => forGuests(desk, visit),
    }),
  ];
}

/** Serves only customers of the business. Others become one on the page of their account. */
const forCustomers = (desk: Desk, act: (visit: At, member: Member) => Promise<PageAnswer>, back?: string) =>
  forMembers(
    desk,
    async (visit, member) => {
      const { people } = await desk.door.db.looking(visit.site.id, (tx) => loadStaffViewer(tx, visit, member));
      return people ? act(visit, member) : seeOther(at(visit.site, 'profile'));
    },
    back,
  );

const show = async (desk: Desk, visit: At, draft: Draft = EMPTY): Promise<PageAnswer> =>
  redeemPage(visit, walletFor(visit), { forSale: (await offered(desk, visit)) !== null }, draft);

const offered = (desk: Desk, { site }: At) =>
  desk.door.db.looking(site.id, (tx) => giftCardsForSale({ tx, providerId: site.id }));

/** Redeems in a transaction of its own: a wrong code is counted although it is refused. */
async function redeem(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const { values, draft } = readForm(giftCodeFields(walletFor(visit).say), visit.sent, walletFor(visit).say);
  if (!values) return show(desk, visit, draft);
  const { viewer } = await desk.door.db.looking(visit.site.id, (tx) => loadStaffViewer(tx, visit, member));
  try {
    await askAlone(
      desk,
      visit,
      viewer,
    )('POST /gift_cards/redeem', { query: { fields: 'id' }, body: { code: values.code } });
    return seeOther(withDone(at(visit.site, 'profile/credit'), 'redeemed'));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { message, status } = received(desk, visit, error);
    return show(desk, visit, withError(draft, 'code', message, status));
  }
}

/** Returns the form, with the amounts that the business offers; null if it sells none. */
async function fieldsOf(desk: Desk, visit: At): Promise<ReturnType<typeof giftCardFields> | null> {
  const offer = await offered(desk, visit);
  if (!offer) return null;
  const { currency } = visit.site.tenant;
  const written = walletFor(visit);
  const amount = amountsFor(visit, written);
  const { amounts, range } = offer;
  return giftCardFields(
    written.say,
    amounts.map((minor) => [formatDecimal({ minor, currency }), amount(minor)] as const),
    range && written.say('buy.range', { smallest: amount(range.smallest), largest: amount(range.largest) }),
  );
}

/** Puts the card into a checkout of its own, and leads to the page where it is paid. */
async function buy(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const fields = await fieldsOf(desk, visit);
  const written = walletFor(visit);
  if (!fields) return notForSalePage(visit, written);
  const { values, draft } = readForm(fields as Fields, visit.sent, written.say);
  if (!values) return buyPage(visit, written, fields, draft);
  const item = itemOf(values as Record<string, string>);
  if (item === null) return buyPage(visit, written, fields, withError(draft, 'other', written.say('buy.missing')));
  try {
    const next = await desk.door.db.transaction(visit.site.id, async (tx) => {
      const { viewer } = await loadStaffViewer(tx, visit, member);
      return beginCheckout(askAs(desk, visit, viewer, tx), viewer.customerId!, [item]);
    });
    return seeOther(next);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return buyPage(visit, written, fields, refusedDraft(draft, received(desk, visit, error)));
  }
}

/** Returns the item for the checkout; null if no amount was chosen. */
function itemOf({
  amount,
  other,
  recipient_name,
  recipient_email,
  message,
  deliver_on_date: on,
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> | null {
  const price = (other || amount || '').replace(',', '.');
  if (price === '') return null;
  const item = { item_type: 'GIFT_CARD', unit_price: price, recipient_name };
  return {
    ...item,
    ...(recipient_email && { recipient_email }),
    ...(message && { message }),
    ...(on && { deliver_on_date: on }),
  };
}

/** Returns the sale to people without an account; null if no cards are sold. */
async function forGuests(desk: Desk, visit: At): Promise<Selling | null> {
  const fields = await fieldsOf(desk, visit);
  if (!fields) return null;
  const { site } = visit;
  const { say } = walletFor(visit);
  return {
    self: at(site, GUEST),
    from: hasSite(site) ? sitePath(site, 'gift-cards') : at(site, BUY),
    name: say('buy.title'),
    about: null,
    free: false,
    booked: null,
    // The recipient's address is required here: a card that was sent to nobody is found only in an account.
    fields: { ...(fields as Fields), recipient_email: otherAddressFields(say).recipient_email },
    wanted: (values, draft) => {
      const item = itemOf(values);
      if (item === null) return withError(draft, 'other', say('buy.missing'));
      return ({ ask, customer }) => fillCheckout(ask, customer, [item]);
    },
    refused: refusedDraft,
  };
}

/** Returns a draft with each error at its field, as far as the form has the field. */
function refusedDraft(draft: Draft, { message, status, fields }: Problem): Draft {
  const amountField = draft.kept.other ? 'other' : 'amount';
  const named = Object.entries(fields).map(
    ([name, [text]]) => [name === 'unit_price' ? amountField : name, text] as const,
  );
  if (named.length === 0) return withError(draft, '', message, status);
  return named.reduce((all, [name, text]) => withError(all, name, text, 422), draft);
}
