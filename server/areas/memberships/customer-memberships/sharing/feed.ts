import { boolean, date, id, ref, refs, text } from '../../../../kernel/api/kinds.ts';
import { feedItemKind } from '../../../../kernel/feed/feed-item.ts';
import { PRICES } from '../customer-membership.ts';

const object = { object: 'customermembership' };
const held = { customer_membership: ref('customermembership'), customer: id() };

export const customerMembershipPriceChanged = feedItemKind('customer_membership.price_changed', {
  ...object,
  description:
    'The agreed price was changed. `from` is the first day of the first billing period at the new price; null if there are no billing periods and the price applies immediately.',
  payload: { ...held, before: text(), after: text(), from: date().nullable() },
  shown: { before: PRICES, after: PRICES },
});

const others = { ...held, customers: refs('customer'), family: boolean() };

export const customerMembershipShared = feedItemKind('customer_membership.shared', {
  ...object,
  description:
    "Others can now use the membership too, out of the same uses: these customers, and with `family` the holder's whole family.",
  payload: others,
});

export const customerMembershipUnshared = feedItemKind('customer_membership.unshared', {
  ...object,
  description: "These customers can no longer use the membership, and with `family` neither can the holder's family.",
  payload: others,
});

export const membershipSharedWithFamilies = feedItemKind('membership.shared_with_families', {
  object: 'membership',
  description: 'The membership is now shared with the families of everyone who holds it or will hold it.',
  payload: { membership: id() },
});

export const SHARING_FEED = [
  customerMembershipPriceChanged,
  customerMembershipShared,
  customerMembershipUnshared,
  membershipSharedWithFamilies,
];
