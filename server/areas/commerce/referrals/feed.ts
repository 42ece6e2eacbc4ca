import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, ref } from '../../../kernel/base/fields/kinds.ts';

export const referralFeed = feedKinds(
  'referral',
  { referral: id(), referrer: ref('customer'), customer: ref('customer') },
  {
    created: 'Somebody signed up with the code of a customer.',
    confirmed: 'A referral was confirmed, and both got what they were promised.',
    cancelled: 'A referral does not count.',
  },
);

export const FEED = [referralFeed];
