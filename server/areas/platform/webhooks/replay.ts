/** Replay of a range of the feed, one batch at a time. */
import { invalid } from '../../../kernel/base/problem.ts';
import { replayPortion } from './deliveries.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const MAX_REPLAYED = 100_000;
const PORTION = 1000;
const TASK = 'replay_webhooks';

interface Range {
  readonly after: number;
  readonly before: number;
}

/** Returns the range that will be sent: up to the newest existing item. */
export async function replay(
  work: Work,
  destination: number,
  { after, before }: { after: number; before?: number },
): Promise<Range> {
  const position = await work.tx.one<{ last: number; gone: number }>(
    sql`SELECT last_seq AS last, gone_seq AS gone FROM feed_position WHERE provider_id = ${work.providerId}`,
  );
  const { last, gone } = position ?? { last: 0, gone: 0 };
  if (after < gone) throw invalid('after', `Feed items up to number ${gone} are no longer kept: send ${gone} or more.`);
  const range = { after, before: Math.min(before ?? last, last) };
  if (before !== undefined && before <= after) throw invalid('before', 'Must be more than after.');
  if (range.before - after > MAX_REPLAYED)
    throw invalid(
      'before',
      `At most ${MAX_REPLAYED} feed items at once: send ${after + MAX_REPLAYED} or less, and the rest afterwards.`,
    );
  if (after < range.before) work.enqueue(portionOf(destination, range));
  work.effect('replay', 'webhook_destination', destination, { feed_items: await wantedIn(work, destination, range) });
  work.audit({ action: 'replay', object: 'webhook_destination', objectId: destination, before: null, after: range });
  return range;
}

/** Returns how many items of the range match the destination. */
async function wantedIn(work: Work, destination: number, { after, before }: Range): Promise<number> {
  const found = await work.tx.one<{ n: number }>(sql`
    SELECT count(*) AS n FROM feed_item i JOIN webhook_destination d ON d.provider_id = i.provider_id
      AND d.id = ${destination} AND i.kind = ANY(d.feed_item_types)
    WHERE i.provider_id = ${work.providerId} AND i.seq > ${after} AND i.seq <= ${before}`);
  return found!.n;
}

const portionOf = (destination: number, range: Range) => ({ task: TASK, payload: { destination, ...range } });

export const replayJob: Job = {
  task: TASK,
  run: async (work, { destination, after, before }: Range & { destination: number }) => {
    const upTo = Math.min(after + PORTION, before);
    await replayPortion(work, destination, after, upTo);
    if (upTo < before) work.enqueue(portionOf(destination, { after: upTo, before }));
  },
};
