/**
 * Completes memberships after their last day, by each business's calendar, also for days on which the service was down.
 */
import { changeAllOwned, item, lockOwnedWhere, type Change, type Owned } from '../owned.ts';
import { customerMembershipFeed } from '../feed.ts';
import { endIsOpen } from '../use/hold-facts.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { isOver } from '../rules/status.ts';
import { todayOf } from '../writes.ts';
import { onTheirDays, queueForEach } from '../../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const COMPLETE_TASK = 'complete_memberships';
const PORTION = 200;

export const completeJob: Job = { task: COMPLETE_TASK, run: completeOver };

/** Enqueues the job for each business that has any. */
export async function sweepEnds(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.first FROM provider p JOIN (
      SELECT cm.provider_id, min(cm.expiration_date) AS first FROM customer_membership cm
      WHERE cm.status IN ('active', 'hold') AND cm.expiration_date IS NOT NULL AND NOT ${endIsOpen('cm')}
      GROUP BY cm.provider_id) x USING (provider_id)`);
  const due = onTheirDays(businesses, now).filter(({ first, today }) =>
    isOver({ status: 'active', end: first }, today),
  );
  await queueForEach(tx, { task: COMPLETE_TASK, now, key: ({ today }) => `complete:${today}` }, due);
}

/** A membership with unreported billing periods is completed after them, so that the feed is in order. */
const TOLD = sql`(cm.renews_on IS NULL OR cm.renews_on > cm.expiration_date)`;

export async function completeOver(work: Work): Promise<void> {
  const over = await lockOwnedWhere(
    work,
    sql`cm.status IN ('active', 'hold') AND cm.expiration_date < ${todayOf(work)}::date AND ${TOLD}
      AND NOT ${endIsOpen('cm')}`,
    PORTION,
  );
  await changeAllOwned(
    work,
    over.map((owned) => ({ owned, ...endOf(work, owned) })),
  );
  if (over.length === PORTION) work.enqueue({ task: COMPLETE_TASK, payload: {}, key: `complete:${over.at(-1)!.id}` });
}

/**
 * Returns the change that ends a membership. A cancelled one ends as cancelled, with the reason that was given then.
 */
function endOf(
  work: Work,
  { is_set_for_cancellation: planned, cancellation_reason: reason, replaced_by_id: next }: Owned,
): Change {
  const ends = { is_set_for_cancellation: false, ended_at: instant(work.now) };
  if (!planned || reason === null)
    return { to: { status: 'completed', ...ends }, items: [item(customerMembershipFeed.completed, {})] };
  const ended =
    reason === 'downgraded'
      ? item(customerMembershipFeed.downgraded, { replaced_by: next })
      : item(customerMembershipFeed.cancelled, { reason });
  return { to: { status: 'cancelled', ...ends }, items: [ended] };
}
