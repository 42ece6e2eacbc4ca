import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { COMMON_FIELDS, type NoticeType } from '../../../kernel/work/unit/notices.ts';

/** Customers cannot turn it off, because they are about to lose something of theirs. */
export const CREDIT_EXPIRES: NoticeType = {
  number: 65,
  type: 'account_credit_expires',
  description: 'Account credit is about to expire',
  email: true,
  sms: false,
  optional: false,
  translations: readTranslations('account-entries/notices'),
  fields: [
    ...COMMON_FIELDS,
    { name: 'credit.amount', description: 'How much expires', sample: '$12.00' },
    { name: 'credit.last_day', description: 'The last day on which it can be spent', sample: 'Sunday, 12 July 2026' },
  ],
  subject: '{{ credit.amount }} of your credit expires soon',
  body: `Hi {{ customer.first_name }},

{{ credit.amount }} of your account credit at {{ business.name }} expires soon. You can spend it until {{ credit.last_day }}.

{{ business.url }}

{{ business.name }}`,
  button: 'See the timetable',
  smsBody: '{{ business.name }}: spend {{ credit.amount }} of your credit until {{ credit.last_day }}.',
};
