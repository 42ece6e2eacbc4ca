import { boolean, id, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { AMOUNTS } from './reading/amounts.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import type { InvoiceRow } from './row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const shown = { amount: AMOUNTS };

export const invoiceFeed = feedKinds(
  'invoice',
  { invoice: id(), customer: ref('customer') },
  {
    created: {
      description: 'An invoice or a credit note was issued. `amount` is its total.',
      payload: { amount: text(), is_credit_note: boolean(), credits_invoice: ref('invoice').nullable() },
      shown,
    },
    payment_applied: {
      description: 'A payment was applied to an invoice.',
      payload: { amount: text(), payment: id() },
      shown,
    },
    credit_applied: {
      description: 'Account credit was applied to an invoice.',
      payload: { amount: text() },
      shown,
    },
    paid: {
      description: 'An invoice was paid in full. `amount` is its total.',
      payload: { amount: text() },
      shown,
    },
    payment_failed: 'A payment of an invoice failed.',
    voided: {
      description: 'An invoice was voided: nothing is due anymore. `amount` is its total.',
      payload: { amount: text() },
      shown,
    },
    reminded: 'A customer was reminded of an invoice that was not paid in time.',
    sent: 'A member of staff sent an invoice or a credit note to the customer again.',
  },
);

export const FEED = [invoiceFeed];

export const about = ({ id: invoice, customer_id: customer }: InvoiceRow) => ({ invoice, customer });

export const amountOf = (work: Work, minor: number): string => formatDecimal({ minor, currency: work.tenant.currency });
