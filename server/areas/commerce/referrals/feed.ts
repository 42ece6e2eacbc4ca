import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id, ref } from '../../../kernel/base/fields/kinds.ts';

const payload = { referral: id(), referrer: ref('customer'), customer: ref('customer') };
const happened = (name: string, description: string) =>
  feedItemKind(`referral.${name}`, { object: 'referral', description, payload });

export const referralCreated = happened('created', 'Somebody signed up with the code of a customer.');
export const referralConfirmed = happened(
  'confirmed',
  'A referral was confirmed, and both got what they were promised.',
);
export const referralCancelled = happened('cancelled', 'A referral does not count.');

export const FEED = [referralCreated, referralConfirmed, referralCancelled];
