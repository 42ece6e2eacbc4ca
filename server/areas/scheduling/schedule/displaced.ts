/**
 * Bookings whose membership stops to carry them: it rests, ends or is replaced. As the business has set it they are
 * cancelled, or stay as they are. Whoever changes a membership so locks them first, changes it, and settles them then.
 */
import { Again } from '../../../kernel/db/again.ts';
import {
  begin,
  beginning,
  choose,
  credit,
  debit,
  lockPayers,
} from '../../memberships/customer-memberships/use/index.ts';
import { giveFreedSeats } from './freed-seats.ts';
import { instant, sql } from '../../../kernel/db/sql.ts';
import { readCustomers } from './read-facts.ts';
import { registrationCancelled } from './feed.ts';
import type { Work } from '../../../kernel/work.ts';

/**
 * Events of these days, by the clock of their venue, that a membership does not pay for any more; both days are within.
 */
export interface Displacing {
  readonly customerMembership: number;
  readonly from: string;
  /** null: for good */
  readonly to: string | null;
  /** bookings of this customer alone */
  readonly customer?: number;
}

/** What is locked: to be handed to `settleDisplaced` once the memberships are changed. */
export interface Displaced {
  readonly which: readonly Displacing[];
  readonly events: ReadonlySet<number>;
}

interface Booking {
  readonly attendance: number;
  readonly event: number;
  readonly customer: number;
  readonly membership: number;
  readonly day: string;
}

/**
 * Each once, in the order in which the events take place: who takes uses for them takes those of the earliest first.
 */
async function bookingsOf({ tx, providerId, now }: Work, which: readonly Displacing[]): Promise<Booking[]> {
  const rows = await tx.rows<{
    attendance: number;
    event: number;
    customer: number;
    membership: number;
    day: string;
  }>(sql`
    SELECT a.id AS attendance, a.event_id AS event, a.customer_id AS customer, n.customer_membership_id AS membership, n.event_starts_on AS day
    FROM unnest(${which.map((w) => w.customerMembership)}::bigint[], ${which.map((w) => w.from)}::date[], ${which.map((w) => w.to)}::date[],
                ${which.map((w) => w.customer ?? null)}::bigint[]) AS w (id, first, last, customer)
      JOIN entitlement_entry n ON n.provider_id = ${providerId} AND n.customer_membership_id = w.id AND n.open
        AND n.event_starts_on >= w.first AND (w.last IS NULL OR n.event_starts_on <= w.last) AND (w.customer IS NULL OR n.customer_id = w.customer)
      JOIN attendance a ON a.provider_id = n.provider_id AND a.id = n.attendance_id AND a.status = 'registered'
      JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id AND e.starts_at > ${instant(now)}::timestamptz
    ORDER BY e.starts_at, a.id`);
  return [...new Map(rows.map((row) => [row.attendance, row])).values()];
}

/**
 * The law of locks for a change that displaces bookings: their events by id, everybody who uses the memberships or
 * waits at those events, then all that these may use and the memberships themselves. Nobody books with them until the
 * transaction ends.
 */
export async function lockDisplaced(work: Work, which: readonly Displacing[]): Promise<Displaced> {
  const { tx, providerId } = work;
  const events = [...new Set((await bookingsOf(work, which)).map((b) => b.event))].toSorted((a, b) => a - b);
  await tx.run(
    sql`SELECT id FROM event WHERE provider_id = ${providerId} AND id = ANY(${events}::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
  );
  const memberships = which.map((w) => w.customerMembership);
  const involved = sql`ARRAY(
    SELECT u.customer_id FROM customer_membership_user u WHERE u.provider_id = ${providerId} AND u.customer_membership_id = ANY(${memberships}::bigint[])
    UNION SELECT s.customer_id FROM waitlist_spot s WHERE s.provider_id = ${providerId} AND s.event_id = ANY(${events}::bigint[]) AND s.ended_at IS NULL)`;
  const [customers, payers] = lockPayers(providerId, involved);
  await tx.run(customers);
  await tx.run(payers);
  // Those that are over are used by nobody, and come after the others.
  await tx.run(
    sql`SELECT id FROM customer_membership WHERE provider_id = ${providerId} AND id = ANY(${memberships}::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
  );
  return { which, events: new Set(events) };
}

export interface Settling {
  /**
   * id of another membership that pays where it can; those that it cannot pay for are handled as the business has set
   * it
   */
  readonly payWith?: number;
}

/**
 * Settles the bookings that are displaced, after the change is written: freed places are given on, and a membership
 * that rests by then pays for nobody. A booking that came in between begins everything again.
 */
export async function settleDisplaced(
  work: Work,
  { which, events }: Displaced,
  { payWith }: Settling = {},
): Promise<void> {
  const bookings = await bookingsOf(work, which);
  if (bookings.some((b) => !events.has(b.event))) throw new Again('a booking came in between');
  if (bookings.length === 0) return;
  const left: Booking[] = [];
  for (const booking of bookings)
    if (payWith === undefined || !(await paysInstead(work, booking, payWith))) left.push(booking);
  const { policy } = (await work.tx.one<{ policy: 'cancel' | 'keep' }>(
    sql`SELECT bookings_without_membership AS policy FROM provider WHERE provider_id = ${work.providerId}`,
  ))!;
  if (policy === 'keep') for (const b of left) work.effect('booking_kept', 'attendance', b.attendance, told(b));
  else await cancelAll(work, left);
}

const told = ({ attendance, event, customer, membership, day }: Booking) => ({
  attendance,
  event,
  customer,
  customer_membership: membership,
  date: day,
});

/** Takes a use of the other membership in place of the one that is given back; false: it cannot pay. */
async function paysInstead(work: Work, booking: Booking, membership: number): Promise<boolean> {
  const { attendance, event, customer } = booking;
  const who = (await readCustomers(work, event, [customer])).get(customer);
  if (!who) return false;
  // It is paid already, and is to be paid anew.
  const { chosen, left } = choose({ ...who.entitlements, paid: false }, { wanted: membership, comped: false });
  if (chosen === null) return false;
  const begins = beginning(who.entitlements, chosen);
  await credit(work, sql`a.id = ${attendance}`, 'replaced');
  if (begins) await begin(work, chosen, customer, begins);
  await debit(work, { attendance, event, customer, membership: chosen, left, reason: 'registered' });
  work.effect('booking_kept', 'attendance', attendance, told({ ...booking, membership: chosen }));
  return true;
}

/** In time, whatever the window says: it was not the customer's to come or not. */
async function cancelAll(work: Work, bookings: readonly Booking[]): Promise<void> {
  if (bookings.length === 0) return;
  const ids = bookings.map((b) => b.attendance);
  const now = instant(work.now);
  const theBookings = sql`provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`;
  const [rows] = await work.tx.all([
    sql`SELECT * FROM attendance WHERE ${theBookings} ORDER BY id FOR UPDATE`,
    sql`UPDATE attendance SET status = 'not_registered', cancelled_at = ${now}, updated_at = ${now} WHERE ${theBookings}`,
  ]);
  for (const row of rows) work.touch('attendance', row.id, row);
  for (const b of bookings) {
    work.record(registrationCancelled, b.attendance, {
      attendance: b.attendance,
      event: b.event,
      customer: b.customer,
      reason: 'staff',
    });
    work.effect('booking_cancelled', 'attendance', b.attendance, told(b));
  }
  await credit(work, sql`a.id = ANY(${ids}::bigint[])`, 'cancelled_in_time');
  for (const event of new Set(bookings.map((b) => b.event))) await giveFreedSeats(work, event);
}
