import { date, id, ref, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

const object = { object: 'customermembership' };
const held = { customer_membership: ref('customermembership'), customer: id() };

export const customerMembershipPriceChanged = feedItemKind('customer_membership.price_changed', {
  ...object,
  description: 'Another price was agreed. `from`: the first day of the first billing period that costs so much; null: there are no periods, and it counts at once.',
  payload: { ...held, before: text(), after: text(), from: date().nullable() },
});

export const customerMembershipExpirationChanged = feedItemKind('customer_membership.expiration_changed', {
  ...object,
  description: 'It ends on another day. Null: without end.',
  payload: { ...held, before: date().nullable(), after: date().nullable() },
});

export const SHARING_FEED = [customerMembershipPriceChanged, customerMembershipExpirationChanged];
