/** The totals of each account over some days: the opening balance, debits and credits, and the closing balance. */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { postedWithin, type Range } from './range.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Reading } from '../checks.ts';

/** Totals in minor units; a debit balance is more than zero. */
export interface AccountTotal {
  readonly account: string;
  readonly detail: string | null;
  readonly opening: number;
  readonly debits: number;
  readonly credits: number;
  readonly closing: number;
}

/**
 * Returns the totals of each account. Starts from the balances of the last closed period before these days, which
 * cannot have changed since, and adds later postings. Accounts without postings and balance are left out.
 */
export async function totalsOf({ tx, providerId }: Reading, { from, to }: Range): Promise<AccountTotal[]> {
  const closed = await lastClosed({ tx, providerId }, addDays(from, -1));
  const within = { from: closed && addDays(closed.end_on, 1), to };
  const rows = await tx.rows<Omit<AccountTotal, 'closing'>>(sql`
    SELECT account, detail, sum(opening)::bigint AS opening, sum(debits)::bigint AS debits,
      sum(credits)::bigint AS credits
    FROM (
      SELECT account, nullif(detail, '') AS detail, closing_minor AS opening, 0 AS debits, 0 AS credits
      FROM accounting_period_total WHERE provider_id = ${providerId} AND accounting_period_id = ${closed?.id ?? null}
      UNION ALL
      SELECT l.account, l.detail, coalesce(sum(l.amount_minor) FILTER (WHERE t.posted_on < ${from}::date), 0),
        coalesce(sum(l.amount_minor) FILTER (WHERE t.posted_on >= ${from}::date AND l.amount_minor > 0), 0),
        -coalesce(sum(l.amount_minor) FILTER (WHERE t.posted_on >= ${from}::date AND l.amount_minor < 0), 0)
      FROM ledger_transaction t JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id
      WHERE t.provider_id = ${providerId} AND ${postedWithin('t', within)} GROUP BY l.account, l.detail
    ) x
    GROUP BY account, detail HAVING sum(opening) <> 0 OR sum(debits) <> 0 OR sum(credits) <> 0
    ORDER BY account, length(detail), detail`);
  return rows.map((row) => ({ ...row, closing: row.opening + row.debits - row.credits }));
}

interface Closed {
  readonly id: number;
  readonly end_on: string;
}

/** Returns the latest closed period of those that end by that day. */
export const lastClosed = async ({ tx, providerId }: Pick<Reading, 'tx' | 'providerId'>, by?: string) =>
  (await tx.one<Closed & Record<string, unknown>>(
    sql`SELECT id, end_on FROM accounting_period WHERE provider_id = ${providerId} AND reopened_at IS NULL
      AND end_on <= ${by ?? null}::date IS NOT FALSE ORDER BY end_on DESC LIMIT 1`,
  )) ?? null;

/** Returns the number of transactions posted on these days. */
export async function transactionsOf({ tx, providerId }: Reading, range: Range): Promise<number> {
  const row = await tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM ledger_transaction t
      WHERE t.provider_id = ${providerId} AND ${postedWithin('t', range)}`,
  );
  return row!.n;
}

/** Returns the totals that must match: debits equal credits, and all balances sum to zero. */
export function sumsOf(totals: readonly AccountTotal[]): Record<'opening' | 'debits' | 'credits' | 'closing', number> {
  const sum = (name: 'opening' | 'debits' | 'credits' | 'closing') => totals.reduce((all, one) => all + one[name], 0);
  return { opening: sum('opening'), debits: sum('debits'), credits: sum('credits'), closing: sum('closing') };
}
