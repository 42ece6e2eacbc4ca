import { id, listOf, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const machineTokenCreated = feedItemKind('machine_token.created', {
  object: 'machine_token',
  description: 'A machine token was created.',
  payload: { machine_token: id() },
});

export const machineTokenUpdated = feedItemKind('machine_token.updated', {
  object: 'machine_token',
  description: 'A machine token was renamed, or its expiration changed. `changed` lists the properties.',
  payload: { machine_token: id(), changed: listOf(text()) },
});

export const machineTokenRevoked = feedItemKind('machine_token.revoked', {
  object: 'machine_token',
  description: 'A machine token was revoked.',
  payload: { machine_token: id() },
});

/** The records themselves belong to later areas. */
export const claimed = {
  customer: feedItemKind('customer.claimed', {
    object: 'customer',
    description: 'A person with an account claimed the customer record that the business had of them.',
    payload: { customer: ref('customer') },
  }),
  staff: feedItemKind('staff.claimed', {
    object: 'staff',
    description: 'A person with an account claimed their staff member record.',
    payload: { staff: ref('staff') },
  }),
};

export const ACCOUNT_MAILS = [
  'confirm_email',
  'reset_password',
  'account_exists',
  'log_in_link',
  'change_email',
  'email_change_asked',
  'password_changed',
  'second_factor_on',
  'second_factor_off',
  'second_factor_lost',
  'passkey_added',
  'passkey_removed',
  'invitation',
  'confirm_booking',
] as const;

export const accountMailSent = feedItemKind('customer.account_mail_sent', {
  object: 'customer',
  description:
    'An email with a secret link or code was sent to a customer, for example to log in. Its text is not stored.',
  payload: { customer: ref('customer'), mail: oneOf(ACCOUNT_MAILS) },
});

export const identityFeed = [
  accountMailSent,
  machineTokenCreated,
  machineTokenUpdated,
  machineTokenRevoked,
  claimed.customer,
  claimed.staff,
];
