import { feedItemKind } from '../../../kernel/feed/feed-item.ts';
import { id, object, oneOf, ref, text } from '../../../kernel/api/kinds.ts';
import { KINDS, PRICES } from './account-entry.ts';
import { reasonName, subjectName } from './reasons.ts';

const payload = {
  account_entry: ref('account_entry'),
  customer: ref('customer'),
  customer_membership: ref('customermembership').nullable(),
  subject: object({ object: subjectName(), id: id() }),
  kind: oneOf(KINDS),
  reason: reasonName(),
};

export const accountEntryCreated = feedItemKind('account_entry.created', {
  object: 'account_entry',
  description: 'A customer owes an amount, or gets an amount back.',
  payload: { ...payload, amount: text() },
  shown: { amount: PRICES },
});

export const accountEntryVoided = feedItemKind('account_entry.voided', {
  object: 'account_entry',
  description: 'A charge or a credit was voided.',
  payload,
});

export const FEED = [accountEntryCreated, accountEntryVoided];
