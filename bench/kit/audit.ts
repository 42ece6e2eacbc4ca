/** Invariants of the database after load, checked in SQL over all rows. Everything here throws if one is violated. */
import { raw, sql } from '../../server/kernel/base/db/sql.ts';
import type { Database } from '../../server/kernel/base/db/database.ts';

/** A booking that was acknowledged to a client. */
export interface Acknowledged {
  readonly attendance: number;
  readonly event: number;
  readonly customer: number;
}

type Place = { readonly db: Database; readonly provider: number };

/** Returns the highest id of a booking so far. */
export async function lastBooking({ db, provider }: Place): Promise<number> {
  const row = await db.transaction(provider, (tx) =>
    tx.one<{ id: number }>(
      sql`SELECT coalesce(max(id), 0)::bigint AS id FROM attendance WHERE provider_id = ${provider}`,
    ),
  );
  return row!.id;
}

export async function bookingsSince({ db, provider }: Place, id: number): Promise<number> {
  const row = await db.transaction(provider, (tx) =>
    tx.one<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM attendance WHERE provider_id = ${provider} AND id > ${id}`,
    ),
  );
  return row!.n;
}

/**
 * Checks that the bookings made since `id` are exactly the acknowledged ones: none lost, none duplicated, none
 * unacknowledged.
 */
export async function checkAcknowledged(
  place: Place,
  id: number,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const rows = await place.db.transaction(place.provider, (tx) =>
    tx.rows<{ id: number; event_id: number; customer_id: number; status: string }>(
      sql`SELECT id, event_id, customer_id, status FROM attendance
        WHERE provider_id = ${place.provider} AND id > ${id}`,
    ),
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const { attendance, event, customer } of acknowledged) {
    const row = stored.get(attendance);
    if (!row || row.event_id !== event || row.customer_id !== customer || row.status !== 'registered') {
      throw new Error(
        `the booking ${attendance} of event ${event} for customer ${customer} was acknowledged but is missing`,
      );
    }
  }
  if (rows.length !== acknowledged.length)
    throw new Error(
      `${acknowledged.length} bookings were acknowledged and ${rows.length} made: some requests repeated a booking or got no answer`,
    );
}

/** Checks that the counters of every event and of the whole list match the rows, and that no event is over capacity. */
export async function checkCounters({ db, provider }: Place): Promise<void> {
  const p = raw(String(provider));
  const [[wrong], [list]] = await db.transaction(provider, (tx) =>
    tx.all([
      sql`SELECT count(*) FILTER (WHERE e.attending_count <> coalesce(a.n, 0))::int AS attending,
                 count(*) FILTER (WHERE e.waiting_count <> coalesce(w.waiting, 0)
                   OR e.held_count <> coalesce(w.held, 0))::int AS waiting,
                 count(*) FILTER (WHERE coalesce(a.n, 0) + coalesce(w.held, 0) > e.max_occupancy)::int AS oversold
          FROM event e
          LEFT JOIN (SELECT event_id, count(*) AS n FROM attendance
            WHERE provider_id = ${p} AND status IN ('registered', 'attended', 'no_show') GROUP BY 1) a
            ON a.event_id = e.id
          LEFT JOIN (SELECT event_id, count(*) FILTER (WHERE status = 'on_waitlist') AS waiting,
            count(*) FILTER (WHERE status = 'spot_reserved') AS held
                     FROM waitlist_spot WHERE provider_id = ${p} AND ended_at IS NULL GROUP BY 1) w ON w.event_id = e.id
          WHERE e.provider_id = ${p}`,
      sql`SELECT (SELECT count(*) FROM attendance WHERE provider_id = ${p})::int AS there,
                 (SELECT coalesce(sum(n), 0) FROM row_count
                   WHERE provider_id = ${p} AND relation = 'attendance')::int AS counted`,
    ]),
  );
  if (wrong.oversold > 0) throw new Error(`${wrong.oversold} events have more people than places`);
  if (wrong.attending > 0)
    throw new Error(`attending_count of ${wrong.attending} events is not the number of its bookings`);
  if (wrong.waiting > 0)
    throw new Error(`waiting_count or held_count of ${wrong.waiting} events is not what its waitlist says`);
  if (list.there !== list.counted)
    throw new Error(`the list of attendances counts ${list.counted} and has ${list.there}`);
}
