/** The journal of some days: every posted line, read in batches, so that it can be of any length. */
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import { namesOf, type Names } from './names.ts';
import { postedWithin, type Range } from './range.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Database, CredentialCheck } from '../../../../kernel/base/db/database.ts';
import type { Tenant } from '../../../../kernel/work/unit/work.ts';

/** Number of transactions in a batch. */
const PORTION = 1000;

interface Line {
  readonly transaction_id: number;
  readonly posted_on: string;
  readonly posted_at: number;
  readonly kind: string;
  readonly object: string;
  readonly object_id: number;
  readonly explanation: string;
  readonly id: number;
  readonly account: string;
  readonly detail: string | null;
  readonly customer_id: number | null;
  readonly amount_minor: number;
}

/** Columns of the export; docs/guide/accounting.md describes each one. */
export const JOURNAL_COLUMNS = [
  'transaction',
  'date',
  'posted_at',
  'kind',
  'about_object',
  'about_id',
  'explanation',
  'line',
  'account',
  'detail',
  'detail_name',
  'account_code',
  'customer',
  'debit',
  'credit',
  'currency',
] as const;

export type JournalLine = Readonly<Record<(typeof JOURNAL_COLUMNS)[number], string | number | null>>;

export interface Books {
  readonly db: Database;
  readonly tenant: Tenant;
  /** standing of the caller's credential, whose permissions are checked again for every batch */
  readonly standing?: CredentialCheck;
}

/**
 * Returns the lines in the order in which they were posted. No transaction is open while the client reads; lines that
 * are posted in the meantime come last, if their day is in the range.
 */
export async function* journalOf(
  { db, tenant, standing }: Books,
  range: Range,
): AsyncGenerator<readonly JournalLine[]> {
  const { providerId } = tenant;
  const names = await db.lookingAnywhere(providerId, (tx) => namesOf({ tx, providerId, tenant }), standing);
  let after: { at: number; id: number } | null = { at: -8.64e12, id: 0 };
  while (after !== null) {
    const { at, id } = after;
    const lines: Line[] = await db.lookingAnywhere(
      providerId,
      (tx) =>
        tx.rows<Line & Record<string, unknown>>(sql`
          WITH t AS (
            SELECT id, posted_on, posted_at, kind, object, object_id, explanation FROM ledger_transaction t
            WHERE provider_id = ${providerId} AND ${postedWithin('t', range)}
              AND (posted_at, id) > (${new Date(at).toISOString()}::timestamptz, ${id}::bigint)
            ORDER BY posted_at, id LIMIT ${PORTION})
          SELECT t.id AS transaction_id, t.posted_on, t.posted_at, t.kind, t.object, t.object_id, t.explanation,
            l.id, l.account, l.detail, l.customer_id, l.amount_minor
          FROM t CROSS JOIN LATERAL (SELECT * FROM ledger_line l
            WHERE l.provider_id = ${providerId} AND l.transaction_id = t.id ORDER BY l.id) l
          ORDER BY t.posted_at, t.id, l.id`),
      standing,
    );
    if (lines.length > 0) yield lines.map((line) => lineOf(line, names, tenant));
    const last = lines.at(-1);
    after = last ? { at: last.posted_at, id: last.transaction_id } : null;
  }
}

function lineOf(line: Line, names: Names, { zone, currency }: Tenant): JournalLine {
  const { account, detail, amount_minor: minor } = line;
  return {
    transaction: line.transaction_id,
    date: line.posted_on,
    posted_at: formatInstant(line.posted_at, zone),
    kind: line.kind,
    about_object: line.object,
    about_id: line.object_id,
    explanation: line.explanation,
    line: line.id,
    account,
    detail,
    detail_name: names.name(account, detail),
    account_code: names.code(account, detail),
    customer: line.customer_id,
    debit: formatDecimal({ minor: Math.max(minor, 0), currency }),
    credit: formatDecimal({ minor: Math.max(-minor, 0), currency }),
    currency,
  };
}
