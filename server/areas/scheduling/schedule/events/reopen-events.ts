/**
 * Reopening of cancelled events. Bookings and spots that ended with the event are identified by the time of its
 * cancellation: bookings are restored with their payments, spots in their order. Each one that is not restored is
 * named.
 */
import { afterReturn, againstReturn } from './returning.ts';
import { closedDayProblem, closedDaysAt, dayOf } from './closed-days.ts';
import { eventFeed, eventRegistrationFeed, waitlistFeed, type NotRestored } from '../feed.ts';
import { passOnOrEnd } from './empty-appointments.ts';
import { holdVenues, usesRoomAlone, venueZone, VENUE_PROBLEMS } from '../../../places/venues/index.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { lockToChange, type EventRow } from './cancel-events.ts';
import { lockUses } from './event-writes.ts';
import { notFound, Problem } from '../../../../kernel/base/problem.ts';
import { payers } from '../bookings/payer-port.ts';
import { attendanceOf } from '../bookings/read-facts.ts';
import { register } from '../bookings/register.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Named } from '../bookings/payers.ts';
import type { Place } from '../rules/booking.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface Reopening {
  /** message to everyone concerned, which may be empty; null to notify nobody */
  readonly notify: string | null;
  /** true to reopen it even on a day on which the venue is closed */
  readonly on_closed_day?: boolean;
}

/**
 * Reopens events, and returns the reasons for those that stay cancelled, by their ids. The others are not affected.
 * Events that their series or other plan no longer includes stay cancelled.
 */
export async function reopenEvents(
  work: Work,
  ids: readonly number[],
  how: Reopening,
): Promise<ReadonlyMap<number, string>> {
  const events = await lockToReopen(work, ids);
  const against = new Map(await againstReturn(work, events));
  for (const row of events) {
    if (against.has(row.id)) continue;
    try {
      // A refusal comes before any write.
      await reopen(work, row, how);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      against.set(row.id, error.message);
    }
  }
  return against;
}

/**
 * Reopens one event, or refuses it. Staff may reopen an event that its series no longer includes: a dry run shows this.
 */
export async function reopenEvent(work: Work, id: number, how: Reopening): Promise<void> {
  const [row] = await lockToReopen(work, [id]);
  if (!row) throw notFound();
  await reopen(work, row, how);
  for (const [event, because] of await againstReturn(work, [row]))
    work.effect('event_outside_series', 'event', event, { because });
}

/** Booking `a` ended with event `e`. A booking that was cancelled before has another time. */
const ENDED_WITH_EVENT = sql`a.status = 'not_registered' AND a.cancelled_at = e.cancelled_at`;

/**
 * Excludes a customer's bookings of cancelled events from being restored, because they cancelled them. The events are
 * locked.
 */
export async function leaveCancelled(work: Work, events: readonly number[], customer: number): Promise<void> {
  const { tx, providerId } = work;
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT a.* FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
        WHERE a.provider_id = ${providerId} AND a.event_id = ANY(${events}::bigint[]) AND a.customer_id = ${customer}
          AND e.status = 'cancelled' AND ${ENDED_WITH_EVENT}
        ORDER BY a.id FOR NO KEY UPDATE OF a`,
  );
  for (const row of rows) work.touch('attendance', row.id, row);
  await tx.all([
    // A different time, even if the clock stands still.
    sql`UPDATE attendance a
      SET cancelled_at = greatest(${instant(work.now)}, a.cancelled_at + interval '1 millisecond'),
        updated_at = ${instant(work.now)}
        WHERE a.provider_id = ${providerId} AND a.id = ANY(${rows.map(({ id }) => id)}::bigint[])`,
    sql`UPDATE waitlist_spot s SET end_reason = 'left'
        WHERE s.provider_id = ${providerId} AND s.event_id = ANY(${events}::bigint[]) AND s.customer_id = ${customer}
          AND s.end_reason = 'event_cancelled'`,
  ]);
}

/**
 * Locks everything that reopening needs, in order: events, rooms, instructors, then everybody whose booking or spot is
 * restored.
 */
async function lockToReopen(work: Work, ids: readonly number[]): Promise<EventRow[]> {
  const rows = await lockToChange(work, ids);
  const events = rows.map((row) => row.id);
  await holdVenues(work, [...new Set(rows.map((row) => row.venue_id))]);
  await lockUses(
    work,
    rows.map((row) => row.venue_room_id),
    [],
    events,
  );
  await payers.filled.lock(
    work,
    sql`ARRAY(SELECT a.customer_id FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
      WHERE a.provider_id = ${work.providerId} AND a.event_id = ANY(${events}::bigint[]) AND ((${ENDED_WITH_EVENT})
        OR EXISTS (SELECT FROM waitlist_spot s WHERE s.provider_id = a.provider_id AND s.event_id = a.event_id
          AND s.customer_id = a.customer_id
          AND s.end_reason = 'event_cancelled' AND s.ended_at = e.cancelled_at)))`,
  );
  return rows;
}

async function reopen(work: Work, row: EventRow, { notify, on_closed_day = false }: Reopening): Promise<void> {
  if (row.status !== 'cancelled') throw new Problem('conflict', 'The event is not cancelled.');
  if (row.starts_at <= work.now)
    throw new Problem(SCHEDULE_PROBLEMS.event_started, 'The event would have started already.');
  // Reads everything that the decision needs, in one round trip: it is locked, so nothing of it changes.
  const [, , exclusive, ended] = await Promise.all([
    venueZone(work, row.venue_id),
    check(work, row, on_closed_day),
    usesRoomAlone(work, row.venue_id, row.venue_room_id),
    endedBookings(work, row),
  ]);
  await activate(work, row, exclusive);
  work.record(eventFeed.reopened, row.id, { event: row.id, notify });
  await afterReturn(work, row.id);
  const booked = await bookAgain(work, row, ended, notify);
  const waiting = await waitAgain(work, row);
  work.effect('event_reopened', 'event', row.id, {
    bookings: booked,
    not_restored: ended.length - booked,
    waiting,
    notified: notify === null ? 0 : ended.length + waiting,
  });
  // An appointment to which nobody returns ends again.
  await passOnOrEnd(work, row.id);
}

/** Refuses a closed day, and an event that could not be planned any more. */
async function check(work: Work, row: EventRow, onClosedDay: boolean): Promise<void> {
  const date = dayOf(row);
  const [closed, gone] = await Promise.all([
    closedDaysAt(work, { venue: row.venue_id, from: date, to: date }),
    work.tx.one<{ offering: boolean; instructor: string | null }>(
      sql`SELECT o.status <> 'active' AS offering,
        (SELECT min(i.name) FROM event_instructor ei
          JOIN instructor i ON i.provider_id = ei.provider_id AND i.id = ei.instructor_id
            WHERE ei.provider_id = o.provider_id AND ei.event_id = ${row.id} AND i.archived) AS instructor
          FROM offering_type o WHERE o.provider_id = ${work.providerId} AND o.id = ${row.offering_type_id}`,
    ),
  ]);
  const day = onClosedDay ? undefined : closed.get(date);
  if (day) throw closedDayProblem(day, 'starts_at');
  if (gone!.offering)
    throw new Problem('conflict', 'The offering type of the event is archived. Unarchive it, then reopen the event.');
  if (gone!.instructor !== null)
    throw new Problem(
      'conflict',
      `${gone!.instructor} taught the event and is archived. Create the event again, with another instructor.`,
    );
}

interface Ended {
  readonly attendance: number;
  readonly customer: number;
  readonly comped: boolean;
  readonly place: Place;
  /** name of what paid, and its id; null: nothing had to, or the price was still owed where there is a payer */
  readonly payer: string | null;
  readonly subject: number | null;
  /** an event at the same time that they have booked in the meantime */
  readonly elsewhere: string | null;
}

/** Reads the bookings in the order in which they were made: if there are fewer places now, the earliest come first. */
function endedBookings(work: Work, { id: event, cancelled_at }: EventRow): Promise<Ended[]> {
  const paid = payers.filled.gaveBack(work.providerId, event, instant(cancelled_at));
  return work.tx.rows<Ended>(
    sql`SELECT a.id AS attendance, a.customer_id AS customer, a.comped, a.place, p.payer, p.subject,
          (SELECT min(o.name) FROM attendance b JOIN event o ON o.provider_id = b.provider_id AND o.id = b.event_id
            AND o.id <> e.id
             WHERE b.provider_id = a.provider_id AND b.customer_id = a.customer_id AND b.status = 'registered'
               AND b.registered_at > e.cancelled_at
               -- not one that came back itself: they had booked both before
               AND b.registered_at IS DISTINCT FROM o.reopened_at
               AND o.status = 'active' AND o.starts_at < e.ends_at AND o.ends_at > e.starts_at) AS elsewhere
        FROM event e JOIN attendance a ON a.provider_id = e.provider_id AND a.event_id = e.id AND ${ENDED_WITH_EVENT}
          LEFT JOIN (${paid}) p ON p.attendance = a.id
        WHERE e.provider_id = ${work.providerId} AND e.id = ${event} ORDER BY a.registered_at, a.id`,
  );
}

/** Reserves its room and its instructors again, or says which event has them now. */
async function activate(work: Work, row: EventRow, exclusive: boolean): Promise<void> {
  const now = instant(work.now);
  work.touch('event', row.id, row);
  try {
    await work.tx.attempt(() =>
      work.tx.run(
        sql`UPDATE event SET status = 'active', cancelled_at = NULL, reopened_at = ${now},
          room_exclusive = ${exclusive}, updated_at = ${now}
            WHERE provider_id = ${work.providerId} AND id = ${row.id}`,
      ),
    );
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint !== 'event_room_free' && constraint !== 'instructor_free') throw error;
    throw await taken(work, row, constraint);
  }
}

async function taken(work: Work, row: EventRow, constraint: 'event_room_free' | 'instructor_free'): Promise<Problem> {
  const inTheWay =
    constraint === 'event_room_free'
      ? sql`e.venue_room_id = ${row.venue_room_id} AND e.room_exclusive`
      : sql`EXISTS (SELECT FROM event_instructor o
        JOIN event_instructor m ON m.provider_id = o.provider_id AND m.instructor_id = o.instructor_id
          AND m.event_id = ${row.id}
          WHERE o.provider_id = e.provider_id AND o.event_id = e.id)`;
  const other = await work.tx.one<{ id: number; name: string }>(
    sql`SELECT e.id, e.name FROM event e WHERE e.provider_id = ${work.providerId} AND e.id <> ${row.id}
      AND e.status = 'active'
          AND event_uses(e.starts_at, e.ends_at, e.buffer_before, e.buffer_after)
            && event_uses(${instant(row.starts_at)}::timestamptz, ${instant(row.ends_at)}::timestamptz,
              ${row.buffer_before}::int, ${row.buffer_after}::int)
          AND ${inTheWay} ORDER BY e.id LIMIT 1`,
  );
  const named = other ? `“${other.name}” (${other.id})` : 'another event';
  return constraint === 'event_room_free'
    ? new Problem(VENUE_PROBLEMS.room_taken, `The room is used by ${named} at that time. Move that event first.`)
    : new Problem(
        SCHEDULE_PROBLEMS.instructor_taken,
        `An instructor of the event teaches ${named} at that time. Move that event first.`,
      );
}

/** Restores bookings. Returns their number. */
async function bookAgain(
  work: Work,
  { id: event }: EventRow,
  ended: readonly Ended[],
  notify: string | null,
): Promise<number> {
  const refused: { booking: Ended; reason: NotRestored; because: string }[] = [];
  const items: { booking: Ended; named: Named | null }[] = [];
  for (const booking of ended) {
    const payer = payers.filled.all.find((p) => p.subject === booking.payer);
    if (booking.elsewhere !== null)
      refused.push({
        booking,
        reason: 'booked_elsewhere',
        because: `They have booked “${booking.elsewhere}” at that time.`,
      });
    else if (payer && booking.subject !== null && payer.paysOnce)
      refused.push({ booking, reason: 'paid_back', because: payer.paysOnce });
    else items.push({ booking, named: payer && booking.subject !== null ? { payer, id: booking.subject } : null });
  }
  const results = await register(
    work.tx,
    items.map(({ booking: { customer, comped, place, payer, subject }, named }) => {
      const onAccount = payer !== null && subject === null;
      return { work, customer, comped, place, named, onAccount, reopened: true };
    }),
    { event, commit: false },
  );
  for (const [n, result] of results.entries()) {
    if (!(result instanceof Error)) continue;
    if (!(result instanceof Problem)) throw result;
    const { booking, named } = items[n];
    const pays = named !== null || result.code in payers.filled.kinds;
    refused.push({ booking, reason: pays ? 'cannot_pay' : 'not_allowed', because: result.message });
  }
  for (const { booking, reason, because } of refused) {
    const of = { attendance: booking.attendance, event, customer: booking.customer };
    work.record(eventRegistrationFeed.not_restored, booking.attendance, { ...of, reason, because, notify });
    work.effect('booking_not_restored', 'attendance', booking.attendance, { ...of, reason, because });
  }
  return ended.length - refused.length;
}

/** Restores the spots that ended with the event, in their order. Returns their number. */
async function waitAgain(work: Work, row: EventRow): Promise<number> {
  const spots = await work.tx.rows<{ id: number; customer_id: number; attendance: number }>(
    sql`UPDATE waitlist_spot s SET ended_at = NULL, end_reason = NULL, status = 'on_waitlist', spot_reserved_at = NULL,
      reserved_spot_expires_at = NULL
        WHERE s.provider_id = ${work.providerId} AND s.event_id = ${row.id} AND s.end_reason = 'event_cancelled'
          AND s.ended_at = ${instant(row.cancelled_at)}::timestamptz
        RETURNING s.id, s.customer_id, ${attendanceOf('s')} AS attendance`,
  );
  for (const { id, customer_id: customer, attendance } of spots.toSorted((a, b) => a.id - b.id)) {
    work.record(waitlistFeed.restored, id, { waitlist_spot: id, attendance, event: row.id, customer });
    work.effect('waitlist_restored', 'waitlist_spot', id, { event: row.id, customer });
  }
  return spots.length;
}
