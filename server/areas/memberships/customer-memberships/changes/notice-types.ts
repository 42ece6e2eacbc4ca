/** Confirmations to customers who ended a membership themselves, or undid that. They can't switch them off. */
import { A, say } from '../../../../kernel/base/values/words.ts';
import { COMMON_FIELDS, type NoticeType } from '../../../../kernel/work/unit/notices.ts';
import { readTranslations } from '../../../../kernel/base/languages/translations.ts';

const field = (name: string, description: string, sample: string) => ({ name, description, sample });

const common = {
  email: true,
  sms: false,
  optional: false,
  translations: readTranslations('customer-memberships/notices'),
} as const;

const FIELDS = [
  ...COMMON_FIELDS,
  field('membership.name', 'Name of the membership', 'Club'),
  field(
    'membership.url',
    'The page about its end, where the customer can undo the cancellation',
    'https://example.com/account/1/profile/memberships/7/end',
  ),
];

export const ENDING_NOTICES = {
  ends: {
    ...common,
    number: 66,
    type: 'membership_ends',
    description: say`${A.membership} that you ended, with its last day`,
    fields: [
      ...FIELDS,
      field('membership.last_day', 'The last day on which it can be used', 'Sunday, 12 July 2026'),
      field('payments', 'A sentence about the payments that are still due', 'No further payments will become due.'),
    ],
    subject: '{{ membership.name }} ends on {{ membership.last_day }}',
    body: `Hi {{ customer.first_name }},

You ended {{ membership.name }}. You can use it until the end of {{ membership.last_day }}. {{ payments }}

If you change your mind, you can keep it until then:

{{ membership.url }}

{{ business.name }}`,
    smsBody: '{{ business.name }}: {{ membership.name }} ends on {{ membership.last_day }}. {{ payments }}',
    button: 'See the details or undo',
  },
  continues: {
    ...common,
    number: 67,
    type: 'membership_continues',
    description: say`${A.membership} that you decided to keep`,
    fields: [
      ...FIELDS,
      field(
        'payments',
        'A sentence about the next payment',
        'The next payment of $40.00 is due on Wednesday, 15 July 2026.',
      ),
    ],
    subject: '{{ membership.name }} continues',
    body: `Hi {{ customer.first_name }},

You decided to keep {{ membership.name }}, so it doesn’t end. {{ payments }}

{{ business.name }}`,
    smsBody: '{{ business.name }}: {{ membership.name }} continues. {{ payments }}',
  },
} as const satisfies Record<string, NoticeType>;
