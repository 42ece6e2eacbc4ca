/** The fields of every form on these pages, declared once. */
import { check, choice, code, email, hidden, password, text } from '../../../../kernel/pages/form.ts';
import type { Business } from '../business.ts';

const PASSWORD_HINT = 'At least 10 characters. A few unrelated words work well.';

const newPassword = (label = 'New password') => password(label, { autocomplete: 'new-password', hint: PASSWORD_HINT });

export const nameFields = {
  first_name: text('First name', { max: 128, autocomplete: 'given-name' }),
  last_name: text('Last name', { max: 128, autocomplete: 'family-name', optional: true }),
};

export const logInFields = {
  email: email('Email address', { autocomplete: 'username' }),
  password: password('Password'),
  keep: check('Keep me logged in on this device', { hint: "Don't use this on a shared computer." }),
  return_to: hidden(2000),
};

export const secondFactorFields = {
  code: code('Code', { hint: 'Six digits from your authenticator app, or one of your recovery codes.' }),
  pending: hidden(),
  keep: hidden(2),
  return_to: hidden(2000),
};

/**
 * What the business asks of somebody who signs up: the venue where there are several, and consent where it wants to
 * know. Neither is needed.
 */
export const signUpFields = ({
  venues,
  asksForConsent,
  name,
}: Pick<Business, 'venues' | 'asksForConsent' | 'name'>) => ({
  ...nameFields,
  email: email('Email address', { autocomplete: 'username' }),
  password: newPassword('Password'),
  ...(venues.length > 1 && {
    venue: choice(
      'Where will you come most often?',
      venues.map((v) => [String(v.id), v.name] as const),
      { optional: true },
    ),
  }),
  ...(asksForConsent && {
    is_opted_into_broadcast_messages: check(`${name} can send me news and offers by email`),
    is_opted_into_sms_marketing: check(`${name} can send me news and offers by text message`),
  }),
  return_to: hidden(2000),
  referral: hidden(100),
});

export const calendarFields = { family: hidden(3) };
export const ticketFields = { ticket: hidden() };
export const provenFields = { ...ticketFields, return_to: hidden(2000) };
export const confirmFields = {
  password: password('Password', { hint: 'The one you chose when you signed up.' }),
  ...provenFields,
};
export const forgotFields = { email: email('Email address', { autocomplete: 'username' }), return_to: hidden(2000) };
export const resetFields = { password: newPassword(), ...provenFields };
export const invitationFields = { ...nameFields, password: newPassword('Password'), ...ticketFields };
export const emailFields = { new_email: email('New email address'), current_password: password('Your password') };
export const passwordFields = { old_password: password('Current password'), password: newPassword() };
export const codeFields = { code: code('Code from the app', { max: 6 }) };
export const proofFields = { current_password: password('Your password') };
export const codesFields = { code: code('Code', { hint: 'Six digits from your authenticator app.' }) };
export const offFields = {
  ...proofFields,
  code: code('Code', { hint: 'Six digits from your authenticator app, or one of your recovery codes.' }),
};
export const idFields = { id: hidden(20) };
export const consentFields = { request: hidden() };
export const giftCodeFields = ({ tenant: { words } }: Pick<Business, 'tenant'>) => ({
  code: code(`Code of the ${words.one.gift_card}`, {
    max: 40,
    hint: 'It is in the email, for example K7TD-2MQX-9HVB-4RWZ.',
    autocomplete: 'off',
  }),
});
/** Of the form that moves credit: to whom, in the family. */
export const moveFields = (family: readonly (readonly [string, string])[]) => ({
  to: choice('To', family),
  amount: text('Amount', { max: 20 }),
});
/** Of the form that begins to buy a gift card; `amounts` are pairs of value and label. */
export const giftCardFields = (amounts: readonly (readonly [string, string])[], range: string | null) => ({
  ...(amounts.length > 0 && { amount: choice('Amount', amounts, { optional: range !== null }) }),
  ...(range !== null && {
    other: text(amounts.length > 0 ? 'Or another amount' : 'Amount', {
      max: 20,
      optional: amounts.length > 0,
      hint: range,
    }),
  }),
  recipient_name: text('Name of the recipient', { max: 200 }),
  recipient_email: email('Email address of the recipient', {
    autocomplete: 'off',
    optional: true,
    hint: 'If you leave it out, you print it yourself.',
  }),
  deliver_on_date: text('Send it on', {
    max: 10,
    optional: true,
    hint: 'For example 2026-12-24. If you leave it out, we send it as soon as it is paid.',
  }),
});
/** Of the form that sends a gift card somewhere else. */
export const otherAddressFields = {
  recipient_name: text('Name of the recipient', { max: 200 }),
  recipient_email: email('Email address of the recipient', { autocomplete: 'off' }),
};
/** Of the forms of a free time: for whom, and whether the page said that moving is late. */
export const takeFields = { customer: hidden(20), late: hidden(3) };
