/** Cancels the bookings of a recurring reservation: the window of each event applies, as in any cancellation. */
import {
  cancelBooking,
  leaveCancelled,
  leaveWaitlist,
  lockEvents,
  eventRegistrationFeed,
} from '../../scheduling/schedule/index.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { ReservationRow } from './rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Given {
  readonly id: number;
  /** null: the date is for a free time, and was not booked */
  readonly event: number | null;
  readonly booked: boolean;
  readonly waiting: boolean;
  /** the event is cancelled, and may come back */
  readonly gone: boolean;
}

interface How {
  readonly dryRun: boolean;
  /** decisions about these dates are deleted */
  readonly forget: boolean;
  /** nobody asked for the cancellation: none counts as late */
  readonly inTime?: boolean;
}

/**
 * Cancels upcoming bookings that the reservation made, on the dates that `which` selects under alias `d`, and gives up
 * its waitlist spots. Bookings that are cancelled now do not come back with their event. Bookings that somebody made
 * separately remain.
 */
export async function giveBack(
  work: Work,
  row: ReservationRow,
  which: Sql,
  { dryRun, forget, inTime = false }: How,
): Promise<void> {
  await lockEvents(
    work,
    (await ahead(work, row, which)).flatMap(({ event }) => event ?? []),
  );
  // Read again: somebody may have cancelled, or got a place from the waitlist, before the events were locked.
  const found = await ahead(work, row, which);
  const gone = found.filter((one) => one.gone).map(({ event }) => event!);
  if (gone.length > 0) await leaveCancelled(work, gone, row.customer_id);
  for (const { event, booked, waiting } of found) {
    if (waiting) await leaveWaitlist(work, event!, row.customer_id);
    if (!booked) continue;
    const { late, attendance } = await cancelBooking(work, event!, row.customer_id, inTime ? false : undefined);
    if (late && dryRun) await work.registry.previewEffects(work, eventRegistrationFeed.late_cancelled, attendance);
  }
  if (forget)
    await work.tx.run(
      sql`DELETE FROM recurring_reservation_date
        WHERE provider_id = ${work.providerId} AND id = ANY(${found.map((one) => one.id)}::bigint[])`,
    );
}

const ahead = ({ tx, providerId, now }: Work, { id, customer_id: customer }: ReservationRow, which: Sql) =>
  tx.rows<Given & Record<string, unknown>>(sql`
    SELECT d.id, d.event_id AS event, coalesce(a.status = 'registered', false)
      AND d.outcome <> 'already_booked' AS booked,
      d.outcome = 'waitlisted' AND EXISTS (SELECT FROM waitlist_spot s
        WHERE s.provider_id = d.provider_id AND s.event_id = d.event_id
        AND s.customer_id = ${customer} AND s.ended_at IS NULL) AS waiting,
      coalesce(e.status = 'cancelled', false) AND d.outcome <> 'already_booked' AS gone
    FROM recurring_reservation_date d
      LEFT JOIN event e ON e.provider_id = d.provider_id AND e.id = d.event_id
      LEFT JOIN attendance a ON a.provider_id = d.provider_id AND a.event_id = d.event_id
        AND a.customer_id = ${customer}
    WHERE d.provider_id = ${providerId} AND d.recurring_reservation_id = ${id}
      AND coalesce(e.starts_at, d.starts_at) > ${instant(now)}
      AND ${which} ORDER BY d.event_id`);

/** Matches dates `d` that no longer belong to the reservation: too late, skipped, or beyond its number of times. */
export const notIn = ({ id: reservation, by_slot, end_date, times, skipped_dates }: ReservationRow): Sql => sql`(
  d.local_date > coalesce(${end_date}::date, 'infinity') OR d.local_date = ANY(${skipped_dates}::date[])
  OR (d.outcome <> 'unavailable' AND ${times}::integer <= (
    SELECT count(*) FROM recurring_reservation_date n
    LEFT JOIN event ne ON ne.provider_id = n.provider_id AND ne.id = n.event_id
    WHERE n.provider_id = d.provider_id AND n.recurring_reservation_id = ${reservation} AND n.outcome <> 'unavailable'
      AND (${by_slot}::boolean OR ne.status = 'active')
      AND n.local_date < d.local_date AND n.local_date <> ALL(${skipped_dates}::date[]))))`;
