/**
 * Gives free seats to customers on the waitlist, in the transaction that freed them: nothing can happen in between, and
 * the order is that of the waitlist. The caller holds the lock of the event's row.
 */
import {
  atPlace,
  toAsker,
  bookingFacts,
  changeCounts,
  customerColumns,
  customerFacts,
  placeKinds,
  type CustomerAround,
  type EventAround,
} from '../bookings/facts.ts';
import { ANY } from '../bookings/payers.ts';
import { fill, instant, join, sql, statement, type Sql } from '../../../../kernel/base/db/sql.ts';
import { hasSeat } from '../has-seat.ts';
import { payers } from '../bookings/payer-port.ts';
import { costsOther, settledPayment } from '../bookings/place-price.ts';
import { attendanceOf, readEvent } from '../bookings/read-facts.ts';
import { eventRegistrationFeed, eventWaitlistFeed, waitlistFeed } from '../feed.ts';
import { freedSeat, type QuietHours, type WaitlistStep } from '../rules/waitlist.ts';
import { payable, refuseWaiting, type Place } from '../rules/booking.ts';
import { ANYBODY, resolveWindow } from '../rules/window.ts';
import type { JobRequest, Work } from '../../../../kernel/work/unit/work.ts';

interface Spot {
  readonly id: number;
  readonly customer: number;
  readonly attendance: number;
  readonly promoteAfterCutoff: boolean;
  /** null if the customer was deleted */
  readonly who: CustomerAround | null;
}

interface Policy {
  readonly steps: readonly WaitlistStep[];
  readonly quiet: QuietHours | null;
}

/** The facts needed before the first seat is given. */
interface Queue {
  readonly policy: Policy;
  /** for each kind of place, the first customer on the waitlist who does not hold a seat; null if there is none */
  readonly first: Readonly<Record<Place, Spot | null>>;
}

/** The facts about an event when one of its seats becomes free: its current state, and its waitlist. */
export interface Freed {
  readonly around: EventAround;
  /** null if nobody is on the waitlist */
  readonly queue: Queue | null;
}

export const EXPIRE_TASK = 'expire_waitlist_spots';

/**
 * Returns the job that checks the reserved places of the event when this one expires, or at `notBefore` if that is
 * later.
 */
export const expiry = (event: number, at: number, notBefore = at): JobRequest => ({
  task: EXPIRE_TASK,
  payload: { event },
  runAt: Math.max(at, notBefore),
  key: `waitlist:${event}:${at}`,
});

/**
 * Gives the free seats. Returns the event as it was before, or null if nobody can take a seat there any more. `freed`:
 * the facts that the caller has already read.
 */
export async function giveFreedSeats(work: Work, eventId: number, freed?: Freed): Promise<EventAround | null> {
  const around = freed ? freed.around : await readEvent(work, eventId);
  if (!around || around.event.status !== 'active') return null;
  const waiting = placeKinds(around).filter((place) => atPlace(around, place).event.waiting > 0);
  if (waiting.length === 0) return around;
  const { policy, first } = freed?.queue ?? (await readQueue(work, eventId, waiting));
  // Somebody who is booked and gets a place of the other kind frees theirs, which the next person may be waiting for.
  const places = waiting.map((place) => ({ place, first: first[place] }));
  let current = around;
  for (let next = places.shift(); next; next = places.shift()) {
    const { place } = next;
    const given = await giveTo(work, eventId, current, { ...next, policy });
    current = given.around;
    const other = place === 'venue' ? 'online' : 'venue';
    if (given.switched > 0 && waiting.includes(other))
      places.splice(0, 1, { place: other, first: await readFirst(work, eventId, other) });
  }
  return around;
}

/**
 * Locks all customers on the waitlist of an event, then reads the first for each of these kinds of places: one round
 * trip, which other statements may share.
 */
export async function readQueue(work: Work, eventId: number, places: readonly Place[]): Promise<Queue> {
  const firstAt = (place: Place) => (places.includes(place) ? readFirst(work, eventId, place) : null);
  const [, policy, venue, online] = await Promise.all([
    lockWaiting(work, [eventId]),
    readPolicy(work),
    firstAt('venue'),
    firstAt('online'),
  ]);
  return { policy, first: { venue, online } };
}

interface Giving {
  readonly policy: Policy;
  readonly place: Place;
  /** the first customer on the waitlist for this kind of place; null if there is none */
  readonly first: Spot | null;
}

interface Given {
  /** the event afterwards; spots that were rejected still count as waiting */
  readonly around: EventAround;
  /** number of customers who had a place of the other kind, which is free now */
  readonly switched: number;
}

/**
 * Gives free seats of one kind to the waitlist, one by one. The writes for one customer share a round trip with the
 * read of the next, or with any later statement.
 */
async function giveTo(
  work: Work,
  eventId: number,
  both: EventAround,
  { policy, first, place }: Giving,
): Promise<Given> {
  const around = atPlace(both, place);
  const { event, windowFacts } = around;
  const seats = event.maxOccupancy === null ? Infinity : event.maxOccupancy - event.attending - event.held;
  const isFree = () => seats > given + offered;
  let [given, offered, switched] = [0, 0, 0];
  const result = (): Given => {
    const left = changeCounts(both, place, { attending: given, held: offered, waiting: -given - offered });
    return { switched, around: changeCounts(left, place === 'venue' ? 'online' : 'venue', { attending: -switched }) };
  };
  for (let spot = first; spot && isFree(); spot = isFree() ? await readFirst(work, eventId, place) : null) {
    const { who } = spot;
    const booked = who !== null && hasSeat(who.attendance);
    if (!who || !(booked ? maySwitch(work, both, who, place) : mayStillBook(work, around, who))) {
      reject(work, eventId, spot);
      continue;
    }
    const window =
      resolveWindow(windowFacts, toAsker(who)) ?? resolveWindow({ ...windowFacts, timelines: [] }, ANYBODY)!;
    const facts = {
      now: work.now,
      startsAt: event.startsAt,
      lateCancelsAfter: window.lateCancelsAfter,
      zone: work.tenant.zone,
    };
    const mustPay = !booked && payable(bookingFacts(around, who, true, work.now)) !== null;
    const decision = freedSeat({ ...facts, ...policy, promoteAfterCutoff: spot.promoteAfterCutoff, mustPay });
    if (decision.action === 'none') return result();
    if (decision.action === 'broadcast') {
      await broadcast(work, eventId, place);
      return result();
    }
    if (decision.action !== 'promote') {
      offer(work, eventId, spot, decision.expiresAt);
      offered++;
      continue;
    }
    given++;
    if (booked) {
      switchSeat(work, eventId, spot, place);
      switched++;
    } else promote(work, eventId, spot, who, around);
  }
  return result();
}

/** Reads the first customer on the waitlist who does not hold a seat, with the facts about them. */
async function readFirst(work: Work, eventId: number, place: Place): Promise<Spot | null> {
  const s = statement(theFirst(work.providerId, eventId, place));
  const [{ rows }] = await work.tx.send([{ statement: s, values: fill(s.holes, undefined) }]);
  if (rows.length === 0) return null;
  const [[id, customer, attendance, promoteAfterCutoff, ...known]] = rows;
  return {
    id: Number(id),
    customer: Number(customer),
    attendance: Number(attendance),
    promoteAfterCutoff: promoteAfterCutoff === 't',
    who: known[0] === null ? null : customerFacts(known),
  };
}

/**
 * Returns the SQL for the first customer, who is selected before facts about customers are read: otherwise, they would
 * be read for the whole waitlist.
 */
const theFirst = (provider: number, event: number, place: Place): Sql =>
  sql`SELECT first.id, first.customer_id, first.attendance, first.promote_after_cutoff,
    ${join(customerColumns('c', sql`${event}::bigint`), ', ')}
      FROM (SELECT q.id, q.customer_id, ${attendanceOf('q')} AS attendance, q.promote_after_cutoff FROM waitlist_spot q
            WHERE q.provider_id = ${provider} AND q.event_id = ${event} AND q.ended_at IS NULL
              AND q.status = 'on_waitlist' AND q.place = ${place}
              AND NOT EXISTS (SELECT FROM seat_hold h WHERE h.provider_id = q.provider_id AND h.event_id = q.event_id
                AND h.customer_id = q.customer_id)
            ORDER BY q.id LIMIT 1) first
        LEFT JOIN customer c ON c.provider_id = ${provider} AND c.id = first.customer_id AND c.deleted_at IS NULL`;

/**
 * Locks everybody on the waitlists of these events in one statement, in the documented order, because the next one
 * pays.
 */
export const lockWaiting = (work: Work, events: readonly number[]): Promise<void> =>
  payers.filled.lock(
    work,
    sql`ARRAY(SELECT w.customer_id FROM waitlist_spot w
      WHERE w.provider_id = ${work.providerId} AND w.event_id = ANY(${events}::bigint[]) AND w.ended_at IS NULL)`,
  );

async function readPolicy(work: Work): Promise<Policy> {
  const row = (await work.tx.one<{
    waitlist_policy: WaitlistStep[];
    quiet_hours_start: string | null;
    quiet_hours_end: string | null;
  }>(
    sql`SELECT waitlist_policy, quiet_hours_start, quiet_hours_end FROM provider
      WHERE provider_id = ${work.providerId}`,
  ))!;
  const { quiet_hours_start: start, quiet_hours_end: end } = row;
  return { steps: row.waitlist_policy, quiet: start !== null && end !== null ? { start, end } : null };
}

/**
 * Returns false if the customer has become ineligible in the meantime. A full event is no reason here, and neither is
 * the window in which they joined.
 */
const mayStillBook = (work: Work, around: EventAround, who: CustomerAround): boolean =>
  refuseWaiting(bookingFacts(around, who, true, work.now)) === null;

/** Returns false if a booked customer may no longer get a place of this kind instead of theirs. */
const maySwitch = (work: Work, both: EventAround, who: CustomerAround, place: Place): boolean =>
  who.attendance!.status === 'registered' &&
  !costsOther(both, who, place) &&
  refuseWaiting(bookingFacts(atPlace(both, place), who, true, work.now, settledPayment(who.known))) === null;

const ofSpot = (eventId: number, { id, attendance, customer }: Spot) => ({
  waitlist_spot: id,
  attendance,
  event: eventId,
  customer,
});

const endSpot = (work: Work, { id }: Spot, reason: string, status?: string): void =>
  work.tx.later(
    sql`UPDATE waitlist_spot SET ended_at = ${instant(work.now)}, end_reason = ${reason},
      status = coalesce(${status ?? null}, status)
        WHERE provider_id = ${work.providerId} AND id = ${id}`,
  );

function reject(work: Work, eventId: number, spot: Spot): void {
  endSpot(work, spot, 'rejected', 'rejected');
  work.record(waitlistFeed.rejected, spot.id, ofSpot(eventId, spot));
}

function promote(
  work: Work,
  eventId: number,
  spot: Spot,
  { attendance: was, known }: CustomerAround,
  { price, event: { place } }: EventAround,
): void {
  const { attendance, customer } = spot;
  endSpot(work, spot, 'promoted');
  bookSeat(work, spot, place);
  work.record(waitlistFeed.promoted, spot.id, ofSpot(eventId, spot));
  const of = { attendance, event: eventId, customer };
  work.record(eventRegistrationFeed.created, attendance, { ...of, from: 'waitlist' });
  work.audit({
    action: 'waitlist promotion',
    object: 'attendance',
    objectId: attendance,
    before: { event_id: eventId, customer_id: customer, status: was?.status ?? null },
    after: { event_id: eventId, customer_id: customer, status: 'registered' },
  });
  work.effect('waitlist_promoted', 'waitlist_spot', spot.id, { event: eventId, customer });
  const payment = payers.filled.choose({ known, price }, ANY);
  for (const debit of payers.filled.debit([{ work, ...of, payment, reason: 'registered' }])) work.tx.later(debit);
}

/** Switches the booking of the customer to the place. What pays for it stays. */
function switchSeat(work: Work, eventId: number, spot: Spot, place: Place): void {
  const { attendance, customer } = spot;
  endSpot(work, spot, 'promoted');
  work.tx.later(
    sql`UPDATE attendance SET place = ${place}, updated_at = ${instant(work.now)}
        WHERE provider_id = ${work.providerId} AND id = ${attendance}`,
  );
  const of = { attendance, event: eventId, customer };
  work.record(waitlistFeed.promoted, spot.id, ofSpot(eventId, spot));
  work.record(eventRegistrationFeed.switched, attendance, { ...of, place, from: 'waitlist' });
  work.audit({
    action: 'waitlist promotion',
    object: 'attendance',
    objectId: attendance,
    before: { event_id: eventId, customer_id: customer, place: place === 'venue' ? 'online' : 'venue' },
    after: { event_id: eventId, customer_id: customer, place },
  });
  work.effect('waitlist_promoted', 'waitlist_spot', spot.id, { event: eventId, customer });
}

/** Books the seat. Everyone with a spot has an attendance. */
function bookSeat(work: Work, { attendance }: Spot, place: Place): void {
  const now = instant(work.now);
  work.tx.later(
    sql`UPDATE attendance SET status = 'registered', registered_at = ${now}, cancelled_at = NULL, comped = false,
      place = ${place}, updated_at = ${now}
        WHERE provider_id = ${work.providerId} AND id = ${attendance}`,
  );
}

function offer(work: Work, eventId: number, spot: Spot, expiresAt: number): void {
  work.tx.later(
    sql`UPDATE waitlist_spot SET status = 'spot_reserved', spot_reserved_at = ${instant(work.now)},
      reserved_spot_expires_at = ${instant(expiresAt)}
        WHERE provider_id = ${work.providerId} AND id = ${spot.id}`,
  );
  work.record(waitlistFeed.offered, spot.id, {
    ...ofSpot(eventId, spot),
    expires_at: new Date(expiresAt).toISOString(),
  });
  work.enqueue(expiry(eventId, expiresAt));
  work.effect('waitlist_offered', 'waitlist_spot', spot.id, {
    event: eventId,
    customer: spot.customer,
    expires_at: new Date(expiresAt).toISOString(),
  });
}

async function broadcast(work: Work, eventId: number, place: Place): Promise<void> {
  const rows = await work.tx.rows<{ customer_id: number }>(
    sql`SELECT customer_id FROM waitlist_spot
      WHERE provider_id = ${work.providerId} AND event_id = ${eventId} AND ended_at IS NULL AND status = 'on_waitlist'
        AND place = ${place} ORDER BY id`,
  );
  work.record(eventWaitlistFeed.broadcast, eventId, { event: eventId, customers: rows.map((r) => r.customer_id) });
  work.effect('waitlist_broadcast', 'event', eventId, { customers: rows.length });
}
