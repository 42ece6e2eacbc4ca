/** Held seats that are released or have expired. The caller has locked the rows of their events. */
import { expiry } from './freed-seats.ts';
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Place } from '../rules/booking.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** A hold as it was stored. */
export interface Gone {
  readonly id: number;
  readonly event_id: number;
  readonly customer_id: number;
  readonly held_for: string;
  readonly held_for_id: number;
  /** in epoch milliseconds */
  readonly expires_at: number;
  readonly paying: boolean;
  readonly place: Place;
  /** in epoch milliseconds */
  readonly spot_expires_at: number | null;
}

/**
 * Ends the holds at these events that `which` selects with the alias `h`, and returns them. A reserved spot that
 * provided the seat keeps its original reservation time. The caller passes released seats on.
 */
export async function endHolds(work: Work, events: readonly number[], which: Sql): Promise<Gone[]> {
  const { tx, providerId } = work;
  const gone = await tx.rows<Gone>(
    sql`DELETE FROM seat_hold h WHERE h.provider_id = ${providerId} AND h.event_id = ANY(${events}::bigint[])
      AND ${which} RETURNING h.*`,
  );
  for (const row of gone) {
    work.touch('seat_hold', row.id, row as never);
    work.effect('seat_released', 'event', row.event_id, { customer: row.customer_id });
  }
  const spots = gone.filter((row) => row.spot_expires_at !== null);
  if (spots.length > 0) {
    const untils = spots.map((row) => instant(row.spot_expires_at!));
    await tx.run(
      sql`UPDATE waitlist_spot s SET reserved_spot_expires_at = g.until
          FROM unnest(${spots.map((row) => row.event_id)}::bigint[], ${spots.map((row) => row.customer_id)}::bigint[],
            ${untils}::timestamptz[]) AS g (event_id, customer_id, until)
          WHERE s.provider_id = ${providerId} AND s.event_id = g.event_id AND s.customer_id = g.customer_id
            AND s.ended_at IS NULL AND s.status = 'spot_reserved'`,
    );
    for (const row of spots) work.enqueue(expiry(row.event_id, row.spot_expires_at!, work.now));
  }
  return gone;
}
