/** Notices about the price of a membership. Holders can't switch them off, because they pay it. */
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
    field('price.before', 'The price now', '$40.00'),
    field('price.after', 'The new price', '$45.00'),
    field('price.date', 'The first day at the new price', '15 September 2026'),
    field('message', 'What staff add to it', 'We have two more rooms now.'),
  ],
} as const;

export const PRICE_NOTICES = {
  changes: {
    ...common,
    number: 68,
    type: 'membership_price_changes',
    description: 'The price of something that someone pays regularly will change',
    subject: 'A new price for {{ membership.name }} from {{ price.date }}',
    body: `Hi {{ customer.first_name }},

From {{ price.date }}, {{ membership.name }} costs {{ price.after }} instead of {{ price.before }}. Until then, nothing changes.

{{ message }}

{{ business.name }}`,
    smsBody:
      '{{ business.name }}: from {{ price.date }}, {{ membership.name }} costs {{ price.after }} instead of {{ price.before }}.',
  },
  stays: {
    ...common,
    number: 69,
    type: 'membership_price_stays',
    description: 'An announced price does not apply after all',
    subject: 'The price of {{ membership.name }} stays the same',
    body: `Hi {{ customer.first_name }},

We told you that {{ membership.name }} would cost {{ price.after }} from {{ price.date }}. It stays at {{ price.before }} after all.

{{ business.name }}`,
    smsBody: '{{ business.name }}: {{ membership.name }} stays at {{ price.before }} after all.',
  },
} as const satisfies Record<string, NoticeType>;
