import { boolean, id, ref, refs } from '../../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';

export const membershipSharingFeed = feedKinds(
  'customer_membership',
  { customer_membership: ref('customermembership'), customer: id(), customers: refs('customer'), family: boolean() },
  {
    shared:
      "Others can now use the membership too, out of the same uses: these customers, and with `family` the holder's whole family.",
    unshared: "These customers can no longer use the membership, and with `family` neither can the holder's family.",
  },
  { object: 'customermembership' },
);

export const FEED = [membershipSharingFeed];
