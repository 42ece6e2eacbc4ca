/** Fields of every form on these pages, declared once. */
import { check, choice, code, date, email, hidden, password, personName, text } from '../../../../kernel/pages/form.ts';
import type { Business } from '../business.ts';
import { LONGEST_NAME } from '../../../people/identity/index.ts';
import type { AccountSay, FieldKey } from '../catalog.ts';
import type { Say } from '../../../../kernel/base/languages/catalog.ts';

/** Phrases the labels and hints of fields for the reader. */
type FieldSay = Say<FieldKey>;

export const newPassword = (say: FieldSay, label: FieldKey = 'field.new_password') =>
  password(say(label), { autocomplete: 'new-password', hint: say('field.password.hint') });

export const userEmail = (say: FieldSay) => email(say('field.email'), { autocomplete: 'username' });

export const nameFields = (say: FieldSay) => ({
  first_name: personName(say('field.first_name'), { max: 128, autocomplete: 'given-name' }),
  last_name: personName(say('field.last_name'), { max: 128, autocomplete: 'family-name', optional: true }),
});

export const logInFields = (say: FieldSay) => ({
  email: userEmail(say),
  password: password(say('field.password')),
  keep: check(say('field.keep'), { hint: say('field.keep.hint') }),
  return_to: hidden(2000),
});

/** Returns the fields of the first step: who the person is. The password takes the place of the code. */
export const startFields = (say: FieldSay) => ({ email: userEmail(say), return_to: hidden(2000) });

export const passwordLogInFields = (say: FieldSay) => {
  const { password: secret, keep } = logInFields(say);
  return { password: secret, keep };
};

export const codeLogInFields = (say: FieldSay) => ({
  code: mailedCode(say),
  keep: check(say('field.keep'), { hint: say('field.keep.hint') }),
  return_to: hidden(2000),
});

export const secondFactorFields = (say: FieldSay) => ({
  code: code(say('field.code'), { hint: say('field.code.any') }),
  pending: hidden(),
  keep: hidden(2),
  return_to: hidden(2000),
});

/** The choices of a business for new customers. */
type AskedOf = Pick<Business, 'venues' | 'asksForConsent' | 'name'>;

/** Returns the venue if there are several, and marketing consent if the business asks for it. Both are optional. */
const customerFields = (say: FieldSay, { venues, asksForConsent, name }: AskedOf) => ({
  ...(venues.length > 1 && {
    venue: choice(
      say('field.venue'),
      venues.map((v) => [String(v.id), v.name] as const),
      { optional: true },
    ),
  }),
  ...(asksForConsent && {
    is_opted_into_broadcast_messages: check(say('field.news', { name })),
    is_opted_into_sms_marketing: check(say('field.sms_news', { name })),
  }),
});

export const signUpFields = (say: FieldSay, site: AskedOf) => ({
  ...nameFields(say),
  email: userEmail(say),
  password: newPassword(say, 'field.password'),
  ...customerFields(say, site),
  return_to: hidden(2000),
  referral: hidden(100),
});

/** Returns the fields of the last step for people who are new at the business. */
export const newcomerFields = (say: FieldSay, site: AskedOf) => ({
  ...nameFields(say),
  ...customerFields(say, site),
  return_to: hidden(2000),
});

const mailedCode = (say: FieldSay) =>
  code(say('field.code.mailed'), { max: 6, digits: true, hint: say('field.code.mailed.hint') });

export const mailedCodeFields = (say: FieldSay) => ({
  code: mailedCode(say),
  with_code: hidden(1),
  return_to: hidden(2000),
});

export const calendarFields = { family: hidden(3) };

/** Field of the form that replaces an entry code: whose code it is. */
export const codeOwnerFields = { customer: hidden(20) };
export const ticketFields = { ticket: hidden() };
/** `browser`: at the host name of the business, see `Visit.browser`. */
export const handOverFields = { browser: hidden(100), return_to: hidden(2000) };
export const provenFields = { ...ticketFields, return_to: hidden(2000) };
export const confirmFields = (say: FieldSay) => ({
  password: password(say('field.password'), { hint: say('field.password.chosen') }),
  ...provenFields,
});
export const forgotFields = (say: FieldSay) => ({ email: userEmail(say), return_to: hidden(2000) });
export const resetFields = (say: FieldSay) => ({ password: newPassword(say), ...provenFields });
export const invitationFields = (say: FieldSay) => ({
  ...nameFields(say),
  password: newPassword(say, 'field.password'),
  ...ticketFields,
});
export const proofFields = (say: FieldSay) => ({ current_password: password(say('field.your_password')) });
export const emailFields = (say: FieldSay) => ({ new_email: email(say('field.new_email')), ...proofFields(say) });
export const passwordFields = (say: FieldSay) => ({
  old_password: password(say('field.old_password')),
  password: newPassword(say),
});
export const codeFields = (say: FieldSay) => ({ code: code(say('field.code.from_app'), { max: 6 }) });
export const codesFields = (say: FieldSay) => ({ code: code(say('field.code'), { hint: say('field.code.app') }) });
export const offFields = (say: FieldSay) => ({
  ...proofFields(say),
  code: code(say('field.code'), { hint: say('field.code.any') }),
});
export const idFields = { id: hidden(20) };
/** Fields of the form that adds a passkey: its name, and the browser's response. */
export const passkeyFields = (say: AccountSay) => ({
  name: text(say('passkey.name'), { max: LONGEST_NAME, autocomplete: 'off', hint: say('passkey.name.hint') }),
  response: hidden(8000),
});
export const passkeyNameFields = (say: AccountSay) => ({
  name: text(say('passkey.name'), { max: LONGEST_NAME, autocomplete: 'off' }),
  ...idFields,
});
export const passkeyLogInFields = { response: hidden(8000), keep: hidden(2), return_to: hidden(2000) };
/** Returns the first and last day of a hold, both inclusive. */
export const holdFields = (say: FieldSay) => ({
  start: date(say('field.hold.start')),
  end: date(say('field.hold.end')),
});
export const childFields = (say: FieldSay) => ({
  first_name: personName(say('field.first_name'), { max: 128 }),
  last_name: personName(say('field.last_name'), { max: 128 }),
  date_of_birth: date(say('field.born'), { optional: true }),
});
export const inviteFields = (say: FieldSay) => ({
  first_name: personName(say('field.first_name'), { max: 128 }),
  last_name: personName(say('field.last_name'), { max: 128 }),
  email: email(say('field.email')),
});
/** Field of the form that joins a family: the code of the invitation. */
export const joinFields = { invite: hidden(100) };
/** Fields of the form that turns on notifications: the browser's response. */
export const pushFields = { endpoint: hidden(2000), p256dh: hidden(), auth: hidden() };
export const consentFields = { request: hidden() };
/**
 * Fields of the forms of a free time: the customer, the membership that pays or `single`, and whether the page said
 * that the move is late.
 */
export const takeFields = { customer: hidden(20), pays: hidden(20), late: hidden(3) };
