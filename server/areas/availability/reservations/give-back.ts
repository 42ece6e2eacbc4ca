/** Gives back what a recurring reservation has booked: by the window of each event, as any cancellation. */
import {
  cancelBooking,
  leaveWaitlist,
  lockEvents,
  registrationLateCancelled,
} from '../../scheduling/schedule/index.ts';
import { foretell } from '../../../kernel/feed/consequence.ts';
import { instant, sql, type Sql } from '../../../kernel/db/sql.ts';
import type { ReservationRow } from './rows.ts';
import type { Work } from '../../../kernel/work.ts';

interface Given {
  readonly id: number;
  /** null: of a free time that was not taken */
  readonly event: number | null;
  readonly booked: boolean;
  readonly waiting: boolean;
}

/**
 * Cancels the bookings of the dates that `which` picks by the alias `d`, as far as they are still to come and the
 * reservation made them, and gives up its places on waitlists. What somebody booked besides stays. `forget`: nothing is
 * decided about these dates any more.
 */
export async function giveBack(
  work: Work,
  row: ReservationRow,
  which: Sql,
  { dryRun, forget }: { dryRun: boolean; forget: boolean },
): Promise<void> {
  await lockEvents(
    work,
    (await ahead(work, row, which)).flatMap(({ event }) => event ?? []),
  );
  // Once more: somebody may have cancelled, or got a place from the waitlist, before the events were locked.
  const found = await ahead(work, row, which);
  for (const { event, booked, waiting } of found) {
    if (waiting) await leaveWaitlist(work, event!, row.customer_id);
    if (!booked) continue;
    const { late, attendance } = await cancelBooking(work, event!, row.customer_id);
    if (late && dryRun) await foretell(work, registrationLateCancelled, attendance);
  }
  if (forget)
    await work.tx.run(
      sql`DELETE FROM recurring_reservation_date WHERE provider_id = ${work.providerId} AND id = ANY(${found.map((one) => one.id)}::bigint[])`,
    );
}

const ahead = ({ tx, providerId, now }: Work, { id, customer_id: customer }: ReservationRow, which: Sql) =>
  tx.rows<Given>(sql`
    SELECT d.id, d.event_id AS event, coalesce(a.status = 'registered', false) AND d.outcome <> 'already_booked' AS booked,
      d.outcome = 'waitlisted' AND EXISTS (SELECT FROM waitlist_spot s WHERE s.provider_id = d.provider_id AND s.event_id = d.event_id
        AND s.customer_id = ${customer} AND s.ended_at IS NULL) AS waiting
    FROM recurring_reservation_date d
      LEFT JOIN event e ON e.provider_id = d.provider_id AND e.id = d.event_id
      LEFT JOIN attendance a ON a.provider_id = d.provider_id AND a.event_id = d.event_id AND a.customer_id = ${customer}
    WHERE d.provider_id = ${providerId} AND d.recurring_reservation_id = ${id} AND (e.id IS NULL OR e.status = 'active') AND coalesce(e.starts_at, d.starts_at) > ${instant(now)}
      AND ${which} ORDER BY d.event_id`);
