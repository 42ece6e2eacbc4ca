/**
 * Gives committed feed items their numbers: per business, in order, without gaps. One reader at a time does it, so no
 * booking waits for another to be numbered; an item whose transaction commits late is numbered late, never lost.
 */
import { sql } from '../db/sql.ts';
import type { Database } from '../db/database.ts';

const BATCH = 5000;

/** Number of items that got their number; `BATCH` of them means there may be more. */
export function numberFeedItems(db: Database): Promise<number> {
  return db.acrossTenants('feed items of every business get their numbers', async (tx) => {
    const locked = await tx.one<{ locked: boolean }>(sql`SELECT pg_try_advisory_xact_lock(771001) AS locked`);
    if (!locked!.locked) return 0;
    return tx.run(sql`
      WITH todo AS MATERIALIZED (
        SELECT provider_id, id FROM feed_item WHERE seq IS NULL ORDER BY provider_id, id LIMIT ${BATCH}
      ), placed AS (
        SELECT provider_id, id, row_number() OVER (PARTITION BY provider_id ORDER BY id) AS place FROM todo
      ), position AS (
        INSERT INTO feed_position AS p (provider_id, last_seq) SELECT provider_id, count(*) FROM todo GROUP BY provider_id
        ON CONFLICT (provider_id) DO UPDATE SET last_seq = p.last_seq + excluded.last_seq
        RETURNING provider_id, last_seq
      ), base AS (
        SELECT position.provider_id, position.last_seq - count(*) AS before FROM position JOIN todo USING (provider_id)
        GROUP BY position.provider_id, position.last_seq
      )
      UPDATE feed_item f SET seq = base.before + placed.place
      FROM placed JOIN base USING (provider_id) WHERE f.provider_id = placed.provider_id AND f.id = placed.id`);
  });
}
