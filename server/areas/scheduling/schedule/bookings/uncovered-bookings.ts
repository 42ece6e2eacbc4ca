/**
 * Bookings that nothing pays for any more, because their payer is on hold, ends or is replaced. As set by the business,
 * they are cancelled or kept. Code that changes a payer locks the bookings first, makes the change, and then settles
 * them.
 */
import { RetryTransaction } from '../../../../kernel/base/db/retry-transaction.ts';
import { passOnOrEnd } from '../events/empty-appointments.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import type { CoverageLoss, UncoveringPayer } from './payer.ts';
import { payers } from './payer-port.ts';
import { readCustomers } from './read-facts.ts';
import { eventRegistrationFeed } from '../feed.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** The locked bookings, to be passed to `settleUncovered` after the change. */
export interface UncoveredBookings {
  readonly payer: UncoveringPayer;
  readonly which: readonly CoverageLoss[];
  readonly events: ReadonlySet<number>;
}

interface Booking {
  readonly attendance: number;
  readonly event: number;
  readonly customer: number;
  /** id of what pays for it */
  readonly subject: number;
  readonly day: string;
}

/** Returns each booking once, in the order of the events: uses are debited for the earliest first. */
async function bookingsOf(
  { tx, providerId, now }: Work,
  { uncovering }: UncoveringPayer,
  which: readonly CoverageLoss[],
): Promise<Booking[]> {
  const rows = await tx.rows<Booking>(sql`
    SELECT a.id AS attendance, a.event_id AS event, a.customer_id AS customer, p.subject, p.day
    FROM (${uncovering.bookings(providerId, which)}) p
      JOIN attendance a ON a.provider_id = ${providerId} AND a.id = p.attendance AND a.status = 'registered'
      JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id AND e.starts_at > ${instant(now)}::timestamptz
    ORDER BY e.starts_at, a.id`);
  return [...new Map(rows.map((row) => [row.attendance, row])).values()];
}

/**
 * Locks everything that uncovering bookings needs, in the documented order: their events by id, all users of the payers
 * and customers on the waitlists of those events, then all that these may use, including the payers that anybody may
 * use. Nobody books with a payer until the transaction ends. The caller locks the payers next, including those that
 * nobody may use any more.
 */
export async function lockUncovered(
  work: Work,
  payer: UncoveringPayer,
  which: readonly CoverageLoss[],
): Promise<UncoveredBookings> {
  const { tx, providerId } = work;
  const events = [...new Set((await bookingsOf(work, payer, which)).map((b) => b.event))].toSorted((a, b) => a - b);
  await tx.run(
    sql`SELECT id FROM event WHERE provider_id = ${providerId} AND id = ANY(${events}::bigint[]) ORDER BY id
      FOR NO KEY UPDATE`,
  );
  const subjects = which.map((w) => w.subject);
  await payers.filled.lock(
    work,
    sql`ARRAY(${payer.uncovering.users(providerId, subjects)}
      UNION SELECT s.customer_id FROM waitlist_spot s
      WHERE s.provider_id = ${providerId} AND s.event_id = ANY(${events}::bigint[]) AND s.ended_at IS NULL)`,
  );
  return { payer, which, events: new Set(events) };
}

export interface Settling {
  /** id of another subject of the same payer, which pays if it can; the rest is handled as set by the business */
  readonly payWith?: number;
}

/**
 * Settles the uncovered bookings after the change is written: released places are passed on, and subjects that are now
 * on hold pay for nobody. A booking made in between causes a retry.
 */
export async function settleUncovered(
  work: Work,
  { payer, which, events }: UncoveredBookings,
  { payWith }: Settling = {},
): Promise<void> {
  const bookings = await bookingsOf(work, payer, which);
  if (bookings.some((b) => !events.has(b.event))) throw new RetryTransaction('a booking came in between');
  if (bookings.length === 0) return;
  const left: Booking[] = [];
  for (const booking of bookings)
    if (payWith === undefined || !(await paysInstead(work, payer, booking, payWith))) left.push(booking);
  const { policy } = (await work.tx.one<{ policy: 'cancel' | 'keep' }>(
    sql`SELECT bookings_without_membership AS policy FROM provider WHERE provider_id = ${work.providerId}`,
  ))!;
  if (policy === 'keep')
    for (const b of left) work.effect('booking_kept', 'attendance', b.attendance, details(payer, b));
  else await cancelAll(work, payer, left);
}

const details = (payer: UncoveringPayer, { attendance, event, customer, subject, day }: Booking) => ({
  attendance,
  event,
  customer,
  [payer.subject]: subject,
  date: day,
});

/** Credits the old subject and debits the other one; returns false if it cannot pay. */
async function paysInstead(work: Work, payer: UncoveringPayer, booking: Booking, id: number): Promise<boolean> {
  const { attendance, event, customer } = booking;
  const who = (await readCustomers(work, event, [customer])).get(customer);
  if (!who) return false;
  const payment = payers.filled.choose(
    { known: who.known, price: null },
    { named: { payer, id }, comped: false, anew: true },
  );
  if (payment.payer === null) return false;
  await payer.credit(work, sql`a.id = ${attendance}`, 'replaced');
  await payers.filled.debitNow(work, { attendance, event, customer, payment, reason: 'registered' });
  work.effect('booking_kept', 'attendance', attendance, details(payer, { ...booking, subject: id }));
  return true;
}

/** Cancels the bookings as in time, regardless of the window, because it was not the customer's decision. */
async function cancelAll(work: Work, payer: UncoveringPayer, bookings: readonly Booking[]): Promise<void> {
  if (bookings.length === 0) return;
  const ids = bookings.map((b) => b.attendance);
  const now = instant(work.now);
  const theBookings = sql`provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`;
  const [rows] = await work.tx.all([
    sql`SELECT * FROM attendance WHERE ${theBookings} ORDER BY id FOR UPDATE`,
    sql`UPDATE attendance SET status = 'not_registered', cancelled_at = ${now}, updated_at = ${now}
      WHERE ${theBookings}`,
  ]);
  for (const row of rows) work.touch('attendance', row.id, row);
  for (const b of bookings) {
    work.record(eventRegistrationFeed.cancelled, b.attendance, {
      attendance: b.attendance,
      event: b.event,
      customer: b.customer,
      reason: 'staff',
    });
    work.effect('booking_cancelled', 'attendance', b.attendance, details(payer, b));
  }
  await payers.filled.credit(work, sql`a.id = ANY(${ids}::bigint[])`, 'cancelled_in_time');
  for (const event of new Set(bookings.map((b) => b.event))) await passOnOrEnd(work, event);
}
