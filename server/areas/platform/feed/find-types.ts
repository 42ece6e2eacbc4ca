/** Types of feed items, for programs that let people choose some. */
import { pageOf, paging, read } from '../../../kernel/api/endpoint.ts';
import { listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { mayFollow } from './find-feed-items.ts';

const shape = {
  type: text({ max: 100 }),
  description: text(),
  resource: text({ max: 100 }).describe('Name of the resource that it happens to.'),
  payload: listOf(text({ max: 100 })).describe('Names of the properties of its payload.'),
};

export const listTypes = read({
  path: '/feed_item_types',
  summary: 'List the types of feed items',
  description:
    'In the order of their names. A workflow can be triggered by those that have a `customer` in their payload.',
  who: mayFollow,
  query: paging(),
  returns: pageOf(shape),
  run: async ({ work: { registry }, query }) => {
    const all = [...registry.feed.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    const { page = 1, page_size: size = 100 } = query;
    return {
      count: all.length,
      results: all.slice((page - 1) * size, page * size).map(({ kind, description, object, payload }) => ({
        type: kind,
        description,
        resource: object,
        payload: Object.keys(payload),
      })),
    };
  },
});
