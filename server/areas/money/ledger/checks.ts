/**
 * Checks that the ledger agrees with the rows that it was posted for. Each area that posts declares its totals that
 * must match; one statement reads both sides, so that both are of the same moment.
 */
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { Port } from '../../../kernel/base/fields/port.ts';
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Account } from './accounts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The part of `Work` that a check reads with: it changes nothing. */
export type Reading = Pick<Work, 'tx' | 'providerId' | 'tenant'>;

interface Difference {
  /** location of the difference, for example `customer 12` */
  readonly of: string;
  /** total of the rows, in minor units */
  readonly expected: number;
  /** balance of the ledger, in minor units */
  readonly found: number;
}

export interface LedgerCheck {
  readonly name: string;
  /** full sentence that says which totals must match */
  readonly description: string;
  /** resource whose rows are compared with the ledger */
  readonly resource: string;
  check(work: Reading): Promise<readonly Difference[]>;
}

export const ledgerChecks = new Port<LedgerCheck>('ledger check', ({ resource }) => resource);

/** Maximum number of reported findings of one check. */
const MAX_DIFFERENCES = 100;

/**
 * Returns the differences between an account and `expected`: a statement that selects `key` (the id of a customer as
 * text, or the detail of an account of the business) and `amount`, signed as in the ledger.
 */
export const compare = (
  { tx, providerId }: Reading,
  account: Account,
  expected: Sql,
  of: (key: string) => string = (key) => `customer ${key}`,
): Promise<readonly Difference[]> =>
  differences(
    tx,
    sql`SELECT coalesce(e.key, l.key) AS key, coalesce(e.amount, 0)::bigint AS expected,
      coalesce(l.amount, 0)::bigint AS found
    FROM (${expected}) e FULL JOIN (
      SELECT coalesce(customer_id::text, detail, '') AS key, sum(amount_minor) AS amount FROM ledger_line
      WHERE provider_id = ${providerId} AND account = ${account} GROUP BY 1) l ON l.key = e.key
    WHERE coalesce(e.amount, 0) <> coalesce(l.amount, 0) ORDER BY 1 LIMIT ${MAX_DIFFERENCES}`,
    of,
  );

async function differences(tx: Work['tx'], query: Sql, of: (key: string) => string): Promise<Difference[]> {
  const rows = await tx.rows<{ key: string; expected: number; found: number }>(query);
  return rows.map(({ key, expected, found }) => ({ of: of(key), expected, found }));
}

const transactionsBalance: LedgerCheck = {
  name: 'transactions',
  description: 'The debits and credits of each ledger transaction come to zero, and each has some.',
  resource: 'ledger_transaction',
  check: ({ tx, providerId }) =>
    differences(
      tx,
      sql`SELECT t.id || CASE WHEN l.amount IS NULL THEN ', without lines' ELSE '' END AS key, 0 AS expected,
        coalesce(l.amount, 0)::bigint AS found
        FROM ledger_transaction t LEFT JOIN (
          SELECT transaction_id, sum(amount_minor) AS amount FROM ledger_line
          WHERE provider_id = ${providerId} GROUP BY 1
        ) l ON l.transaction_id = t.id
        WHERE t.provider_id = ${providerId} AND l.amount IS DISTINCT FROM 0 ORDER BY t.id LIMIT ${MAX_DIFFERENCES}`,
      (key) => `transaction ${key}`,
    ),
};

const balancesFollow: LedgerCheck = {
  name: 'balances',
  description: 'The balance that is kept of each account of a customer is what its lines come to.',
  resource: 'ledger_line',
  check: ({ tx, providerId }) =>
    differences(
      tx,
      sql`SELECT coalesce(b.key, l.key) AS key, coalesce(l.amount, 0)::bigint AS expected,
        coalesce(b.amount, 0)::bigint AS found
        FROM (SELECT customer_id || ' ' || account AS key, amount_minor AS amount FROM customer_balance
          WHERE provider_id = ${providerId}) b
        FULL JOIN (SELECT customer_id || ' ' || account AS key, sum(amount_minor) AS amount FROM ledger_line
          WHERE provider_id = ${providerId} AND customer_id IS NOT NULL GROUP BY 1) l ON l.key = b.key
        WHERE coalesce(b.amount, 0) <> coalesce(l.amount, 0) ORDER BY 1 LIMIT ${MAX_DIFFERENCES}`,
      (key) => `customer ${key.replace(' ', ', ')}`,
    ),
};

export const OWN_CHECKS = [transactionsBalance, balancesFollow] as const;

/** Returns all differences of a business in words; none if everything matches. */
export async function checkLedger(work: Reading): Promise<string[]> {
  const { currency } = work.tenant;
  const text = (minor: number): string => formatDecimal({ minor, currency });
  const found: string[] = [];
  for (const { name, check } of ledgerChecks.filled)
    for (const { of, expected, found: ledger } of await check(work))
      found.push(`${name}: ${of}: ${text(expected)} ${currency} expected, and ${text(ledger)} ${currency} found.`);
  return found;
}
