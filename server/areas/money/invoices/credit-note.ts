/** Takes back what was billed, whole or in part. */
import { about, amountOf, invoiceCreated, invoicePaid } from './feed.ts';
import { addFees, insertLines, type Issued } from './issue.ts';
import { checkIsInvoice, lockInvoice, type InvoiceRow } from './row.ts';
import { creditPart, spread, totalOf, type Left, type Spread } from './rules/credit.ts';
import { credited } from './postings.ts';
import { instant, json, sql } from '../../../kernel/db/sql.ts';
import { INVOICE_PROBLEMS } from './problems.ts';
import { lockAccounts, post } from '../ledger/index.ts';
import { partiesOf } from './parties.ts';
import { Problem } from '../../../kernel/api/problem.ts';
import { readLines, type LineRow } from './lines.ts';
import { wallAt } from '../../../kernel/values/zone.ts';
import type { Work } from '../../../kernel/work.ts';

export interface NewCreditNote {
  /** id */
  readonly invoice: number;
  /** the lines to take back, each once; without an amount, all that is left of it, fees and taxes included */
  readonly lines: readonly { readonly line: number; readonly amount?: number }[];
  /** a sentence for the customer */
  readonly why: string;
  /** `unapplied`: what was paid is given back by a refund, which the caller starts */
  readonly to: 'credit' | 'unapplied';
}

/** Where its amount went, besides what is known of any invoice. */
export type IssuedCreditNote = Issued & Spread;

/**
 * Issues a credit note. What is still due of the invoice is reduced first. Of the rest, `toRefund` is what the caller
 * refunds, and the customer has `toCredit` as account credit: what account credit had paid never leaves as money.
 * `total` is above 0.
 */
export async function issueCreditNote(work: Work, asked: NewCreditNote): Promise<IssuedCreditNote> {
  const invoice = await lockInvoice(work, asked.invoice);
  checkIsInvoice(invoice);
  if (invoice.status === 'voided')
    throw new Problem(
      INVOICE_PROBLEMS.invoice_voided,
      `Invoice ${invoice.number} was voided. There is nothing to take back.`,
    );
  await lockAccounts(work, [invoice.customer_id]);
  const parts = partsOf(work, await readLines(work, invoice.id), asked.lines);
  const sums = parts.map(({ part }) => part).reduce(plus);
  const total = totalOf(sums);
  const goes = spread(
    total,
    { due: invoice.due_minor, refundable: invoice.paid_minor - invoice.refunded_minor },
    asked.to,
  );
  const note = await insertNote(work, invoice, asked.why, sums, goes);
  const lines = await insertLines(
    work,
    note.id,
    parts.map(({ line, part }) => ({
      ...line,
      quantity: 1,
      sums: amountsOf(part),
      accountEntry: null,
      credits: line.id,
    })),
  );
  await addFees(
    work,
    note.id,
    parts.flatMap(({ line, part }, n) =>
      line.fees.map((fee, at) => ({ ...fee, line: lines[n], amount: 0 - part.fees[at] })),
    ),
  );
  await post(
    work,
    credited(
      note,
      invoice,
      parts.map(({ line, part }) => ({ type: line.type, part, fees: line.fees })),
      goes,
    ),
  );
  work.record(invoiceCreated, note.id, {
    ...about(note),
    amount: amountOf(work, note.total_minor),
    is_credit_note: true,
    credits_invoice: invoice.id,
  });
  if (goes.reduces > 0 && goes.reduces === invoice.due_minor)
    work.record(invoicePaid, invoice.id, { ...about(invoice), amount: amountOf(work, invoice.total_minor) });
  return { id: note.id, number: note.number, total, lines: lines.map((id) => ({ id })), ...goes };
}

interface Part {
  readonly line: LineRow;
  readonly part: Left;
}

function partsOf(work: Work, lines: readonly LineRow[], asked: NewCreditNote['lines']): Part[] {
  const parts = asked.map(({ line: id, amount }): Part => {
    const line = lines.find((one) => one.id === id);
    if (!line) throw new Error(`line ${id} is not of this invoice`);
    const left = totalOf(line.left);
    const taken = amount ?? left;
    if (taken <= 0 || taken > left)
      throw new Problem(
        INVOICE_PROBLEMS.credit_exceeds_invoice,
        left <= 0
          ? `Nothing is left to take back of “${line.description}”.`
          : `At most ${amountOf(work, left)} of “${line.description}” can be taken back.`,
      );
    return { line, part: creditPart(line.left, taken) };
  });
  if (parts.length === 0) throw new Error('a credit note needs a line');
  return parts;
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

const plus = (a: Left, b: Left): Left => ({
  preTax: a.preTax + b.preTax,
  fees: [...a.fees, ...b.fees],
  rounding: a.rounding + b.rounding,
});

/** As they are stored: below 0. */
function amountsOf(part: Left) {
  const preTax = 0 - part.preTax;
  return {
    listPrice: preTax,
    discount: 0,
    preTax,
    fees: 0 - sum(part.fees),
    rounding: 0 - part.rounding,
    total: 0 - totalOf(part),
  };
}

async function insertNote(work: Work, invoice: InvoiceRow, why: string, part: Left, goes: Spread): Promise<InvoiceRow> {
  const parties = (await partiesOf(work, [invoice.customer_id])).get(invoice.customer_id)!;
  const { preTax, fees, rounding, total } = amountsOf(part);
  const today = wallAt(work.now, work.tenant.zone).date;
  const now = instant(work.now);
  const note = await work.tx.one<InvoiceRow>(sql`
    INSERT INTO invoice (provider_id, series, customer_id, status, about_object, about_id, credits_invoice_id, reason, issued_on,
      due_on, parties, list_minor, discount_minor, pre_tax_minor, fees_minor, rounding_minor, total_minor, reduces_minor,
      to_credit_minor, to_refund_minor, paid_at, created_at, updated_at)
    VALUES (${work.providerId}, 'credit_note', ${invoice.customer_id}, 'paid', 'invoice', ${invoice.id}, ${invoice.id}, ${why},
      ${today}, ${today}, ${json(parties)}, ${preTax}, 0, ${preTax}, ${fees}, ${rounding}, ${total}, ${goes.reduces},
      ${goes.toCredit}, ${goes.toRefund}, ${now}, ${now}, ${now}) RETURNING *`);
  work.touch('invoice', note!.id, null);
  return note!;
}
