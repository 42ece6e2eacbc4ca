import { id, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const machineTokenFeed = feedKinds(
  'machine_token',
  { machine_token: id() },
  {
    created: 'A machine token was created.',
    updated: 'A machine token was renamed, or its expiration changed. `changed` lists the properties.',
    revoked: 'A machine token was revoked.',
  },
);

/** The records themselves belong to later areas. */
export const claimedFeeds = {
  customer: feedKinds(
    'customer',
    { customer: ref('customer') },
    {
      claimed: 'A person with an account claimed the customer record that the business had of them.',
    },
  ),
  staff: feedKinds(
    'staff',
    { staff: ref('staff') },
    {
      claimed: 'A person with an account claimed their staff member record.',
    },
  ),
};

const ACCOUNT_MAILS = [
  'confirm_email',
  'reset_password',
  'account_exists',
  'log_in_link',
  'log_in_code',
  'change_email',
  'email_change_asked',
  'password_changed',
  'second_factor_on',
  'second_factor_off',
  'second_factor_lost',
  'passkey_added',
  'passkey_removed',
  'invitation',
  'family_invite',
  'confirm_booking',
] as const;

export const accountMailFeed = feedKinds(
  'customer',
  { customer: ref('customer'), mail: oneOf(ACCOUNT_MAILS) },
  {
    account_mail_sent:
      'An email with a secret link or code was sent to a customer, for example to log in. Its text is not stored.',
  },
);

export const identityFeed = [accountMailFeed, machineTokenFeed, ...Object.values(claimedFeeds)];
