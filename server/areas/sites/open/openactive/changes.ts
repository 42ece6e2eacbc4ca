/**
 * The order in which sessions changed, for programs that collect them. A session changes with its event, with each
 * booking, and with the data of its offering type, its venue and the business that it shows.
 */
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { FeedReader } from '../../../../kernel/work/unit/feed-reader.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** How long a past session is available: programs that come once a week still find it. */
const RETENTION_MS = 7 * 86_400_000;
const BATCH_SIZE = 5000;

interface Payload {
  readonly event?: number;
  readonly offering_type?: number;
  readonly venue?: number;
}

const OF_EVENTS = [
  'event.created',
  'event.changed',
  'event.cancelled',
  'event.reopened',
  'event_registration.created',
  'event_registration.cancelled',
  'event_registration.late_cancelled',
  'attendance.deleted',
] as const;

export const openReader: FeedReader = {
  name: 'open_data',
  kinds: [...OF_EVENTS, 'offering_type.updated', 'venue.updated', 'provider.updated'],
  async read({ tx, providerId, now }, items) {
    const payloads = items.map(({ payload }) => payload as Payload);
    const of = (name: keyof Payload) => [...new Set(payloads.map((one) => one[name]).filter((id) => id !== undefined))];
    const everything = items.some(({ kind }) => kind === 'provider.updated');
    const change = await tx.one<{ last: number }>(
      sql`INSERT INTO open_change (provider_id, last) VALUES (${providerId}, 1) ON CONFLICT (provider_id) DO UPDATE
        SET last = open_change.last + 1 RETURNING last`,
    );
    const move = (which: Sql) =>
      tx.run(sql`
        INSERT INTO open_session (provider_id, event_id, modified, ends_at)
        SELECT e.provider_id, e.id, ${change!.last}, e.ends_at FROM event e
        WHERE e.provider_id = ${providerId} AND ${which} AND ${NOT_PRIVATE}
        ORDER BY e.id
        ON CONFLICT (provider_id, event_id) DO UPDATE SET modified = excluded.modified, ends_at = excluded.ends_at`);
    const events = of('event');
    // Selects by id only: bookings are many, and so are the events of a business.
    if (events.length > 0)
      await move(sql`e.id = ANY(${events}::bigint[]) AND e.ends_at > ${instant(now - RETENTION_MS)}::timestamptz`);
    const [offerings, venues] = [of('offering_type'), of('venue')];
    if (everything || offerings.length + venues.length > 0)
      await move(
        sql`e.ends_at > ${instant(now)}::timestamptz
          AND (${everything} OR e.offering_type_id = ANY(${offerings}::bigint[])
          OR e.venue_id = ANY(${venues}::bigint[]))`,
      );
  },
};

/** Appointments and rentals are private. */
const NOT_PRIVATE = sql`EXISTS (SELECT FROM offering_type o WHERE o.provider_id = e.provider_id
  AND o.id = e.offering_type_id AND o.schedule_type NOT IN ('appointment', 'room_rental'))`;

export async function forgetPast(tx: Transaction, now: number): Promise<void> {
  await tx.run(sql`
    DELETE FROM open_session s USING (
      SELECT provider_id, event_id FROM open_session WHERE ends_at < ${instant(now - RETENTION_MS)}::timestamptz
        ORDER BY ends_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
    ) past WHERE s.provider_id = past.provider_id AND s.event_id = past.event_id`);
}

/** Position at which a page of changes begins: after this change, and after this session in it. */
export interface After {
  readonly modified: number;
  readonly id: number;
}

/** Returns the changes after that position, in order. */
export const changesAfter = (tx: Transaction, providerId: number, { modified, id }: After, most: number) =>
  tx.rows<{ id: number; modified: number }>(
    sql`SELECT event_id AS id, modified FROM open_session WHERE provider_id = ${providerId}
      AND (modified, event_id) > (${modified}, ${id}) ORDER BY modified, event_id LIMIT ${most}`,
  );
