/** Shows which instructors are busy elsewhere: for the list of substitutes, and for the dry run of setting one. */
import { eventFeed } from '../../../scheduling/schedule/index.ts';
import { externalBusy } from './busy.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import type { BusyElsewhere } from '../../hours/index.ts';
import type { Consequence } from '../../../../kernel/work/unit/consequence.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const connectedCalendars: BusyElsewhere = {
  name: 'connected_calendars',
  description: 'Calendars that instructors connected.',
  read: async ({ tx, providerId }, instructors, { start, end }) => {
    const rows = await tx.rows<{ instructor: number; start: number; end: number }>(sql`
      SELECT b.instructor_id AS instructor, lower(b.during) AS start, upper(b.during) AS "end"
      FROM (${externalBusy(
        providerId,
        sql`${[...instructors]}::bigint[]`,
        sql`${instant(start)}::timestamptz`,
        sql`
        ${instant(end)}::timestamptz`,
      )}) b`);
    return Map.groupBy(rows, (row) => row.instructor);
  },
};

/**
 * Previews over everything that the work has recorded. An instructor who is busy elsewhere can still be set, if staff
 * want it.
 */
async function previewEffects(work: Work): Promise<void> {
  const recorded = work.recorded.filter(({ effect }) => effect === eventFeed.instructors_changed.kind);
  const added = recorded.flatMap(({ detail }) => {
    const { event, added: instructors } = detail as { event: number; added: number[] };
    return instructors.map((instructor) => ({ event, instructor }));
  });
  if (added.length === 0) return;
  const rows = await work.tx.rows<{ event: number; instructor: number }>(sql`
    SELECT n.event, n.instructor
    FROM unnest(${added.map(({ event }) => event)}::bigint[],
      ${added.map(({ instructor }) => instructor)}::bigint[]) AS n (event, instructor)
      JOIN event planned ON planned.provider_id = ${work.providerId} AND planned.id = n.event
    WHERE EXISTS (SELECT FROM (${externalBusy(
      work.providerId,
      sql`ARRAY[n.instructor]`,
      sql`planned.starts_at`,
      sql`
      planned.ends_at`,
    )}) busy)
    ORDER BY 1, 2`);
  for (const { event, instructor } of rows) work.effect('instructor_busy_elsewhere', 'event', event, { instructor });
}

export const busyPreview: Consequence = { of: eventFeed.instructors_changed.kind, previewEffects };
