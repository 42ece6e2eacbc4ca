import { id, listOf, oneOf, ref, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

export const machineTokenCreated = feedItemKind('machine_token.created', {
  object: 'machine_token',
  description: 'A token for a program was made.',
  payload: { machine_token: id() },
});

export const machineTokenUpdated = feedItemKind('machine_token.updated', {
  object: 'machine_token',
  description: 'A token was renamed, or ends at another time; `changed` names the properties.',
  payload: { machine_token: id(), changed: listOf(text()) },
});

export const machineTokenRevoked = feedItemKind('machine_token.revoked', {
  object: 'machine_token',
  description: 'A token was ended for good.',
  payload: { machine_token: id() },
});

/** The records themselves are of areas that stand after this one. */
export const claimed = {
  customer: feedItemKind('customer.claimed', {
    object: 'customer',
    description: 'A person who can log in made the record that the business kept of a customer the own one.',
    payload: { customer: ref('customer') },
  }),
  staff: feedItemKind('staff.claimed', {
    object: 'staff',
    description: 'A person who can log in made the record of a staff member the own one.',
    payload: { staff: ref('staff') },
  }),
};

export const ACCOUNT_MAILS = [
  'confirm_email', 'reset_password', 'account_exists', 'change_email', 'email_change_asked', 'password_changed', 'second_factor_on', 'second_factor_off', 'second_factor_lost', 'invitation',
] as const;

export const accountMailSent = feedItemKind('customer.account_mail_sent', {
  object: 'customer',
  description: 'A mail about logging in went to a customer. What it said holds secrets, and is kept nowhere.',
  payload: { customer: ref('customer'), mail: oneOf(ACCOUNT_MAILS) },
});

export const identityFeed = [accountMailSent, machineTokenCreated, machineTokenUpdated, machineTokenRevoked, claimed.customer, claimed.staff];
