/** The fact that drop-ins know about a booking: whether it is paid for. The schedule knows the price of the event. */
import { isCourseSession } from '../../../availability/courses/index.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

/** Facts about one customer at one event. */
export interface DropInFacts {
  /** true if the booking was paid for and the price was not refunded: it pays for booking again */
  readonly paid: boolean;
  /** true for a course session, whose price is not that of a drop-in to its offering type */
  readonly session: boolean;
}

/** Returns one jsonb of the facts of customer `c` for an event; read it with `dropInFactsOf`. */
export const dropInColumn = (
  c: string,
  eventId: Sql,
): Sql => sql`jsonb_build_object('session', ${isCourseSession(c, eventId)}, 'paid', EXISTS (
  SELECT FROM attendance a JOIN booking_payment d ON d.provider_id = a.provider_id AND d.attendance_id = a.id
    AND d.given_back IS NULL
  WHERE a.provider_id = ${raw(c)}.provider_id AND a.event_id = ${eventId} AND a.customer_id = ${raw(c)}.id))`;

export const dropInFactsOf = (text: string): DropInFacts => JSON.parse(text);
