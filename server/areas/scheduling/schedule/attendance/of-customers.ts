/** Properties that this area adds to customers: their next booking and their last visit. */
import { nowInstant } from '../../../../kernel/work/access/viewer.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { refBy } from '../../../../kernel/base/fields/kinds.ts';
import type { Properties } from '../../../../kernel/api/resource.ts';

const theirs = (t: string, status: 'registered' | 'attended') =>
  raw(`attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
    WHERE a.provider_id = ${t}.provider_id AND a.customer_id = ${t}.id AND a.status = '${status}'`);

export const customerProperties: Properties = {
  fields: {
    next_booking: refBy(
      'attendance',
      (t) => sql`(SELECT a.id FROM ${theirs(t, 'registered')} AND e.ends_at > ${nowInstant}::timestamptz
        ORDER BY e.starts_at, a.id LIMIT 1)`,
    )
      .nullable()
      .deferred()
      .describe('The booking of the next event, or of one that has not ended yet. Null if there is none.'),
    last_visit: refBy(
      'attendance',
      (t) => sql`(SELECT a.id FROM ${theirs(t, 'attended')} ORDER BY e.starts_at DESC, a.id DESC LIMIT 1)`,
    )
      .nullable()
      .deferred()
      .describe('The attendance of the last event that the customer came to. Null if they have never come.'),
  },
};
