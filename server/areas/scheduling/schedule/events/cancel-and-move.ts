/** Cancellation of one event whose bookings move to another event, as far as they can. */
import { cancelEvents, endWaits, type EventRow } from './cancel-events.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { moveBooking } from '../bookings/move.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Moves the bookings of a locked, active event in the order in which they were made, and cancels the event. A booking
 * that can't move, for example because the other event is full, is cancelled with it. Returns the number of moves.
 */
export async function cancelAndMove(
  work: Work,
  row: EventRow,
  { to, notify }: { readonly to: number; readonly notify: string | null },
): Promise<number> {
  const target = await work.tx.one<{ status: string; starts_at: number }>(
    sql`SELECT status, starts_at FROM event WHERE provider_id = ${work.providerId} AND id = ${to}`,
  );
  if (!target || to === row.id) throw invalid('move_bookings_to', 'Name another event.');
  if (target.status === 'cancelled' || target.starts_at <= work.now)
    throw invalid('move_bookings_to', 'Name an event that has not started and is not cancelled.');
  const booked = await work.tx.rows<{ id: number; customer_id: number }>(
    sql`SELECT id, customer_id FROM attendance WHERE provider_id = ${work.providerId} AND event_id = ${row.id}
      AND status = 'registered' ORDER BY registered_at, id`,
  );
  // The waitlist ends first: otherwise its customers would get the freed places.
  const waiting = await endWaits(work, [row.id]);
  const left: number[] = [];
  for (const { id, customer_id: customer } of booked)
    if (await moves(work, { from: row.id, to, customer })) left.push(id);
  // They left before the event was cancelled, so neither the notice of that nor a reopening concerns them.
  await work.tx.run(
    sql`UPDATE attendance SET cancelled_at = ${instant(work.now - 1)}
      WHERE provider_id = ${work.providerId} AND id = ANY(${left}::bigint[]) AND status = 'not_registered'`,
  );
  await cancelEvents(work, [row], notify, waiting);
  return left.length;
}

/** Effects of a move that say together what `booking_moved` says. */
const PARTS = new Set(['booking_cancelled', 'booked', 'membership_credited', 'membership_used']);

/** Returns false if the booking can't move; nothing of the attempt remains. */
async function moves(work: Work, move: Parameters<typeof moveBooking>[1]): Promise<boolean> {
  const before = work.effects.length;
  try {
    const attendance = await work.tx.attempt(() => moveBooking(work, move));
    const did = work.effects.splice(before);
    // A membership that only returns a visit, or only gives one, is news: something else paid before, or pays now.
    const uses = did.filter(({ object }) => object === 'customermembership').length;
    work.effects.push(
      ...did.filter(({ effect }) => !PARTS.has(effect) || (effect.startsWith('membership_') && uses === 1)),
    );
    work.effect('booking_moved', 'attendance', attendance, {
      event: move.to,
      from_event: move.from,
      customer: move.customer,
    });
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    work.effects.splice(before);
    return false;
  }
}
