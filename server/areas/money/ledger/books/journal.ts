/** The journal of some days: every line that was posted, read in portions, however many there are. */
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import { namesOf, type Names } from './names.ts';
import { postedWithin, type Range } from './range.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Database, CredentialCheck } from '../../../../kernel/base/db/database.ts';
import type { Tenant } from '../../../../kernel/work/unit/work.ts';

/** So many transactions are read at a time. */
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

/** Each line of the export by the names of its columns; docs/guide/accounting.md says what each one holds. */
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
  /** of the caller's credential: what it may is looked at again with every portion */
  readonly standing?: CredentialCheck;
}

/**
 * The lines in the order in which they were posted. No transaction is open while the receiver takes its time; what is
 * posted meanwhile comes last, as long as its day belongs to the range.
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
