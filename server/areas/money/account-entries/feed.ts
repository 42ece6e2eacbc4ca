import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, object, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { KINDS } from './account-entry.ts';
import { PRICES } from '../ledger/index.ts';
import { reasonName, subjectName } from './reasons.ts';

/** All items have the same payload, so a follower that has read any of them knows the subject. */
const payload = {
  account_entry: ref('account_entry'),
  customer: ref('customer'),
  customer_membership: ref('customermembership').nullable(),
  subject: object({ object: subjectName(), id: id() }).nullable(),
  kind: oneOf(KINDS),
  reason: reasonName(),
  amount: text(),
};
export type Said = typeof payload;

export const accountEntryFeed = feedKinds(
  'account_entry',
  payload,
  {
    created: 'A customer was charged or credited an amount.',
    voided: 'A charge or a credit was voided.',
    invoiced: 'A charge or a credit is on an invoice.',
    credited: 'A credit was added to the account credit of the customer.',
  },
  { shown: { amount: PRICES } },
);

export const FEED = [accountEntryFeed];
