import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { amountOf } from './feed.ts';
import { checkIsInvoice, type InvoiceRow } from './row.ts';
import { creditAmount, issueCreditNote, type IssuedCreditNote } from './credit-note.ts';
import { id, listOf, moneyText, object, oneOf, ref, text } from '../../../kernel/api/kinds.ts';
import { INVOICE_PROBLEMS } from './problems.ts';
import { invalid, Problem } from '../../../kernel/api/problem.ts';
import { invoice } from './invoice.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { refundFrom } from './refund.ts';
import { sql } from '../../../kernel/db/sql.ts';
import { startPayment } from '../payments/index.ts';
import { voidInvoice } from './void.ts';
import type { Work } from '../../../kernel/work.ts';

/** Who takes money at the desk, and gives it back. */
const who = staffWith('pos', 'customer_payments');

const reason = text({ max: 1000 }).describe('Why, in a sentence. Customers read it too.');

/** What staff say that they have got, by what they call it. */
const METHODS = { cash: 'in cash', terminal: 'at the card terminal', transfer: 'by bank transfer' } as const;

const minor = (work: Work, name: string, sent: string): number => {
  const amount = minorOf(name, sent, work.tenant.currency);
  if (amount === 0) throw invalid(name, 'Must be more than 0.');
  return amount;
};

const recordPayment = action({
  path: '/invoices/{id}/record_payment',
  summary: 'Record a payment of an invoice',
  description:
    'For money that you have received: in cash, at a card terminal, or by bank transfer. Nothing is charged.',
  who,
  target: invoice,
  body: {
    amount: moneyText().optional().describe('If left out, all that is left to pay.'),
    method: oneOf(Object.keys(METHODS) as (keyof typeof METHODS)[]).default('cash'),
    payment_processor: ref('payment_processor')
      .optional()
      .describe('One of the kind `offline`. It may be left out if the business has only one that is turned on.'),
  },
  problems: ['conflict', INVOICE_PROBLEMS.invoice_voided, INVOICE_PROBLEMS.invoice_not_due],
  returns: one(invoice),
  run: async ({ work, body, target }) => {
    const row = target as InvoiceRow;
    checkIsInvoice(row);
    if (row.due_minor === 0)
      throw row.status === 'voided'
        ? new Problem(INVOICE_PROBLEMS.invoice_voided, `Invoice ${row.number} was voided, so nothing of it is due.`)
        : new Problem(INVOICE_PROBLEMS.invoice_not_due, `Nothing of invoice ${row.number} is left to pay.`);
    const amount = body.amount === undefined ? row.due_minor : minor(work, 'amount', body.amount);
    if (amount > row.due_minor)
      throw invalid('amount', `Must be at most ${amountOf(work, row.due_minor)}, which is what is left to pay.`);
    await startPayment(work, {
      processor: await deskOf(work, body.payment_processor),
      payer: row.customer_id,
      amount,
      payee: { name: 'invoice', id: row.id },
      description: `Invoice ${row.number}, paid ${METHODS[body.method as keyof typeof METHODS]}`,
      returnTo: '',
      cancelTo: '',
    });
    return row.id;
  },
});

/** The processor that stands for the desk: the one that was named, or the only one. */
async function deskOf({ tx, providerId }: Work, named: number | undefined): Promise<number> {
  const desks = await tx.rows<{ id: number }>(
    sql`SELECT id FROM payment_processor WHERE provider_id = ${providerId} AND kind = 'offline' AND disabled_at IS NULL ORDER BY id`,
  );
  if (named !== undefined) {
    if (desks.every((desk) => desk.id !== named))
      throw invalid('payment_processor', 'Must be one of the kind `offline` that is turned on.');
    return named;
  }
  if (desks.length === 0)
    throw invalid(
      'payment_processor',
      'The business has no payment processor of the kind `offline` that is turned on. Create one first.',
    );
  if (desks.length > 1)
    throw invalid('payment_processor', `Name one of these: ${desks.map((desk) => desk.id).join(', ')}.`);
  return desks[0].id;
}

const voidOne = action({
  path: '/invoices/{id}/void',
  summary: 'Void an invoice',
  description:
    'Nothing of it is due anymore. It keeps its number and can still be seen. Only for an invoice of which nothing was paid; correct others with a credit note. What was bought stays: cancel it yourself.',
  who,
  target: invoice,
  body: { reason },
  problems: ['conflict', INVOICE_PROBLEMS.invoice_voided, INVOICE_PROBLEMS.invoice_partly_paid],
  returns: one(invoice),
  run: async ({ work, body, target }) => {
    await voidInvoice(work, target.id, body.reason);
    return target.id;
  },
});

/** What a credit note takes back of an invoice. */
export const TAKEN_BACK = {
  line_items: listOf(
    object({
      line_item: id().describe('A line of the invoice.'),
      amount: moneyText().optional().describe('With fees and taxes. If left out, all that is left of the line.'),
    }),
    { min: 1, max: 1000 },
  )
    .optional()
    .describe('The lines to take back. If this and `amount` are left out, all of them.'),
  amount: moneyText()
    .optional()
    .describe('With fees and taxes, in proportion to what is left of each line. Do not send it with `line_items`.'),
};

export const credit = action({
  path: '/invoices/{id}/credit',
  summary: 'Issue a credit note',
  description:
    'Takes back what was billed, whole or in part, with its share of each fee and tax. What is still due is reduced first; the rest becomes account credit, or is refunded. What account credit had paid always becomes account credit again. What was bought stays: cancel it yourself.',
  who,
  target: invoice,
  body: {
    ...TAKEN_BACK,
    give_back: oneOf(['account_credit', 'refund'])
      .default('account_credit')
      .describe('`refund`: what was paid is refunded the way it was paid.'),
    reason,
  },
  status: 201,
  problems: ['conflict', INVOICE_PROBLEMS.invoice_voided, INVOICE_PROBLEMS.credit_exceeds_invoice],
  returns: one(invoice),
  run: async ({ work, body, target }) => {
    const { line_items: lines, amount, give_back, reason: why } = body;
    if (lines && amount !== undefined) throw invalid('amount', 'Send either this or line_items, not both.');
    const to = give_back === 'refund' ? 'unapplied' : 'credit';
    const note = lines
      ? await creditLines(work, target.id, lines, why, to)
      : await creditAmount(work, {
          invoice: target.id,
          amount: amount === undefined ? null : minor(work, 'amount', amount),
          why,
          to,
        });
    if (note.toRefund > 0) await refundFrom(work, target.id, note.toRefund, why);
    return note.id;
  },
});

/** Takes back lines as callers name them; what is wrong is said under `line_items`. */
export async function creditLines(
  work: Work,
  invoiceId: number,
  sent: readonly { line_item: number; amount?: string }[],
  why: string,
  to: 'credit' | 'unapplied',
): Promise<IssuedCreditNote> {
  const known = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM invoice_line WHERE provider_id = ${work.providerId} AND invoice_id = ${invoiceId}`,
  );
  const lines = sent.map(({ line_item: line, amount }, n) => {
    const at = `line_items.${n}.line_item`;
    if (known.every((one) => one.id !== line)) throw invalid(at, 'Must be a line of this invoice.');
    if (sent.findIndex((one) => one.line_item === line) !== n) throw invalid(at, 'Each line can be named once.');
    return { line, amount: amount === undefined ? undefined : minor(work, `line_items.${n}.amount`, amount) };
  });
  return issueCreditNote(work, { invoice: invoiceId, lines, why, to });
}

export const changeInvoices = [recordPayment, voidOne, credit];
