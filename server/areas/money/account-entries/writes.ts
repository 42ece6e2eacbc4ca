/**
 * Writes of account entries. The caller has locked the subjects of the entries, so that no two transactions decide
 * about the same charge. A dry run runs the same functions.
 */
import { accountEntryFeed } from './feed.ts';
import { RetryTransaction } from '../../../kernel/base/db/retry-transaction.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { feesOf, isOpen, isValid, report, type EntryRow, type NewEntry } from './entry.ts';
import { lockAccounts, postAll } from '../ledger/index.ts';
import { postingOf, reversed } from './postings.ts';
import { reasonOf } from './reasons.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import type { ChargedPart } from '../../pricing/fees/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Adds a charge or a credit and returns its id. */
export const addEntry = async (work: Work, entry: NewEntry): Promise<number> => (await addEntries(work, [entry]))[0];

/** Adds and posts charges and credits in one call, and returns their ids in the same order. */
export const addEntries = (work: Work, entries: readonly NewEntry[]): Promise<number[]> => insert(work, entries);

/** A new entry, with the entry that it reverses, and whether it is account credit from the beginning. */
interface Added extends NewEntry {
  readonly reverses?: number;
  readonly credited?: boolean;
}

/** An explanation is cut to this length: several names of memberships or events in one text can be longer. */
const LONGEST_EXPLANATION = 1000;

export async function insert(work: Work, entries: readonly Added[]): Promise<number[]> {
  if (entries.length === 0) return [];
  const each = <T>(of: (entry: Added) => T): T[] => entries.map(of);
  const once = (e: Added) => e.reason.once === true && e.reverses === undefined;
  // The account comes first: a credit also changes the charge that it returns, which a payment may be settling.
  const locked = lockAccounts(
    work,
    entries.map(({ customer }) => customer),
  );
  const inserted = work.tx.rows<EntryRow>(sql`
    INSERT INTO account_entry (provider_id, customer_id, kind, amount_minor, reason, revenue, subject_object,
      subject_id, once,
      customer_membership_id, explanation, due_on, period_start, period_end, reverses_id, fees_minor, rounding_minor,
      returns_line_id,
      returns_entry_id, credited_at, created_at)
    SELECT ${work.providerId}, customer, kind, amount, reason, revenue, object, subject, once, membership, explanation,
      due, starts, ends,
      reverses, fees, rounding, of_line, of_entry, CASE WHEN credited THEN ${instant(work.now)}::timestamptz END,
      ${instant(work.now)}
    FROM unnest(${each((e) => e.customer)}::bigint[], ${each((e) => e.kind)}::text[],
      ${each((e) => e.amount)}::bigint[],
      ${each((e) => e.reason.name)}::text[], ${each((e) => e.revenue ?? e.reason.revenue)}::text[],
      ${each((e) => e.reason.subject)}::text[], ${each((e) => e.subject)}::bigint[],
      ${each(once)}::boolean[], ${each((e) => e.customerMembership)}::bigint[],
      ${each((e) => e.explanation.slice(0, LONGEST_EXPLANATION))}::text[],
      ${each((e) => e.dueOn)}::date[], ${each((e) => e.period?.start ?? null)}::date[],
      ${each((e) => e.period?.end ?? null)}::date[],
      ${each((e) => e.reverses ?? null)}::bigint[], ${each((e) => feesIn(e))}::bigint[],
      ${each((e) => e.charged?.rounding ?? 0)}::bigint[],
      ${each((e) => (e.returns && 'line' in e.returns ? e.returns.line : null))}::bigint[],
      ${each((e) => (e.returns && 'entry' in e.returns ? e.returns.entry : null))}::bigint[],
      ${each((e) => e.credited === true)}::boolean[]) WITH ORDINALITY
      AS entry (customer, kind, amount, reason, revenue, object, subject, once, membership, explanation, due, starts,
        ends, reverses, fees,
        rounding, of_line, of_entry, credited, nth)
    ORDER BY nth RETURNING *`);
  const [, rows] = await Promise.all([locked, inserted]);
  for (const row of rows) {
    work.touch('account_entry', row.id, null);
    report(work, accountEntryFeed.created, row, row.kind, {
      amount_minor: row.amount_minor,
      reason: row.reason,
      explanation: row.explanation,
      due_date: row.due_on,
      period_start_date: row.period_start,
      period_end_date: row.period_end,
    });
  }
  const ids = rows.map(({ id }) => id);
  await addFees(work, ids, entries);
  await postAll(
    work,
    rows.map((row, n) => postingOf(row, entries[n].charged?.fees ?? [])),
  );
  return ids;
}

const feesIn = ({ charged }: NewEntry): number => (charged?.fees ?? []).reduce((sum, { amount }) => sum + amount, 0);

/** Adds the fees with one statement, if there are any. `ids`: the ids of the entries, in their order. */
async function addFees(work: Work, ids: readonly number[], entries: readonly NewEntry[]): Promise<void> {
  const fees = entries.flatMap(({ charged }, n) => (charged?.fees ?? []).map((fee) => ({ ...fee, entry: ids[n] })));
  if (fees.length === 0) return;
  const each = <T>(of: (fee: (typeof fees)[number]) => T): T[] => fees.map(of);
  await work.tx.run(sql`
    INSERT INTO account_entry_fee (provider_id, account_entry_id, purchase_fee_id, kind, name, explanation,
      amount_minor, percentage, is_taxable)
    SELECT ${work.providerId}, entry, fee, kind, name, explanation, amount, rate, taxable
    FROM unnest(${each((f) => f.entry)}::bigint[], ${each((f) => f.fee)}::bigint[], ${each((f) => f.kind)}::text[],
      ${each((f) => f.name)}::text[], ${each((f) => f.explanation)}::text[], ${each((f) => f.amount)}::bigint[],
      ${each((f) => f.rate)}::numeric[], ${each((f) => f.taxable)}::boolean[]) WITH ORDINALITY
      AS f (entry, fee, kind, name, explanation, amount, rate, taxable, nth) ORDER BY nth`);
}

/**
 * Voids the entries that are still valid. `why` is a sentence for the customer. Open entries are voided; those already
 * invoiced or credited stay, and an entry of the other kind reverses them.
 */
export async function voidEntries(work: Work, ids: readonly number[], why: string): Promise<void> {
  if (ids.length > 0) await voidThose(work, sql`e.id = ANY(${ids}::bigint[])`, why);
}

/** Voids all entries about these objects that are still valid. */
export async function voidEntriesOf(work: Work, object: string, ids: readonly number[], why: string): Promise<void> {
  if (ids.length > 0)
    await voidThose(work, sql`e.subject_object = ${object} AND e.subject_id = ANY(${ids}::bigint[])`, why);
}

/** Takes back those of these that are open; what was invoiced stays. Returns which were. */
export async function voidOpen(work: Work, ids: readonly number[], why: string): Promise<number[]> {
  const rows = ids.length === 0 ? [] : await voidThose(work, sql`e.id = ANY(${ids}::bigint[]) AND ${isOpen('e')}`, why);
  return rows.map(({ id }) => id);
}

async function voidThose(work: Work, which: Sql, why: string): Promise<EntryRow[]> {
  const valid = sql`e.provider_id = ${work.providerId} AND ${which} AND e.reverses_id IS NULL AND ${isValid('e')}`;
  const customers = await work.tx.rows<{ id: number }>(
    sql`SELECT DISTINCT e.customer_id AS id FROM account_entry e WHERE ${valid}`,
  );
  // An account is locked before its entries: a transaction that spends its credit or invoices it waits here, and reads
  // afterwards.
  await lockAccounts(
    work,
    customers.map(({ id }) => id),
  );
  const rows = await work.tx.rows<EntryRow>(sql`
    WITH before AS (
      SELECT e.* FROM account_entry e WHERE ${valid} ORDER BY e.id FOR NO KEY UPDATE
    ), voided AS (
      UPDATE account_entry e SET voided_at = ${instant(work.now)}, void_explanation = ${why} FROM before b
      WHERE e.provider_id = b.provider_id AND e.id = b.id AND ${isOpen('b')}
    )
    SELECT * FROM before ORDER BY id`);
  const locked = new Set(customers.map(({ id }) => id));
  // An entry was added in the meantime: locking its account now, after the others, could cause a deadlock.
  if (rows.some(({ customer_id }) => !locked.has(customer_id)))
    throw new RetryTransaction('the entries changed in between');
  const open = rows.filter((row) => row.settled_invoice_id === null && row.credited_at === null);
  for (const row of open) {
    work.touch('account_entry', row.id, row);
    report(work, accountEntryFeed.voided, row, `${row.kind}_voided`, {
      account_entry: row.id,
      amount_minor: row.amount_minor,
    });
  }
  const fees = await feesOf(work, rows);
  await postAll(
    work,
    open.map((row) => reversed(row, fees.get(row.id) ?? [], why)),
  );
  await insert(
    work,
    rows.filter((row) => !open.includes(row)).map((row) => takingBack(work, row, fees.get(row.id) ?? [], why)),
  );
  return rows;
}

/** Returns the entry of the other kind that reverses an entry already invoiced or added to the account credit. */
const takingBack = (work: Work, row: EntryRow, fees: readonly ChargedPart[], why: string): Added => ({
  customer: row.customer_id,
  kind: row.kind === 'charge' ? 'credit' : 'charge',
  amount: row.amount_minor,
  charged: { fees, rounding: row.rounding_minor },
  reason: reasonOf(row.reason),
  revenue: row.revenue ?? undefined,
  subject: row.subject_id,
  customerMembership: row.customer_membership_id,
  explanation: storedTexts(work).say(`reversed.${row.kind}.${row.credited_at === null ? 'invoiced' : 'credited'}`, {
    why,
  }),
  dueOn: wallAt(work.now, work.tenant.zone).date,
  period: row.period_start === null ? null : { start: row.period_start, end: row.period_end! },
  reverses: row.id,
});
