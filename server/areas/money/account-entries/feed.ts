import { feedItemKind } from '../../../kernel/feed/feed-item.ts';
import { id, object, oneOf, ref, text } from '../../../kernel/api/kinds.ts';
import { KINDS, PRICES } from './account-entry.ts';
import { reasonName, subjectName } from './reasons.ts';

/** Both carry the same, so a follower that saw one of them knows what it was about. */
const said = {
  object: 'account_entry',
  payload: {
    account_entry: ref('account_entry'),
    customer: ref('customer'),
    customer_membership: ref('customermembership').nullable(),
    subject: object({ object: subjectName(), id: id() }),
    kind: oneOf(KINDS),
    reason: reasonName(),
    amount: text(),
  },
  shown: { amount: PRICES },
};

export const accountEntryCreated = feedItemKind('account_entry.created', {
  ...said,
  description: 'A customer owes an amount, or gets an amount back.',
});

export const accountEntryVoided = feedItemKind('account_entry.voided', {
  ...said,
  description: 'A charge or a credit was voided.',
});

export const FEED = [accountEntryCreated, accountEntryVoided];
