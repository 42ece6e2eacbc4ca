/** The progress of pay calculation in a business. */
import { addDays, startOfDay } from '../../../kernel/base/values/zone.ts';
import { CALCULATE_TASK } from './task.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/**
 * Locks the progress and returns it in epoch milliseconds; undefined if the business has never had a rate. Calculating,
 * approving and reopening take this lock, so that they run one after the other.
 */
export const lockProgress = async ({ tx, providerId }: Work): Promise<number | undefined> =>
  (
    await tx.one<{ calculated_until: number }>(
      sql`SELECT calculated_until FROM instructor_pay_progress WHERE provider_id = ${providerId} FOR UPDATE`,
    )
  )?.calculated_until;

/** Recalculates all sessions since a day, because a rate may now cover one that none covered. Null for all sessions. */
export async function lookAgainSince(work: Work, day: string | null): Promise<void> {
  // The day may begin earlier by the clock of a venue in another zone.
  const from = day === null ? 0 : startOfDay(addDays(day, -1), work.tenant.zone);
  await work.tx.run(sql`
    INSERT INTO instructor_pay_progress (provider_id, calculated_until) VALUES (${work.providerId}, ${instant(from)})
    ON CONFLICT (provider_id) DO UPDATE
      SET calculated_until = least(instructor_pay_progress.calculated_until, excluded.calculated_until)`);
  work.enqueue({ task: CALCULATE_TASK, payload: {}, key: `${CALCULATE_TASK}:${work.providerId}` });
}
