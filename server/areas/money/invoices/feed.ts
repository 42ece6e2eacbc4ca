import { boolean, id, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { AMOUNTS } from './reading/amounts.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import type { InvoiceRow } from './row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const object = 'invoice';
const of = { invoice: id(), customer: ref('customer') };
const amount = { amount: text() };
const shown = { amount: AMOUNTS };

export const invoiceCreated = feedItemKind('invoice.created', {
  object,
  description: 'An invoice or a credit note was issued. `amount` is its total.',
  payload: { ...of, ...amount, is_credit_note: boolean(), credits_invoice: ref('invoice').nullable() },
  shown,
});

export const paymentApplied = feedItemKind('invoice.payment_applied', {
  object,
  description: 'A payment was applied to an invoice.',
  payload: { ...of, ...amount, payment: id() },
  shown,
});

export const creditApplied = feedItemKind('invoice.credit_applied', {
  object,
  description: 'Account credit was applied to an invoice.',
  payload: { ...of, ...amount },
  shown,
});

export const invoicePaid = feedItemKind('invoice.paid', {
  object,
  description: 'An invoice was paid in full. `amount` is its total.',
  payload: { ...of, ...amount },
  shown,
});

export const paymentFailed = feedItemKind('invoice.payment_failed', {
  object,
  description: 'A payment of an invoice failed.',
  payload: of,
});

export const invoiceVoided = feedItemKind('invoice.voided', {
  object,
  description: 'An invoice was voided: nothing of it is due anymore. `amount` is its total.',
  payload: { ...of, ...amount },
  shown,
});

export const invoiceReminded = feedItemKind('invoice.reminded', {
  object,
  description: 'A customer was reminded of an invoice that was not paid in time.',
  payload: of,
});

export const invoiceSent = feedItemKind('invoice.sent', {
  object,
  description: 'A member of staff sent an invoice or a credit note to the customer again.',
  payload: of,
});

export const FEED = [
  invoiceCreated,
  paymentApplied,
  creditApplied,
  invoicePaid,
  paymentFailed,
  invoiceVoided,
  invoiceReminded,
  invoiceSent,
];

export const about = ({ id: invoice, customer_id: customer }: InvoiceRow) => ({ invoice, customer });

export const amountOf = (work: Work, minor: number): string => formatDecimal({ minor, currency: work.tenant.currency });
