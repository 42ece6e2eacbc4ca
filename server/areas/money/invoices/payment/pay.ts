/** Payment of invoices with account credit and payments. */
import { say } from '../../../../kernel/base/values/words.ts';
import { about, amountOf, invoiceFeed } from '../feed.ts';
import { checkIsInvoice, lockInvoice, type InvoiceRow } from '../row.ts';
import { creditUsed, paymentUsed } from './postings.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { takeId, updateRow } from '../../../../kernel/work/unit/row.ts';
import { INVOICE_PROBLEMS } from '../problems.ts';
import { post, type Posting } from '../../ledger/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { UNPAID } from '../reading/statuses.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface Credit {
  /** minor units, more than 0 */
  readonly amount: number;
  /** `credit_held`: the credit was reserved for this while a payment was in progress */
  readonly from: 'credit' | 'credit_held';
}

/** Pays with the payer's account credit. The database refuses more than the amount due, and more than the balance. */
export async function applyCredit(work: Work, { invoice: id, ...credit }: Credit & { invoice: number }): Promise<void> {
  const [invoice, row] = await Promise.all([lockUnpaid(work, id, credit.amount), takeId(work, 'invoice_credit')]);
  await post(work, noteCredit(work, invoice, { ...credit, id: row }));
}

/**
 * Records a payment by credit with the next statement, and returns the postings. `invoice`: its row before, locked or
 * new; `id`: of the row for this payment.
 */
export function noteCredit(work: Work, invoice: InvoiceRow, { id, amount, from }: Credit & { id: number }): Posting {
  work.tx.later(
    sql`INSERT INTO invoice_credit (provider_id, id, invoice_id, amount_minor, created_at)
        VALUES (${work.providerId}, ${id}, ${invoice.id}, ${amount}, ${instant(work.now)})`,
  );
  work.record(invoiceFeed.credit_applied, invoice.id, { ...about(invoice), amount: amountOf(work, amount) });
  noteIfPaid(work, invoice, amount);
  return creditUsed(storedTexts(work).say, invoice, id, { amount, from });
}

export interface Charge {
  /** ids */
  readonly payment: number;
  readonly processor: number;
  readonly amount: number;
  /** `unapplied`: the money arrived before the invoice was issued */
  readonly from: 'clearing' | 'unapplied';
}

/** Pays with a payment. The database refuses more than the amount due, and the same payment twice. */
export async function applyPayment(
  work: Work,
  { invoice: id, ...charge }: Charge & { invoice: number },
): Promise<void> {
  const [invoice, row] = await Promise.all([lockUnpaid(work, id, charge.amount), takeId(work, 'invoice_charge')]);
  await post(work, noteCharge(work, invoice, { ...charge, id: row }));
}

/** Records a payment with the next statement, like `noteCredit`. */
export const noteCharge = (work: Work, invoice: InvoiceRow, charge: Charge & { id: number }): Posting =>
  noteCharges(work, [{ invoice, charge }])[0];

/** Records several payments like `noteCharge`, each of another invoice. */
export function noteCharges(
  work: Work,
  all: readonly { readonly invoice: InvoiceRow; readonly charge: Charge & { id: number } }[],
): Posting[] {
  const each = <T>(of: (one: (typeof all)[number]) => T): T[] => all.map(of);
  work.tx.later(
    sql`
      INSERT INTO invoice_charge (provider_id, id, invoice_id, payment_id, payment_processor_id, amount_minor,
        created_at)
        SELECT ${work.providerId}, id, invoice, payment, processor, amount, ${instant(work.now)}::timestamptz
        FROM unnest(${each(({ charge }) => charge.id)}::bigint[], ${each(({ invoice }) => invoice.id)}::bigint[],
          ${each(({ charge }) => charge.payment)}::bigint[], ${each(({ charge }) => charge.processor)}::bigint[],
          ${each(({ charge }) => charge.amount)}::bigint[])
        WITH ORDINALITY AS charge (id, invoice, payment, processor, amount, nth)
        ORDER BY nth`,
  );
  const { say } = storedTexts(work);
  return all.map(({ invoice, charge: { id, payment, processor, amount, from } }) => {
    work.record(invoiceFeed.payment_applied, invoice.id, {
      ...about(invoice),
      amount: amountOf(work, amount),
      payment,
    });
    noteIfPaid(work, invoice, amount);
    return paymentUsed(say, invoice, id, { amount, from, processor });
  });
}

/** Records that a payment of the invoice failed; the amount due is unchanged. */
export async function markFailed(
  work: Work,
  id: number,
  status: 'failed' | 'retrying' | 'retry_failed',
): Promise<void> {
  const invoice = await lockInvoice(work, id);
  if (!UNPAID.includes(invoice.status)) return;
  await updateRow(work, 'invoice', id, { status });
  work.record(invoiceFeed.payment_failed, id, about(invoice));
}

/**
 * Records that the invoice is being charged again: the payment starts in the same transaction. The caller has locked
 * the invoice.
 */
export async function markPending(work: Work, id: number): Promise<void> {
  await updateRow(work, 'invoice', id, { status: 'pending' });
}

async function lockUnpaid(work: Work, id: number, amount: number): Promise<InvoiceRow> {
  const invoice = await lockInvoice(work, id);
  checkIsInvoice(invoice);
  if (invoice.status === 'voided')
    throw new Problem(INVOICE_PROBLEMS.invoice_voided, `Invoice ${invoice.number} was voided, so nothing is due.`);
  if (amount > invoice.due_minor)
    throw new Problem(INVOICE_PROBLEMS.invoice_not_due, {
      staff: `Only ${amountOf(work, invoice.due_minor)} of invoice ${invoice.number} is due. Send at most that.`,
      customer: say`Less of invoice ${invoice.number} is due now. Look at it again.`,
    });
  return invoice;
}

/**
 * Records the invoice as paid if this amount completes it; a database trigger sets the status. `invoice`: its row
 * before.
 */
function noteIfPaid(work: Work, invoice: InvoiceRow, amount: number): void {
  if (invoice.due_minor === amount)
    work.record(invoiceFeed.paid, invoice.id, { ...about(invoice), amount: amountOf(work, invoice.total_minor) });
}
