/** The stream of feed items as they are recorded. */
import { checkWholeBusiness, after, mayFollow, types } from './find-feed-items.ts';
import { checkKept, FEED_PROBLEMS } from './problems.ts';
import { stream, type StreamCall } from '../../../kernel/api/endpoint.ts';
import { feedItemFields, presentFeedItem, readBy } from '../../../kernel/work/feed/present.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import type { StreamEvent } from '../../../kernel/api/acting.ts';

/**
 * A client that follows few types and reconnects continues from about here, even if none of its own items were sent.
 */
const MARK_EVERY = 100;

/**
 * Returns where the stream begins: the Last-Event-ID of the client takes precedence over the address that it first
 * opened.
 */
function beginning({ lastEventId, query }: StreamCall): number {
  if (lastEventId === undefined || lastEventId === '') return query.after;
  if (!/^\d{1,15}$/.test(lastEventId))
    throw invalid('Last-Event-ID', 'Must be the `id` of the last event that arrived.');
  return Number(lastEventId);
}

async function* follow(
  from: number,
  { feed, viewer, tenant, query, signal }: StreamCall,
): AsyncGenerator<readonly StreamEvent[]> {
  const follower = feed.follow(viewer.providerId);
  try {
    let [last, told] = [from, from];
    while (!signal.aborted) {
      const { items, reached, more, gone } = await feed.read(viewer.providerId, last, query.types ?? null);
      checkKept(last, gone);
      const events: StreamEvent[] = items.map((item) => ({
        id: String(item.seq),
        data: presentFeedItem(item, tenant.zone, readBy(viewer)),
      }));
      if (items.length > 0) told = items.at(-1)!.seq;
      if (reached - told >= MARK_EVERY) events.push({ id: String((told = reached)) });
      last = reached;
      if (events.length > 0) yield events;
      if (!more) await follower.more(signal);
    }
  } finally {
    follower.end();
  }
}

export const streamFeedItems = stream({
  path: '/feed_items/stream',
  summary: 'Stream feed items as server-sent events',
  description:
    'Starts with all items after `after`, then sends each new item when it gets its number. The `id` of an event is the number of the item. An event without data only marks how far the stream has come. A client that reconnects sends the last `id` as `Last-Event-ID` (browsers do this automatically) and gets each item once. While nothing happens, the stream sends comments. When the credential ends, the stream sends an event `problem` that says so, and ends.',
  who: mayFollow,
  query: { after: after().describe('Only items after this number.'), types: types() },
  sends: feedItemFields,
  problems: ['rate_limited', FEED_PROBLEMS.feed_items_gone],
  run: (call) => {
    checkWholeBusiness(call.viewer);
    return follow(beginning(call), call);
  },
});
