/** Charges penalties on their due date, by each business's calendar, also for days on which the service was down. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockAllOwned } from '../customer-memberships/index.ts';
import { payload, readPenalties, touchPenalties } from './settle.ts';
import { membershipPenaltyFeed } from './feed.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { onTheirDays, queueForEach } from '../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'charge_penalties';
const PORTION = 200;

/** Enqueues the job for each business that has any. */
export async function sweepDue(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.first FROM provider p JOIN (
      SELECT provider_id, min(due_on) AS first FROM membership_penalty
      WHERE charged_at IS NULL AND voided_at IS NULL AND NOT skipped GROUP BY provider_id) x USING (provider_id)`);
  const due = onTheirDays(businesses, now).filter(({ first, today }) => first <= today);
  await queueForEach(tx, { task: TASK, now, key: ({ today }) => `penalties:${today}` }, due);
}

export async function chargeDue(work: Work): Promise<void> {
  const { tx, providerId } = work;
  const due = sql`p.charged_at IS NULL AND p.voided_at IS NULL AND NOT p.skipped
    AND p.due_on <= ${wallAt(work.now, work.tenant.zone).date}::date`;
  const found = await tx.rows<{ id: number; owned: number }>(
    sql`SELECT p.id, p.customer_membership_id AS owned FROM membership_penalty p
      WHERE p.provider_id = ${providerId} AND ${due} ORDER BY p.id LIMIT ${PORTION}`,
  );
  await lockAllOwned(work, [...new Set(found.map(({ owned }) => owned))]);
  const rows = await readPenalties(work, sql`p.id = ANY(${found.map(({ id }) => id)}::bigint[]) AND ${due}`);
  touchPenalties(work, rows);
  await tx.run(
    sql`UPDATE membership_penalty SET charged_at = ${instant(work.now)}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${providerId} AND id = ANY(${rows.map((row) => row.id)}::bigint[])`,
  );
  for (const row of rows) {
    work.record(membershipPenaltyFeed.charged, row.id, payload(row));
  }
  if (found.length === PORTION) work.enqueue({ task: TASK, payload: {}, key: `penalties:${found.at(-1)!.id}` });
}

export const chargeJob: Job = { task: TASK, run: chargeDue };
