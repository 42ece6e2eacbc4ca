import { boolean, date, id, ref, refs, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';
import { PRICES } from '../entitlements/index.ts';

const object = { object: 'customermembership' };
const held = { customer_membership: ref('customermembership'), customer: id() };

export const customerMembershipPriceChanged = feedItemKind('customer_membership.price_changed', {
  ...object,
  description: 'Another price was agreed. `from`: the first day of the first billing period that costs so much; null: there are no periods, and it counts at once.',
  payload: { ...held, before: text(), after: text(), from: date().nullable() },
  shown: { before: PRICES, after: PRICES },
});

const others = { ...held, customers: refs('customer'), family: boolean() };

export const customerMembershipShared = feedItemKind('customer_membership.shared', {
  ...object,
  description: 'Others may use it too, out of the same uses: these customers, and with `family` all of the family of who holds it.',
  payload: others,
});

export const customerMembershipUnshared = feedItemKind('customer_membership.unshared', {
  ...object,
  description: 'These customers may not use it any more, and with `family` the family of who holds it.',
  payload: others,
});

export const membershipSharedWithFamilies = feedItemKind('membership.shared_with_families', {
  object: 'membership',
  description: 'Everybody who holds it shares it with the family, those included who will hold it.',
  payload: { membership: id() },
});

export const SHARING_FEED = [customerMembershipPriceChanged, customerMembershipShared, customerMembershipUnshared, membershipSharedWithFamilies];
