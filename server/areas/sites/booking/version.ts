/** What a business has done, as one text: it changes with whatever the public pages of the business show. */
import { fill, sql, statement } from '../../../kernel/base/db/sql.ts';
import type { Business } from '../accounts/index.ts';
import type { Database } from '../../../kernel/base/db/database.ts';

/**
 * How many feed items there are, those without a number included: a worker that is late numbers them later, and they happened
 * nevertheless. Seats that are held while somebody pays have no items, so they are counted too.
 */
const VERSION = (providerId: number) => sql`
  SELECT concat_ws('.',
    coalesce((SELECT last_seq FROM feed_position WHERE provider_id = ${providerId}), 0) + (SELECT count(*) FROM feed_item WHERE provider_id = ${providerId} AND seq IS NULL),
    (SELECT count(*) FROM seat_hold WHERE provider_id = ${providerId}), (SELECT max(id) FROM seat_hold WHERE provider_id = ${providerId})) AS version`;

/** Null for a business whose clock somebody turns: what happens there happens all the time. */
export const versionOf =
  (db: Database) =>
  async ({ id, tenant }: Business): Promise<string | null> => {
    if (tenant.testClock) return null;
    const s = statement(VERSION(id));
    const [{ rows }] = await db.read(id, [{ statement: s, values: fill(s.holes, undefined) }]);
    return rows[0][0];
  };
