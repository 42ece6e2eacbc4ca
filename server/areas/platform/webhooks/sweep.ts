/** The sweep of expired data, a limited number of rows in each sweep. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const DAY = 86_400_000;
const BODIES_DAYS = 30;
const DELIVERIES_DAYS = 90;
/** Enough for eighty deliveries a second all day long. */
const AT_ONCE = 50_000;

export async function sweepWebhooks(tx: Transaction, now: number): Promise<void> {
  const before = (days: number) => sql`${instant(now - days * DAY)}::timestamptz`;
  // Deliveries that wait too long for a paused destination are cancelled; while the feed keeps their items, a replay
  // sends them again. The time counts from when they were due: a repeated delivery waits as long as any other, however
  // old it is.
  await tx.run(sql`
    UPDATE webhook_delivery w SET status = 'cancelled', ended_at = ${instant(now)} FROM (
      SELECT w.provider_id, w.id FROM webhook_destination d
      JOIN webhook_delivery w ON w.provider_id = d.provider_id AND w.destination_id = d.id AND w.status = 'pending'
      WHERE d.status <> 'active' AND w.next_attempt_at < ${before(BODIES_DAYS)} LIMIT ${AT_ONCE}) old
    WHERE w.provider_id = old.provider_id AND w.id = old.id`);
  // Attempts contain the responses of receivers; they are deleted with the bodies.
  await tx.run(sql`
    WITH old AS (SELECT provider_id, id FROM webhook_delivery
      WHERE ended_at < ${before(BODIES_DAYS)} AND body IS NOT NULL LIMIT ${AT_ONCE}),
    emptied AS (UPDATE webhook_delivery w SET body = NULL FROM old
      WHERE w.provider_id = old.provider_id AND w.id = old.id)
    UPDATE webhook_attempt a SET response_headers = NULL, response_body = NULL FROM old
    WHERE a.provider_id = old.provider_id AND a.delivery_id = old.id`);
  await tx.run(sql`
    DELETE FROM webhook_delivery w USING (
      SELECT provider_id, id FROM webhook_delivery WHERE ended_at < ${before(DELIVERIES_DAYS)} AND body IS NULL
      LIMIT ${AT_ONCE}) old
    WHERE w.provider_id = old.provider_id AND w.id = old.id`);
  await tx.run(sql`DELETE FROM webhook_secret WHERE expires_at < ${instant(now)}::timestamptz`);
}
