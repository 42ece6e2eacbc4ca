/**
 * Stored rows of reports: sales, the rows of the report of revenue and their sums by month, and the visits of each
 * event. A change of what they follow from adds a row to `report_change` in its own transaction (0012_reporting.sql).
 * Folding takes these rows away and calculates what they are about again, so the stored rows are always those of a
 * moment: before a change, or after it.
 */
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { OF_ENTRIES, SALE_COLUMNS, salesOf, type SomeSales } from '../catalogue/sales.ts';
import { CASH, RECOGNISED, revenueOf } from '../catalogue/revenue.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** The business, and the time zone of its days. */
export interface Whose {
  readonly provider: number;
  readonly zone: string;
}

const PART_COLUMNS = raw(
  'provider_id, base, kind, portion, what, type, customer_id, invoice_id, month, sold, recognised, cash',
);

/** The kinds of rows by what their base is the id of: sales, and the revenue that follows from them. */
const LINE_KINDS = [0, 1, RECOGNISED, RECOGNISED + 1];
const ENTRY_KINDS = [OF_ENTRIES, OF_ENTRIES + 1, RECOGNISED + OF_ENTRIES, RECOGNISED + OF_ENTRIES + 1];

/** Changed ids, by their kind. */
type Changes = ReadonlyMap<string, readonly number[]>;

/** Lets the worker calculate everything again, soon. */
export async function want(tx: Transaction, { provider, zone }: Whose): Promise<void> {
  await tx.run(sql`INSERT INTO report_state (provider_id, timezone) VALUES (${provider}, ${zone})
    ON CONFLICT (provider_id) DO UPDATE SET built_at = NULL`);
}

/**
 * Brings the stored rows up to date. Their one lock is the row of the business in `report_state`, which nothing else
 * locks, so two that fold wait for each other and for nobody else.
 */
export async function fold(tx: Transaction, whose: Whose): Promise<void> {
  const { provider, zone } = whose;
  const p = sql`provider_id = ${provider}`;
  await tx.run(sql`
    INSERT INTO report_state (provider_id, timezone) VALUES (${provider}, ${zone}) ON CONFLICT DO NOTHING`);
  const state = await tx.one<{ built: boolean }>(
    sql`SELECT built_at IS NOT NULL AND timezone = ${zone} AS built FROM report_state WHERE ${p} FOR UPDATE`,
  );
  // A change that commits after this statement has a row of its own, which stays for the next time.
  const changes = await tx.rows<{ of: string; ids: number[] }>(sql`
    WITH gone AS (DELETE FROM report_change WHERE ${p} RETURNING of, of_id)
    SELECT of, array_agg(DISTINCT of_id) AS ids FROM gone GROUP BY of`);
  if (!state!.built) await rebuild(tx, whose);
  else if (changes.length > 0) await foldChanges(tx, whose, new Map(changes.map(({ of, ids }) => [of, ids])));
}

/** Calculates everything again, whatever is stored. */
export async function rebuildStored(tx: Transaction, whose: Whose): Promise<void> {
  await want(tx, whose);
  await fold(tx, whose);
}

async function rebuild(tx: Transaction, whose: Whose): Promise<void> {
  // Reading everything takes as long as it takes.
  await tx.rows(sql`SELECT set_config('statement_timeout', '0', true)`);
  const p = sql`provider_id = ${whose.provider}`;
  await tx.run(sql`DELETE FROM revenue_sale WHERE ${p}`);
  await tx.run(sql`DELETE FROM revenue_part WHERE ${p}`);
  await tx.run(sql`DELETE FROM revenue_month WHERE ${p}`);
  await tx.run(sql`DELETE FROM report_turnout WHERE ${p}`);
  await tx.rows(sql`INSERT INTO revenue_sale (${SALE_COLUMNS}) SELECT ${SALE_COLUMNS} FROM (${salesOf()}) s`, whose);
  await tx.rows(insertParts(sql`SELECT ${SALE_COLUMNS} FROM revenue_sale WHERE ${p}`), whose);
  await tx.run(sql`INSERT INTO revenue_month (provider_id, month, what, type, n, sold, recognised, cash)
    SELECT ${whose.provider}, month, what, coalesce(type, ''), count(*), sum(sold), sum(recognised), sum(cash)
    FROM revenue_part WHERE ${p} GROUP BY 2, 3, 4`);
  await tx.run(insertTurnout(whose.provider));
  await tx.run(sql`UPDATE report_state SET timezone = ${whose.zone}, built_at = now() WHERE ${p}`);
}

/** Selects what became of the bookings of events. */
export const turnoutOf = (provider: number, which = raw('true')): Sql => sql`
  SELECT provider_id, event_id, (count(*) FILTER (WHERE status = 'attended'))::int AS attended,
    (count(*) FILTER (WHERE status = 'no_show'))::int AS no_show,
    (count(*) FILTER (WHERE status = 'late_cancelled'))::int AS late_cancelled
  FROM attendance WHERE provider_id = ${provider} AND status IN ('attended', 'no_show', 'late_cancelled') AND ${which}
  GROUP BY provider_id, event_id`;

const insertTurnout = (provider: number, which?: Sql): Sql =>
  sql`INSERT INTO report_turnout (provider_id, event_id, attended, no_show,
    late_cancelled) ${turnoutOf(provider, which)}`;

const insertParts = (sales: Sql, payments?: readonly number[]): Sql =>
  sql`INSERT INTO revenue_part (${PART_COLUMNS}) SELECT ${PART_COLUMNS} FROM ${revenueOf(sales, payments)} r`;

async function foldChanges(tx: Transaction, whose: Whose, changes: Changes): Promise<void> {
  const { provider } = whose;
  const some = await salesOfChanges(tx, provider, changes);
  const payments = changes.get('payment') ?? [];
  const these = sql`provider_id = ${provider} AND (
    (base = ANY(${some.lines}::bigint[]) AND kind = ANY(${LINE_KINDS}::int[]))
    OR (base = ANY(${some.entries}::bigint[]) AND kind = ANY(${ENTRY_KINDS}::int[]))
    OR (base = ANY(${payments}::bigint[]) AND kind = ${CASH}::int))`;
  await tx.run(addSums(provider, '-', sql`DELETE FROM revenue_part WHERE ${these}`));
  await tx.run(sql`DELETE FROM revenue_sale WHERE ${these}`);
  await tx.rows(
    sql`INSERT INTO revenue_sale (${SALE_COLUMNS}) SELECT ${SALE_COLUMNS} FROM (${salesOf(some)}) s`,
    whose,
  );
  const sales = sql`SELECT ${SALE_COLUMNS} FROM revenue_sale WHERE ${these}`;
  await tx.rows(addSums(provider, '', insertParts(sales, payments)), whose);
  const events = changes.get('turnout') ?? [];
  if (events.length === 0) return;
  const ofThese = sql`event_id = ANY(${events}::bigint[])`;
  await tx.run(sql`DELETE FROM report_turnout WHERE provider_id = ${provider} AND ${ofThese}`);
  await tx.run(insertTurnout(provider, ofThese));
}

/** Adds the sums of the rows that a statement inserts or deletes. */
const addSums = (provider: number, sign: '' | '-', statement: Sql): Sql => sql`
  WITH part AS (${statement} RETURNING month, what, type, sold, recognised, cash)
  INSERT INTO revenue_month AS m (provider_id, month, what, type, n, sold, recognised, cash)
  SELECT ${provider}, month, what, coalesce(type, ''), ${raw(sign)}count(*), ${raw(sign)}sum(sold),
    ${raw(sign)}sum(recognised), ${raw(sign)}sum(cash) FROM part GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
  ON CONFLICT (provider_id, month, what, type) DO UPDATE SET n = m.n + excluded.n, sold = m.sold + excluded.sold,
    recognised = m.recognised + excluded.recognised, cash = m.cash + excluded.cash`;

/** Returns the lines and entries whose sales follow from what changed. */
async function salesOfChanges(tx: Transaction, provider: number, changes: Changes): Promise<SomeSales> {
  const ids = (...kinds: readonly string[]): Sql => sql`${kinds.flatMap((kind) => changes.get(kind) ?? [])}::bigint[]`;
  const attendances = sql`ARRAY(SELECT unnest(${ids('attendance')})
    UNION ALL SELECT id FROM attendance WHERE provider_id = ${provider} AND event_id = ANY(${ids('event')}))`;
  const memberships = sql`ARRAY(SELECT unnest(${ids('membership')})
    UNION ALL SELECT id FROM customer_membership WHERE provider_id = ${provider}
      AND membership_id = ANY(${ids('plan')}))`;
  const enrollments = sql`ARRAY(SELECT unnest(${ids('enrollment')})
    UNION ALL SELECT course_enrollment_id FROM course_enrollment_date
      WHERE provider_id = ${provider} AND event_id = ANY(${ids('event')}))`;
  const entries = await tx.rows<{ id: number }>(sql`
    SELECT unnest(${ids('entry')}) AS id
    UNION SELECT id FROM account_entry
      WHERE provider_id = ${provider} AND subject_object = 'attendance' AND subject_id = ANY(${attendances})`);
  const entryIds = entries.map(({ id }) => id);
  const billed = (object: string, of: Sql): Sql => sql`
    UNION SELECT id FROM invoice_line WHERE provider_id = ${provider} AND billed_object = ${object}
      AND billed_id = ANY(${of})`;
  const lines = await tx.rows<{ id: number }>(sql`
    SELECT unnest(${ids('line')}) AS id
    UNION SELECT id FROM invoice_line WHERE provider_id = ${provider} AND invoice_id = ANY(${ids('invoice', 'billed')})
    UNION SELECT l.id FROM invoice i JOIN invoice_line l ON l.provider_id = i.provider_id AND l.invoice_id = i.id
      WHERE i.provider_id = ${provider} AND i.credits_invoice_id = ANY(${ids('billed')})
    ${billed('customermembership', memberships)} ${billed('attendance', attendances)}
    ${billed('account_entry', sql`${entryIds}::bigint[]`)} ${billed('course_enrollment', enrollments)}`);
  return { lines: lines.map(({ id }) => id), entries: entryIds };
}
