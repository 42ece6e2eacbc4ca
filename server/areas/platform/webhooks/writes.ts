/** The writes of destinations, for the endpoints of this area and for the sending engine. */
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { webhookDestinationFeed, PAUSED_BY } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { issueSecret } from './secrets.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Each feed item goes to every destination: more of them would let one business fill the queue of all. */
const MAX_DESTINATIONS = 50;

interface NewDestination {
  url: string;
  description?: string | null;
  feed_item_types: readonly string[];
}

const each = (types: readonly string[]): string[] => [...new Set(types)].toSorted();

/** Creates a destination and returns its id; the response shows the secret. */
export async function createDestination(work: Work, { feed_item_types, ...values }: NewDestination): Promise<number> {
  const { tx, providerId } = work;
  // Concurrent requests to create a destination wait for each other: otherwise, both could create the last one allowed.
  await tx.run(sql`SELECT pg_advisory_xact_lock(771004, ${providerId % 2_147_483_647}::int)`);
  const { n } = (await tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM webhook_destination WHERE provider_id = ${providerId} AND deleted_at IS NULL`,
  ))!;
  if (n >= MAX_DESTINATIONS)
    throw new Problem(
      'conflict',
      `There are ${n} destinations already, which is the most there can be. Delete one first.`,
    );
  const id = await insertRow(work, 'webhook_destination', { ...values, feed_item_types: each(feed_item_types) });
  await tx.run(sql`INSERT INTO webhook_lane (provider_id, destination_id) VALUES (${providerId}, ${id})`);
  await issueSecret(work, id);
  work.record(webhookDestinationFeed.created, id, { webhook_destination: id });
  return id;
}

export async function changeDestination(work: Work, id: number, values: Partial<NewDestination>): Promise<void> {
  const columns = { ...values, feed_item_types: values.feed_item_types && each(values.feed_item_types) };
  if (await updateRow(work, 'webhook_destination', id, columns))
    work.record(webhookDestinationFeed.updated, id, { webhook_destination: id, changed: changedNames(values) });
}

/** Rotates the secret; the response shows the new one. */
export async function rotateSecret(work: Work, id: number, overlapHours: number): Promise<void> {
  await issueSecret(work, id, overlapHours);
  work.record(webhookDestinationFeed.updated, id, { webhook_destination: id, changed: ['secret'] });
}

/** Pauses a destination: from now on, deliveries wait. */
export async function pause(
  work: Work,
  id: number,
  cause: (typeof PAUSED_BY)[number],
  reason: string | null,
): Promise<void> {
  await updateRow(work, 'webhook_destination', id, { status: 'paused', status_reason: reason });
  work.record(webhookDestinationFeed.paused, id, { webhook_destination: id, cause });
}

/** Resumes a destination: waiting deliveries are sent immediately, whatever they were waiting for. */
export async function resume(work: Work, id: number): Promise<void> {
  const { tx, providerId, now } = work;
  await updateRow(work, 'webhook_destination', id, { status: 'active', status_reason: null });
  await tx.all([
    sql`UPDATE webhook_lane SET failures = 0, failing_since = NULL, not_before = NULL
      WHERE provider_id = ${providerId} AND destination_id = ${id}`,
    sql`UPDATE webhook_delivery SET next_attempt_at = ${instant(now)}
      WHERE provider_id = ${providerId} AND destination_id = ${id} AND status = 'pending'
        AND next_attempt_at > ${instant(now)}::timestamptz`,
  ]);
  work.record(webhookDestinationFeed.resumed, id, { webhook_destination: id });
}

/** Disables a destination whose receiver is gone for good: no deliveries wait for it. */
export async function disable(work: Work, id: number): Promise<void> {
  await updateRow(work, 'webhook_destination', id, {
    status: 'disabled',
    status_reason: 'The receiver answered 410: it is gone.',
  });
  await cancelPending(work, id);
  work.record(webhookDestinationFeed.disabled, id, { webhook_destination: id });
}

export async function deleteDestination(work: Work, id: number): Promise<void> {
  await updateRow(work, 'webhook_destination', id, { deleted_at: instant(work.now) });
  await cancelPending(work, id);
  await work.tx.run(sql`DELETE FROM webhook_secret WHERE provider_id = ${work.providerId} AND destination_id = ${id}`);
  work.record(webhookDestinationFeed.deleted, id, { webhook_destination: id });
}

const cancelPending = (work: Work, id: number) =>
  work.tx.run(
    sql`UPDATE webhook_delivery SET status = 'cancelled', ended_at = ${instant(work.realNow)}
      WHERE provider_id = ${work.providerId} AND destination_id = ${id} AND status = 'pending'`,
  );
