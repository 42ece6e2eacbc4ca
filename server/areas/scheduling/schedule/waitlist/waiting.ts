/**
 * Joining and leaving the waitlist, and expired places: reserved spots, and seats held during a payment. The caller has
 * locked the event's row.
 */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { atPlace, bookingFacts, placeFor, placeKinds, refusedAt } from '../bookings/facts.ts';
import { endHolds } from './ending-holds.ts';
import { passOnOrEnd } from '../events/empty-appointments.ts';
import { expiry, lockWaiting } from './freed-seats.ts';
import { hasSeat } from '../has-seat.ts';
import { insertRow } from '../../../../kernel/work/unit/row.ts';
import { attendanceOf, readCustomers, readEvent } from '../bookings/read-facts.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { lockCustomers } from '../../../people/customers/index.ts';
import { costsOther, otherPrice, settledPayment } from '../bookings/place-price.ts';
import { sourceOf } from '../bookings/write-bookings.ts';
import { mayTakeSeat, refuseWaiting, type Place } from '../rules/booking.ts';
import { waitlistFeed } from '../feed.ts';
import { noOnlinePlaces, SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { many, one, say } from '../../../../kernel/base/values/words.ts';

/**
 * Adds a customer to the waitlist for one kind of place, by default at the venue. Somebody who is booked can wait for
 * the other kind if they name it, and keep their place until they get one. Returns the id of the spot, or of the
 * existing one.
 */
export async function joinWaitlist(
  work: Work,
  eventId: number,
  customerId: number,
  promoteAfterCutoff: boolean,
  asked?: Place,
): Promise<number> {
  const read = (await readEvent(work, eventId))!;
  // Before reading the customer, so that a deletion in progress is waited for.
  await lockCustomers(work, [customerId], 'KEY SHARE');
  const who = (await readCustomers(work, eventId, [customerId])).get(customerId);
  if (!who) throw invalid('customer', `There is no customer with the id ${customerId}.`);
  const place = placeFor(who, asked);
  if (!placeKinds(read).includes(place)) throw noOnlinePlaces().about(read.event.kind);
  const around = atPlace(read, place);
  if (who.spot?.place === place) return who.spot.id;
  if (who.spot)
    throw new Problem('conflict', {
      staff: 'The customer is on the waitlist for the other kind of place. Leave that one first.',
      customer: say`Leave the other ${one.waitlist} of this ${one.event} first.`,
    }).about(around.event.kind);
  const switching = who.attendance?.status === 'registered' && asked !== undefined && asked !== who.attendance.place;
  if (hasSeat(who.attendance) && !switching) {
    throw new Problem(SCHEDULE_PROBLEMS.already_registered, {
      staff: 'The customer is already booked on this event.',
      customer: say`This ${one.event} is already booked.`,
    }).about(around.event.kind);
  }
  if (switching && costsOther(read, who, place)) throw otherPrice().about(around.event.kind);
  const payment = switching ? settledPayment(who.known) : undefined;
  const facts = bookingFacts(around, who, work.viewer.mode === 'provider', work.now, payment);
  const refused = refuseWaiting(facts);
  if (refused) throw refusedAt(refused, around, who, work.now);
  if (mayTakeSeat(facts))
    throw new Problem(SCHEDULE_PROBLEMS.waitlist_not_needed, {
      staff: `The event has free places. ${switching ? 'Switch the booking' : 'Book one for the customer'} instead.`,
      customer: say`There are free ${many.spot}. Book one instead of joining the ${one.waitlist}.`,
    });
  const { waiting, waitlistMax } = around.event;
  if (waitlistMax !== null && waiting >= waitlistMax)
    throw new Problem(SCHEDULE_PROBLEMS.waitlist_full, {
      staff: `The waitlist is full (${waitlistMax}). Raise waitlist_max_override.`,
      customer: say`The ${one.waitlist} is full. Choose another time.`,
    });
  // Lists the customer among those who may come. The attendance holds no seat; a booking takes the row over, so its id
  // stays.
  const attendance =
    who.attendance?.id ?? (await insertRow(work, 'attendance', newAttendance(work, eventId, customerId, place)));
  const row = await work.tx.one<{ id: number }>(
    sql`INSERT INTO waitlist_spot (provider_id, event_id, customer_id, added_at, promote_after_cutoff, place)
        VALUES (${work.providerId}, ${eventId}, ${customerId}, ${instant(work.now)}, ${promoteAfterCutoff},
          ${place})
        RETURNING id`,
  );
  const of = { waitlist_spot: row!.id, attendance, event: eventId, customer: customerId };
  work.record(waitlistFeed.joined, row!.id, of);
  work.touch('waitlist_spot', row!.id, null);
  work.effect('waitlist_joined', 'waitlist_spot', row!.id, {
    event: eventId,
    customer: customerId,
    position: waiting + 1,
    ...(place === 'online' && { place }),
  });
  return row!.id;
}

/** Returns a new attendance. Its application will be that of the booking after a promotion. */
export function newAttendance({ viewer }: Work, eventId: number, customerId: number, place: Place) {
  const source = sourceOf(viewer);
  return {
    event_id: eventId,
    customer_id: customerId,
    status: 'not_registered',
    place,
    booking_application_id: source?.id ?? null,
    booking_application_name: source?.name ?? null,
  };
}

export async function leaveWaitlist(work: Work, eventId: number, customerId: number): Promise<void> {
  const theSpot = sql`provider_id = ${work.providerId} AND event_id = ${eventId} AND customer_id = ${customerId}
    AND ended_at IS NULL`;
  const [[spot]] = await work.tx.all([
    sql`SELECT s.*, ${attendanceOf('s')} AS attendance FROM waitlist_spot s WHERE ${theSpot} FOR UPDATE OF s`,
    sql`UPDATE waitlist_spot SET ended_at = ${instant(work.now)}, end_reason = 'left' WHERE ${theSpot}`,
  ]);
  if (!spot)
    throw new Problem(SCHEDULE_PROBLEMS.not_on_waitlist, {
      staff: 'The customer is not on the waitlist of this event.',
      customer: say`There is no ${one.spot} on this ${one.waitlist} to give up.`,
    });
  const { attendance, ...before } = spot;
  const of = { waitlist_spot: spot.id, attendance, event: eventId, customer: customerId };
  work.record(waitlistFeed.left, spot.id, of);
  work.touch('waitlist_spot', spot.id, before);
  work.effect('waitlist_left', 'waitlist_spot', spot.id, of);
  // The reserved place becomes free, even if a payment for it is about to be made.
  if (spot.status !== 'spot_reserved') return;
  await endHolds(work, [eventId], sql`h.customer_id = ${customerId} AND h.spot_expires_at IS NOT NULL`);
  await passOnOrEnd(work, eventId);
}

/** Locks an event, before anything is booked or freed at it, and before its customers. Returns whether it exists. */
export async function lockEvent(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  eventId: number,
): Promise<boolean> {
  const row = await tx.one(
    sql`SELECT id FROM event WHERE provider_id = ${providerId} AND id = ${eventId} FOR NO KEY UPDATE`,
  );
  return row !== undefined;
}

/** Locks several events by id. Returns those that exist. */
export async function lockEvents(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT id FROM event WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[]) ORDER BY id
      FOR NO KEY UPDATE`,
  );
  return new Set(rows.map((r) => r.id));
}

/** Ends the expired places of an event, and gives them to the next customers. */
export async function expirePlaces(work: Work, eventId: number): Promise<void> {
  if (!(await lockEvent(work, eventId))) return;
  const holds = await endHolds(work, [eventId], sql`h.expires_at <= ${instant(work.now)}`);
  // A spot may expire with the held seat that it provided, if its own reservation was shorter.
  const spots = await endSpots(work, eventId);
  if (holds.length + spots > 0) await passOnOrEnd(work, eventId);
  await comeAgain(work, eventId);
}

/** Gives free seats of events to their waitlists; the events are locked, in order. */
export async function passOn(work: Work, events: readonly number[]): Promise<void> {
  if (events.length > 1) await lockWaiting(work, events);
  for (const event of events) {
    await endSpots(work, event);
    await passOnOrEnd(work, event);
  }
}

/** Ends expired spots, and returns their number. */
async function endSpots(work: Work, eventId: number): Promise<number> {
  const expired = await work.tx.rows<{ id: number; customer_id: number; attendance: number }>(
    sql`UPDATE waitlist_spot s SET status = 'expired', ended_at = ${instant(work.now)}, end_reason = 'expired'
        WHERE provider_id = ${work.providerId} AND event_id = ${eventId} AND ended_at IS NULL
          AND status = 'spot_reserved'
          AND reserved_spot_expires_at <= ${instant(work.now)}
        RETURNING id, customer_id, ${attendanceOf('s')} AS attendance`,
  );
  for (const { id, customer_id, attendance } of expired)
    work.record(waitlistFeed.expired, id, { waitlist_spot: id, attendance, event: eventId, customer: customer_id });
  return expired.length;
}

/**
 * Enqueues the next check. The clock of the job queue may be ahead of ours, so places that have not expired yet are
 * checked again.
 */
async function comeAgain(work: Work, eventId: number): Promise<void> {
  const next = await work.tx.one<{ at: number | null }>(
    sql`SELECT least(
          (SELECT min(reserved_spot_expires_at) FROM waitlist_spot
           WHERE provider_id = ${work.providerId} AND event_id = ${eventId} AND ended_at IS NULL
             AND status = 'spot_reserved'),
          (SELECT min(expires_at) FROM seat_hold WHERE provider_id = ${work.providerId} AND event_id = ${eventId}))
          AS at`,
  );
  if (next!.at !== null) work.enqueue(expiry(eventId, next!.at, work.now + 1000));
}
