import { id, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const SUPPRESSION_REASONS = ['unsubscribed', 'bounced', 'complained', 'manual'] as const;

/** The address itself is left out: anyone who may see it reads the suppression. */
export const suppressionFeed = feedKinds(
  'suppression',
  { suppression: id(), reason: oneOf(SUPPRESSION_REASONS) },
  {
    created: 'An address was suppressed: nothing more is sent to it.',
    deleted: 'A suppression was removed: messages can be sent to the address again.',
  },
);

/** The number itself is left out. */
export const smsAccountFeed = feedKinds(
  'sms_account',
  { customer: ref('customer') },
  {
    updated: "A customer's phone number was entered, changed or verified; `changed` names the properties.",
  },
);
