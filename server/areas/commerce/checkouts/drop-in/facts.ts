/** What drop-ins know of a booking: whether it is paid for. What the event costs, the schedule knows. */
import { isCourseSession } from '../../../availability/courses/index.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

/** What is known of one customer for one event. */
export interface DropInFacts {
  /** the booking was paid for, and the price was not given back: it pays for booking again */
  readonly paid: boolean;
  /** a session of a course, which does not cost what a drop-in to its offering type costs */
  readonly session: boolean;
}

/** One jsonb of what is known of customer `c` for an event; read it with `dropInFactsOf`. */
export const dropInColumn = (
  c: string,
  eventId: Sql,
): Sql => sql`jsonb_build_object('session', ${isCourseSession(c, eventId)}, 'paid', EXISTS (
  SELECT FROM attendance a JOIN booking_payment d ON d.provider_id = a.provider_id AND d.attendance_id = a.id AND d.given_back IS NULL
  WHERE a.provider_id = ${raw(c)}.provider_id AND a.event_id = ${eventId} AND a.customer_id = ${raw(c)}.id))`;

export const dropInFactsOf = (text: string): DropInFacts => JSON.parse(text);
