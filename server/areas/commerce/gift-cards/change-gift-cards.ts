/** Staff actions on gift cards: sending them, redeeming them for customers, and correcting recipients. */
import { canonicalAddress } from '../../../kernel/base/values/mail-address.ts';
import { action, one, staffWith, type Who } from '../../../kernel/api/endpoint.ts';
import { about, checkUsable, lockGiftCard, type GiftCardRow } from './row.ts';
import { changedNames, updateRow } from '../../../kernel/work/unit/row.ts';
import { date, personalMessage, personName, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { deliveryJobOf } from './deliver.ts';
import { deliveryStatusOf, isDelivered, type DeliveryStatus } from './rules/state.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { checkAddress } from './sell.ts';
import { giftCardFeed } from './feed.ts';
import { keepCode, newCode } from './new-code.ts';
import { printedPage } from './printed-page.ts';
import { spelled } from './rules/code.ts';
import { giftCard } from './gift-card.ts';
import { GIFT_CARD_PROBLEMS } from './problems.ts';
import { instant } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { a, one as word, say } from '../../../kernel/base/values/words.ts';
import { redeem } from './redeem.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin', 'store', 'pos');
/** The buyer of a card chooses the recipient until somebody else has the code. */
const buyersToo: Who = { ...who, customer: true };

const { gift_card_redeemed, gift_card_expired, gift_card_voided, gift_card_not_paid } = GIFT_CARD_PROBLEMS;
const UNUSABLE = [gift_card_redeemed, gift_card_expired, gift_card_voided, gift_card_not_paid] as const;

/**
 * Options of actions on a card that can still be used. Customers are locked before gift cards, and so is the invoice:
 * `run` locks it.
 */
const OF_A_CARD = {
  target: giftCard,
  unlocked: true,
  returns: one(giftCard),
  problems: [...UNUSABLE, 'conflict'],
} as const;

const deliver = action({
  path: '/gift_cards/{id}/deliver',
  summary: 'Send a gift card',
  description:
    'Sends the email now, before its day or again. Each email has a new code, and the codes of earlier ones are no longer valid.',
  who,
  ...OF_A_CARD,
  run: async ({ work, target }) => {
    const card = await lockGiftCard(work, target.id);
    await checkUsable(work, card);
    if (card.recipient_email === null)
      throw new Problem('conflict', 'This gift card has no email address. Set recipient_email first, or print it.');
    await checkAddress(work, card.recipient_email);
    await updateRow(work, 'gift_card', card.id, { delivery_asked_at: instant(work.now), mail_hash: null });
    work.enqueue(deliveryJobOf(card.id));
    work.record(giftCardFeed.delivery_requested, card.id, about(card));
    work.effect('gift_card_sent', 'gift_card', card.id, { recipient_email: card.recipient_email });
    return card.id;
  },
});

const redeemOne = action({
  path: '/gift_cards/{id}/redeem',
  summary: 'Redeem a gift card',
  description: 'The gift card becomes account credit of the customer, once. No code is needed.',
  who,
  ...OF_A_CARD,
  body: {
    customer: ref('customer')
      .optional()
      .describe('Customer who gets the account credit. If left out, the recipient, if that is a customer.'),
  },
  run: async ({ work, target, body }) => {
    const customer = body.customer ?? target.recipient_id;
    if (customer === null)
      throw invalid('customer', 'This field is required: the recipient is not known as a customer.');
    await redeem(work, target.id, customer);
    return target.id;
  },
});

const printOne = action({
  path: '/gift_cards/{id}/print',
  summary: 'Print a gift card',
  description:
    'Makes a code and returns it once, as `code`, and as a `page` to print, with the picture that the buyer chose. The codes of earlier emails and pages are no longer valid. Buyers can print what was not sent yet, or could not be sent.',
  who: buyersToo,
  ...OF_A_CARD,
  run: async ({ work, target, pagesUrl }) => {
    const card = await lockGiftCard(work, target.id);
    await checkBuyer(work, card, ['printed']);
    await checkUsable(work, card);
    const made = newCode(work, card);
    await keepCode(work, card, made, { printed: true });
    work.record(giftCardFeed.printed, card.id, about(card));
    work.effect('gift_card_printed', 'gift_card', card.id, { recipient_name: card.recipient_name });
    const code = spelled(made.code);
    work.reveal({ code, page: await printedPage(work, card, { code, last: made.last, pagesUrl }) });
    return card.id;
  },
});

/** Allows customers to change cards that they bought, as long as nobody else has the code. Staff always can. */
async function checkBuyer(work: Work, card: GiftCardRow, also: readonly DeliveryStatus[] = []): Promise<void> {
  if (work.viewer.mode === 'provider') return;
  await checkActsFor(work, card.purchaser_id);
  const status = deliveryStatusOf(card);
  if (!isDelivered(status) && !also.includes(status))
    throw new Problem('conflict', say`This ${word.gift_card} was already sent. Please ask the business.`);
}

/** Converts an empty text to null, because null is shown as an empty text. */
const orNone = (sent: string | undefined): string | null | undefined => (sent === '' ? null : sent);

const change = action({
  method: 'PATCH',
  path: '/gift_cards/{id}',
  summary: 'Update a gift card',
  description:
    'Corrects whom it is for, what it says, and when it is delivered. One that could not be sent is sent to the new address. To send another one to another address, update it and send it. Buyers can correct what was not sent yet, or could not be sent.',
  who: buyersToo,
  ...OF_A_CARD,
  body: {
    recipient: ref('customer').nullable().optional(),
    recipient_email: text({ max: 254, blank: true, fold: canonicalAddress })
      .optional()
      .describe(
        'Empty for a card whose code is printed. Of a card that could not be sent, the same address tries again.',
      ),
    recipient_name: personName({ max: 200, blank: true }).optional(),
    message: personalMessage({ max: 500, blank: true })
      .optional()
      .describe('What the buyer writes to the recipient. Empty for none.'),
    deliver_on_date: date().optional().describe('Only before it is delivered.'),
  },
  run: async ({ work, target, body }) => {
    const changed = changedNames(body);
    if (changed.length === 0) return target.id;
    const card = await lockGiftCard(work, target.id);
    await checkBuyer(work, card);
    await checkUsable(work, card);
    const { recipient, deliver_on_date: on } = body;
    // A response can be sent back: an unchanged address isn't checked, unless delivery is to be retried.
    const stays = body.recipient_email === (card.recipient_email ?? '') && card.delivery_problem === null;
    const recipient_email = stays ? undefined : orNone(body.recipient_email);
    const recipient_name = orNone(body.recipient_name);
    if (typeof recipient_email === 'string') await checkAddress(work, recipient_email);
    const to = recipient_email === undefined ? card.recipient_email : recipient_email;
    if (to !== null && (recipient_name === undefined ? card.recipient_name : recipient_name) === null)
      throw invalid('recipient_name', {
        staff: 'This field is required for a gift card that is sent.',
        customer: say`This is needed for ${a.gift_card} that is sent.`,
      });
    if (on !== undefined && card.delivered_at !== null)
      throw invalid('deliver_on_date', {
        staff: 'The gift card was already delivered. Leave this out.',
        customer: say`This ${word.gift_card} was already sent. Please ask the business.`,
      });
    if (on !== undefined && on < wallAt(work.now, work.tenant.zone).date)
      throw invalid('deliver_on_date', say`Must be today or later.`);
    const again = recipient_email !== undefined && card.delivery_problem !== null;
    await updateRow(work, 'gift_card', card.id, {
      recipient_id: recipient,
      recipient_email,
      recipient_name,
      message: orNone(body.message),
      deliver_on: on,
      // Later reports about the email to the previous address are about that address.
      mail_hash: recipient_email === undefined ? undefined : null,
      ...(again && { delivery_problem: null, delivery_failed_at: null, delivery_asked_at: instant(work.now) }),
    });
    if (typeof recipient_email === 'string') work.enqueue(deliveryJobOf(card.id));
    if (again && recipient_email !== null) {
      work.effect('gift_card_sent', 'gift_card', card.id, { recipient_email });
    }
    work.record(giftCardFeed.updated, card.id, { ...about(card), changed });
    return card.id;
  },
});

export const changeGiftCards = [deliver, redeemOne, change, printOne];
