/** Items that a reader skipped after failures, and their retry on request. */
import { itemsWhere } from '../feed/items.ts';
import { actOn, type DispatchOptions } from './read-portion.ts';
import { sql } from '../../base/db/sql.ts';
import type { Database } from '../../base/db/database.ts';

interface SetAside {
  readonly provider: number;
  readonly reader: string;
  readonly seq: number;
}

interface Listed extends SetAside {
  readonly kind: string;
  readonly attempts: number;
  readonly error: string;
  /** epoch ms */
  readonly at: number;
}

const AT_ONCE = 100;
const LISTED = 1000;

/** Returns the items, newest first. */
export const listSetAside = (db: Database): Promise<Listed[]> =>
  db.acrossTenants('an operator lists what readers of the feed went on without', (tx) =>
    tx.rows<Listed>(sql`
      SELECT s.provider_id AS provider, s.reader, s.seq, f.kind, s.attempts, s.error, s.set_aside_at AS at
      FROM feed_item_set_aside s JOIN feed_item f USING (provider_id, seq)
      ORDER BY s.set_aside_at DESC, s.provider_id, s.seq LIMIT ${LISTED}`),
  );

/** Marks items for a retry; returns their number. */
export const wantAgain = (
  db: Database,
  { reader, provider }: { reader?: string; provider?: number },
): Promise<number> =>
  db.acrossTenants('an operator lets readers of the feed try again', (tx) =>
    tx.run(sql`
      UPDATE feed_item_set_aside SET again = true
      WHERE (${reader ?? null}::text IS NULL OR reader = ${reader ?? null})
        AND (${provider ?? null}::bigint IS NULL OR provider_id = ${provider ?? null}::bigint)`),
  );

/**
 * Retries items that were set aside, each in a transaction of its own; one that succeeds is removed from the list.
 * Items of a reader that this process does not know are left for another.
 */
export async function readAgain(o: DispatchOptions): Promise<void> {
  const wanted = await o.db.acrossTenants('items of every business that were set aside are tried again', (tx) =>
    tx.rows<SetAside>(
      sql`SELECT provider_id AS provider, reader, seq FROM feed_item_set_aside
        WHERE again AND reader = ANY(${[...o.registry.readers.keys()]}::text[]) ORDER BY provider_id, seq
        LIMIT ${AT_ONCE}`,
    ),
  );
  for (const one of wanted) await tryAgain(o, one);
}

async function tryAgain(o: DispatchOptions, { provider, reader: name, seq }: SetAside): Promise<void> {
  const reader = o.registry.readers.get(name)!;
  const tenant = await o.tenants.of(provider);
  if (!tenant) return;
  const mine = sql`provider_id = ${provider} AND reader = ${name} AND seq = ${seq}`;
  try {
    await o.db.transaction(provider, async (tx) => {
      // The worker that deletes the row acts on the item; another worker waits here and finds nothing.
      if ((await tx.run(sql`DELETE FROM feed_item_set_aside WHERE ${mine} AND again`)) === 0) return;
      const items = await itemsWhere(tx, sql`provider_id = ${provider} AND seq = ${seq}`);
      await actOn(o, { tx, tenant, reader, items });
    });
    o.log.info({ reader: name, provider, seq }, 'a feed item that was set aside has been read');
  } catch (err) {
    const { message } = err as Error;
    await o.db.transaction(provider, (tx) =>
      tx.run(
        sql`UPDATE feed_item_set_aside SET again = false, attempts = attempts + 1, error = ${message.slice(0, 2000)}
          WHERE ${mine}`,
      ),
    );
    o.log.error({ err, reader: name, provider, seq }, 'a feed item that was set aside failed again');
  }
}
