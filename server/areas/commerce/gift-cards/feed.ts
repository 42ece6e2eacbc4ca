import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { DELIVERY_PROBLEMS } from './rules/state.ts';
import { id, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';

export const giftCardFeed = feedKinds(
  'gift_card',
  { gift_card: id(), customer: ref('customer') },
  {
    created:
      'A gift card was sold, or moved in from another product. `customer` is who bought it, in all of these: for one that was moved in, the walk-in customer.',
    updated: 'The recipient or the delivery date of a gift card was changed; `changed` names the properties.',
    delivery_requested: 'Staff asked for a gift card to be sent.',
    delivered: 'A gift card was sent to its recipient by email.',
    printed: 'The code of a gift card was shown once, to be printed.',
    undelivered: {
      description: 'A gift card could not be sent to the address of its recipient; `problem` says why.',
      payload: { problem: oneOf(DELIVERY_PROBLEMS) },
    },
    expired: 'A gift card expired without being redeemed.',
    voided: 'A gift card was taken back, or its import was undone.',
    redeemed: {
      description: 'A gift card became the account credit of a customer, `redeemed_by`.',
      payload: { redeemed_by: ref('customer') },
    },
  },
);

export const FEED = [giftCardFeed];
