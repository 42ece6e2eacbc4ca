/**
 * What the calendar brings: holds begin and are over, each business by its own days, also those on which the service
 * was down.
 */
import { addDays } from '../../../../kernel/values/date.ts';
import { endHoldsOf, momentsOf, settleCalendar } from './writes.ts';
import { daysOf, readHoldings, type Holding, type HoldRow } from './facts.ts';
import { instant, json, sql, type Sql } from '../../../../kernel/db/sql.ts';
import { todayOf } from '../writes.ts';
import type { FeedReader } from '../../../../kernel/feed/reader.ts';
import type { Job } from '../../../../kernel/api/registry.ts';
import type { Transaction } from '../../../../kernel/db/database.ts';
import type { Work } from '../../../../kernel/work.ts';

const TASK = 'settle_holds';
const PORTION = 200;

export const calendarJob: Job = { task: TASK, run: settleDue };

/** A hold whose moment has come, or whose membership has ended. */
const isDue = (
  now: string,
): Sql => sql`h.resumed_at IS NULL AND ((h.held_at IS NULL AND h.begins_at <= ${now}::timestamptz) OR h.over_at <= ${now}::timestamptz OR EXISTS (
  SELECT FROM customer_membership cm WHERE cm.provider_id = h.provider_id AND cm.id = h.customer_membership_id AND cm.status IN ('completed', 'cancelled')))`;

/** Queues the work for each business that has any. */
export async function sweepHolds(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number }>(
    sql`SELECT DISTINCT h.provider_id AS id FROM customer_membership_hold h WHERE ${isDue(instant(now)!)}`,
  );
  for (const { id } of businesses)
    await tx.run(sql`SELECT enqueue_job(${TASK}, ${json({ provider_id: id })}, ${`${id}:holds`}, ${instant(now)})`);
}

export async function settleDue(work: Work): Promise<void> {
  const { tx, providerId } = work;
  // The memberships are locked by id before their holds are read: what was read before may have changed.
  const due = await tx.rows<{ id: number }>(
    sql`SELECT DISTINCT h.customer_membership_id AS id FROM customer_membership_hold h WHERE h.provider_id = ${providerId} AND (${isDue(instant(work.now)!)}) ORDER BY 1 LIMIT ${PORTION}`,
  );
  const ids = due.map((row) => row.id);
  await tx.run(
    sql`SELECT id FROM customer_membership WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
  );
  for (const holding of (await readHoldings(work, ids)).values()) {
    const over = holding.status === 'completed' || holding.status === 'cancelled';
    if (over) await forget(work, holding);
    else await settleCalendar(work, holding);
  }
  if (ids.length === PORTION) work.enqueue({ task: TASK, payload: {}, key: `holds:${ids.at(-1)}` });
}

/** What has ended does not rest any more: its holds end with its last day, and nothing is told of it going on. */
async function forget(work: Work, { id, end }: Holding): Promise<void> {
  await endHoldsOf(work, id, addDays(end ?? addDays(todayOf(work), -1), 1));
  const now = instant(work.now);
  await work.tx.run(
    sql`UPDATE customer_membership_hold SET held_at = coalesce(held_at, ${now}), resumed_at = ${now} WHERE provider_id = ${work.providerId} AND customer_membership_id = ${id} AND resumed_at IS NULL`,
  );
}

/** A business that moves to another zone has its days at other moments. */
export const zoneReader: FeedReader = {
  name: 'holds',
  kinds: ['provider.updated'],
  async read(work, items) {
    if (!items.some((item) => (item.payload.changed as string[]).includes('timezone'))) return;
    const rows = await work.tx.rows<HoldRow & Record<string, unknown>>(
      sql`SELECT id, start_date, end_date FROM customer_membership_hold WHERE provider_id = ${work.providerId} AND resumed_at IS NULL`,
    );
    const moments = rows.map((row) => momentsOf(daysOf(row), work.tenant.zone));
    await work.tx.run(sql`UPDATE customer_membership_hold h SET begins_at = m.begins, over_at = m.over
      FROM unnest(${rows.map((row) => row.id)}::bigint[], ${moments.map((m) => m.begins_at)}::timestamptz[], ${moments.map((m) => m.over_at)}::timestamptz[]) AS m (id, begins, over)
      WHERE h.provider_id = ${work.providerId} AND h.id = m.id`);
  },
};
