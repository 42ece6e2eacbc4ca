/** Balances that customers had at the former product of a business: credit that they can spend, and debts. */
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import { insert, voidEntries } from './writes.ts';
import { isOpen, isValid, type EntryRow } from './entry.ts';
import { lockAccounts } from '../ledger/index.ts';
import { OPENING_BALANCE } from './reasons.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Kind } from './account-entry.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Opening {
  /** id */
  readonly customer: number;
  /** `charge`: the customer owes it */
  readonly kind: Kind;
  /** minor units, more than 0 */
  readonly amount: number;
  /** YYYY-MM-DD: the day of the balance */
  readonly day: string;
}

/**
 * Writes balances and returns the ids of their entries, in the same order. Credit can be spent immediately. A debt is
 * an open charge that nothing bills by itself.
 */
export function writeOpening(work: Work, all: readonly Opening[]): Promise<number[]> {
  const { say, day: spoken } = storedTexts(work);
  return insert(
    work,
    all.map(({ customer, kind, amount, day }) => ({
      customer,
      kind,
      amount,
      reason: OPENING_BALANCE,
      subject: null,
      customerMembership: null,
      explanation: say('balance', { day: spoken(day) }),
      dueOn: day,
      period: null,
      credited: kind === 'credit',
    })),
  );
}

/** Takes balances back that nobody has paid or spent. Returns the reasons for keeping the others, by id. */
export async function takeBackOpening(work: Work, ids: readonly number[]): Promise<Map<number, string>> {
  const { tx, providerId } = work;
  const mine = sql`e.provider_id = ${providerId} AND e.id = ANY(${ids}::bigint[]) AND ${isValid('e')}`;
  const customers = await tx.rows<{ id: number }>(sql`SELECT DISTINCT e.customer_id AS id FROM account_entry e
    WHERE ${mine}`);
  const accounts = customers.map(({ id }) => id);
  await lockAccounts(work, accounts);
  const rows = await tx.rows<EntryRow & { readonly open: boolean }>(
    sql`SELECT e.*, (${isOpen('e')}) AS open FROM account_entry e WHERE ${mine} ORDER BY e.id`,
  );
  const balances = await tx.rows<{ customer: number; credit: number }>(
    sql`SELECT customer_id AS customer, -amount_minor AS credit FROM customer_balance
      WHERE provider_id = ${providerId} AND account = 'credit' AND customer_id = ANY(${accounts}::bigint[])`,
  );
  const left = new Map(balances.map(({ customer, credit }) => [customer, credit]));
  const kept = new Map<number, string>();
  const back: EntryRow[] = [];
  for (const row of rows) {
    if (row.open) continue;
    const credit = left.get(row.customer_id) ?? 0;
    if (row.kind === 'charge') kept.set(row.id, 'was invoiced');
    else if (credit < row.amount_minor) kept.set(row.id, 'was spent');
    else {
      left.set(row.customer_id, credit - row.amount_minor);
      back.push(row);
    }
  }
  const why = storedTexts(work).say('balance.mistake');
  await voidEntries(
    work,
    rows.filter(({ open }) => open).map(({ id }) => id),
    why,
  );
  await insert(
    work,
    back.map((row) => ({
      customer: row.customer_id,
      kind: 'charge' as const,
      amount: row.amount_minor,
      reason: OPENING_BALANCE,
      subject: null,
      customerMembership: null,
      explanation: why,
      dueOn: wallAt(work.now, work.tenant.zone).date,
      period: null,
      reverses: row.id,
      credited: true,
    })),
  );
  return kept;
}
