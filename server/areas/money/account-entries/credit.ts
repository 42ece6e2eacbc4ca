/**
 * Account credit: given by staff, or from credits that no invoice has included in time. Customers can spend it on
 * anything.
 */
import { accountEntryFeed } from './feed.ts';
import { credited } from './postings.ts';
import { GOODWILL, type AccountReason } from './reasons.ts';
import { insert } from './writes.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { isOpen, isWaiting, report, type EntryRow } from './entry.ts';
import { lockAccounts, postAll } from '../ledger/index.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { onTheirDays, queueForEach } from '../../../kernel/work/jobs/sweep.ts';
import type { Kind } from './account-entry.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'credit_accounts';
const PORTION = 200;

interface Gift {
  readonly customer: number;
  /** minor units, more than 0 */
  readonly amount: number;
  /** sentence for the customer */
  readonly explanation: string;
  /** absent for goodwill */
  readonly reason?: AccountReason;
  /** id of the object that it is for; the reason determines the resource */
  readonly subject?: number;
}

/** Gives account credit, which can be spent immediately. Returns the id of its entry. */
export const giveCredit = async (work: Work, gift: Gift): Promise<number> =>
  (await changeCredit(work, [{ ...gift, kind: 'credit' }]))[0];

/**
 * Gives account credit, or takes it (`charge`), all in one call. Returns the ids of the entries in the same order. To
 * decide by the balance, lock the account before. The database refuses to take more than the balance.
 */
export const changeCredit = (work: Work, changes: readonly (Gift & { readonly kind: Kind })[]): Promise<number[]> =>
  insert(
    work,
    changes.map(({ customer, kind, amount, reason = GOODWILL, subject = null, explanation }) => ({
      customer,
      kind,
      amount,
      reason,
      subject,
      customerMembership: null,
      explanation,
      dueOn: wallAt(work.now, work.tenant.zone).date,
      period: null,
      credited: true,
    })),
  );

/** Returns the condition for overdue credits. A credit can be included in an invoice until the end of its day. */
const overdue = (today: string) => sql`${canBeCredited()} AND e.due_on < ${today}::date`;

const canBeCredited = () => sql`e.kind = 'credit' AND ${isOpen('e')} AND NOT (${isWaiting('e')})`;

/** Enqueues the job for each business that has overdue credits. */
export async function sweepCredits(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.first FROM provider p JOIN (
      SELECT e.provider_id, min(e.due_on) AS first FROM account_entry e WHERE ${canBeCredited()} GROUP BY e.provider_id)
        x USING (provider_id)`);
  const due = onTheirDays(businesses, now).filter(({ first, today }) => first < today);
  await queueForEach(tx, { task: TASK, now, key: ({ today }) => `credits:${today}` }, due);
}

/** Turns open credits whose day has ended into account credit, by the calendar of the business. */
export async function creditAccounts(work: Work): Promise<void> {
  const { tx, providerId } = work;
  const due = overdue(wallAt(work.now, work.tenant.zone).date);
  const found = await tx.rows<{ id: number; customer: number }>(
    sql`SELECT e.id, e.customer_id AS customer FROM account_entry e WHERE e.provider_id = ${providerId} AND ${due}
      ORDER BY e.due_on, e.id LIMIT ${PORTION}`,
  );
  await lockAccounts(
    work,
    found.map(({ customer }) => customer),
  );
  const rows = await tx.rows<EntryRow>(sql`
    WITH before AS (
      SELECT e.* FROM account_entry e WHERE e.provider_id = ${providerId}
        AND e.id = ANY(${found.map(({ id }) => id)}::bigint[]) AND ${due}
      ORDER BY e.id FOR NO KEY UPDATE
    ), credited AS (
      UPDATE account_entry e SET credited_at = ${instant(work.now)} FROM before b
      WHERE e.provider_id = b.provider_id AND e.id = b.id
    )
    SELECT * FROM before ORDER BY id`);
  for (const row of rows) {
    work.touch('account_entry', row.id, row);
    report(work, accountEntryFeed.credited, row, 'credit_credited', {
      account_entry: row.id,
      amount_minor: row.amount_minor,
    });
  }
  await postAll(work, rows.map(credited));
  if (found.length === PORTION) work.enqueue({ task: TASK, payload: {}, key: `credits:${found.at(-1)!.id}` });
}

export const creditJob: Job = { task: TASK, run: creditAccounts };
