/** The version of a business: a text that changes with everything that its public pages show. */
import { fill, sql, statement } from '../../../kernel/base/db/sql.ts';
import type { Business } from '../frame/index.ts';
import type { Database } from '../../../kernel/base/db/database.ts';

/**
 * Counts feed items, including those without a number: a worker that is behind numbers them later, but they already
 * happened. Seats that are held during a payment have no items, so they are counted too.
 */
const VERSION = (providerId: number) => sql`
  SELECT concat_ws('.',
    coalesce((SELECT last_seq FROM feed_position WHERE provider_id = ${providerId}), 0) + (SELECT count(*)
      FROM feed_item WHERE provider_id = ${providerId} AND seq IS NULL),
    (SELECT count(*) FROM seat_hold WHERE provider_id = ${providerId}),
      (SELECT max(id) FROM seat_hold WHERE provider_id = ${providerId})) AS version`;

/** Returns null for a business with a test clock, where things happen all the time. */
export const versionOf =
  (db: Database) =>
  async ({ id, tenant }: Business): Promise<string | null> => {
    if (tenant.testClock) return null;
    const s = statement(VERSION(id));
    const [{ rows }] = await db.read(id, [{ statement: s, values: fill(s.holes, undefined) }]);
    return rows[0][0];
  };
