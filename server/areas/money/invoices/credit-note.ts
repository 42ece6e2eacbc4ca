/** Credit notes for an invoice, in full or in part. */
import { about, amountOf, invoiceFeed } from './feed.ts';
import { addFees, insertLines } from './insert.ts';
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import type { Issued } from './issue.ts';
import { checkIsInvoice, lockInvoice, type InvoiceRow } from './row.ts';
import { partsTotal, shareOf, type PriceParts } from '../../pricing/fees/index.ts';
import { spread, type Spread } from './rules/credit.ts';
import { allocate } from '../../../kernel/base/values/money.ts';
import { credited } from './payment/postings.ts';
import { findWalkIn } from '../../people/customers/index.ts';
import { lockPaymentsOf } from './payment/refund.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { INVOICE_PROBLEMS } from './problems.ts';
import { lockAccounts, post } from '../ledger/index.ts';
import { partiesOf } from './parties.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { isSoldWhole, notInParts, takeBackSold } from './sold.ts';
import { readDisputedAmounts, readLines, type LineRow } from './lines.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface NewCreditNote {
  /** id of the invoice */
  readonly invoice: number;
  /** the lines to credit, each once; without an amount, all that is left of the line, including fees and taxes */
  readonly lines: readonly { readonly line: number; readonly amount?: number }[];
  /** sentence for the customer */
  readonly why: string;
  /** `unapplied`: the caller refunds what was paid */
  readonly to: 'credit' | 'unapplied';
  /** true to leave the amount due unchanged, for refunds of a payment */
  readonly dueStays?: boolean;
}

/** An issued credit note, with the distribution of its amount. */
export type IssuedCreditNote = Issued & Spread;

/**
 * Issues a credit note. First reduces what is still due on the invoice. Of the rest, the caller refunds `toRefund`, and
 * `toCredit` becomes account credit: what was paid with account credit is never paid out as money. `total` is above 0.
 */
export async function issueCreditNote(work: Work, asked: NewCreditNote): Promise<IssuedCreditNote> {
  const invoice = await lockInvoice(work, asked.invoice);
  checkIsInvoice(invoice);
  if (invoice.status === 'voided')
    throw new Problem(
      INVOICE_PROBLEMS.invoice_voided,
      `Invoice ${invoice.number} was voided, so nothing can be credited.`,
    );
  const lines = await readLines(work, invoice.id);
  const parts = partsOf(work, lines, asked.lines);
  await checkNotDisputed(work, invoice, lines, sum(parts.map(({ part }) => partsTotal(part))));
  await takeBackSold(
    work,
    parts.map(({ line, part }) => ({ line, amount: part.preTax })),
    asked.why,
  );
  if (asked.to === 'unapplied') await lockPaymentsOf(work, invoice.id);
  await lockAccounts(work, [invoice.customer_id]);
  const sums = parts.map(({ part }) => part).reduce(plus);
  const total = partsTotal(sums);
  const goes = spread(
    total,
    { due: asked.dueStays ? 0 : invoice.due_minor, refundable: invoice.paid_minor - invoice.refunded_minor },
    asked.to,
  );
  if (goes.toCredit > 0) await checkHasAccount(work, invoice);
  const note = await insertNote(work, invoice, asked.why, sums, goes);
  const added = await insertLines(
    work,
    parts.map(({ line, part }, n) => ({
      ...line,
      invoice: note.id,
      position: n + 1,
      quantity: 1,
      sums: amountsOf(part),
      accountEntry: null,
      credits: line.id,
    })),
  );
  await addFees(
    work,
    parts.flatMap(({ line, part }, n) =>
      line.fees.map((fee, at) => ({ ...fee, invoice: note.id, position: n + 1, amount: 0 - part.lines[at] })),
    ),
  );
  await post(
    work,
    credited(
      storedTexts(work).say,
      note,
      invoice,
      parts.map(({ line, part }) => ({ type: line.type, part, fees: line.fees })),
      goes,
    ),
  );
  work.record(invoiceFeed.created, note.id, {
    ...about(note),
    amount: amountOf(work, note.total_minor),
    is_credit_note: true,
    credits_invoice: invoice.id,
  });
  work.effect('credit_note', 'invoice', note.id, {
    credits_invoice: invoice.id,
    amount: amountOf(work, total),
    reduces: amountOf(work, goes.reduces),
    to_credit: amountOf(work, goes.toCredit),
    to_refund: amountOf(work, goes.toRefund),
  });
  if (goes.reduces > 0 && goes.reduces === invoice.due_minor)
    work.record(invoiceFeed.paid, invoice.id, { ...about(invoice), amount: amountOf(work, invoice.total_minor) });
  return { id: note.id, number: note.number, total, lines: added.map((id) => ({ id })), ...goes };
}

/**
 * Issues a credit note for an amount that is distributed over the lines in proportion to what is left of each; null
 * credits everything. Refunds of payments use this. Lines that can only be credited as a whole are left out of partial
 * amounts.
 */
export async function creditAmount(
  work: Work,
  { amount, ...asked }: Omit<NewCreditNote, 'lines'> & { readonly amount: number | null },
): Promise<IssuedCreditNote> {
  const invoice = await lockInvoice(work, asked.invoice);
  const read = await readLines(work, asked.invoice);
  const lines = read.map((line) => ({
    line: line.id,
    left: Math.max(0, partsTotal(line.left)),
    whole: isSoldWhole(line.type),
  }));
  const most = sum(lines.map(({ left }) => left));
  if (most === 0 || (amount !== null && amount > most)) throw tooMuch(work, most, read);
  await checkNotDisputed(work, invoice, read, amount ?? most);
  const all = amount === null || amount === most;
  const weights = lines.map(({ left, whole }) => (whole && !all ? 0 : left));
  if (!all && amount > sum(weights)) throw notInParts(amountOf(work, sum(weights)));
  const parts = allocate(amount ?? most, weights);
  return issueCreditNote(work, {
    ...asked,
    lines: lines.map(({ line }, n) => ({ line, amount: parts[n] })).filter((one) => one.amount > 0),
  });
}

/**
 * Returns the problem of an amount above `most`, which is what is left. Its message explains where the rest has gone.
 */
function tooMuch(work: Work, most: number, lines: readonly LineRow[], of = 'this invoice'): Problem {
  const returned = sum(lines.map(({ stands, left }) => partsTotal(stands) - partsTotal(left)));
  const why =
    returned === 0
      ? ''
      : ` ${amountOf(work, returned)} of it was already returned to the customer's account, for a hold or for a membership that was replaced.`;
  const what =
    most <= 0
      ? `Nothing of ${of} is left to take back.`
      : `At most ${amountOf(work, most)} of ${of} can be taken back.`;
  return new Problem(INVOICE_PROBLEMS.credit_exceeds_invoice, what + why);
}

/** Refuses to credit a disputed amount, which the customer's bank has returned or may return. */
async function checkNotDisputed(
  work: Work,
  { id }: InvoiceRow,
  lines: readonly LineRow[],
  amount: number,
): Promise<void> {
  const disputed = (await readDisputedAmounts(work, [id])).get(id) ?? 0;
  const most = Math.max(0, sum(lines.map(({ left }) => partsTotal(left))) - disputed);
  if (disputed === 0 || amount <= most) return;
  const rest = most === 0 ? 'Nothing else is left to take back.' : `At most ${amountOf(work, most)} can be taken back.`;
  throw new Problem(
    INVOICE_PROBLEMS.credit_exceeds_invoice,
    `${amountOf(work, disputed)} of this invoice was disputed, and the customer's bank returns it to the customer. ${rest}`,
  );
}

/** Credits a payment that is refunded, like `creditAmount`: refuses with a problem that payments declare. */
export async function creditPaid(
  work: Work,
  asked: Omit<NewCreditNote, 'lines'> & { readonly amount: number },
): Promise<IssuedCreditNote> {
  try {
    return await creditAmount(work, asked);
  } catch (error) {
    if (error instanceof Problem && error.kind === INVOICE_PROBLEMS.credit_exceeds_invoice)
      throw new Problem('conflict', error.message);
    throw error;
  }
}

/** Refuses account credit for walk-ins: they share one customer, so the credit would belong to nobody. */
async function checkHasAccount(work: Work, { customer_id, number }: InvoiceRow): Promise<void> {
  if ((await findWalkIn(work)) === customer_id)
    throw new Problem(
      'conflict',
      `Invoice ${number} is of a walk-in customer, who has no account. Refund it the way it was paid instead.`,
    );
}

interface Part {
  readonly line: LineRow;
  readonly part: PriceParts;
}

function partsOf(work: Work, lines: readonly LineRow[], asked: NewCreditNote['lines']): Part[] {
  const parts = asked.map(({ line: id, amount }): Part => {
    const line = lines.find((one) => one.id === id);
    if (!line) throw new Error(`line ${id} is not of this invoice`);
    const left = partsTotal(line.left);
    const taken = amount ?? left;
    if (taken <= 0 || taken > left) throw tooMuch(work, left, [line], `“${line.description}”`);
    return { line, part: shareOf(line.left, taken) };
  });
  if (parts.length === 0) throw new Error('a credit note needs a line');
  return parts;
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

const plus = (a: PriceParts, b: PriceParts): PriceParts => ({
  preTax: a.preTax + b.preTax,
  lines: [...a.lines, ...b.lines],
  rounding: a.rounding + b.rounding,
});

/** Returns the amounts as they are stored: below 0. */
function amountsOf(part: PriceParts) {
  const preTax = 0 - part.preTax;
  return {
    listPrice: preTax,
    discount: 0,
    included: 0,
    preTax,
    fees: 0 - sum(part.lines),
    rounding: 0 - part.rounding,
    total: 0 - partsTotal(part),
  };
}

async function insertNote(
  work: Work,
  invoice: InvoiceRow,
  why: string,
  part: PriceParts,
  goes: Spread,
): Promise<InvoiceRow> {
  const parties = (await partiesOf(work, [invoice.customer_id])).get(invoice.customer_id)!;
  const { preTax, fees, rounding, total } = amountsOf(part);
  const today = wallAt(work.now, work.tenant.zone).date;
  const now = instant(work.now);
  const note = await work.tx.one<InvoiceRow>(sql`
    INSERT INTO invoice (provider_id, series, customer_id, status, about_object, about_id, credits_invoice_id,
      reason, issued_on,
      due_on, parties, list_minor, discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor,
      total_minor, reduces_minor,
      to_credit_minor, to_refund_minor, paid_at, created_at, updated_at)
    VALUES (${work.providerId}, 'credit_note', ${invoice.customer_id}, 'paid', 'invoice', ${invoice.id},
      ${invoice.id}, ${why},
      ${today}, ${today}, ${json(parties)}, ${preTax}, 0, 0, ${preTax}, ${fees}, ${rounding}, ${total}, ${goes.reduces},
      ${goes.toCredit}, ${goes.toRefund}, ${now}, ${now}, ${now}) RETURNING *`);
  work.touch('invoice', note!.id, null);
  return note!;
}
