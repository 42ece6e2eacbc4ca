/** Memberships whose last day is over are completed, each business by its own calendar, also days on which the service was down. */
import { customerMembershipCompleted } from './feed.ts';
import { endIsOpen } from './hold-facts.ts';
import { instant, json, sql } from '../../kernel/db/sql.ts';
import { isOver } from './rules/status.ts';
import { todayOf } from './writes.ts';
import { wallAt } from '../../kernel/values/zone.ts';
import type { Job } from '../../kernel/api/registry.ts';
import type { Transaction } from '../../kernel/db/database.ts';
import type { Work } from '../../kernel/work.ts';

const TASK = 'complete_memberships';
const PORTION = 200;

export const completeJob: Job = { task: TASK, run: completeOver };

/** Queues the work for each business that has any. */
export async function sweepEnds(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.first FROM provider p JOIN (
      SELECT cm.provider_id, min(cm.expiration_date) AS first FROM customer_membership cm WHERE cm.status IN ('active', 'hold') AND cm.expiration_date IS NOT NULL AND NOT ${endIsOpen('cm')} GROUP BY cm.provider_id) x USING (provider_id)`);
  for (const { id, zone, first } of businesses) {
    const today = wallAt(now, zone).date;
    if (isOver({ status: 'active', end: first }, today)) await tx.run(sql`SELECT enqueue_job(${TASK}, ${json({ provider_id: id })}, ${`${id}:complete:${today}`}, ${instant(now)})`);
  }
}

export async function completeOver(work: Work): Promise<void> {
  const { tx, providerId } = work;
  const rows = await tx.rows<{ id: number; customer_id: number }>(sql`
    SELECT * FROM customer_membership cm WHERE provider_id = ${providerId} AND status IN ('active', 'hold') AND expiration_date < ${todayOf(work)}::date AND NOT ${endIsOpen('cm')}
    ORDER BY id LIMIT ${PORTION} FOR NO KEY UPDATE`);
  const ids = rows.map((row) => row.id);
  // What somebody cancelled ends as cancelled; its reason was said then.
  await tx.run(sql`UPDATE customer_membership SET status = CASE WHEN is_set_for_cancellation AND cancellation_reason IS NOT NULL THEN 'cancelled' ELSE 'completed' END,
      ended_at = ${instant(work.now)}, updated_at = ${instant(work.now)} WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[])`);
  for (const row of rows) {
    work.touch('customer_membership', row.id, row as never);
    work.record(customerMembershipCompleted, row.id, { customer_membership: row.id, customer: row.customer_id });
  }
  if (rows.length === PORTION) work.enqueue({ task: TASK, payload: {}, key: `complete:${rows.at(-1)!.id}` });
}
