/** Receipts by email, to an address given at the counter. */
import { readTranslations } from '../../../../kernel/base/languages/translations.ts';
import { ENGLISH } from '../../../../kernel/base/languages/languages.ts';
import { COMMON_FIELDS, type NoticeType } from '../../../../kernel/work/unit/notices.ts';
import { receiptLines, receiptSums } from './receipt-html.ts';
import { receiptOf } from './receipt.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const field = (name: string, description: string, sample: string) => ({ name, description, sample });

export const RECEIPT: NoticeType = {
  number: 90,
  type: 'counter_receipt',
  description: 'Someone bought something at the counter, and wants the receipt by email',
  email: true,
  sms: false,
  optional: false,
  translations: readTranslations('counter/sales/notices'),
  fields: [
    ...COMMON_FIELDS,
    field('receipt.number', 'Number of the invoice', 'INV-000042'),
    field('receipt.date', 'When it was sold', '12 July 2026, 18:05'),
    field('receipt.lines', 'What was bought, a line for each', 'Coffee: $4.00'),
    field(
      'receipt.sums',
      'Fees and taxes, the total, and how it was paid',
      'Total: $4.20\nPaid on 12 July 2026, Cash: −$4.20',
    ),
    field('receipt.note', 'What the business prints at the end of invoices', 'Thank you.'),
  ],
  subject: 'Your receipt from {{ business.name }}',
  body: `Thank you. Here is your receipt {{ receipt.number }} of {{ receipt.date }}.

{{ receipt.lines }}

{{ receipt.sums }}

{{ receipt.note }}

{{ business.name }}`,
  smsBody: '{{ business.name }}: receipt {{ receipt.number }}.',
};

interface Asked {
  /** ids */
  readonly sale: number;
  readonly invoice: number;
  readonly customer: number;
  /** an email address */
  readonly to: string;
}

/** Sends the receipt once for each request: a repeated request sends it again. */
export async function sendReceipt(work: Work, { sale, invoice, customer, to }: Asked): Promise<void> {
  // The receipt uses the language of the desk: the address says nothing about a person.
  const receipt = await receiptOf(work, sale, invoice, work.tenant.reader ?? ENGLISH);
  await work.registry.notifier.notify(work, [
    {
      type: RECEIPT,
      customer,
      key: `${sale}:${work.requestId}`,
      recipient: to,
      values: {
        'receipt.number': receipt.number,
        'receipt.date': receipt.at,
        'receipt.lines': receiptLines(receipt),
        'receipt.sums': receiptSums(receipt),
        'receipt.note': receipt.note,
      },
    },
  ]);
  work.effect('receipt_sent', 'counter_sale', sale, { to });
}
