/**
 * Merges the bookings, spots, held seats and check-ins of two records of one person. No seat is lost and none is taken
 * twice: if both had one at an event, one is released and given to the waitlist.
 */
import { RetryTransaction } from '../../../../kernel/base/db/retry-transaction.ts';
import { attendanceFeed, checkinFeed, waitlistFeed } from '../feed.ts';
import { endHolds, type Gone } from '../waitlist/ending-holds.ts';
import { insertRow } from '../../../../kernel/work/unit/row.ts';
import { betterHold, betterSpot, holdsSeat, strongerBooking, type AttendanceStatus } from '../rules/merging.ts';
import { giveFreedSeats } from '../waitlist/freed-seats.ts';
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Place } from '../rules/booking.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { payers } from './payer-port.ts';

interface Two {
  readonly kept: number;
  readonly merged: number;
}

/** Returns the events at which both have something, so that they conflict. */
const both = ({ kept, merged }: Two): Sql => sql`
  SELECT event_id FROM (
    SELECT event_id, customer_id FROM attendance
    WHERE provider_id = current_provider_id() AND customer_id IN (${kept}, ${merged})
    UNION SELECT event_id, customer_id FROM waitlist_spot
    WHERE provider_id = current_provider_id() AND customer_id IN (${kept}, ${merged}) AND ended_at IS NULL
    UNION SELECT event_id, customer_id FROM seat_hold
    WHERE provider_id = current_provider_id() AND customer_id IN (${kept}, ${merged})
  ) x GROUP BY event_id HAVING count(*) > 1`;

/** Returns the events at which a concurrent request may change something for one of the two. */
const ahead = ({ kept, merged }: Two, now: number): Sql => sql`
  SELECT w.event_id FROM waitlist_spot w WHERE w.provider_id = current_provider_id()
    AND w.customer_id IN (${kept}, ${merged}) AND w.ended_at IS NULL
  UNION SELECT h.event_id FROM seat_hold h
  WHERE h.provider_id = current_provider_id() AND h.customer_id IN (${kept}, ${merged})
  UNION SELECT a.event_id FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
    WHERE a.provider_id = current_provider_id() AND a.customer_id IN (${kept}, ${merged}) AND a.status = 'registered'
      AND e.ends_at > ${instant(now)}`;

/**
 * Locks the events of both. Call it before the customers are locked, in the documented lock order. Returns the locked
 * events.
 */
export async function lockBookings(work: Work, two: Two): Promise<ReadonlySet<number>> {
  const rows = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM event WHERE provider_id = ${work.providerId}
      AND id IN (${both(two)} UNION ${ahead(two, work.now)}) ORDER BY id FOR NO KEY UPDATE`,
  );
  return new Set(rows.map((r) => r.id));
}

/** Merges the bookings; the customers are locked. A booking made in between causes a retry. */
export async function mergeBookings(work: Work, two: Two, locked: ReadonlySet<number>): Promise<void> {
  const { tx } = work;
  // Bookings and spots move one after the other, so the constraint that each spot has an attendance is checked at the
  // end.
  await tx.run(sql`SET CONSTRAINTS waitlist_spot_attendance DEFERRED`);
  const meeting = await tx.rows<{ event_id: number }>(both(two));
  if (meeting.some((m) => !locked.has(m.event_id))) throw new RetryTransaction('a booking came in between');
  const freed: number[] = [];
  for (const { event_id: event } of meeting.toSorted((a, b) => a.event_id - b.event_id))
    if (await settleEvent(work, two, event)) freed.push(event);
  await dropCheckins(work, two);
  await moveRest(work, two);
  for (const event of freed) await giveFreedSeats(work, event);
}

interface Booking {
  readonly id: number;
  readonly customer_id: number;
  readonly status: AttendanceStatus;
}

interface Waiting {
  readonly id: number;
  readonly customer_id: number;
  readonly status: string;
  readonly place: Place;
  /** in epoch milliseconds; only for a reserved spot */
  readonly reserved_spot_expires_at: number;
}

const of = <T extends { customer_id: number }>(rows: T[], customer: number): T | undefined =>
  rows.find((row) => row.customer_id === customer);

/** Leaves one booking, spot or held seat of the two. Returns whether a seat may have become free. */
async function settleEvent(work: Work, { kept, merged }: Two, event: number): Promise<boolean> {
  const { tx, providerId } = work;
  const holds = await endHolds(work, [event], sql`h.customer_id IN (${kept}, ${merged})`);
  const [bookings, spots] = (await tx.all([
    sql`SELECT * FROM attendance WHERE provider_id = ${providerId} AND event_id = ${event}
      AND customer_id IN (${kept}, ${merged}) FOR UPDATE`,
    sql`SELECT * FROM waitlist_spot WHERE provider_id = ${providerId} AND event_id = ${event}
      AND customer_id IN (${kept}, ${merged}) AND ended_at IS NULL FOR UPDATE`,
  ])) as unknown as [Booking[], Waiting[]];
  const booked = bookings.some((b) => holdsSeat(b.status));
  let freed = holds.length > 0;
  const [mine, theirs] = [of(bookings, kept), of(bookings, merged)];
  let attendance = (mine ?? theirs)?.id;
  if (mine && theirs) {
    const [stays, goes] = strongerBooking(mine.status, theirs.status) === 'kept' ? [mine, theirs] : [theirs, mine];
    attendance = stays.id;
    work.touch('attendance', goes.id, goes as never);
    // One person attended, or was absent, once.
    await payers.filled.credit(work, sql`a.id = ${goes.id}`, 'booking_dropped');
    await tx.run(sql`DELETE FROM attendance WHERE provider_id = ${providerId} AND id = ${goes.id}`);
    work.record(attendanceFeed.deleted, goes.id, { attendance: goes.id, event, customer: goes.customer_id });
    const frees_seat = holdsSeat(mine.status) && holdsSeat(theirs.status);
    freed ||= frees_seat;
    work.effect('booking_dropped', 'attendance', goes.id, { event, status: goes.status, frees_seat });
  }
  const ending = spotsToEnd(of(spots, kept), of(spots, merged), booked);
  for (const spot of ending) {
    work.touch('waitlist_spot', spot.id, spot as never);
    await tx.run(
      sql`UPDATE waitlist_spot SET ended_at = ${instant(work.now)}, end_reason = 'left'
        WHERE provider_id = ${providerId} AND id = ${spot.id}`,
    );
    work.record(waitlistFeed.left, spot.id, {
      waitlist_spot: spot.id,
      attendance: attendance!,
      event,
      customer: spot.customer_id,
    });
    work.effect('waitlist_left', 'waitlist_spot', spot.id, { event, customer: spot.customer_id });
    freed ||= spot.status === 'spot_reserved';
  }
  const stays = spots.find((spot) => spot.status === 'spot_reserved' && !ending.includes(spot));
  if (holds.length > 0 && !booked) await holdAgain(work, kept, betterOf(holds, { kept, merged }), stays);
  return freed;
}

const asHold = ({ paying, expires_at: until }: Gone) => ({ paying, until });

function betterOf(holds: readonly Gone[], { kept, merged }: Two): Gone {
  const there = [kept, merged].flatMap((id) => holds.find((h) => h.customer_id === id) ?? []);
  if (there.length < 2) return there[0];
  return betterHold(asHold(there[0]), asHold(there[1])) === 'kept' ? there[0] : there[1];
}

/** Holds the seat for the remaining customer, in their reserved spot if they have one. */
async function holdAgain(work: Work, customer: number, hold: Gone, spot: Waiting | undefined): Promise<void> {
  const until = instant(hold.expires_at);
  const provides = spot?.place === hold.place ? spot : undefined;
  await insertRow(work, 'seat_hold', {
    event_id: hold.event_id,
    customer_id: customer,
    held_for: hold.held_for,
    held_for_id: hold.held_for_id,
    paying: hold.paying,
    place: hold.place,
    expires_at: until,
    spot_expires_at: provides ? instant(provides.reserved_spot_expires_at) : null,
  });
  if (provides)
    await work.tx.run(
      sql`UPDATE waitlist_spot SET reserved_spot_expires_at = greatest(reserved_spot_expires_at, ${until})
        WHERE provider_id = ${work.providerId} AND id = ${provides.id}`,
    );
}

/** Returns the spots to end: all if there is a booking, else the worse of two. */
function spotsToEnd(kept: Waiting | undefined, merged: Waiting | undefined, booked: boolean): Waiting[] {
  const there = [kept, merged].filter((spot) => spot !== undefined);
  if (booked || there.length < 2) return booked ? there : [];
  const asSpot = (spot: Waiting) => ({ id: spot.id, reserved: spot.status === 'spot_reserved' });
  return [betterSpot(asSpot(kept!), asSpot(merged!)) === 'kept' ? merged! : kept!];
}

/** Leaves one check-in for each day and venue. */
async function dropCheckins(work: Work, { kept, merged }: Two): Promise<void> {
  const { tx, providerId } = work;
  const rows = await tx.rows<{ id: number; venue_id: number }>(
    sql`DELETE FROM checkin m WHERE m.provider_id = ${providerId} AND m.customer_id = ${merged} AND EXISTS (
          SELECT FROM checkin k WHERE k.provider_id = ${providerId} AND k.customer_id = ${kept}
            AND k.checkin_date = m.checkin_date AND k.venue_id = m.venue_id) RETURNING *`,
  );
  for (const row of rows) {
    work.touch('checkin', row.id, row as never);
    work.record(checkinFeed.deleted, row.id, { checkin: row.id, customer: merged, venue: row.venue_id });
  }
}

const TABLES = {
  attendance: sql`attendance`,
  waitlist_spot: sql`waitlist_spot`,
  seat_hold: sql`seat_hold`,
  checkin: sql`checkin`,
};

async function moveRest(work: Work, { kept, merged }: Two): Promise<void> {
  const { tx, providerId } = work;
  await tx.run(sql`SELECT set_config('rollcall.merging_customers', 'on', true)`);
  for (const [table, name] of Object.entries(TABLES)) {
    const rows = await tx.rows<{ id: number }>(
      sql`UPDATE ${name} SET customer_id = ${kept} WHERE provider_id = ${providerId} AND customer_id = ${merged}
        RETURNING id`,
    );
    if (rows.length === 0) continue;
    const ids = rows.map((r) => r.id).toSorted((a, b) => a - b);
    work.audit({
      action: 'merge customers',
      object: table,
      objectId: null,
      before: { customer_id: merged, ids },
      after: { customer_id: kept, ids },
    });
    work.effect('moved', table, null, { rows: ids.length });
  }
  await tx.run(sql`SELECT set_config('rollcall.merging_customers', '', true)`);
}
