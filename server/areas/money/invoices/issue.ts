/** Issues invoices: their rows and numbers, the entries that they collect, and their ledger postings. */
import { about, amountOf, invoiceFeed } from './feed.ts';
import { noteCharge, noteCredit, type Charge, type Credit } from './payment/pay.ts';
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import type { NewLine } from './new-line.ts';
import {
  addFees,
  insertInvoices,
  insertLines,
  sumsOf,
  type FeeValues,
  type InvoiceValues,
  type Place,
} from './insert.ts';
import { issued } from './payment/postings.ts';
import { chargedNow } from '../../pricing/fees/index.ts';
import { lockAccounts, postLater, type Posting } from '../ledger/index.ts';
import { partiesOf, type Parties } from './parties.ts';
import { settleEntries } from '../account-entries/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { takeId, takeIds } from '../../../kernel/work/unit/row.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { readInvoices, type InvoiceRow } from './row.ts';
import type { Status } from './reading/statuses.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface NewInvoice {
  /** id of the customer who pays */
  readonly payer: number;
  /** object that causes the invoice */
  readonly about: { readonly object: string; readonly id: number };
  /** YYYY-MM-DD */
  readonly dueOn: string;
  /** at least one; their totals sum to 0 or more */
  readonly lines: readonly NewLine[];
  readonly discountCode: { readonly id: number; readonly code: string; readonly name: string } | null;
  /** true if the customer will pay at the desk */
  readonly pendingOffline?: boolean;
  /** account credit that pays it immediately */
  readonly credit?: Credit;
  readonly payment?: Charge;
  /** true if the amount due is being charged: the payment starts in the same transaction */
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

/** An invoice that can be issued: accounts are locked, and it has an id, but no number yet. */
export interface ReadyInvoice {
  readonly id: number;
  readonly invoice: NewInvoice;
  readonly parties: Parties;
  /** ids of the rows for immediate credit and payment */
  readonly creditId: number | null;
  readonly chargeId: number | null;
}

export const issueInvoice = async (work: Work, invoice: NewInvoice): Promise<Issued> =>
  issueReady(work, await readyInvoice(work, invoice));

/**
 * Locks and reads everything that an invoice needs, before it takes a number. `issueReady` issues it. `known`: the
 * parties, if the caller has read them for many invoices.
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
 * Prepares several invoices without immediate payment: locks their accounts in the order of their ids. The invoices
 * take their numbers in the order given.
 */
export async function readyInvoices(
  work: Work,
  all: readonly { readonly invoice: Omit<NewInvoice, 'credit' | 'payment'>; readonly parties: Parties }[],
): Promise<ReadyInvoice[]> {
  const [, ids] = await Promise.all([
    lockAccounts(
      work,
      all.flatMap(({ invoice: { payer, lines } }) => [payer, ...lines.map(({ customer }) => customer)]),
    ),
    takeIds(work, 'invoice', all.length),
  ]);
  return all.map((one, n) => ({ ...one, id: ids[n], creditId: null, chargeId: null }));
}

export const issueReady = async (work: Work, ready: ReadyInvoice): Promise<Issued> =>
  (await issueAll(work, [ready]))[0];

/**
 * Issues the invoices. Taking a number locks the series until the transaction ends, so call this late, after everything
 * else is locked, and keep the number of further round trips small. Statements sent concurrently share the first round
 * trip, and run after the invoices are inserted.
 */
export async function issueAll(work: Work, ready: readonly ReadyInvoice[]): Promise<Issued[]> {
  const lines = ready.flatMap(({ id, invoice }) =>
    invoice.lines.map((line, n) => ({ ...line, invoice: id, position: n + 1 })),
  );
  // Read after the database has added up the lines.
  const [, ids, , rows] = await Promise.all([
    insertInvoices(work, wallAt(work.now, work.tenant.zone).date, ready.map(valuesOf)),
    insertLines(
      work,
      lines.map((line) => ({
        ...line,
        sums: sumsOf([line.price]),
        accountEntry: line.accountEntry ?? null,
        credits: null,
      })),
    ),
    addFees(
      work,
      lines.flatMap((line) => feesOfLine(work, line)),
    ),
    readInvoices(
      work,
      ready.map(({ id }) => id),
    ),
  ]);
  const issuedRows = new Map(rows.map((row) => [row.id, row]));
  const postings: Posting[] = [];
  for (const one of ready) {
    postings.push(...noteIssued(work, one, issuedRows.get(one.id)!));
    await collect(work, one.id, one.invoice.lines);
  }
  postLater(work, postings);
  return ready.map(({ id }) => {
    const { number, total_minor: total } = issuedRows.get(id)!;
    return { id, number, total, lines: ids.filter((_, n) => lines[n].invoice === id).map((line) => ({ id: line })) };
  });
}

function valuesOf({ id, invoice, parties }: ReadyInvoice): InvoiceValues {
  const { payer, about: cause, dueOn, discountCode } = invoice;
  const sums = sumsOf(invoice.lines.map(({ price }) => price));
  const status = sums.total === 0 ? 'paid' : unpaidStatus(invoice);
  return { id, payer, status, about: cause, dueOn, parties, discountCode, sums };
}

/** Records immediate payments with the next statement, and returns the postings. */
function noteIssued(work: Work, { id, invoice, creditId, chargeId }: ReadyInvoice, row: InvoiceRow): Posting[] {
  const { lines, credit, payment } = invoice;
  work.touch('invoice', id, null);
  if (!credit && !payment) work.leave('invoice', id, row);
  work.record(invoiceFeed.created, id, {
    ...about(row),
    amount: amountOf(work, row.total_minor),
    is_credit_note: false,
    credits_invoice: null,
  });
  if (row.total_minor === 0) work.record(invoiceFeed.paid, id, { ...about(row), amount: amountOf(work, 0) });
  const postings = [issued(storedTexts(work).say, row, lines)];
  if (credit) postings.push(noteCredit(work, row, { ...credit, id: creditId! }));
  if (payment) {
    const due = row.due_minor - (credit?.amount ?? 0);
    postings.push(noteCharge(work, { ...row, due_minor: due }, { ...payment, id: chargeId! }));
  }
  return postings;
}

const feesOfLine = (work: Work, { invoice, position, price }: NewLine & Place): FeeValues[] =>
  chargedNow(price, work.tenant.currency).fees.map((fee) => ({ ...fee, invoice, position }));

const unpaidStatus = ({ pendingOffline, pending }: NewInvoice): Status =>
  pendingOffline ? 'pending_offline' : pending ? 'pending' : 'open';

/** Settles the account entries that the lines collect, permanently. */
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
    if (entry.customer !== customer || entry.amount !== price.total)
      throw new Error(`the line of account entry ${accountEntry} bills another customer or amount than the entry`);
  }
}
