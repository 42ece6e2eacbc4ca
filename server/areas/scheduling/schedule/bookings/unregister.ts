/**
 * Cancellation of a booking in as few round trips as possible: everything that the decision needs is read together.
 * Then everything is written together, and the facts about the waitlist are read with it.
 */
import { atPlace, changeCounts, placeKinds, toAsker, type EventAround } from './facts.ts';
import { endSpotOfBooked } from '../waitlist/spot-of-booked.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { isLate } from '../rules/cancelling.ts';
import { passOnOrEnd } from '../events/empty-appointments.ts';
import { payers } from './payer-port.ts';
import { readCustomers, readEvent } from './read-facts.ts';
import { readQueue } from '../waitlist/freed-seats.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { eventRegistrationFeed } from '../feed.ts';
import { ANYBODY, isPersonal, resolveWindow } from '../rules/window.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Place } from '../rules/booking.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { one, say } from '../../../../kernel/base/values/words.ts';

interface AttendanceRow extends Record<string, unknown> {
  readonly id: number;
  readonly status: string;
  readonly comped: boolean;
  readonly place: Place;
}

/** The facts for a cancellation. */
export interface Ending {
  readonly event: number;
  readonly customer: number;
  readonly around: EventAround;
  /** stored row, locked; null if there is none */
  readonly booking: AttendanceRow | null;
}

interface Cancelling {
  /** whether it counts as late, if staff decide it */
  readonly staffSays?: boolean;
  /** true for one session of a course that is cancelled as a whole */
  readonly part?: boolean;
  /** true if another event is booked instead, in the same transaction */
  readonly isMoved?: boolean;
  /**
   * true if the work changes nothing else of the booking and its event, so that their final rows can be read in the
   * same round trip
   */
  readonly alone?: boolean;
}

/** Ends a booking, late or in time, and passes its place on. The caller has locked the event's row. */
export async function cancelBooking(
  work: Work,
  event: number,
  customer: number,
  staffSays?: boolean,
  { part }: Pick<Cancelling, 'part'> = {},
): Promise<{ late: boolean; attendance: number }> {
  return endBooking(work, await readBooking(work, event, customer), { staffSays, part });
}

/**
 * Reads the event and the booking of a customer, which is locked after it. One round trip, which other statements may
 * share.
 */
export async function readBooking(work: Work, event: number, customer: number): Promise<Ending> {
  const [around, booking] = await Promise.all([
    readEvent(work, event),
    work.tx.one<AttendanceRow>(
      sql`SELECT a.* FROM attendance a WHERE a.provider_id = ${work.providerId} AND a.event_id = ${event}
        AND a.customer_id = ${customer}
            AND EXISTS (SELECT FROM customer c WHERE c.provider_id = a.provider_id AND c.id = a.customer_id
              AND c.deleted_at IS NULL)
          FOR UPDATE OF a`,
    ),
  ]);
  return { event, customer, around: around!, booking: booking ?? null };
}

/** Ends a booking like `cancelBooking`, with facts that were already read. */
export async function endBooking(
  work: Work,
  ending: Ending,
  { staffSays, part = false, isMoved = false, alone = false }: Cancelling,
): Promise<{ late: boolean; attendance: number }> {
  const byStaff = work.viewer.mode === 'provider';
  if (staffSays !== undefined && !byStaff)
    throw invalid('is_late_cancel', 'Only staff can say whether a cancellation counts as late.');
  const { event, customer, around } = ending;
  const booking = checkBooked(work, ending);
  const late = isLate({ now: work.now, lateCancelsAfter: await cutOff(work, ending), staffSays });
  work.touch('attendance', booking.id, booking);
  const of = { attendance: booking.id, event, customer };
  if (late) work.record(eventRegistrationFeed.late_cancelled, booking.id, of);
  else
    work.record(eventRegistrationFeed.cancelled, booking.id, {
      ...of,
      reason: part ? 'course' : isMoved ? 'moved' : byStaff ? 'staff' : 'customer',
    });
  work.effect(late ? 'booking_cancelled_late' : 'booking_cancelled', 'attendance', booking.id, of);
  // They may wait for the other kind of place.
  const spot =
    around.online === null
      ? null
      : await endSpotOfBooked(work, { event, customer, attendance: booking.id }, 'cancelled');
  const waiting = placeKinds(around).filter((place) => atPlace(around, place).event.waiting > 0);
  const waits = waiting.length > 0;
  const [[left], , queue, leftEvent] = await Promise.all([
    work.tx.rows(end(work, booking, late ? 'late_cancelled' : 'not_registered')),
    // A late cancellation uses the debit up.
    late ? null : payers.filled.credit(work, sql`a.id = ${booking.id}`, 'cancelled_in_time'),
    waits ? readQueue(work, event, waiting) : null,
    // If somebody gets the place, the event changes once more.
    alone && !waits ? work.tx.one(theEvent(work, event)) : undefined,
  ]);
  if (alone) work.leave('attendance', booking.id, left);
  if (leftEvent) work.leave('event', event, leftEvent);
  const booked = spot ? changeCounts(around, spot.place, spot.counts) : around;
  const freed = changeCounts(booked, booking.place, { attending: -1 });
  await passOnOrEnd(work, event, { around: freed, queue });
  return { late, attendance: booking.id };
}

const end = (work: Work, { id }: AttendanceRow, status: string) =>
  sql`UPDATE attendance SET status = ${status}, cancelled_at = ${instant(work.now)}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND id = ${id} RETURNING *`;

const theEvent = (work: Work, id: number) =>
  sql`SELECT * FROM event WHERE provider_id = ${work.providerId} AND id = ${id}`;

/** Checks that the booking can be cancelled. @throws Problem if there is nothing to cancel, or no longer */
export function checkBooked(work: Work, { around: { event }, booking }: Ending): AttendanceRow {
  if (booking?.status === 'attended' || booking?.status === 'no_show') {
    throw new Problem(SCHEDULE_PROBLEMS.attendance_already_marked, {
      staff: "The customer's attendance has already been recorded. Correct the attendance instead.",
      customer: 'Your attendance has already been recorded. If it is wrong, ask the business to correct it.',
    });
  }
  if (booking?.status !== 'registered')
    throw new Problem(SCHEDULE_PROBLEMS.not_registered, {
      staff: 'The customer is not booked on this event.',
      customer: say`There is no ${one.booking} of this ${one.event} to cancel.`,
    }).about(event.kind);
  if (work.viewer.mode !== 'provider' && work.now >= event.startsAt)
    throw new Problem(
      SCHEDULE_PROBLEMS.event_started,
      say`This ${one.event} has started, so it can no longer be cancelled.`,
    ).about(event.kind);
  return booking;
}

/**
 * Returns the time from which it is late, in epoch milliseconds. The customer's cut-off applies, no matter who cancels.
 */
async function cutOff(work: Work, { event, customer, around: { windowFacts } }: Ending): Promise<number> {
  // Reading the facts about a customer costs more than everything else, and few windows depend on them.
  const who = isPersonal(windowFacts) ? (await readCustomers(work, event, [customer])).get(customer) : undefined;
  const window =
    resolveWindow(windowFacts, who ? toAsker(who) : ANYBODY) ??
    resolveWindow({ ...windowFacts, timelines: [] }, ANYBODY)!;
  return window.lateCancelsAfter;
}
