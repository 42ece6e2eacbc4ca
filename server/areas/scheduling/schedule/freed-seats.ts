/**
 * Gives free seats to those who wait, in the transaction that freed them: nobody can come between, and the order is the
 * queue's. The caller holds the lock of the event's row.
 */
import { askerOf, bookingFacts, type CustomerAround, type EventAround } from './facts.ts';
import { ANY } from './payers.ts';
import { instant, sql } from '../../../kernel/db/sql.ts';
import { payers } from './payer.ts';
import { attendanceOf, readCustomers, readEvent } from './read-facts.ts';
import { registrationCreated, waitlistBroadcast, waitlistOffered, waitlistPromoted, waitlistRejected } from './feed.ts';
import { freedSeat, type QuietHours, type WaitlistStep } from './rules/waitlist.ts';
import { payable, refuseWaiting } from './rules/booking.ts';
import { ANYBODY, resolveWindow } from './rules/window.ts';
import type { JobRequest, Work } from '../../../kernel/work.ts';

interface Spot {
  id: number;
  customer_id: number;
  attendance: number;
  promote_after_cutoff: boolean;
}

interface Policy {
  steps: WaitlistStep[];
  quiet: QuietHours | null;
}

export const EXPIRE_TASK = 'expire_waitlist_spots';

/** Looks at the kept places of the event when this one's time is over, or at the earliest a moment that is given. */
export const expiry = (event: number, at: number, notBefore = at): JobRequest => ({
  task: EXPIRE_TASK,
  payload: { event },
  runAt: Math.max(at, notBefore),
  key: `waitlist:${event}:${at}`,
});

/** Returns the event as it was before; null: nobody can take a seat there any more. */
export async function giveFreedSeats(work: Work, eventId: number): Promise<EventAround | null> {
  const around = await readEvent(work, eventId);
  if (!around || around.event.status !== 'active') return null;
  if (around.event.waiting > 0) await giveTo(work, eventId, around);
  return around;
}

async function giveTo(work: Work, eventId: number, around: EventAround): Promise<void> {
  await lockWaiting(work, [eventId]);
  const policy = await readPolicy(work);
  const { event, windowFacts } = around;
  let free = event.maxOccupancy === null ? Infinity : event.maxOccupancy - event.attending - event.held;
  while (free > 0) {
    const [spot] = await work.tx.rows<Spot>(
      sql`SELECT id, customer_id, ${attendanceOf('s')} AS attendance, promote_after_cutoff FROM waitlist_spot s
          WHERE provider_id = ${work.providerId} AND event_id = ${eventId} AND ended_at IS NULL AND status = 'on_waitlist'
            AND NOT EXISTS (SELECT FROM seat_hold h WHERE h.provider_id = s.provider_id AND h.event_id = s.event_id AND h.customer_id = s.customer_id)
          ORDER BY id LIMIT 1`,
    );
    if (!spot) return;
    const who = (await readCustomers(work, eventId, [spot.customer_id])).get(spot.customer_id);
    if (!who || !mayStillBook(work, around, who)) {
      await reject(work, eventId, spot);
      continue;
    }
    const window =
      resolveWindow(windowFacts, askerOf(who)) ?? resolveWindow({ ...windowFacts, timelines: [] }, ANYBODY)!;
    const facts = {
      now: work.now,
      startsAt: event.startsAt,
      lateCancelsAfter: window.lateCancelsAfter,
      zone: work.tenant.zone,
    };
    const mustPay = payable(bookingFacts(around, who, true, work.now)) !== null;
    const decision = freedSeat({ ...facts, ...policy, promoteAfterCutoff: spot.promote_after_cutoff, mustPay });
    if (decision.action === 'none') return;
    if (decision.action === 'broadcast') return broadcast(work, eventId);
    if (decision.action === 'promote') await promote(work, eventId, spot, who, around);
    else await offer(work, eventId, spot, decision.expiresAt);
    free--;
  }
}

/** All who wait at these events at once, as the law of locks has it: whoever is next pays. */
export const lockWaiting = (work: Work, events: readonly number[]): Promise<void> =>
  payers.filled.lock(
    work,
    sql`ARRAY(SELECT w.customer_id FROM waitlist_spot w WHERE w.provider_id = ${work.providerId} AND w.event_id = ANY(${events}::bigint[]) AND w.ended_at IS NULL)`,
  );

async function readPolicy(work: Work): Promise<Policy> {
  const row = (await work.tx.one<{
    waitlist_policy: WaitlistStep[];
    quiet_hours_start: string | null;
    quiet_hours_end: string | null;
  }>(
    sql`SELECT waitlist_policy, quiet_hours_start, quiet_hours_end FROM provider WHERE provider_id = ${work.providerId}`,
  ))!;
  const { quiet_hours_start: start, quiet_hours_end: end } = row;
  return { steps: row.waitlist_policy, quiet: start !== null && end !== null ? { start, end } : null };
}

/**
 * Someone who waited may have become ineligible; a full house is not a reason here, and neither is the window they
 * joined in.
 */
const mayStillBook = (work: Work, around: EventAround, who: CustomerAround): boolean =>
  refuseWaiting(bookingFacts(around, who, true, work.now)) === null;

const ofSpot = (eventId: number, { id, attendance, customer_id }: Spot) => ({
  waitlist_spot: id,
  attendance,
  event: eventId,
  customer: customer_id,
});

const endSpot = (work: Work, { id }: Spot, reason: string, status?: string) =>
  work.tx.run(
    sql`UPDATE waitlist_spot SET ended_at = ${instant(work.now)}, end_reason = ${reason}, status = coalesce(${status ?? null}, status)
        WHERE provider_id = ${work.providerId} AND id = ${id}`,
  );

async function reject(work: Work, eventId: number, spot: Spot): Promise<void> {
  await endSpot(work, spot, 'rejected', 'rejected');
  work.record(waitlistRejected, spot.id, ofSpot(eventId, spot));
}

async function promote(
  work: Work,
  eventId: number,
  spot: Spot,
  { attendance: was, known }: CustomerAround,
  { price }: EventAround,
): Promise<void> {
  await endSpot(work, spot, 'promoted');
  const attendance = await bookSeat(work, eventId, spot.customer_id);
  work.record(waitlistPromoted, spot.id, ofSpot(eventId, spot));
  work.record(registrationCreated, attendance, {
    attendance,
    event: eventId,
    customer: spot.customer_id,
    from: 'waitlist',
  });
  work.audit({
    action: 'waitlist promotion',
    object: 'attendance',
    objectId: attendance,
    before: { event_id: eventId, customer_id: spot.customer_id, status: was?.status ?? null },
    after: { event_id: eventId, customer_id: spot.customer_id, status: 'registered' },
  });
  work.effect('waitlist_promoted', 'waitlist_spot', spot.id, { event: eventId, customer: spot.customer_id });
  const payment = payers.filled.choose({ known, price }, ANY);
  const of = { attendance, event: eventId, customer: spot.customer_id };
  await payers.filled.debitNow(work, { ...of, payment, reason: 'registered' });
}

async function bookSeat(work: Work, eventId: number, customerId: number): Promise<number> {
  const now = instant(work.now);
  const row = await work.tx.one<{ id: number }>(
    sql`INSERT INTO attendance (provider_id, event_id, customer_id, status, registered_at, created_at, updated_at)
        VALUES (${work.providerId}, ${eventId}, ${customerId}, 'registered', ${now}, ${now}, ${now})
        ON CONFLICT (provider_id, event_id, customer_id) DO UPDATE
          SET status = 'registered', registered_at = excluded.registered_at, cancelled_at = NULL, comped = false, updated_at = excluded.updated_at
        RETURNING id`,
  );
  return row!.id;
}

async function offer(work: Work, eventId: number, spot: Spot, expiresAt: number): Promise<void> {
  await work.tx.run(
    sql`UPDATE waitlist_spot SET status = 'spot_reserved', spot_reserved_at = ${instant(work.now)}, reserved_spot_expires_at = ${instant(expiresAt)}
        WHERE provider_id = ${work.providerId} AND id = ${spot.id}`,
  );
  work.record(waitlistOffered, spot.id, { ...ofSpot(eventId, spot), expires_at: new Date(expiresAt).toISOString() });
  work.enqueue(expiry(eventId, expiresAt));
  work.effect('waitlist_offered', 'waitlist_spot', spot.id, {
    event: eventId,
    customer: spot.customer_id,
    expires_at: new Date(expiresAt).toISOString(),
  });
}

async function broadcast(work: Work, eventId: number): Promise<void> {
  const rows = await work.tx.rows<{ customer_id: number }>(
    sql`SELECT customer_id FROM waitlist_spot WHERE provider_id = ${work.providerId} AND event_id = ${eventId} AND ended_at IS NULL AND status = 'on_waitlist' ORDER BY id`,
  );
  work.record(waitlistBroadcast, eventId, { event: eventId, customers: rows.map((r) => r.customer_id) });
  work.effect('waitlist_broadcast', 'event', eventId, { customers: rows.length });
}
