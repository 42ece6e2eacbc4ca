/**
 * Follows events that are created, moved or brought back, and series that are split: each reservation concerned gets a
 * job of its own, so that a reader never waits for an event.
 */
import { appliesTo } from './rows.ts';
import { lookAfter, lookAgain } from './keep-booking.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Payload {
  readonly event?: number;
  readonly event_series?: number;
  readonly split_from?: number | null;
  readonly changed?: readonly string[];
  readonly customer?: number;
  readonly reason?: string;
  readonly because?: string;
}

/** Properties that decide if an event belongs to a reservation, and if its place is free again. */
const CONCERNS = new Set(['starts_at', 'venue', 'instructors']);

export const reservationsReader: FeedReader = {
  name: 'recurring_reservations',
  kinds: [
    'event.created',
    'event.changed',
    'event.cancelled',
    'event.reopened',
    'event_registration.not_restored',
    'event_series.created',
  ],
  async read(work, items) {
    const any = await work.tx.one(
      sql`SELECT FROM recurring_reservation WHERE provider_id = ${work.providerId} AND status = 'active' LIMIT 1`,
    );
    if (!any) return;
    const said = items.map(({ kind, payload }) => ({ kind, payload: payload as Payload }));
    await followSplits(
      work,
      said.flatMap(({ kind, payload: { event_series: to, split_from: from } }) =>
        kind === 'event_series.created' && typeof from === 'number' ? { from, to: to! } : [],
      ),
    );
    for (const { kind, payload } of said)
      if (kind === 'event_registration.not_restored') await followLost(work, payload);
    const events = said.flatMap(({ kind, payload: { event, changed } }) =>
      kind === 'event_series.created' ||
      kind === 'event_registration.not_restored' ||
      (kind === 'event.changed' && !changed?.some((name) => CONCERNS.has(name)))
        ? []
        : event!,
    );
    for (const id of await concernedBy(work, [...new Set(events)])) lookAgain(work, id);
  },
};

/** Follows splits in order: a part may have been split again. */
async function followSplits({ tx, providerId }: Work, splits: readonly { from: number; to: number }[]): Promise<void> {
  for (const { from, to } of splits)
    await tx.run(sql`INSERT INTO recurring_reservation_series (provider_id, recurring_reservation_id, event_series_id)
      SELECT provider_id, recurring_reservation_id, ${to}::bigint FROM recurring_reservation_series
      WHERE provider_id = ${providerId} AND event_series_id = ${from} ON CONFLICT DO NOTHING`);
}

/** Reservations that had booked the event handle the date themselves. */
async function followLost(work: Work, { event, customer, reason, because }: Payload): Promise<void> {
  const rows = await work.tx.rows<{ id: number }>(sql`
    SELECT r.id FROM recurring_reservation_date d
    JOIN recurring_reservation r ON r.provider_id = d.provider_id AND r.id = d.recurring_reservation_id
    WHERE d.provider_id = ${work.providerId} AND d.event_id = ${event} AND d.outcome = 'booked'
      AND r.customer_id = ${customer} AND r.status = 'active' ORDER BY r.id`);
  for (const { id } of rows) lookAfter(work, id, { event: event!, reason: reason!, because: because! });
}

async function concernedBy({ tx, providerId }: Work, events: readonly number[]): Promise<number[]> {
  if (events.length === 0) return [];
  const rows = await tx.rows<{ id: number }>(sql`
    SELECT DISTINCT r.id FROM event e JOIN recurring_reservation r ON ${appliesTo('e', 'r')}
    WHERE e.provider_id = ${providerId} AND e.id = ANY(${events}::bigint[]) AND r.status = 'active' ORDER BY r.id`);
  return rows.map(({ id }) => id);
}
