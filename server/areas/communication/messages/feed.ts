import { id, listOf, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const SUPPRESSION_REASONS = ['unsubscribed', 'bounced', 'complained', 'manual'] as const;

/** The address itself is left out: anyone who may see it reads the suppression. */
const about = { suppression: id(), reason: oneOf(SUPPRESSION_REASONS) };

export const suppressionCreated = feedItemKind('suppression.created', {
  object: 'suppression',
  description: 'An address was suppressed: nothing more is sent to it.',
  payload: about,
});
export const suppressionDeleted = feedItemKind('suppression.deleted', {
  object: 'suppression',
  description: 'A suppression was removed: messages can be sent to the address again.',
  payload: about,
});

/** The number itself is left out. */
export const smsAccountUpdated = feedItemKind('sms_account.updated', {
  object: 'sms_account',
  description: "A customer's phone number was entered, changed or verified; `changed` names the properties.",
  payload: { customer: ref('customer'), changed: listOf(text()) },
});
