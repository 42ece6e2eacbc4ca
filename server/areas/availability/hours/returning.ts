/**
 * Cancelled appointments and rentals come back only if hours that were changed since then still have room for them.
 * Unchanged hours aren't checked: staff can book outside of hours.
 */
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { around } from '../../../kernel/base/values/intervals.ts';
import { availabilitySchedule } from './schedule.ts';
import { planAt } from './rules/open-times.ts';
import { readHours, type Hours } from './read-hours.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Returning } from '../../scheduling/schedule/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Row {
  id: number;
  offering_type_id: number;
  venue_id: number;
  venue_room_id: number | null;
  rental: boolean;
  starts_at: number;
  ends_at: number;
  instructors: number[];
}

/**
 * Returns those events for whose instructor (or for rentals, for any room) hours were changed since the event was
 * cancelled.
 */
const afterChanges = ({ tx, providerId }: Work, events: readonly number[]): Promise<Row[]> =>
  tx.rows<Row & Record<string, unknown>>(sql`
    SELECT e.id, e.offering_type_id, e.venue_id, e.venue_room_id, o.schedule_type = 'room_rental' AS rental,
      e.starts_at, e.ends_at,
      coalesce((SELECT jsonb_agg(i.instructor_id ORDER BY i.instructor_id) FROM event_instructor i
        WHERE i.provider_id = e.provider_id AND i.event_id = e.id), '[]') AS instructors
    FROM event e JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
    WHERE e.provider_id = ${providerId} AND e.id = ANY(${events}::bigint[])
      AND o.schedule_type IN ('appointment', 'room_rental')
      AND EXISTS (SELECT FROM audit_entry a WHERE a.provider_id = e.provider_id AND a.at >= e.cancelled_at
        AND (a.object = 'blocked_time'
          OR (a.object IN ('availability_schedule', 'availability_schedule_offering_type') AND a.before IS NOT NULL)))
    ORDER BY e.id`);

export const withinHours: Returning = {
  name: 'hours',
  description: 'The hours of instructors and rooms.',
  resource: availabilitySchedule.name,
  against: async (work, events) => {
    const found = new Map<number, string>();
    for (const row of await afterChanges(
      work,
      events.map(({ id }) => id),
    )) {
      const date = wallAt(row.starts_at, 'UTC').date;
      const days = { from: addDays(date, -1), to: addDays(wallAt(row.ends_at, 'UTC').date, 1) };
      const hours = await readHours(work, { offeringType: row.offering_type_id, venues: [row.venue_id], ...days });
      const why = outside(row, hours, days);
      if (why !== null) found.set(row.id, why);
    }
    return found;
  },
};

function outside(row: Row, hours: readonly Hours[], { from, to }: { from: string; to: string }): string | null {
  const time = { start: row.starts_at, end: row.ends_at };
  const isOpen = (all: readonly Hours[]) =>
    all.some((one) => around(planAt(one, row.venue_id, from, to).open, time) !== undefined);
  if (row.rental) {
    const of = hours.filter(({ rooms }) => rooms.length === 0 || rooms.includes(row.venue_room_id ?? 0));
    return isOpen(of) ? null : 'The room can no longer be rented at that time: its hours have changed.';
  }
  const away = row.instructors.some((id) => !isOpen(hours.filter(({ instructor }) => instructor === id)));
  return away ? 'The instructor is no longer available at that time: their hours have changed.' : null;
}
