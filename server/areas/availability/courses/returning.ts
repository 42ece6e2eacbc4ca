/** Cancelled sessions come back only if their course still includes them. */
import { courseDateSeries } from './course-date-series.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Returning } from '../../scheduling/schedule/index.ts';

export const courseSessions: Returning = {
  name: 'course_date_series',
  description: 'The dates of a course.',
  resource: courseDateSeries.name,
  against: async ({ tx, providerId }, events) => {
    const rows = await tx.rows<{ event: number; series: number }>(
      sql`SELECT d.event_id AS event, s.id AS series FROM course_date d
            JOIN course_date_series s ON s.provider_id = d.provider_id AND s.id = d.course_date_series_id
          WHERE d.provider_id = ${providerId} AND d.event_id = ANY(${events.map(({ id }) => id)}::bigint[])
            AND s.status = 'cancelled'`,
    );
    return new Map(rows.map(({ event, series }) => [event, `Its course dates (${series}) were cancelled.`]));
  },
};
