/**
 * The writes of account entries. Whoever calls them has locked what the entries are about: no two pieces of work decide
 * the same charge. What a dry run tells is what these functions do.
 */
import { accountEntryCreated, accountEntryVoided } from './feed.ts';
import { formatDecimal } from '../../../kernel/values/money.ts';
import { instant, sql, type Sql } from '../../../kernel/db/sql.ts';
import type { AccountReason } from './reasons.ts';
import type { Kind } from './account-entry.ts';
import type { Work } from '../../../kernel/work.ts';

export interface NewEntry {
  /** whose account it is */
  readonly customer: number;
  readonly kind: Kind;
  /** minor units, more than 0 */
  readonly amount: number;
  readonly reason: AccountReason;
  /** the id of what it is about; the reason says of which resource */
  readonly subject: number;
  /** the membership that it belongs to */
  readonly customerMembership: number | null;
  readonly explanation: string;
  /** YYYY-MM-DD */
  readonly dueOn: string;
  /** the first and the last day of the billing period that it is for */
  readonly period: { readonly start: string; readonly end: string } | null;
}

/** As it is stored. */
interface Row extends Record<string, unknown> {
  readonly id: number;
  readonly customer_id: number;
  readonly kind: Kind;
  readonly amount_minor: number;
  readonly reason: string;
  readonly explanation: string;
  readonly subject_object: string;
  readonly subject_id: number;
  readonly customer_membership_id: number | null;
  readonly due_on: string;
  readonly period_start: string | null;
  readonly period_end: string | null;
}

const payloadOf = (work: Work, row: Row) => ({
  account_entry: row.id,
  customer: row.customer_id,
  customer_membership: row.customer_membership_id,
  subject: { object: row.subject_object, id: row.subject_id },
  kind: row.kind,
  reason: row.reason,
  amount: formatDecimal({ minor: row.amount_minor, currency: work.tenant.currency }),
});

/** Adds a charge or a credit and returns its id. */
export const addEntry = async (work: Work, entry: NewEntry): Promise<number> => (await addEntries(work, [entry]))[0];

/** Adds charges and credits in one statement, and returns their ids in the same order. */
export async function addEntries(work: Work, entries: readonly NewEntry[]): Promise<number[]> {
  if (entries.length === 0) return [];
  const each = <T>(of: (entry: NewEntry) => T): T[] => entries.map(of);
  const rows = await work.tx.rows<Row>(sql`
    INSERT INTO account_entry (provider_id, customer_id, kind, amount_minor, reason, subject_object, subject_id,
      customer_membership_id, explanation, due_on, period_start, period_end, created_at)
    SELECT ${work.providerId}, customer, kind, amount, reason, object, subject, membership, explanation, due, starts, ends,
      ${instant(work.now)}
    FROM unnest(${each((e) => e.customer)}::bigint[], ${each((e) => e.kind)}::text[], ${each((e) => e.amount)}::bigint[],
      ${each((e) => e.reason.name)}::text[], ${each((e) => e.reason.subject)}::text[], ${each((e) => e.subject)}::bigint[],
      ${each((e) => e.customerMembership)}::bigint[], ${each((e) => e.explanation)}::text[], ${each((e) => e.dueOn)}::date[],
      ${each((e) => e.period?.start ?? null)}::date[], ${each((e) => e.period?.end ?? null)}::date[]) WITH ORDINALITY
      AS entry (customer, kind, amount, reason, object, subject, membership, explanation, due, starts, ends, nth)
    ORDER BY nth RETURNING *`);
  for (const row of rows) {
    work.touch('account_entry', row.id, null);
    work.record(accountEntryCreated, row.id, payloadOf(work, row));
    work.effect(row.kind, row.subject_object, row.subject_id, {
      amount_minor: row.amount_minor,
      reason: row.reason,
      explanation: row.explanation,
      due_date: row.due_on,
      period_start_date: row.period_start,
      period_end_date: row.period_end,
    });
  }
  return rows.map(({ id }) => id);
}

/** Voids those that are still valid. `why` is a sentence for the customer. */
export const voidEntries = (work: Work, ids: readonly number[], why: string): Promise<void> =>
  ids.length === 0 ? Promise.resolve() : voidThose(work, sql`id = ANY(${ids}::bigint[])`, why);

/** Voids all that are about these objects and still valid. */
export const voidEntriesOf = (work: Work, object: string, ids: readonly number[], why: string): Promise<void> =>
  ids.length === 0
    ? Promise.resolve()
    : voidThose(work, sql`subject_object = ${object} AND subject_id = ANY(${ids}::bigint[])`, why);

async function voidThose(work: Work, which: Sql, why: string): Promise<void> {
  const rows = await work.tx.rows<Row>(sql`
    WITH before AS (
      SELECT * FROM account_entry WHERE provider_id = ${work.providerId} AND ${which} AND voided_at IS NULL ORDER BY id FOR UPDATE
    ), voided AS (
      UPDATE account_entry e SET voided_at = ${instant(work.now)}, void_explanation = ${why} FROM before b
      WHERE e.provider_id = b.provider_id AND e.id = b.id
    )
    SELECT * FROM before ORDER BY id`);
  for (const row of rows) {
    work.touch('account_entry', row.id, row);
    work.record(accountEntryVoided, row.id, payloadOf(work, row));
    work.effect(`${row.kind}_voided`, row.subject_object, row.subject_id, {
      account_entry: row.id,
      amount_minor: row.amount_minor,
    });
  }
}
