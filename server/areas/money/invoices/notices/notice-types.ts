/**
 * Messages to customers about their invoices. Customers can't turn them off, because they state what is owed and what
 * was paid.
 */
import { readTranslations } from '../../../../kernel/base/languages/translations.ts';
import { COMMON_FIELDS, type NoticeType } from '../../../../kernel/work/unit/notices.ts';

const field = (name: string, description: string, sample: string) => ({ name, description, sample });

const ITEMS = 'Rowing on Sunday, 12 July 2026: $40.00\nHST: $5.20';

const common = {
  email: true,
  sms: false,
  optional: false,
  translations: readTranslations('invoices/notices'),
  fields: [
    ...COMMON_FIELDS,
    field('invoice.number', 'Number of the invoice', 'INV-000042'),
    field('invoice.date', 'The day on which it was issued', '12 July 2026'),
    field('invoice.due_date', 'The day on which it is due', '26 July 2026'),
    field('invoice.lines', 'What was bought, a line for each, and the fees and taxes', ITEMS),
    field('invoice.total', 'What it comes to', '$45.20'),
    field('invoice.left', 'What is left to pay', '$45.20'),
    field('invoice.note', 'What the business prints at the end of invoices', 'Thank you.'),
  ],
} as const;

const PAY = {
  fields: [
    ...common.fields,
    field('pay.url', 'The page on which it can be paid', 'https://example.com/account/1/profile/owed'),
  ],
  button: 'Pay the invoice',
} as const;

const BODY = `{{ invoice.lines }}
Total: {{ invoice.total }}
`;

export const INVOICE_NOTICES = {
  issued: {
    ...common,
    ...PAY,
    number: 70,
    type: 'invoice_issued',
    description: 'Someone has a new invoice with something left to pay',
    subject: 'Invoice {{ invoice.number }} from {{ business.name }}',
    body: `Hi {{ customer.first_name }},

Here is your invoice {{ invoice.number }} of {{ invoice.date }}.

${BODY}Left to pay: {{ invoice.left }}, by {{ invoice.due_date }}

{{ pay.url }}

{{ invoice.note }}

{{ business.name }}`,
    smsBody: '{{ business.name }}: invoice {{ invoice.number }}, {{ invoice.left }} to pay by {{ invoice.due_date }}.',
  },
  paid: {
    ...common,
    number: 71,
    type: 'invoice_paid',
    description: 'Someone paid an invoice: their receipt',
    subject: 'Your receipt from {{ business.name }}',
    body: `Hi {{ customer.first_name }},

Thank you for your payment. This is your receipt for invoice {{ invoice.number }} of {{ invoice.date }}.

${BODY}
{{ invoice.note }}

{{ business.name }}`,
    smsBody: '{{ business.name }}: invoice {{ invoice.number }} is paid. Thank you.',
  },
  credited: {
    ...common,
    number: 72,
    type: 'credit_note_issued',
    description: 'Something that someone was billed was taken back',
    fields: [...common.fields, field('invoice.reason', 'Why it was taken back', 'The class was cancelled.')],
    subject: 'Credit note {{ invoice.number }} from {{ business.name }}',
    body: `Hi {{ customer.first_name }},

Here is your credit note {{ invoice.number }} of {{ invoice.date }}. {{ invoice.reason }}

${BODY}
{{ business.name }}`,
    smsBody: '{{ business.name }}: credit note {{ invoice.number }}, {{ invoice.total }}.',
  },
  reminder: {
    ...common,
    ...PAY,
    number: 73,
    type: 'invoice_reminder',
    description: 'Someone has not paid an invoice in time',
    subject: 'Invoice {{ invoice.number }} was due on {{ invoice.due_date }}',
    body: `Hi {{ customer.first_name }},

Invoice {{ invoice.number }} was due on {{ invoice.due_date }}. {{ invoice.left }} is left to pay.

${BODY}
{{ pay.url }}

If you have paid in the meantime, thank you: there is nothing to do.

{{ invoice.note }}

{{ business.name }}`,
    smsBody:
      '{{ business.name }}: {{ invoice.left }} of invoice {{ invoice.number }} was due on {{ invoice.due_date }}.',
  },
} as const satisfies Record<string, NoticeType>;
