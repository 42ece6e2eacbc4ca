/**
 * An appointment or a rental exists for the people who booked it. When the last of them has cancelled, it is cancelled
 * too, and its time is free again. A use that a late cancellation cost is not credited: the event ends because nobody
 * comes, not the other way round.
 */
import { eventCancelled } from '../feed.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { giveFreedSeats, type Freed } from '../waitlist/freed-seats.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Passes released seats on, and ends an on-demand event that nobody is left at. Its row is locked. `freed`: the facts
 * that the caller has already read.
 */
export async function passOnOrEnd(work: Work, eventId: number, freed?: Freed): Promise<void> {
  const around = await giveFreedSeats(work, eventId, freed);
  if (around?.onDemand && around.event.attending + around.event.held + around.event.waiting === 0)
    await endEmpty(work, eventId);
}

/** Ends an event without bookings, held seats and a waitlist. */
export async function endEmpty(work: Work, eventId: number): Promise<boolean> {
  const { tx, providerId } = work;
  const now = instant(work.now);
  const [[row], ended] = await tx.all([
    sql`SELECT * FROM event WHERE provider_id = ${providerId} AND id = ${eventId}`,
    sql`UPDATE event SET status = 'cancelled', cancelled_at = ${now}, updated_at = ${now}
        WHERE provider_id = ${providerId} AND id = ${eventId} AND status = 'active' AND attending_count = 0 AND held_count = 0 AND waiting_count = 0
        RETURNING id`,
  ]);
  if (ended.length === 0) return false;
  work.touch('event', eventId, row);
  work.record(eventCancelled, eventId, { event: eventId, notify: null });
  work.effect('event_cancelled', 'event', eventId, { bookings: 0, waiting: 0 });
  return true;
}
