/** Endpoints to read feed items: lists that continue where the last one ended, and single items by number. */
import { answer, pageOf, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { and, instant as at, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { checkKept, FEED_PROBLEMS } from './problems.ts';
import { feedItemFields, presentFeedItem, readBy } from '../../../kernel/work/feed/present.ts';
import { feedItemType } from '../../../kernel/work/feed/feed-item.ts';
import { id, instant, integer, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { goneUpTo } from '../../../kernel/work/feed/gone.ts';
import { itemsWhere } from '../../../kernel/work/feed/items.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { venueLimit } from '../../../kernel/api/venue-limit.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Viewer } from '../../../kernel/work/access/viewer.ts';

export const mayFollow = staffWith('developer');

const MAX_ITEMS = 1000;

/**
 * Refuses staff who are limited to venues: feed items concern the whole business, and most of them no venue, so these
 * staff would read only some.
 */
export function checkWholeBusiness(viewer: Viewer): void {
  if (viewer.venues !== null) throw venueLimit(viewer, 'the feed covers the whole business.');
}

/** Returns the parameter for the number after which a client continues to read. */
export const after = () => integer({ min: 0 }).default(0);
export const types = () =>
  listOf(feedItemType()).optional().describe('Comma-separated list of types, for example `event.cancelled`.');

const query = {
  after: after().describe('Only items after this number: the `id` of the last item that you have.'),
  before: integer({ min: 1 }).optional().describe('Only items before this number.'),
  types: types(),
  object: text({ max: 100 }).optional().describe('Type of object that it happened to, for example `customer`.'),
  object_id: listOf(id()).optional().describe('Comma-separated list of ids. Requires `object`.'),
  occurred_at_gte: instant().optional(),
  occurred_at_lte: instant().optional(),
  sort: oneOf(['id', '-id']).default('id').describe('Oldest first, or with `-id` newest first.'),
  limit: integer({ min: 1 }).default(100).describe(`At most ${MAX_ITEMS}. Larger values are reduced to ${MAX_ITEMS}.`),
};
type Query = ValueOf<typeof query>;

function conditionOf(providerId: number, q: Query): Sql {
  const conditions = [sql`provider_id = ${providerId}`, sql`seq > ${q.after}`];
  if (q.before !== undefined) conditions.push(sql`seq < ${q.before}`);
  if (q.types) conditions.push(sql`kind = ANY(${q.types}::text[])`);
  if (q.object !== undefined) conditions.push(sql`object = ${q.object}`);
  if (q.object_id) conditions.push(sql`object_id = ANY(${q.object_id}::bigint[])`);
  if (q.occurred_at_gte !== undefined) conditions.push(sql`occurred_at >= ${at(q.occurred_at_gte)}::timestamptz`);
  if (q.occurred_at_lte !== undefined) conditions.push(sql`occurred_at <= ${at(q.occurred_at_lte)}::timestamptz`);
  return and(conditions);
}

const listFeedItems = read({
  path: '/feed_items',
  summary: 'List feed items, oldest first',
  description:
    'Numbers have no gaps and only grow, so if you always ask for the items after the last one that you have, you miss nothing. `count` is the number of items after `after`, including those in this response. `next` continues after the last of them. It is null if there are no more items yet. Deletions are recorded as `.deleted` items.',
  who: mayFollow,
  replica: true,
  query,
  problems: [FEED_PROBLEMS.feed_items_gone],
  returns: pageOf(feedItemFields),
  run: async ({ work, query: q }) => {
    checkWholeBusiness(work.viewer);
    const limit = Math.min(q.limit, MAX_ITEMS);
    const condition = conditionOf(work.providerId, q);
    const newestFirst = q.sort === '-id';
    // Read after the items: this number is raised before any item is removed, so a gap never goes unnoticed.
    const [found, gone] = await Promise.all([
      itemsWhere(work.tx, condition, { limit: limit + 1, newestFirst }),
      goneUpTo(work.tx, work.providerId),
    ]);
    checkKept(q.after, gone);
    const items = found.slice(0, limit);
    const more = found.length > limit;
    const last = String(items.at(-1)?.seq);
    return {
      count: more
        ? (await work.tx.one<{ n: number }>(sql`SELECT count(*) AS n FROM feed_item WHERE ${condition}`))!.n
        : items.length,
      next: more ? (newestFirst ? { before: last } : { after: last }) : null,
      results: items.map((item) => presentFeedItem(item, work.tenant.zone, readBy(work.viewer))),
    };
  },
});

const getFeedItem = read({
  path: '/feed_items/{id}',
  summary: 'Get a feed item',
  who: mayFollow,
  returns: answer(feedItemFields),
  run: async ({ work, params }) => {
    checkWholeBusiness(work.viewer);
    const [item] = await itemsWhere(work.tx, sql`provider_id = ${work.providerId} AND seq = ${Number(params.id)}`);
    if (!item) throw notFound();
    return presentFeedItem(item, work.tenant.zone, readBy(work.viewer));
  },
});

export const findFeedItems = [listFeedItems, getFeedItem];
