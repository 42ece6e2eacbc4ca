/** Ledger postings of entries. A charge is owed, but not invoiced yet: it is on the customer's account `unbilled`. */
import { reasonOf } from './reasons.ts';
import type { ChargedPart } from '../../pricing/fees/index.ts';
import type { EntryRow } from './entry.ts';
import type { LedgerLine, Posting } from '../ledger/index.ts';

const about = (row: EntryRow) => ({ object: 'account_entry', id: row.id });

const opposite = (line: LedgerLine): LedgerLine => ({ ...line, amount: -line.amount });

/**
 * Returns the lines: owed to or by the customer, against revenue, fees and taxes. Credit given by staff was never
 * revenue, and can be spent immediately; credit that expires or moves is taken from the balance at the same moment.
 */
function linesOf(row: EntryRow, fees: readonly ChargedPart[]): LedgerLine[] {
  const { kind, amount_minor, fees_minor, rounding_minor, customer_id: customer, reason, revenue, credited_at } = row;
  const sign = kind === 'charge' ? 1 : -1;
  const earned = -sign * (amount_minor - fees_minor - rounding_minor);
  return [
    { account: credited_at === null ? 'unbilled' : 'credit', customer, amount: sign * amount_minor },
    revenue === null
      ? { account: reasonOf(reason).against ?? 'credit_given', amount: earned }
      : { account: 'revenue', detail: revenue, amount: earned },
    ...fees.map(({ kind: account, fee, amount }) => ({ account, detail: String(fee), amount: -sign * amount })),
    ...(rounding_minor === 0 ? [] : [{ account: 'rounding' as const, amount: -sign * rounding_minor }]),
  ];
}

export const postingOf = (row: EntryRow, fees: readonly ChargedPart[]): Posting => ({
  kind: 'account_entry_created',
  about: about(row),
  explanation: row.explanation,
  lines: linesOf(row, fees),
});

export const reversed = (row: EntryRow, fees: readonly ChargedPart[], why: string): Posting => ({
  kind: 'account_entry_voided',
  about: about(row),
  explanation: why,
  lines: linesOf(row, fees).map(opposite),
});

/** Returns the posting for a credit that was meant for an invoice, and can be spent from now on. */
export const credited = (row: EntryRow): Posting => ({
  kind: 'account_entry_credited',
  about: about(row),
  explanation: row.explanation,
  lines: [
    { account: 'unbilled', customer: row.customer_id, amount: row.amount_minor },
    { account: 'credit', customer: row.customer_id, amount: -row.amount_minor },
  ],
});
