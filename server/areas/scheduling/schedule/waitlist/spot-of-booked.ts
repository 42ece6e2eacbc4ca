/** The spot of somebody who is booked and waits for the other kind of place. The caller has locked the event's row. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { waitlistFeed } from '../feed.ts';
import type { Place } from '../rules/booking.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Booked {
  readonly event: number;
  readonly customer: number;
  readonly attendance: number;
}

interface EndedSpot {
  readonly place: Place;
  /** the changes of the counts of this kind of place */
  readonly counts: { readonly held: number } | { readonly waiting: number };
}

/**
 * Ends the spot, because the booking has switched to that kind of place or has ended. Returns null if there is none.
 */
export async function endSpotOfBooked(
  work: Work,
  { event, customer, attendance }: Booked,
  why: 'switched' | 'cancelled',
): Promise<EndedSpot | null> {
  const { tx, providerId, now } = work;
  const theSpot = sql`provider_id = ${providerId} AND event_id = ${event} AND customer_id = ${customer}
    AND ended_at IS NULL`;
  const reason =
    why === 'cancelled' ? sql`'left'` : sql`CASE status WHEN 'spot_reserved' THEN 'claimed' ELSE 'registered' END`;
  const [[spot]] = await tx.all([
    sql`SELECT * FROM waitlist_spot WHERE ${theSpot} FOR UPDATE`,
    sql`UPDATE waitlist_spot SET ended_at = ${instant(now)}, end_reason = ${reason} WHERE ${theSpot}`,
  ]);
  if (!spot) return null;
  work.touch('waitlist_spot', spot.id, spot);
  const reserved = spot.status === 'spot_reserved';
  const of = { waitlist_spot: spot.id, attendance, event, customer };
  if (why === 'cancelled') work.record(waitlistFeed.left, spot.id, of);
  else work.record(waitlistFeed.ended, spot.id, { ...of, reason: reserved ? 'claimed' : 'registered' });
  return { place: spot.place, counts: reserved ? { held: -1 } : { waiting: -1 } };
}
