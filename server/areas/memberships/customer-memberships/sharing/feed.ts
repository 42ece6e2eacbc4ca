import { boolean, id, ref, refs } from '../../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';

const object = { object: 'customermembership' };
const owned = { customer_membership: ref('customermembership'), customer: id() };

const others = { ...owned, customers: refs('customer'), family: boolean() };

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

export const FEED = [customerMembershipShared, customerMembershipUnshared];
