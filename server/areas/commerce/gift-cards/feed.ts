import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { DELIVERY_PROBLEMS } from './rules/state.ts';
import { id, listOf, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';

const payload = { gift_card: id(), customer: ref('customer') };

const happened = (name: string, description: string) =>
  feedItemKind(`gift_card.${name}`, { object: 'gift_card', payload, description });

export const giftCardCreated = happened(
  'created',
  'A gift card was sold. `customer` is who bought it, in all of these.',
);
export const giftCardUpdated = feedItemKind('gift_card.updated', {
  object: 'gift_card',
  payload: { ...payload, changed: listOf(text()) },
  description: 'The recipient or the delivery date of a gift card was changed; `changed` names the properties.',
});
export const deliveryRequested = happened('delivery_requested', 'Staff asked for a gift card to be sent.');
export const giftCardDelivered = happened('delivered', 'A gift card was sent to its recipient by email.');
export const giftCardPrinted = happened('printed', 'The code of a gift card was shown once, to be printed.');
export const giftCardUndelivered = feedItemKind('gift_card.undelivered', {
  object: 'gift_card',
  payload: { ...payload, problem: oneOf(DELIVERY_PROBLEMS) },
  description: 'A gift card could not be sent to the address of its recipient; `problem` says why.',
});
export const giftCardExpired = happened('expired', 'A gift card expired without being redeemed.');
export const giftCardVoided = happened('voided', 'A gift card was taken back.');

export const giftCardRedeemed = feedItemKind('gift_card.redeemed', {
  object: 'gift_card',
  payload: { ...payload, redeemed_by: ref('customer') },
  description: 'A gift card became the account credit of a customer, `redeemed_by`.',
});

export const FEED = [
  giftCardCreated,
  giftCardUpdated,
  deliveryRequested,
  giftCardDelivered,
  giftCardPrinted,
  giftCardUndelivered,
  giftCardRedeemed,
  giftCardExpired,
  giftCardVoided,
];
