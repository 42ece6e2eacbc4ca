/** The traces of calls: feed items and audit entries. */
import assert from 'node:assert/strict';
import { namedBy, presentFeedItem, type ResourceName } from '../../kernel/work/feed/present.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import type { ApiAnswer, World } from '../world.ts';
import type { FeedItem } from '../../kernel/work/feed/items.ts';

export interface Recorded {
  readonly kind: string;
  /** resources of the object of the item, and of those that the payload names */
  readonly about: readonly ResourceName[];
  /** these objects in the form that receivers get */
  readonly resources: Readonly<Record<string, number>>;
  readonly payload: Record<string, unknown>;
}

/** Returns the feed items recorded after the item with this id. */
export async function recordedSince(world: World, id: number): Promise<Recorded[]> {
  const items = await world.work(world.harbour, ({ tx }) =>
    tx.rows<FeedItem>(
      sql`SELECT id AS seq, kind, object, object_id AS "objectId", payload, occurred_at AS "occurredAt" FROM feed_item
        WHERE provider_id = ${world.harbour} AND id > ${id} ORDER BY id`,
    ),
  );
  return items.map((item) => ({
    kind: item.kind,
    about: namedBy(item),
    resources: presentFeedItem(item, 'UTC', () => true).resources,
    payload: item.payload,
  }));
}

/** Returns the audit entries of the call with this response. */
export async function entriesOf(world: World, answer: ApiAnswer): Promise<any[]> {
  const found = await world.get(`/audit_entries?request_id=${answer.headers.get('request-id')}`, { as: world.machine });
  assert.equal(found.status, 200, found.text);
  return found.body.results;
}
