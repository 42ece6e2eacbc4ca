/**
 * Numbers committed feed items: per business, in order, without gaps. One worker at a time does it, so no booking waits
 * for another to be numbered; an item whose transaction commits late is numbered late, never lost.
 */
import { sql } from '../../base/db/sql.ts';
import type { Database, Transaction } from '../../base/db/database.ts';

/** Maximum number of items that are numbered in one transaction. */
export const NUMBERED_AT_ONCE = 5000;

/** Channel that announces each transaction that numbered something. */
export const NUMBERED_CHANNEL = 'rollcall_feed';

/** A notification holds less than 8000 bytes; with more businesses than this it is empty and means all of them. */
const MAX_NAMED = 400;

/** Returns the number of items that were numbered; `NUMBERED_AT_ONCE` means there may be more. */
export function numberFeedItems(db: Database): Promise<number> {
  return db.acrossTenants('feed items of every business get their numbers', async (tx) => {
    const locked = await tx.one<{ locked: boolean }>(sql`SELECT pg_try_advisory_xact_lock(771001) AS locked`);
    return locked!.locked ? numberPortion(tx) : 0;
  });
}

/** Numbers everything that is committed, in this transaction, which then keeps others from numbering until it ends. */
export async function numberAll(tx: Transaction): Promise<void> {
  await tx.run(sql`SELECT pg_advisory_xact_lock(771001)`);
  while ((await numberPortion(tx)) === NUMBERED_AT_ONCE);
}

async function numberPortion(tx: Transaction): Promise<number> {
  const numbered = await tx.rows<{ provider: number; n: number }>(sql`
      WITH todo AS MATERIALIZED (
        SELECT provider_id, id FROM feed_item WHERE seq IS NULL ORDER BY provider_id, id LIMIT ${NUMBERED_AT_ONCE}
      ), placed AS (
        SELECT provider_id, id, row_number() OVER (PARTITION BY provider_id ORDER BY id) AS place FROM todo
      ), position AS (
        INSERT INTO feed_position AS p (provider_id, last_seq) SELECT provider_id, count(*) FROM todo
        GROUP BY provider_id ORDER BY provider_id
        ON CONFLICT (provider_id) DO UPDATE SET last_seq = p.last_seq + excluded.last_seq
        RETURNING provider_id, last_seq
      ), base AS (
        SELECT position.provider_id, position.last_seq - count(*) AS before FROM position JOIN todo USING (provider_id)
        GROUP BY position.provider_id, position.last_seq
      ), numbered AS (
        UPDATE feed_item f SET seq = base.before + placed.place
        FROM placed JOIN base USING (provider_id)
        WHERE f.provider_id = placed.provider_id AND f.id = placed.id AND f.seq IS NULL
        RETURNING f.provider_id
      )
      SELECT provider_id AS provider, count(*) AS n FROM numbered GROUP BY 1`);
  if (numbered.length === 0) return 0;
  const businesses = numbered.length > MAX_NAMED ? '' : numbered.map((row) => row.provider).join(',');
  await tx.run(sql`SELECT pg_notify(${NUMBERED_CHANNEL}, ${businesses})`);
  return numbered.reduce((sum, row) => sum + row.n, 0);
}
