import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { COMMON_FIELDS, type NoticeType } from '../../../kernel/work/unit/notices.ts';
import { a, say } from '../../../kernel/base/values/words.ts';

const fields = [
  ...COMMON_FIELDS,
  { name: 'credit.amount', description: 'The account credit', sample: '$10.00' },
  { name: 'friend.first_name', description: 'First name of the other person', sample: 'Grace' },
];

const translations = readTranslations('referrals/notices');

/** Customers can switch these off: their credit is shown on their account, too. */
const earned = { email: true, sms: false, optional: true, fields, translations } as const;

export const REFERRAL_REWARDED: NoticeType = {
  ...earned,
  number: 95,
  type: 'referral_rewarded',
  description: 'Account credit for referring somebody',
  subject: 'You earned {{ credit.amount }}',
  body: `Hi {{ customer.first_name }},

Thank you for telling {{ friend.first_name }} about {{ business.name }}. You earned {{ credit.amount }} of account credit, which you can spend now.

{{ business.url }}

{{ business.name }}`,
  button: 'See the timetable',
  smsBody:
    '{{ business.name }}: you earned {{ credit.amount }} of credit for telling {{ friend.first_name }} about us.',
};

export const REFERRAL_WELCOMED: NoticeType = {
  ...earned,
  number: 96,
  type: 'referral_welcomed',
  description: say`Account credit for ${a.customer} who was referred`,
  subject: '{{ credit.amount }} for you',
  body: `Hi {{ customer.first_name }},

{{ friend.first_name }} invited you to {{ business.name }}, so {{ credit.amount }} of account credit is yours. You can spend it now.

{{ business.url }}

{{ business.name }}`,
  button: 'See the timetable',
  smsBody: '{{ business.name }}: {{ credit.amount }} of credit is yours, because {{ friend.first_name }} invited you.',
};
