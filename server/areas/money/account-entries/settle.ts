/**
 * Open entries of an account, and their settlement by an invoice. The database guarantees that an entry is invoiced
 * once.
 */
import { accountEntryFeed } from './feed.ts';
import { feesOf, isOpen, isWaiting, report, type EntryRow } from './entry.ts';
import { priceOfCharged, type ChargedPart, type Price } from '../../pricing/fees/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { reasonsByHand } from './reasons.ts';
import type { Kind } from './account-entry.ts';
import type { LineType } from '../ledger/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface OpenEntry {
  readonly id: number;
  readonly kind: Kind;
  /** minor units, more than 0 */
  readonly amount: number;
  /** price of an invoice line that collects it: below 0 for a credit */
  readonly price: Price;
  readonly reason: string;
  readonly explanation: string;
  /** YYYY-MM-DD */
  readonly dueOn: string;
  /** type of its line on an invoice; taking given credit back is a flat fee */
  readonly revenue: LineType;
  /** no invoice takes it off before its period is billed */
  readonly waits: boolean;
  /** never billed by itself */
  readonly byHand: boolean;
}

/**
 * Returns charges and credits of a customer that no invoice includes yet, by due date. With `dueBy` (YYYY-MM-DD), only
 * those that are due on that day or before. If the caller has locked the account (`lockAccounts`), none are added or
 * removed in the meantime.
 */
export async function openEntries(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  customer: number,
  { dueBy }: { dueBy?: string } = {},
): Promise<OpenEntry[]> {
  const rows = await tx.rows<EntryRow & { readonly waits: boolean }>(sql`
    SELECT e.*, ${isWaiting('e')} AS waits FROM account_entry e
    WHERE e.provider_id = ${providerId} AND e.customer_id = ${customer} AND ${isOpen('e')}
      AND e.due_on <= ${dueBy ?? 'infinity'}::date ORDER BY e.due_on, e.id`);
  const fees = await feesOf({ tx, providerId }, rows);
  const byHand = reasonsByHand();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    amount: row.amount_minor,
    price: priceOf(row, fees.get(row.id) ?? []),
    reason: row.reason,
    explanation: row.explanation,
    dueOn: row.due_on,
    revenue: row.revenue ?? 'flat_fee',
    waits: row.waits,
    byHand: byHand.includes(row.reason),
  }));
}

/** Returns the price of the invoice line that collects the entry. */
const priceOf = (
  { kind, amount_minor: amount, rounding_minor: rounding }: EntryRow,
  fees: readonly ChargedPart[],
): Price => priceOfCharged({ amount, fees, rounding }, kind === 'charge' ? 1 : -1);

/** Returns the prices of invoice lines that collect these entries, by the ids of the entries. */
export async function pricesOf(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Price>> {
  const rows = await tx.rows<EntryRow>(
    sql`SELECT * FROM account_entry WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[])`,
  );
  const fees = await feesOf({ tx, providerId }, rows);
  return new Map(rows.map((row) => [row.id, priceOf(row, fees.get(row.id) ?? [])]));
}

/**
 * Settles these entries with an invoice, permanently. The invoice makes the postings; the caller has locked the
 * accounts.
 * @throws Problem if one of them is no longer open
 */
export async function settleEntries(work: Work, ids: readonly number[], invoice: number): Promise<void> {
  if (ids.length === 0) return;
  const rows = await work.tx.rows<EntryRow>(sql`
    WITH before AS (
      SELECT e.* FROM account_entry e WHERE e.provider_id = ${work.providerId} AND e.id = ANY(${ids}::bigint[])
        AND ${isOpen('e')}
      ORDER BY e.id FOR NO KEY UPDATE
    ), settled AS (
      UPDATE account_entry e SET settled_invoice_id = ${invoice} FROM before b
      WHERE e.provider_id = b.provider_id AND e.id = b.id
    )
    SELECT * FROM before ORDER BY id`);
  if (rows.length !== new Set(ids).size)
    throw new Problem('conflict', {
      staff:
        'One of the account entries was voided, credited or invoiced in the meantime. Check the amounts, and retry.',
      customer: 'One of these charges has changed in the meantime. Please look again.',
    });
  for (const row of rows) {
    work.touch('account_entry', row.id, row);
    report(work, accountEntryFeed.invoiced, row, `${row.kind}_invoiced`, {
      account_entry: row.id,
      amount_minor: row.amount_minor,
    });
  }
}
