/**
 * The writes of deliveries: new ones for feed items, repeated ones, and ranges. Deliveries use the real time, also for
 * a test business: receivers live in it, and the pauses between attempts are for them.
 */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The reason why actions that create deliveries record no feed item. */
export const NOT_RETRIED =
  'The deliveries themselves record what is delivered: a feed item for each would be delivered again.';

/** The type of a test delivery; no feed item has it. */
const TEST_KIND = 'webhook_destination.test';

/** Number of attempts of a delivery that are kept when it is sent again. */
const ATTEMPTS_KEPT = 20;

/**
 * The reader that sends each item to each destination that was subscribed to its type and existed when it happened. A
 * paused destination gets it when it is resumed, a disabled one doesn't.
 */
export const reader: FeedReader = {
  name: 'webhooks',
  kinds: null,
  async read(work, items) {
    const { tx, providerId, realNow: now } = work;
    await tx.run(sql`
      INSERT INTO webhook_delivery (provider_id, destination_id, seq, kind, next_attempt_at, created_at)
      SELECT d.provider_id, d.id, i.seq, i.kind, ${instant(now)}::timestamptz, ${instant(now)}::timestamptz
      FROM unnest(${items.map((i) => i.seq)}::bigint[], ${items.map((i) => i.kind)}::text[],
        ${items.map((i) => instant(i.occurredAt))}::timestamptz[]) AS i (seq, kind, occurred_at)
      JOIN webhook_destination d ON d.provider_id = ${providerId} AND i.kind = ANY(d.feed_item_types)
        AND d.created_at <= i.occurred_at
      WHERE d.deleted_at IS NULL AND d.status <> 'disabled' ORDER BY i.seq, d.id
      ON CONFLICT (provider_id, destination_id, seq) DO NOTHING`);
  },
};

/** Sends a test. Returns the id of its delivery. */
export async function sendTest(work: Work, destination: number): Promise<number> {
  const at = instant(work.realNow);
  const made = await work.tx.one<{ id: number }>(
    sql`INSERT INTO webhook_delivery (provider_id, destination_id, kind, next_attempt_at, created_at)
      VALUES (${work.providerId}, ${destination}, ${TEST_KIND}, ${at}, ${at}) RETURNING id`,
  );
  work.touch('webhook_delivery', made!.id, null);
  return made!.id;
}

/**
 * Sends a delivery again, whatever its result: immediately, with as many attempts as a new one, and under its own id.
 */
export async function resend(work: Work, id: number): Promise<void> {
  const { tx, providerId, realNow: now } = work;
  await tx.all([
    sql`UPDATE webhook_delivery SET status = 'pending', failures = 0, ended_at = NULL, next_attempt_at = ${instant(now)}
      WHERE provider_id = ${providerId} AND id = ${id}`,
    sql`DELETE FROM webhook_attempt WHERE provider_id = ${providerId} AND delivery_id = ${id} AND id NOT IN (
          SELECT id FROM webhook_attempt WHERE provider_id = ${providerId} AND delivery_id = ${id} ORDER BY id DESC
          LIMIT ${ATTEMPTS_KEPT})`,
  ]);
}

/**
 * Sends items with these numbers, if their types match the destination's: as new deliveries, or again under their ids.
 */
export const replayPortion = (work: Work, destination: number, after: number, upTo: number): Promise<number> =>
  work.tx.run(sql`
    INSERT INTO webhook_delivery AS w (provider_id, destination_id, seq, kind, next_attempt_at, created_at)
    SELECT i.provider_id, d.id, i.seq, i.kind, ${instant(work.realNow)}::timestamptz,
      ${instant(work.realNow)}::timestamptz
    FROM feed_item i JOIN webhook_destination d ON d.provider_id = i.provider_id AND d.id = ${destination}
      AND i.kind = ANY(d.feed_item_types)
    WHERE i.provider_id = ${work.providerId} AND i.seq > ${after} AND i.seq <= ${upTo} AND d.deleted_at IS NULL
      AND d.status <> 'disabled' ORDER BY i.seq
    ON CONFLICT (provider_id, destination_id, seq)
    DO UPDATE SET status = 'pending', failures = 0, ended_at = NULL, next_attempt_at = excluded.next_attempt_at
    WHERE w.status <> 'pending'`);
