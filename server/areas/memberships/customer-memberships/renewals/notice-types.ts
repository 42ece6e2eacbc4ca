/** Reminders that the law requires before something renews. Customers can't switch them off. */
import { A, say } from '../../../../kernel/base/values/words.ts';
import { COMMON_FIELDS, type NoticeType } from '../../../../kernel/work/unit/notices.ts';
import { readTranslations } from '../../../../kernel/base/languages/translations.ts';

const field = (name: string, description: string, sample: string) => ({ name, description, sample });

const common = {
  email: true,
  sms: false,
  optional: false,
  translations: readTranslations('customer-memberships/notices'),
  fields: [
    ...COMMON_FIELDS,
    field('membership.name', 'Name of the membership', 'Club'),
    field(
      'membership.url',
      'The page on which the customer can end it',
      'https://example.com/account/1/profile/memberships/7/end',
    ),
    field('renewal.date', 'The day on which it renews', 'Monday, 10 May 2027'),
    field('renewal.price', 'The next payment, including fees and taxes', '$480.00'),
    field('renewal.deadline', 'The last day to end it, so that it doesn’t renew', 'Sunday, 9 May 2027'),
  ],
  button: 'See the details or end it',
} as const;

export const REMINDERS = {
  renewal: {
    ...common,
    number: 101,
    type: 'membership_renews',
    description: say`${A.membership} that will renew soon, where the law requires a reminder`,
    subject: '{{ membership.name }} renews on {{ renewal.date }}',
    body: `Hi {{ customer.first_name }},

{{ membership.name }} renews on {{ renewal.date }}. The next payment is {{ renewal.price }}.

If you want to keep it, you don’t have to do anything. If not, end it by {{ renewal.deadline }}:

{{ membership.url }}

{{ business.name }}`,
    smsBody:
      '{{ business.name }}: {{ membership.name }} renews on {{ renewal.date }} for {{ renewal.price }}. To end it, go to {{ membership.url }} by {{ renewal.deadline }}.',
  },
  trial: {
    ...common,
    number: 102,
    type: 'membership_trial_ends',
    description: 'A trial that will turn into regular payments soon, where the law requires a reminder',
    subject: 'Your trial {{ membership.name }} ends on {{ renewal.date }}',
    body: `Hi {{ customer.first_name }},

Your trial {{ membership.name }} ends on {{ renewal.date }}. From then on it goes on with regular payments. The next one is {{ renewal.price }}.

If you want to keep it, you don’t have to do anything. If not, end it by {{ renewal.deadline }}, and you pay nothing more:

{{ membership.url }}

{{ business.name }}`,
    smsBody:
      '{{ business.name }}: your trial {{ membership.name }} ends on {{ renewal.date }}, and {{ renewal.price }} is due then. To end it, go to {{ membership.url }} by {{ renewal.deadline }}.',
  },
} as const satisfies Record<string, NoticeType>;
