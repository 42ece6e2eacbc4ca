/** Items that have been removed from the database: the conditions, and their highest number. */
import { sql } from '../../base/db/sql.ts';
import type { Transaction } from '../../base/db/database.ts';
import type pg from 'pg';

/**
 * Checks whether items with ids from `first` to before `end` may be removed, as `KeptTable.mayGo`: all readers have
 * read them, and none has set one aside. Then records at each business the highest number that is gone, so that a
 * client that requests them is refused instead of missing them silently.
 */
export async function leaveFeed(
  client: pg.ClientBase,
  { first, end }: { readonly first: string; readonly end: string },
): Promise<string | null> {
  const going = `SELECT provider_id, coalesce(max(seq), 0) AS seq, count(*) FILTER (WHERE seq IS NULL) AS unnumbered
    FROM feed_item WHERE id >= ${first} AND id < ${end} GROUP BY 1`;
  const { rows: unread } = await client.query<{ provider: string }>(
    `SELECT g.provider_id::text AS provider FROM (${going}) g LEFT JOIN feed_position p USING (provider_id)
     WHERE g.unnumbered > 0 OR g.seq > coalesce(p.read_seq, 0) ORDER BY g.provider_id LIMIT 1`,
  );
  if (unread.length > 0) return `a reader of the feed has not read all items of business ${unread[0].provider}`;
  // Last: a reader sets items aside when it reads them, so all items that will be set aside are known now.
  const { rows: aside } = await client.query<{ provider: string; reader: string }>(
    `SELECT s.provider_id::text AS provider, s.reader FROM feed_item_set_aside s
     JOIN feed_item f USING (provider_id, seq) WHERE f.id >= ${first} AND f.id < ${end} ORDER BY 1, 2 LIMIT 1`,
  );
  if (aside.length > 0) {
    const [{ reader, provider }] = aside;
    return `the reader ${reader} has set aside an item of business ${provider}: see "rollcall feed list"`;
  }
  // In the order in which the numbering locks them.
  await client.query(
    `WITH going AS (${going}), locked AS (
       SELECT p.provider_id, g.seq FROM feed_position p JOIN going g USING (provider_id)
       WHERE p.gone_seq < g.seq ORDER BY p.provider_id FOR UPDATE OF p
     )
     UPDATE feed_position p SET gone_seq = locked.seq FROM locked WHERE p.provider_id = locked.provider_id`,
  );
  return null;
}

/** Returns the number up to which items may have been removed from the database. */
export async function goneUpTo(tx: Transaction, providerId: number): Promise<number> {
  const position = await tx.one<{ gone: number }>(
    sql`SELECT gone_seq AS gone FROM feed_position WHERE provider_id = ${providerId}`,
  );
  return position?.gone ?? 0;
}
