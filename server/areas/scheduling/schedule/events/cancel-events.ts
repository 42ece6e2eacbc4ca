/**
 * Cancellation of events: bookings end without a penalty, waitlists end, held seats are released, and everybody can be
 * notified.
 */
import { attendanceOf } from '../bookings/read-facts.ts';
import { endHolds } from '../waitlist/ending-holds.ts';
import { eventFeed, eventRegistrationFeed, waitlistFeed } from '../feed.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { Row } from '../../../../kernel/base/db/rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { payers } from '../bookings/payer-port.ts';

/** An event as it is stored. */
export type EventRow = Row<'event'>;

interface Lost {
  readonly id: number;
  readonly event_id: number;
  readonly customer_id: number;
}

interface EndedSpot extends Lost {
  readonly attendance: number;
}

export const alreadyCancelled = (): Problem => new Problem('already_cancelled', 'The event is already cancelled.');

/** Cancels one event, whose row is locked. */
export async function cancelEvent(work: Work, row: Record<string, any>, notify: string | null = null): Promise<void> {
  if (row.status === 'cancelled') throw alreadyCancelled();
  await cancelEvents(work, [row as EventRow], notify);
}

/** Locks events by id, to change them. Returns those that exist. */
export const lockToChange = ({ tx, providerId }: Work, ids: readonly number[]): Promise<EventRow[]> =>
  tx.rows<EventRow>(
    sql`SELECT * FROM event WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[]) ORDER BY id FOR UPDATE`,
  );

/** Ends the waitlists of events that are cancelled. Returns the spots that ended. */
export const endWaits = ({ tx, providerId, now }: Work, events: readonly number[]): Promise<EndedSpot[]> =>
  tx.rows<EndedSpot>(
    sql`UPDATE waitlist_spot s SET ended_at = ${instant(now)}, end_reason = 'event_cancelled'
        WHERE provider_id = ${providerId} AND event_id = ANY(${events}::bigint[]) AND ended_at IS NULL
        RETURNING id, event_id, customer_id, ${attendanceOf('s')} AS attendance`,
  );

/**
 * Cancels locked, active events, with as many statements for all as for one. `ended`: the spots of their waitlists, if
 * these have ended already
 */
export async function cancelEvents(
  work: Work,
  events: readonly EventRow[],
  notify: string | null,
  ended?: readonly EndedSpot[],
): Promise<void> {
  if (events.length === 0) return;
  for (const row of events) work.touch('event', row.id, row);
  const ids = events.map((row) => row.id);
  const now = instant(work.now);
  const { providerId, tx } = work;
  await tx.run(
    sql`UPDATE event SET status = 'cancelled', cancelled_at = ${now}, updated_at = ${now}
      WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[])`,
  );
  await endHolds(work, ids, sql`true`);
  const [bookings, spots] = await Promise.all([
    tx.rows<Lost>(sql`UPDATE attendance SET status = 'not_registered', cancelled_at = ${now}, updated_at = ${now}
        WHERE provider_id = ${providerId} AND event_id = ANY(${ids}::bigint[]) AND status = 'registered'
        RETURNING id, event_id, customer_id`),
    ended ?? endWaits(work, ids),
  ]);
  // Late cancellations are credited too, because the event does not take place.
  await payers.filled.credit(
    work,
    sql`a.event_id = ANY(${ids}::bigint[]) AND a.status IN ('not_registered', 'late_cancelled')`,
    'event_cancelled',
  );
  const [booked, waited] = [Map.groupBy(bookings, (b) => b.event_id), Map.groupBy(spots, (s) => s.event_id)];
  for (const row of events) {
    const lost = booked.get(row.id) ?? [];
    const waiting = waited.get(row.id) ?? [];
    work.record(eventFeed.cancelled, row.id, { event: row.id, notify });
    for (const { id, customer_id } of lost) {
      work.record(eventRegistrationFeed.cancelled, id, {
        attendance: id,
        event: row.id,
        customer: customer_id,
        reason: 'event_cancelled',
      });
      work.effect('booking_lost', 'attendance', id, { event: row.id, customer: customer_id });
    }
    for (const { id, customer_id, attendance } of waiting) {
      const of = { attendance, event: row.id, customer: customer_id };
      work.record(waitlistFeed.ended, id, { waitlist_spot: id, ...of, reason: 'event_cancelled' });
      work.effect('waitlist_lost', 'waitlist_spot', id, { event: row.id, customer: customer_id });
    }
    work.effect('event_cancelled', 'event', row.id, {
      bookings: lost.length,
      waiting: waiting.length,
      notified: notify === null ? 0 : lost.length + waiting.length,
    });
  }
}
