/** Issues invoices: rows, numbers, the entries that they collect, and what the ledger says of it. */
import { about, amountOf, invoiceCreated, invoicePaid } from './feed.ts';
import { noteCharge, noteCredit, type Charge, type Credit } from './pay.ts';
import { instant, json, sql } from '../../../kernel/db/sql.ts';
import { issued } from './postings.ts';
import { lineText, rateText, type Price } from '../../pricing/fees/index.ts';
import { lockAccounts, postLater, type LineType, type Posting } from '../ledger/index.ts';
import { partiesOf, type Parties } from './parties.ts';
import { settleEntries } from '../account-entries/index.ts';
import { takeId } from '../../../kernel/db/row.ts';
import { wallAt } from '../../../kernel/values/zone.ts';
import { readInvoices } from './row.ts';
import type { Status } from './statuses.ts';
import type { Work } from '../../../kernel/work.ts';

export interface NewLine {
  readonly type: LineType;
  /** what customers read on the invoice */
  readonly description: string;
  /** what was bought, as it is called now */
  readonly billed: { readonly object: string; readonly id: number; readonly name: string } | null;
  /** who it is for */
  readonly customer: number;
  readonly quantity: number;
  readonly price: Price;
  /** the open entry of that customer's account that it collects; a credit has a price below 0 */
  readonly accountEntry?: number;
}

export interface NewInvoice {
  /** the customer who pays */
  readonly payer: number;
  /** why it is issued */
  readonly about: { readonly object: string; readonly id: number };
  /** YYYY-MM-DD */
  readonly dueOn: string;
  /** at least one; their totals sum to 0 or more */
  readonly lines: readonly NewLine[];
  readonly discountCode: { readonly id: number; readonly code: string; readonly name: string } | null;
  /** the customer will pay at the desk */
  readonly pendingOffline?: boolean;
  /** what pays it immediately */
  readonly credit?: Credit;
  readonly payment?: Charge;
  /** what is left to pay is being charged: the payment starts in the same transaction */
  readonly pending?: boolean;
}

export interface Issued {
  readonly id: number;
  readonly number: string;
  /** minor units */
  readonly total: number;
  /** in the order of the lines */
  readonly lines: readonly { readonly id: number }[];
}

/** An invoice that can be issued: accounts are locked, and it has an id, but no number. */
export interface ReadyInvoice {
  readonly id: number;
  readonly invoice: NewInvoice;
  readonly parties: Parties;
  /** of the rows that say what pays it immediately */
  readonly creditId: number | null;
  readonly chargeId: number | null;
}

export const issueInvoice = async (work: Work, invoice: NewInvoice): Promise<Issued> =>
  issueReady(work, await readyInvoice(work, invoice));

/**
 * Locks and reads what an invoice needs, before it takes a number. `issueReady` issues it. `known`: who it is for, if the
 * caller has read that for many.
 */
export async function readyInvoice(work: Work, invoice: NewInvoice, known?: Parties): Promise<ReadyInvoice> {
  const { payer, lines, credit, payment } = invoice;
  const [, parties, id, creditId, chargeId] = await Promise.all([
    lockAccounts(work, [payer, ...lines.map(({ customer }) => customer)]),
    known ?? partiesOf(work, [payer]).then((found) => found.get(payer)!),
    takeId(work, 'invoice'),
    credit ? takeId(work, 'invoice_credit') : null,
    payment ? takeId(work, 'invoice_charge') : null,
  ]);
  return { id, invoice, parties, creditId, chargeId };
}

/**
 * Taking a number holds the series until the transaction ends, so this comes late, after everything else is locked, and
 * what follows takes few round trips. What is asked beside it shares the first, after the row of the invoice is there.
 */
export async function issueReady(
  work: Work,
  { id, invoice, parties, creditId, chargeId }: ReadyInvoice,
): Promise<Issued> {
  const { payer, lines, about: cause, dueOn, discountCode, credit, payment } = invoice;
  const sums = sumsOf(lines.map(({ price }) => price));
  const paid = sums.total === 0;
  // As it is when its lines have been added up.
  const [, ids, , [row]] = await Promise.all([
    work.tx.run(sql`
      INSERT INTO invoice (provider_id, id, series, customer_id, status, about_object, about_id, issued_on, due_on, parties,
        discount_code_id, discount_code, discount_code_name, list_minor, discount_minor, included_minor, pre_tax_minor, fees_minor,
        rounding_minor, total_minor, paid_at, created_at, updated_at)
      VALUES (${work.providerId}, ${id}, 'invoice', ${payer}, ${paid ? 'paid' : unpaidStatus(invoice)},
        ${cause.object}, ${cause.id}, ${wallAt(work.now, work.tenant.zone).date}, ${dueOn}, ${json(parties)},
        ${discountCode?.id ?? null}, ${discountCode?.code ?? null}, ${discountCode?.name ?? null}, ${sums.listPrice},
        ${sums.discount}, ${sums.included}, ${sums.preTax}, ${sums.fees}, ${sums.rounding}, ${sums.total}, ${paid ? instant(work.now) : null},
        ${instant(work.now)}, ${instant(work.now)})`),
    addLines(work, id, lines),
    addFees(
      work,
      id,
      lines.flatMap((line, n) => feesOfLine(work, n + 1, line)),
    ),
    readInvoices(work, [id]),
  ]);
  work.touch('invoice', id, null);
  if (!credit && !payment) work.leave('invoice', id, row);
  work.record(invoiceCreated, id, {
    ...about(row),
    amount: amountOf(work, row.total_minor),
    is_credit_note: false,
    credits_invoice: null,
  });
  if (paid) work.record(invoicePaid, id, { ...about(row), amount: amountOf(work, 0) });
  const paidBy: Posting[] = [];
  if (credit) paidBy.push(noteCredit(work, row, { ...credit, id: creditId! }));
  if (payment) {
    const due = row.due_minor - (credit?.amount ?? 0);
    paidBy.push(noteCharge(work, { ...row, due_minor: due }, { ...payment, id: chargeId! }));
  }
  await collect(work, id, lines);
  postLater(work, [issued(row, lines), ...paidBy]);
  return { id, number: row.number, total: row.total_minor, lines: ids.map((line) => ({ id: line })) };
}

const feesOfLine = (work: Work, position: number, { price }: NewLine): FeeValues[] =>
  price.lines.map((one) => ({
    position,
    fee: one.fee.id,
    kind: one.fee.kind,
    name: one.fee.name,
    explanation: lineText(one, work.tenant.currency),
    amount: one.amount,
    rate: one.fee.type === 'percent' ? rateText(one.fee.rate) : null,
    taxable: one.fee.isTaxable,
  }));

const unpaidStatus = ({ pendingOffline, pending }: NewInvoice): Status =>
  pendingOffline ? 'pending_offline' : pending ? 'pending' : 'open';

/** The entries of accounts that its lines collect are on it for good. */
async function collect(work: Work, invoice: number, lines: readonly NewLine[]): Promise<void> {
  const collected = lines.filter((line) => line.accountEntry !== undefined);
  if (collected.length === 0) return;
  const ids = collected.map(({ accountEntry }) => accountEntry!);
  await settleEntries(work, ids, invoice);
  const entries = await work.tx.rows<{ id: number; customer: number; amount: number }>(sql`
    SELECT id, customer_id AS customer, CASE kind WHEN 'charge' THEN amount_minor ELSE -amount_minor END AS amount
    FROM account_entry WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`);
  for (const { accountEntry, customer, price } of collected) {
    const entry = entries.find(({ id }) => id === accountEntry)!;
    if (entry.customer !== customer || entry.amount !== price.preTax)
      throw new Error(`the line of account entry ${accountEntry} bills another customer or amount than the entry`);
  }
}

/** The amounts of an invoice or of a line, as they are stored. */
export interface Sums {
  readonly listPrice: number;
  readonly discount: number;
  /** taxes that the list price contains */
  readonly included: number;
  readonly preTax: number;
  /** fees and taxes */
  readonly fees: number;
  readonly rounding: number;
  readonly total: number;
}

const feesOf = ({ lines }: Price): number => lines.reduce((all, { amount }) => all + amount, 0);

function sumsOf(prices: readonly Price[]): Sums {
  const sum = (of: (price: Price) => number): number => prices.reduce((all, price) => all + of(price), 0);
  return {
    listPrice: sum((p) => p.listPrice),
    discount: sum((p) => p.discount),
    included: sum((p) => p.includedTaxes),
    preTax: sum((p) => p.preTax),
    fees: sum(feesOf),
    rounding: sum((p) => p.rounding),
    total: sum((p) => p.total),
  };
}

type LineValues = Omit<NewLine, 'price' | 'accountEntry'> & {
  readonly sums: Sums;
  readonly accountEntry: number | null;
  readonly credits: number | null;
};

const addLines = (work: Work, invoice: number, lines: readonly NewLine[]): Promise<number[]> =>
  insertLines(
    work,
    invoice,
    lines.map((line) => ({
      ...line,
      sums: sumsOf([line.price]),
      accountEntry: line.accountEntry ?? null,
      credits: null,
    })),
  );

/** All lines of an invoice in one statement, as the database wants it; their ids in the same order. */
export async function insertLines(work: Work, invoice: number, lines: readonly LineValues[]): Promise<number[]> {
  const each = <T>(of: (line: LineValues) => T): T[] => lines.map(of);
  const rows = await work.tx.rows<{ id: number }>(sql`
    INSERT INTO invoice_line (provider_id, invoice_id, position, type, description, customer_id, billed_object, billed_id,
      billed_name, quantity, list_minor, discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor, total_minor,
      account_entry_id, credits_line_id)
    SELECT ${work.providerId}, ${invoice}, nth, type, description, customer, object, billed, name, quantity, list, discount,
      included, pre_tax, fees, rounding, total, entry, credits
    FROM unnest(${each((l) => l.type)}::text[], ${each((l) => l.description)}::text[],
      ${each((l) => l.customer)}::bigint[], ${each((l) => l.billed?.object ?? null)}::text[],
      ${each((l) => l.billed?.id ?? null)}::bigint[], ${each((l) => l.billed?.name ?? null)}::text[],
      ${each((l) => l.quantity)}::int[], ${each((l) => l.sums.listPrice)}::bigint[],
      ${each((l) => l.sums.discount)}::bigint[], ${each((l) => l.sums.included)}::bigint[],
      ${each((l) => l.sums.preTax)}::bigint[], ${each((l) => l.sums.fees)}::bigint[],
      ${each((l) => l.sums.rounding)}::bigint[], ${each((l) => l.sums.total)}::bigint[],
      ${each((l) => l.accountEntry)}::bigint[], ${each((l) => l.credits)}::bigint[]) WITH ORDINALITY
      AS line (type, description, customer, object, billed, name, quantity, list, discount, included, pre_tax, fees, rounding,
        total, entry, credits, nth)
    ORDER BY nth RETURNING id`);
  return rows.map(({ id }) => id);
}

interface FeeValues {
  /** of the line on the invoice, from 1 on */
  readonly position: number;
  /** id of the fee or tax */
  readonly fee: number;
  readonly kind: 'fee' | 'tax';
  readonly name: string;
  readonly explanation: string;
  readonly amount: number;
  /** a percentage, as `8.875`; null: a flat amount */
  readonly rate: string | null;
  /** of a fee: taxes were charged on it */
  readonly taxable: boolean;
}

export async function addFees(work: Work, invoice: number, fees: readonly FeeValues[]): Promise<void> {
  if (fees.length === 0) return;
  const each = <T>(of: (fee: FeeValues) => T): T[] => fees.map(of);
  await work.tx.run(sql`
    INSERT INTO invoice_line_fee (provider_id, invoice_id, line_id, purchase_fee_id, kind, name, explanation, amount_minor, percentage, is_taxable)
    SELECT l.provider_id, l.invoice_id, l.id, f.fee, f.kind, f.name, f.explanation, f.amount, f.rate, f.taxable
    FROM unnest(${each((f) => f.position)}::int[], ${each((f) => f.fee)}::bigint[], ${each((f) => f.kind)}::text[],
      ${each((f) => f.name)}::text[], ${each((f) => f.explanation)}::text[], ${each((f) => f.amount)}::bigint[],
      ${each((f) => f.rate)}::numeric[], ${each((f) => f.taxable)}::boolean[])
      WITH ORDINALITY AS f (position, fee, kind, name, explanation, amount, rate, taxable, nth)
      JOIN invoice_line l ON l.provider_id = ${work.providerId} AND l.invoice_id = ${invoice} AND l.position = f.position
    ORDER BY f.nth`);
}
