/** Numbered items, and how they are read. */
import { raw, sql, type Sql } from '../../base/db/sql.ts';
import type { Transaction } from '../../base/db/database.ts';

/** Something that happened at one business, as readers get it. */
export interface FeedItem {
  /** 1, 2, 3 … at each business, without gaps */
  readonly seq: number;
  readonly kind: string;
  /** name of the resource that it happened to */
  readonly object: string;
  readonly objectId: number;
  readonly payload: Record<string, unknown>;
  /** epoch ms */
  readonly occurredAt: number;
}

/** Returns true for an item that an import caused: it is no news to anybody, so nobody gets a message about it. */
export const isImported = ({ payload }: Pick<FeedItem, 'payload'>): boolean => typeof payload.import === 'number';

/**
 * Returns items in the order of their numbers, or newest first. The condition must include the business, and something
 * about `seq`: only then are items without a number excluded.
 */
export const itemsWhere = (
  tx: Transaction,
  condition: Sql,
  { limit, newestFirst = false }: { limit?: number; newestFirst?: boolean } = {},
): Promise<FeedItem[]> =>
  tx.rows<FeedItem>(sql`SELECT seq, kind, object, object_id AS "objectId", payload, occurred_at AS "occurredAt"
    FROM feed_item
    WHERE ${condition}
    ORDER BY seq${raw(newestFirst ? ' DESC' : '')} ${limit === undefined ? raw('') : sql`LIMIT ${limit}`}`);
