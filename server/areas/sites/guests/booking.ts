/**
 * Free bookings of people without an account. The address might not be theirs, and a payment would prove nothing: so
 * the places are reserved, as for a checkout, until the guest confirms by email. Places that aren't confirmed in time
 * become available to others.
 */
import { checkJoins, enroll, readSeats } from '../../availability/courses/index.ts';
import { keepOpen } from '../../commerce/checkouts/index.ts';
import { bookHeld, holdSeats, lockEvents, releaseHolds, type Place } from '../../scheduling/schedule/index.ts';
import { deleteCustomers, lockCustomers } from '../../people/customers/index.ts';
import { emailKey, hashOf, isWellFormed } from '../../people/identity/index.ts';
import { guestFeed } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { whatKeeps } from '../../communication/crm/index.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The subject of the booking: an event, all dates of a run of a course, or a checkout that costs nothing. Ids. */
export type Booked =
  | { readonly event: number; readonly place?: Place; readonly series?: undefined; readonly checkout?: undefined }
  | { readonly series: number; readonly event?: undefined; readonly checkout?: undefined }
  | { readonly checkout: number; readonly event?: undefined; readonly series?: undefined };

const MINUTE = 60_000;
/** Long enough for an email that arrives late, short enough for others who want the places. */
const HELD_MS = 30 * MINUTE;
/** A guest who reads the email later than that is still booked if there is room. */
const WORKS_MS = 24 * 60 * MINUTE;

export const SECRET_PREFIX = 'rcg_';
const HELD_FOR = 'guest_booking';
const LOOK_TASK = 'look_at_guest_booking';
export const MAIL_TASK = 'send_guest_booking_mail';

export interface GuestBooking {
  readonly id: number;
  readonly customer_id: number;
  readonly event_id: number | null;
  readonly place: Place | null;
  readonly course_date_series_id: number | null;
  readonly checkout_id: number | null;
  readonly name: string;
  /** epoch milliseconds */
  readonly starts_at: number;
  readonly timezone: string;
  readonly page: string;
  /** epoch milliseconds */
  readonly held_until: number;
  readonly expires_at: number;
  readonly confirmed_at: number | null;
  readonly settled_at: number | null;
  readonly released_at: number | null;
  /** true if the address had to be confirmed and the email was sent */
  readonly mailed: boolean;
}

const COLUMNS = sql`id, customer_id, event_id, place, course_date_series_id, checkout_id, name, starts_at, timezone,
  page,
  held_until,
  expires_at, confirmed_at, settled_at, released_at, secret_hash IS NOT NULL AS mailed`;

export const bookedBy = ({
  event_id: event,
  place,
  course_date_series_id: series,
  checkout_id: checkout,
}: GuestBooking): Booked =>
  checkout !== null ? { checkout } : event === null ? { series: series! } : { event, place: place ?? undefined };

const about = ({ customer_id: customer, event_id: event, course_date_series_id: series }: GuestBooking) => ({
  customer,
  event,
  course_date_series: series,
});

export const hashOfBrowser = (browser: string): string => hashOf(`guest_booking:${browser}`);

async function eventsOf(work: Work, { event, series, checkout }: Booked): Promise<readonly number[]> {
  if (event !== undefined) return [event];
  if (series !== undefined) return (await readSeats(work, [series])).get(series) ?? [];
  const items = await work.tx.rows<{ event: number | null; series: number | null }>(
    sql`SELECT event_id AS event, course_date_series_id AS series FROM checkout_item
      WHERE provider_id = ${work.providerId} AND checkout_id = ${checkout}`,
  );
  const seats = await readSeats(
    work,
    items.flatMap((item) => item.series ?? []),
  );
  return items.flatMap((item) => (item.series === null ? (item.event ?? []) : (seats.get(item.series) ?? [])));
}

/**
 * Returns true if the booking is made immediately: the address was confirmed at this business, and has no place there
 * yet. A further place must be confirmed, because anybody who knows the address could request it. `user`: id of the
 * account whose confirmed address it is.
 */
export async function isConfirmed(
  work: Work,
  { email, user }: { readonly email: string; readonly user: number | null },
  booked: Booked,
): Promise<boolean> {
  const { providerId } = work;
  const events = await eventsOf(work, booked);
  const row = await work.tx.one<{ confirmed: boolean; present: boolean }>(sql`
    SELECT EXISTS (SELECT FROM guest_booking WHERE provider_id = ${providerId} AND email_key = ${emailKey(email)}
      AND confirmed_at IS NOT NULL)
        OR EXISTS (SELECT FROM customer WHERE provider_id = ${providerId} AND user_id = ${user}
          AND deleted_at IS NULL) AS confirmed,
      EXISTS (SELECT FROM customer c WHERE c.provider_id = ${providerId} AND lower(c.email) = lower(${email})
        AND c.deleted_at IS NULL
              AND (EXISTS (SELECT FROM attendance a WHERE a.provider_id = c.provider_id AND a.customer_id = c.id
                             AND a.event_id = ANY(${events}::bigint[])
                               AND a.status IN ('registered', 'attended', 'no_show'))
                OR EXISTS (SELECT FROM seat_hold h WHERE h.provider_id = c.provider_id AND h.customer_id = c.id
                             AND h.event_id = ANY(${events}::bigint[])))) AS present`);
  return row!.confirmed && !row!.present;
}

export interface NewGuestBooking {
  readonly customer: number;
  readonly email: string;
  readonly booked: Booked;
  readonly name: string;
  /** path of the page that the guest booked from */
  readonly page: string;
  /** see `Visit.browser` */
  readonly browser: string;
  /** true if it is already booked, because the address was confirmed before */
  readonly confirmed: boolean;
}

/**
 * Stores a guest's booking and reserves its places until the guest confirms it. Returns its id. @throws Problem if
 * there is no place
 */
export async function keepGuestBooking(work: Work, of: NewGuestBooking): Promise<number> {
  const { tx, providerId, now } = work;
  const events = await eventsOf(work, of.booked);
  const first = await tx.one<{ starts_at: number; timezone: string }>(
    sql`SELECT starts_at, timezone FROM event WHERE provider_id = ${providerId} AND id = ANY(${events}::bigint[])
      ORDER BY starts_at, id LIMIT 1`,
  );
  const startsAt = first?.starts_at ?? now;
  const until = Math.min(now + HELD_MS, Math.max(startsAt, now));
  const settled = of.confirmed ? instant(now) : null;
  const row = await tx.one<GuestBooking>(sql`
    INSERT INTO guest_booking (provider_id, customer_id, event_id, place, course_date_series_id, checkout_id, name,
      starts_at, timezone, page, email_key,
      browser_hash, held_until, expires_at, confirmed_at, settled_at, created_at, updated_at)
    VALUES (${providerId}, ${of.customer}, ${of.booked.event ?? null},
      ${of.booked.event === undefined ? null : (of.booked.place ?? null)}, ${of.booked.series ?? null},
      ${of.booked.checkout ?? null}, ${of.name.slice(0, 500)}, ${instant(startsAt)},
      ${first?.timezone ?? work.tenant.zone}, ${of.page}, ${emailKey(of.email)}, ${hashOfBrowser(of.browser)},
        ${instant(until)},
      ${instant(now + WORKS_MS)}, ${settled}, ${settled}, ${instant(now)}, ${instant(now)}) RETURNING ${COLUMNS}`);
  const booking = row!;
  if (of.confirmed) return booking.id;
  await hold(work, booking, until);
  work.enqueue({ task: MAIL_TASK, payload: { guest_booking: booking.id }, urgency: 'first' });
  lookAgain(work, booking, until);
  work.record(guestFeed.guest_booking_held, of.customer, {
    ...about(booking),
    held_until: new Date(until).toISOString(),
  });
  return booking.id;
}

/** When an open booking is due: first to release its places, then to be deleted. The index has the same expression. */
const NEXT_LOOK = sql`(CASE WHEN released_at IS NULL THEN held_until ELSE expires_at END)`;

const heldBy = ({ id }: GuestBooking) => ({ object: HELD_FOR, id });

async function hold(work: Work, booking: GuestBooking, until: number): Promise<void> {
  const booked = bookedBy(booking);
  // A checkout reserves its places itself.
  if (booked.checkout !== undefined) return void (await keepOpen(work, booked.checkout, until));
  const events = await eventsOf(work, booked);
  const customer = booking.customer_id;
  if (booked.series !== undefined) {
    await lockEvents(work, events);
    // The refusal names all sessions that have no place.
    await checkJoins(work, { series: booked.series, customer, held: heldBy(booking) });
  }
  const by = heldBy(booking);
  await holdSeats(
    work,
    events.map((event) => ({
      event,
      customer,
      place: booking.place ?? undefined,
      until,
      by,
      part: booked.series !== undefined,
    })),
  );
}

/** Returns the booking for the link in its email; null if there is none, or it no longer exists. */
export const bookingOfLink = async (
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  secret: string,
): Promise<GuestBooking | null> =>
  isWellFormed(SECRET_PREFIX, secret)
    ? ((await tx.one<GuestBooking>(
        sql`SELECT ${COLUMNS} FROM guest_booking WHERE provider_id = ${providerId}
          AND secret_hash = ${hashOf(secret)}::bytea`,
      )) ?? null)
    : null;

/** Returns the booking if it was made in this browser; null if there is none. */
export const bookingOfBrowser = async (
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  id: number,
  browser: string,
): Promise<GuestBooking | null> =>
  (await tx.one<GuestBooking>(
    sql`SELECT ${COLUMNS} FROM guest_booking WHERE provider_id = ${providerId} AND id = ${id}
      AND browser_hash = ${hashOfBrowser(browser)}::bytea`,
  )) ?? null;

/**
 * Locks the booking, so that until the transaction ends nobody else confirms it and it does not expire. Null: it no
 * longer exists.
 */
export const lockBooking = async (
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  id: number,
): Promise<GuestBooking | null> =>
  (await tx.one<GuestBooking>(
    sql`SELECT ${COLUMNS} FROM guest_booking WHERE provider_id = ${providerId} AND id = ${id} FOR UPDATE`,
  )) ?? null;

/** Records that the guest has confirmed the address, so the next free booking with it needs no confirmation. */
export const noteConfirmed = ({ tx, providerId, now }: Work, { id }: GuestBooking): Promise<number> =>
  tx.run(
    sql`UPDATE guest_booking SET confirmed_at = coalesce(confirmed_at, ${instant(now)}), updated_at = ${instant(now)}
      WHERE provider_id = ${providerId} AND id = ${id}`,
  );

/**
 * Books the reserved places; after they were released, only if there is room. A checkout is completed instead. @throws
 * Problem if the booking is refused
 */
export async function book(work: Work, booking: GuestBooking): Promise<void> {
  const { customer_id: customer } = booking;
  const booked = bookedBy(booking);
  if (booked.checkout !== undefined) throw new Error('a checkout is completed, not booked');
  if (booked.series === undefined)
    await bookHeld(work, { event: booked.event, customer, place: booked.place, payer: null });
  else await enroll(work, { series: booked.series, customer, paidBy: 'nothing', price: 0, held: heldBy(booking) });
  await settle(work, booking);
}

/** Marks the booking as settled: the guest is booked or on the waitlist, and there is nothing left to do. */
export async function settle(work: Work, booking: GuestBooking): Promise<void> {
  const { tx, providerId, now } = work;
  await tx.run(
    sql`UPDATE guest_booking SET settled_at = ${instant(now)}, updated_at = ${instant(now)}
      WHERE provider_id = ${providerId} AND id = ${booking.id}`,
  );
  work.record(guestFeed.guest_booking_confirmed, booking.customer_id, about(booking));
}

const lookAgain = (work: Work, { id }: GuestBooking, at: number): void =>
  work.enqueue({ task: LOOK_TASK, payload: { guest_booking: id }, key: `guest_booking:${id}`, runAt: at });

/** Releases places that were not confirmed in time, and deletes bookings that were never confirmed. */
export const lookJob: Job = {
  task: LOOK_TASK,
  async run(work, { guest_booking: id }: { guest_booking: number }) {
    const booking = await lockBooking(work, id);
    if (booking === null || booking.settled_at !== null) return;
    const { held_until: until, expires_at: over, released_at: released } = booking;
    if (until > work.now) return lookAgain(work, booking, until);
    if (released === null) await free(work, booking);
    if (over > work.now) return lookAgain(work, booking, over);
    await forget(work, booking);
  },
};

async function free(work: Work, booking: GuestBooking): Promise<void> {
  await releaseHolds(work, { object: HELD_FOR, ids: [booking.id] });
  await work.tx.run(
    sql`UPDATE guest_booking SET released_at = ${instant(work.now)}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND id = ${booking.id}`,
  );
  work.record(guestFeed.guest_booking_expired, booking.customer_id, about(booking));
}

/** Deletes the booking, and the customer who was created for it unless staff have done something for them since. */
async function forget(work: Work, { id, customer_id: customer }: GuestBooking): Promise<void> {
  const { tx, providerId } = work;
  const [row] = await lockCustomers(work, [customer], 'UPDATE');
  await tx.run(sql`DELETE FROM guest_booking WHERE provider_id = ${providerId} AND id = ${id}`);
  const keeps = await whatKeeps(work, [customer]);
  if (row?.is_guest && row.user_id === null && row.deleted_at === null && !keeps.has(customer))
    await deleteCustomers(work, [row]);
}

/**
 * Enqueues jobs that were lost with their queue, as after a restore, so that expired bookings are recorded in time. The
 * schedule frees the places by itself.
 */
export async function sweepGuestBookings(tx: Transaction, now: number): Promise<void> {
  await tx.run(sql`
    SELECT enqueue_job(${LOOK_TASK}, json_build_object('provider_id', provider_id, 'guest_booking', id),
      provider_id || ':guest_booking:' || id, ${instant(now)}::timestamptz)
    FROM (SELECT provider_id, id FROM guest_booking
          WHERE settled_at IS NULL AND ${NEXT_LOOK} < ${instant(now - 10 * MINUTE)}::timestamptz
          ORDER BY ${NEXT_LOOK} LIMIT 1000) AS late`);
}
