/**
 * Seats held for customers while they pay. A hold follows the rules of a booking except for payment, and counts like a
 * reserved spot: nobody else can book the seat. It ends when the seat is booked, when it is released, or when it
 * expires; the seat then goes to the waitlist.
 */
import {
  atPlace,
  bookingFacts,
  changeCounts,
  placeFor,
  placeKinds,
  refusedAt,
  reservedUntil,
  type CustomerAround,
  type EventAround,
} from '../bookings/facts.ts';
import { hasSeat } from '../has-seat.ts';
import { involvedIn, refuseReach, refuseSight } from '../sight.ts';
import { insertRow } from '../../../../kernel/work/unit/row.ts';
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { lockCustomers } from '../../../people/customers/index.ts';
import { lockEvents, passOn } from './waiting.ts';
import { endHolds } from './ending-holds.ts';
import { expiry } from './freed-seats.ts';
import { notFound, Problem } from '../../../../kernel/base/problem.ts';
import { payers } from '../bookings/payer-port.ts';
import { readCustomers, readEvent } from '../bookings/read-facts.ts';
import { refuseBooking, type Place } from '../rules/booking.ts';
import { alreadyPaying, noOnlinePlaces, SCHEDULE_PROBLEMS } from '../problems.ts';
import { register } from '../bookings/register.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface HoldAsked {
  readonly event: number;
  readonly customer: number;
  /** kind of place; absent for that of the customer's spot, or else one at the venue */
  readonly place?: Place;
  /** in epoch milliseconds */
  readonly until: number;
  /** object that the seat is held for, of a later area */
  readonly by: { readonly object: string; readonly id: number };
  /** true if a payment for it is in progress: until that has ended, the hold does not pass to another object */
  readonly paying?: boolean;
  /** true if the event was created for this purchase, so that the customer cannot have seen it */
  readonly made?: boolean;
  /** true for one seat of a purchase that is booked as a whole: see `Seeking` */
  readonly part?: boolean;
}

/**
 * Holds a seat for each, or none: throws the first refusal. An existing hold of the same object is extended without
 * further checks; one that another object has for the customer passes to this one, unless it is being paid for.
 */
export async function holdSeats(work: Work, asked: readonly HoldAsked[]): Promise<void> {
  const events = idsOf(asked.map((a) => a.event));
  const involved = involvedIn(asked.map(({ customer }) => ({ work, customer })));
  // One round trip in this order: reads after the locks stay valid.
  const [, , facts] = await Promise.all([
    lockEvents(work, events),
    lockCustomers(work, involved, 'KEY SHARE'),
    Promise.all(
      events.map((event) => Promise.all([readEvent(work, event), readCustomers(work, event, involved)] as const)),
    ),
  ]);
  for (const [n, event] of events.entries()) {
    const [around, customers] = facts[n];
    if (!around) throw notFound();
    await holdAt(
      work,
      asked.filter((a) => a.event === event),
      { around, customers },
    );
  }
}

interface Facts {
  readonly around: EventAround;
  readonly customers: ReadonlyMap<number, CustomerAround>;
}

/** Holds seats of one event. */
async function holdAt(work: Work, asked: readonly HoldAsked[], { around: read, customers }: Facts): Promise<void> {
  const seeking = asked.map((a) => ({ ...a, work }));
  let around = read;
  if (new Set(asked.map((a) => a.customer)).size < asked.length)
    throw new Problem(SCHEDULE_PROBLEMS.already_registered, 'A person can have only one place at an event.');
  for (const one of seeking) {
    const who = customers.get(one.customer);
    const unseen = refuseSight(around, who, one, customers) ?? (await refuseReach(one, one.event));
    if (unseen) throw unseen;
    const mine = who!.hold?.object === one.by.object && who!.hold.for === one.by.id;
    const place = placeFor(who!, one.place);
    if (!placeKinds(around).includes(place)) throw noOnlinePlaces().about(around.event.kind);
    if (!mine || who!.hold!.place !== place) refuseHold(atPlace(around, place), who!, one);
    await write(work, { ...one, place }, who!);
    if (isReserved(who!, place, work.now)) continue;
    if (who!.hold?.keepsSeat) around = changeCounts(around, who!.hold.place, { held: -1 });
    around = changeCounts(around, place, { held: 1 });
  }
}

function refuseHold(
  around: EventAround,
  who: CustomerAround,
  { work, part = false }: HoldAsked & { work: Work },
): void {
  if (hasSeat(who.attendance)) throw alreadyRegistered();
  if (who.hold?.paying) throw alreadyPaying();
  const payment = payers.filled.choose({ known: who.known, price: around.price }, { named: null, comped: true });
  const byStaff = work.viewer.mode === 'provider';
  const refused = refuseBooking(bookingFacts(around, who, part || byStaff, work.now, payment, !byStaff));
  if (refused) throw refusedAt(refused, around, who, work.now);
}

export const alreadyRegistered = (): Problem =>
  new Problem(SCHEDULE_PROBLEMS.already_registered, {
    staff: 'The customer is already booked on this event.',
    customer: 'This is already booked.',
  });

const isReserved = (who: CustomerAround, place: Place, now: number): boolean =>
  (reservedUntil(who, place) ?? -Infinity) > now;

async function write(work: Work, asked: HoldAsked & { readonly place: Place }, who: CustomerAround): Promise<void> {
  const { event, customer, until, by, place, paying = false } = asked;
  const { tx, providerId, now } = work;
  const spotEnds = isReserved(who, place, now) ? instant(reservedUntil(who, place)!) : null;
  if (who.hold) {
    const theHold = sql`provider_id = ${providerId} AND id = ${who.hold.id}`;
    const [row] = await tx.rows<{ id: number }>(sql`SELECT * FROM seat_hold WHERE ${theHold} FOR UPDATE`);
    work.touch('seat_hold', row.id, row);
    await tx.run(
      sql`UPDATE seat_hold SET held_for = ${by.object}, held_for_id = ${by.id}, paying = ${paying},
            expires_at = greatest(expires_at, ${instant(until)}), updated_at = ${instant(now)}, place = ${place},
            spot_expires_at = CASE WHEN place = ${place} THEN spot_expires_at ELSE ${spotEnds}::timestamptz END
            WHERE ${theHold}`,
    );
  } else {
    await insertRow(work, 'seat_hold', {
      event_id: event,
      customer_id: customer,
      held_for: by.object,
      held_for_id: by.id,
      paying,
      place,
      expires_at: instant(until),
      spot_expires_at: spotEnds,
    });
  }
  if (who.hold || spotEnds !== null) work.tx.later(keepSpots(work, by.object, [by.id]));
  work.enqueue(expiry(event, until, now));
  work.effect('seat_held', 'event', event, { customer, until: new Date(until).toISOString() });
}

/** Extends reserved spots that provide the seats of holds until the holds expire. */
const keepSpots = ({ providerId }: Work, object: string, ids: readonly number[]): Sql => sql`
    UPDATE waitlist_spot s SET reserved_spot_expires_at = greatest(s.reserved_spot_expires_at, h.expires_at)
    FROM seat_hold h
    WHERE h.provider_id = ${providerId} AND h.held_for = ${object} AND h.held_for_id = ANY(${ids}::bigint[])
      AND h.spot_expires_at IS NOT NULL
      AND s.provider_id = h.provider_id AND s.event_id = h.event_id AND s.customer_id = h.customer_id
      AND s.ended_at IS NULL`;

interface HeldBy {
  readonly object: string;
  readonly ids: readonly number[];
  /** events at which an object must hold a seat, by its id; absent if one seat anywhere is enough */
  readonly seats?: ReadonlyMap<number, readonly number[]>;
}

const heldBy = ({ object, ids }: HeldBy) => sql`h.held_for = ${object} AND h.held_for_id = ANY(${[...ids]}::bigint[])`;

/** Locks the events of the holds by id, before their other rows and before the customers. */
async function lockHeld(work: Work, by: HeldBy): Promise<number[]> {
  const rows = await work.tx.rows<{ id: number }>(
    sql`SELECT e.id FROM event e WHERE e.provider_id = ${work.providerId} AND e.id IN (
          SELECT h.event_id FROM seat_hold h WHERE h.provider_id = ${work.providerId} AND ${heldBy(by)})
        ORDER BY e.id FOR NO KEY UPDATE OF e`,
  );
  return rows.map((row) => row.id);
}

/** Extends holds to at least this time. Returns the ids of the objects that lack a hold they need. */
export async function extendHolds(
  work: Work,
  by: HeldBy,
  { until, paying }: Pick<HoldAsked, 'until' | 'paying'>,
): Promise<number[]> {
  const [, rows] = await Promise.all([
    lockHeld(work, by),
    work.tx.rows<{ held_for_id: number; event_id: number }>(
      sql`UPDATE seat_hold h SET expires_at = greatest(h.expires_at, ${instant(until)}),
        paying = coalesce(${paying ?? null}, h.paying), updated_at = ${instant(work.now)}
          WHERE h.provider_id = ${work.providerId} AND ${heldBy(by)} RETURNING h.held_for_id, h.event_id`,
    ),
  ]);
  work.tx.later(keepSpots(work, by.object, by.ids));
  for (const event of new Set(rows.map((r) => r.event_id))) work.enqueue(expiry(event, until, work.now));
  const held = Map.groupBy(rows, (r) => r.held_for_id);
  return by.ids.filter((id) => {
    const mine = held.get(id);
    const needs = by.seats?.get(id) ?? [];
    return !mine || needs.some((event) => !mine.some((r) => r.event_id === event));
  });
}

/** Releases held seats, and passes them on to the waitlist. Seats that are no longer held are skipped. */
export async function releaseHolds(work: Work, by: HeldBy): Promise<void> {
  const events = await lockHeld(work, by);
  if (events.length === 0) return;
  await endHolds(work, events, heldBy(by));
  await passOn(work, events);
}

/** Locks everything, in order, that booking several seats in one transaction needs. */
export async function lockToBook(
  work: Work,
  seats: readonly { readonly event: number; readonly customer: number }[],
): Promise<void> {
  await Promise.all([
    lockEvents(work, idsOf(seats.map((s) => s.event))),
    payers.filled.lock(work, sql`${idsOf(seats.map((s) => s.customer))}::bigint[]`),
  ]);
}

interface HeldSeat {
  readonly event: number;
  readonly customer: number;
  /** absent for the kind of place that is held */
  readonly place?: Place;
  /** what pays, by the name and the id that its payer uses; null for the first that can pay, or if nothing has to */
  readonly payer: { readonly subject: string; readonly id: number } | null;
  readonly part?: boolean;
}

/**
 * Books a held seat, and returns the attendance. Booking may have closed while the customer paid. If the hold no longer
 * exists, all rules for customers apply. To book several seats in one transaction, call `lockToBook` first.
 */
export async function bookHeld(work: Work, { event, customer, place, payer: named, part }: HeldSeat): Promise<number> {
  const payer = named && payers.filled.all.find((p) => p.subject === named.subject);
  if (named && !payer) throw new Error(`no payer has the subject "${named.subject}"`);
  const pays = payer ? { payer, id: named!.id } : null;
  const item = { work, customer, place, comped: false, named: pays, held: true, part };
  const [booked] = await register(work.tx, [item], { event, commit: false });
  if (booked instanceof Error) throw booked;
  if (!booked.made) throw alreadyRegistered();
  return booked.attendance;
}

const idsOf = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b);
