/** The parts of an invoice, and its payments, as objects of their own within it. */
import { AMOUNTS } from './reading/amounts.ts';
import { amount, ofMyInvoice } from './invoice.ts';
import { id, instant, integer, oneOf, ref, refBy, text } from '../../../kernel/base/fields/kinds.ts';
import { LINE_TYPES } from '../ledger/index.ts';
import { ofMyPurse } from '../../people/customers/index.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource, type Policy } from '../../../kernel/api/resource.ts';

const visible: Policy = { provider: true, customer: (t) => ofMyInvoice(`${t}.invoice_id`), unregistered: false };

export const payer = resource('payer', {
  description: 'The customer who pays an invoice.',
  table: 'customer',
  object: null,
  fields: {
    id: id(),
    name: text({ blank: true }).from((t) => raw(`concat_ws(' ', ${t}.first_name, ${t}.last_name)`)),
  },
  visible: { provider: true, customer: (t) => ofMyPurse(`${t}.id`), unregistered: false },
});

export const invoiceLineItem = resource('invoice_line_item', {
  description: 'A line of an invoice.',
  table: 'invoice_line',
  fields: {
    id: id(),
    invoice: ref('invoice'),
    billed_item: refBy('billed_item', (t) => sql`CASE WHEN ${raw(t)}.billed_id IS NOT NULL THEN ${raw(t)}.id END`)
      .from((t) => raw(`${t}.billed_id`))
      .nullable()
      .describe('Id of what was bought. Null for what is not an object, for example a fee.'),
    type: oneOf(LINE_TYPES),
    description: text(),
    customer: ref('customer').describe('Person who gets it. This may be another member of the payer’s family.'),
    quantity: integer({ min: 1 }),
    price: amount('list_minor').describe('The list price of the whole quantity, before discounts, fees and taxes.'),
    discount: amount('discount_minor'),
    total_amount_due: amount('total_minor').describe('Total of the line with discounts, fees and taxes.'),
    credited_amount: amount('credited_minor').describe('Amount that credit notes have taken back.'),
    account_entry: ref('account_entry').nullable().describe('The charge of the account that it collects.'),
  },
  visible,
  shown: { price: AMOUNTS, discount: AMOUNTS, total_amount_due: AMOUNTS, credited_amount: AMOUNTS },
});

export const invoiceAdjustment = resource('invoice_adjustment', {
  description: 'A credit of the account that reduced an invoice.',
  table: 'invoice_line',
  fields: {
    id: id(),
    amount: amount('total_minor').describe('Below 0.'),
    description: text(),
    account_entry: ref('account_entry').nullable(),
  },
  visible,
  shown: { amount: AMOUNTS },
});

export const invoiceDiscount = resource('invoice_discount', {
  description: 'The amount that a discount took off an invoice.',
  table: 'invoice',
  fields: {
    id: id(),
    discount_code: ref('discount_code').nullable().describe('Null if it was not a discount code.'),
    code: text()
      .from((t) => raw(`${t}.discount_code`))
      .nullable(),
    name: text()
      .from((t) => raw(`${t}.discount_code_name`))
      .nullable(),
    amount: amount('discount_minor'),
  },
  visible: { provider: true, customer: (t) => ofMyPurse(`${t}.customer_id`), unregistered: false },
  shown: { amount: AMOUNTS },
});

export const invoiceTax = resource('invoice_tax', {
  description: 'A fee or a tax on a line of an invoice, as it was calculated.',
  table: 'invoice_line_fee',
  fields: {
    id: id(),
    amount: amount('amount_minor'),
    purchase_fee: ref('purchase_fee'),
    name: text(),
    kind: oneOf(['fee', 'tax']),
    explanation: text().describe('Calculation of the amount, for example `VAT: 20% of £40.00`.'),
    line_item: id().from((t) => raw(`${t}.line_id`)),
  },
  visible,
  shown: { amount: AMOUNTS, explanation: AMOUNTS },
});

export const invoiceCharge = resource('invoice_charge', {
  description: 'A payment that was applied to an invoice.',
  fields: {
    id: id(),
    payment_processor: ref('payment_processor'),
    payment: ref('payment'),
    amount: amount('amount_minor'),
    created_at: instant(),
  },
  visible,
  shown: { amount: AMOUNTS },
});

export const invoiceCredit = resource('invoice_credit', {
  description: 'Account credit that was applied to an invoice.',
  fields: { id: id(), amount: amount('amount_minor'), created_at: instant() },
  visible,
  shown: { amount: AMOUNTS },
});
