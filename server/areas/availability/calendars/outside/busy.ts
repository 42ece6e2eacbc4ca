/** Busy times of instructors in external calendars, for the statements that look for free times. */
import { sql, type Sql } from '../../../../kernel/base/db/sql.ts';

/**
 * Selects the busy periods of instructors from their connected calendars, as (instructor_id bigint, during tstzrange);
 * periods may overlap. Reads what was fetched before, and never waits for a calendar. `instructors` is a bigint[],
 * `from` and `to` are timestamptz.
 */
export const externalBusy = (provider: unknown, instructors: Sql, from: Sql, to: Sql): Sql => sql`
  SELECT i.id AS instructor_id, e.during
  FROM instructor i
  JOIN external_calendar_account a ON a.provider_id = i.provider_id AND a.staff_id = i.staff_id
  JOIN external_calendar c ON c.provider_id = a.provider_id AND c.account_id = a.id AND c.is_active
  JOIN staff_calendar_setting s ON s.provider_id = c.provider_id AND s.calendar_id = c.id
    AND s.is_source_for_busy_periods
  JOIN external_calendar_event e ON e.provider_id = c.provider_id AND e.calendar_id = c.id
    AND e.during && tstzrange(${from}, ${to}) AND e.status <> 'CANC' AND (e.is_busy OR NOT s.constrain_only_busy)
  WHERE i.provider_id = ${provider} AND i.id = ANY(${instructors})`;
