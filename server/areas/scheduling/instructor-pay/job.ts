/** Calculates the pay of sessions when they end, in that order. */
import { calculate } from './calculate.ts';
import { CALCULATE_TASK } from './task.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockProgress } from './progress.ts';
import { queueForEach } from '../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Number of events in one transaction. */
const PORTION = 200;

/** Enqueues the job for each business in which a session has ended. */
export async function sweepEnded(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number }>(sql`
    SELECT g.provider_id AS id FROM instructor_pay_progress g
    WHERE g.calculated_until < ${instant(now)}::timestamptz AND EXISTS (SELECT FROM event e
      WHERE e.provider_id = g.provider_id AND e.ends_at > g.calculated_until
        AND e.ends_at <= ${instant(now)}::timestamptz)
    ORDER BY 1`);
  await queueForEach(tx, { task: CALCULATE_TASK, now, key: () => CALCULATE_TASK }, businesses);
}

export async function calculateEnded(work: Work): Promise<void> {
  const { tx, providerId, now } = work;
  const from = await lockProgress(work);
  if (from === undefined || from >= now) return;
  const ended = sql`FROM event e WHERE e.provider_id = ${providerId} AND e.ends_at > ${instant(from)}::timestamptz`;
  const full = await tx.one<{ ends_at: number }>(
    sql`SELECT e.ends_at ${ended} AND e.ends_at <= ${instant(now)}::timestamptz ORDER BY e.ends_at
      LIMIT 1 OFFSET ${PORTION - 1}`,
  );
  // Events that ended at the same instant belong to the same batch.
  const until = full?.ends_at ?? now;
  const events = await tx.rows<{ id: number }>(
    sql`SELECT e.id ${ended} AND e.ends_at <= ${instant(until)}::timestamptz ORDER BY e.ends_at, e.id`,
  );
  await calculate(
    work,
    events.map(({ id }) => id),
  );
  await tx.run(
    sql`UPDATE instructor_pay_progress SET calculated_until = ${instant(until)} WHERE provider_id = ${providerId}`,
  );
  if (full) work.enqueue({ task: CALCULATE_TASK, payload: {}, key: `${CALCULATE_TASK}:${providerId}:${until}` });
}

export const calculateJob: Job = { task: CALCULATE_TASK, run: calculateEnded };
