/** What the ledger says of an entry. A charge is owed, and not invoiced yet: the account `unbilled` of the customer. */
import type { EntryRow } from './entry.ts';
import type { LedgerLine, Posting } from '../ledger/index.ts';

const about = (row: EntryRow) => ({ object: 'account_entry', id: row.id });

const opposite = (line: LedgerLine): LedgerLine => ({ ...line, amount: -line.amount });

/** Owed to or by the customer, against the revenue of its reason; account credit that is given was never revenue. */
function linesOf(row: EntryRow): readonly LedgerLine[] {
  const amount = row.kind === 'charge' ? row.amount_minor : -row.amount_minor;
  if (row.revenue === null)
    return [
      { account: 'credit_given', amount: -amount },
      { account: 'credit', customer: row.customer_id, amount },
    ];
  return [
    { account: 'unbilled', customer: row.customer_id, amount },
    { account: 'revenue', detail: row.revenue, amount: -amount },
  ];
}

export const postingOf = (row: EntryRow): Posting => ({
  kind: 'account_entry_created',
  about: about(row),
  explanation: row.explanation,
  lines: linesOf(row),
});

export const reversed = (row: EntryRow, why: string): Posting => ({
  kind: 'account_entry_voided',
  about: about(row),
  explanation: why,
  lines: linesOf(row).map(opposite),
});

/** What was to be taken off an invoice can be spent from now on. */
export const credited = (row: EntryRow): Posting => ({
  kind: 'account_entry_credited',
  about: about(row),
  explanation: row.explanation,
  lines: [
    { account: 'unbilled', customer: row.customer_id, amount: row.amount_minor },
    { account: 'credit', customer: row.customer_id, amount: -row.amount_minor },
  ],
});
