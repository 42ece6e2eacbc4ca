/** What staff do with gift cards: send them, redeem them for somebody, and put their recipients right. */
import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { about, checkUsable, lockGiftCard } from './row.ts';
import { changedNames, updateRow } from '../../../kernel/db/row.ts';
import { date, email, ref, text } from '../../../kernel/api/kinds.ts';
import { deliveryOf } from './deliver.ts';
import { deliveryRequested, giftCardUpdated } from './feed.ts';
import { giftCard } from './gift-card.ts';
import { GIFT_CARD_PROBLEMS } from './problems.ts';
import { instant } from '../../../kernel/db/sql.ts';
import { invalid } from '../../../kernel/api/problem.ts';
import { isMailAddress } from '../../../kernel/mail/address.ts';
import { redeem } from './redeem.ts';
import { wallAt } from '../../../kernel/values/zone.ts';

export const who = staffWith('super_admin', 'store', 'pos');

const { gift_card_redeemed, gift_card_expired, gift_card_voided, gift_card_not_paid } = GIFT_CARD_PROBLEMS;
const UNUSABLE = [gift_card_redeemed, gift_card_expired, gift_card_voided, gift_card_not_paid];

const deliver = action({
  path: '/gift_cards/{id}/deliver',
  summary: 'Send a gift card',
  description:
    'Sends the email now, before its day or again. Each email has a new code, and the codes of earlier ones are no longer valid.',
  who,
  target: giftCard,
  // Customers come before gift cards, and so does the invoice.
  unlocked: true,
  returns: one(giftCard),
  problems: UNUSABLE,
  run: async ({ work, target }) => {
    const card = await lockGiftCard(work, target.id);
    await checkUsable(work, card);
    await updateRow(work, 'gift_card', card.id, { delivery_asked_at: instant(work.now) });
    work.enqueue(deliveryOf(card.id));
    work.record(deliveryRequested, card.id, about(card));
    work.effect('gift_card_sent', 'gift_card', card.id, { recipient_email: card.recipient_email });
    return card.id;
  },
});

const redeemOne = action({
  path: '/gift_cards/{id}/redeem',
  summary: 'Redeem a gift card',
  description: 'The gift card becomes account credit of the customer, once. No code is needed.',
  who,
  target: giftCard,
  unlocked: true,
  body: {
    customer: ref('customer')
      .optional()
      .describe('Whose account credit it becomes. If left out, the recipient, if that is a customer.'),
  },
  returns: one(giftCard),
  problems: UNUSABLE,
  run: async ({ work, target, body }) => {
    const customer = body.customer ?? target.recipient_id;
    if (customer === null)
      throw invalid('customer', 'This field is required: the recipient is not known as a customer.');
    await redeem(work, target.id, customer);
    return target.id;
  },
});

const change = action({
  method: 'PATCH',
  path: '/gift_cards/{id}',
  summary: 'Update a gift card',
  description:
    'Corrects whom it is for, and when it is delivered. To send it to another address, update it and send it.',
  who,
  target: giftCard,
  unlocked: true,
  body: {
    recipient: ref('customer').nullable().optional(),
    recipient_email: email().optional(),
    recipient_name: text({ max: 200 }).optional(),
    deliver_on_date: date().optional().describe('Only before it is delivered.'),
  },
  returns: one(giftCard),
  problems: UNUSABLE,
  run: async ({ work, target, body }) => {
    const changed = changedNames(body);
    if (changed.length === 0) return target.id;
    const card = await lockGiftCard(work, target.id);
    await checkUsable(work, card);
    const { recipient, recipient_email, recipient_name, deliver_on_date: on } = body;
    if (recipient_email !== undefined && !isMailAddress(recipient_email))
      throw invalid('recipient_email', 'Must be a valid email address.');
    if (on !== undefined && card.delivered_at !== null)
      throw invalid('deliver_on_date', 'The gift card was already delivered. Leave this out.');
    if (on !== undefined && on < wallAt(work.now, work.tenant.zone).date)
      throw invalid('deliver_on_date', 'Must be today or later.');
    await updateRow(work, 'gift_card', card.id, {
      recipient_id: recipient,
      recipient_email,
      recipient_name,
      deliver_on: on,
    });
    work.record(giftCardUpdated, card.id, { ...about(card), changed });
    return card.id;
  },
});

export const changeGiftCards = [deliver, redeemOne, change];
