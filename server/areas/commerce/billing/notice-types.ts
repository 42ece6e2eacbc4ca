/**
 * Notices to payers about failed collections. Payers can't switch them off, because they say what the payer may lose.
 */
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { COMMON_FIELDS, type NoticeType } from '../../../kernel/work/unit/notices.ts';
import { A, many, say } from '../../../kernel/base/values/words.ts';

const field = (name: string, description: string, sample: string) => ({ name, description, sample });

const MEMBERSHIP = field('membership.name', 'What the invoice is for', 'Club');

const translations = readTranslations('billing/notices');

const common = { email: true, sms: false, optional: false, translations } as const;

const PAGE = field(
  'account.url',
  'The page on which a card is added and the invoice is paid',
  'https://example.com/account/1/profile/memberships/12/card',
);

const OF_INVOICE = [
  ...COMMON_FIELDS,
  MEMBERSHIP,
  field('invoice.number', 'Number of the invoice', 'INV-000042'),
  field('invoice.left', 'What is left to pay', '$45.20'),
  PAGE,
];

const WHY = field('payment.failure', 'Why the payment failed', 'Your card was declined.');

export const BILLING_NOTICES = {
  retrying: {
    ...common,
    number: 80,
    type: 'payment_retrying',
    description: 'A payment failed and will be tried again',
    fields: [...OF_INVOICE, WHY, field('payment.next_date', 'The day of the next try', '15 July 2026')],
    subject: 'Your payment for {{ membership.name }} did not go through',
    body: `Hi {{ customer.first_name }},

We could not collect {{ invoice.left }} for {{ membership.name }} (invoice {{ invoice.number }}). {{ payment.failure }}

We will try again on {{ payment.next_date }}. You can also pay the invoice earlier, or add another card:

{{ account.url }}

{{ business.name }}`,
    smsBody:
      '{{ business.name }}: the payment of {{ invoice.left }} for {{ membership.name }} failed. We will try again on {{ payment.next_date }}.',
    button: 'Pay with another card or account',
  },
  lastFailed: {
    ...common,
    number: 81,
    type: 'payment_failed',
    description: 'A payment failed and will not be tried again',
    fields: [...OF_INVOICE, WHY],
    subject: 'Please pay invoice {{ invoice.number }} for {{ membership.name }}',
    body: `Hi {{ customer.first_name }},

We could not collect {{ invoice.left }} for {{ membership.name }} (invoice {{ invoice.number }}). {{ payment.failure }}

We will not try again. Please contact us, or pay the invoice:

{{ account.url }}

{{ business.name }}`,
    smsBody:
      '{{ business.name }}: the payment of {{ invoice.left }} for {{ membership.name }} failed. Please pay invoice {{ invoice.number }}.',
    button: 'Pay with another card or account',
  },
  suspended: {
    ...common,
    number: 82,
    type: 'membership_suspended',
    description: say`${A.membership} can’t be used until its invoice is paid`,
    fields: OF_INVOICE,
    subject: '{{ membership.name }} can’t be used until invoice {{ invoice.number }} is paid',
    body: say`Hi {{ customer.first_name }},

Invoice {{ invoice.number }} is still unpaid: {{ invoice.left }}. Until it is paid, nothing can be booked with {{ membership.name }}. Your existing ${many.booking} stay.

As soon as you pay it, you can book again:

{{ account.url }}

{{ business.name }}`,
    smsBody:
      '{{ business.name }}: {{ membership.name }} can’t be used until invoice {{ invoice.number }} is paid ({{ invoice.left }}).',
    button: 'Pay with another card or account',
  },
  cardExpires: {
    ...common,
    number: 83,
    type: 'card_expires',
    description: 'A saved card will have expired before its next payment',
    fields: [
      ...COMMON_FIELDS,
      MEMBERSHIP,
      field('card.name', 'The card', 'Visa 4242'),
      field('card.expires', 'When it expires', '07/2026'),
      field('payment.next_date', 'The day of the next payment', '15 August 2026'),
      PAGE,
    ],
    subject: 'Your card expires before the next payment for {{ membership.name }}',
    body: `Hi {{ customer.first_name }},

Your card {{ card.name }} expires at the end of {{ card.expires }}, before the next payment for {{ membership.name }} on {{ payment.next_date }}.

Please add another card before then:

{{ account.url }}

{{ business.name }}`,
    smsBody:
      '{{ business.name }}: your card {{ card.name }} expires before the next payment for {{ membership.name }} on {{ payment.next_date }}.',
    button: 'Add another card',
  },
  methodRequested: {
    ...common,
    number: 84,
    type: 'payment_method_requested',
    description: 'Staff ask someone whose payment failed to pay with another card or account',
    fields: OF_INVOICE,
    subject: 'Please update how you pay for {{ membership.name }}',
    body: `Hi {{ customer.first_name }},

We could not collect {{ invoice.left }} for {{ membership.name }} (invoice {{ invoice.number }}).

Please pay the invoice with another card or account, and save it. The next payments will use it too:

{{ account.url }}

{{ business.name }}`,
    smsBody:
      '{{ business.name }}: please pay {{ invoice.left }} for {{ membership.name }} with another card or account: {{ account.url }}',
    button: 'Pay with another card or account',
  },
} as const satisfies Record<string, NoticeType>;
