import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { about, amountOf, invoiceFeed } from './feed.ts';
import { checkIsInvoice, type InvoiceRow } from './row.ts';
import { moneyText, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { INVOICE_PROBLEMS } from './problems.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { invoice } from './invoice.ts';
import { refundFrom } from './payment/refund.ts';
import { remindAgain, sendAgain } from './notices/notify.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { minor, takeBack, TAKEN_BACK } from './taken-back.ts';
import { startPayment } from '../payments/index.ts';
import { voidInvoice } from './void.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Staff who receive money at the desk, and refund it. */
const who = staffWith('pos', 'customer_payments');

const reason = text({ max: 1000 }).describe('Why, in a sentence. Customers read it too.');

/** Methods of payments that staff record. */
const METHODS = ['cash', 'terminal', 'transfer'] as const;

const recordPayment = action({
  path: '/invoices/{id}/record_payment',
  summary: 'Record a payment of an invoice',
  description:
    'For money that you have received: in cash, at a card terminal, or by bank transfer. Nothing is charged.',
  who,
  target: invoice,
  body: {
    amount: moneyText().optional().describe('If left out, all that is left to pay.'),
    method: oneOf(METHODS).default('cash'),
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
        ? new Problem(INVOICE_PROBLEMS.invoice_voided, `Invoice ${row.number} was voided, so nothing is due.`)
        : new Problem(INVOICE_PROBLEMS.invoice_not_due, `Invoice ${row.number} has nothing left to pay.`);
    const amount = body.amount === undefined ? row.due_minor : minor(work, 'amount', body.amount);
    if (amount > row.due_minor)
      throw invalid('amount', `Must be at most ${amountOf(work, row.due_minor)}, which is what is left to pay.`);
    await startPayment(work, {
      processor: await deskOf(work, body.payment_processor),
      payer: row.customer_id,
      amount,
      payee: { name: 'invoice', id: row.id },
      description: storedTexts(work).say(`invoice.${body.method as (typeof METHODS)[number]}`, { number: row.number }),
      returnTo: '',
      cancelTo: '',
    });
    return row.id;
  },
});

/** Returns the processor for payments at the desk: the named one, or the only one. */
async function deskOf({ tx, providerId }: Work, named: number | undefined): Promise<number> {
  const desks = await tx.rows<{ id: number }>(
    sql`SELECT id FROM payment_processor WHERE provider_id = ${providerId} AND kind = 'offline' AND disabled_at IS NULL
      ORDER BY id`,
  );
  if (named !== undefined) {
    if (desks.every((desk) => desk.id !== named))
      throw invalid('payment_processor', 'Must be a processor of the kind `offline` that is turned on.');
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

const credit = action({
  path: '/invoices/{id}/credit',
  summary: 'Issue a credit note',
  description:
    'Takes back what was billed, whole or in part, with its share of each fee and tax. What is still due is reduced first; the rest becomes account credit, or is refunded. What account credit had paid always becomes account credit again. Products go back into stock if you send `restock`. Anything else that was bought stays: cancel it yourself.',
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
  // Products that return to stock come before the invoice in the documented lock order.
  unlocked: true,
  problems: ['conflict', INVOICE_PROBLEMS.invoice_voided, INVOICE_PROBLEMS.credit_exceeds_invoice],
  returns: one(invoice),
  run: async ({ work, body: { give_back, ...asked }, target }) => {
    const note = await takeBack(work, target.id, asked, give_back === 'refund' ? 'unapplied' : 'credit');
    if (note.toRefund > 0) await refundFrom(work, target.id, note.toRefund, asked.reason);
    return note.id;
  },
});

const unreachable = (remedy: string): Problem =>
  new Problem(
    'conflict',
    `The customer can’t be reached, or this message is turned off. Add an email address, ${remedy}.`,
  );

const send = action({
  path: '/invoices/{id}/send',
  summary: 'Send an invoice again',
  description:
    'Emails the invoice or credit note as it is now to the customer who pays: what is left to pay, or that it is paid. An invoice is also sent without being asked, when it is issued and when it is paid.',
  who,
  target: invoice,
  body: {},
  tells: true,
  problems: ['conflict', INVOICE_PROBLEMS.invoice_voided],
  returns: one(invoice),
  run: async ({ work, target }) => {
    const row = target as InvoiceRow;
    const messages = await sendAgain(work, row);
    if (messages === null)
      throw new Problem(INVOICE_PROBLEMS.invoice_voided, `Invoice ${row.number} was voided, so it is not sent.`);
    if (messages.length === 0) throw unreachable('turn the message on, or send the document yourself');
    work.audit({
      action: 'POST /invoices/{id}/send',
      object: 'invoice',
      objectId: row.id,
      before: { messages: [] },
      after: { messages },
    });
    work.record(invoiceFeed.sent, row.id, about(row));
    return row.id;
  },
});

const remind = action({
  path: '/invoices/{id}/remind',
  summary: 'Remind a customer of an unpaid invoice',
  description:
    'Emails the customer who pays what is left to pay and when it was due. Unpaid invoices are also reminded of once without being asked, as `invoice_settings` says.',
  who,
  target: invoice,
  body: {},
  tells: true,
  problems: ['conflict', INVOICE_PROBLEMS.invoice_voided],
  returns: one(invoice),
  run: async ({ work, target }) => {
    const row = target as InvoiceRow;
    checkIsInvoice(row);
    if (row.status === 'voided')
      throw new Problem(
        INVOICE_PROBLEMS.invoice_voided,
        `Invoice ${row.number} was voided, so nothing is left to pay.`,
      );
    if (row.due_minor === 0) throw new Problem('conflict', `Nothing is left to pay of invoice ${row.number}.`);
    if (!(await remindAgain(work, row))) throw unreachable('or turn the message on');
    await updateRow(work, 'invoice', row.id, { reminded_at: instant(work.now) });
    work.record(invoiceFeed.reminded, row.id, about(row));
    return row.id;
  },
});

export const changeInvoices = [recordPayment, voidOne, credit, send, remind];
