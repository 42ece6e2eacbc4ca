/** Properties that this area adds to venues: the days on which a venue is closed, for booking sites. */
import { date, listOf } from '../../../kernel/base/fields/kinds.ts';
import { nowInstant } from '../../../kernel/work/access/viewer.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Properties } from '../../../kernel/api/resource.ts';

/** More than a year of days. */
const MAX_DAYS = 400;

export const venueProperties: Properties = {
  fields: {
    closed_dates: listOf(date(), { max: MAX_DAYS })
      .deferred()
      .computed(
        (t) => [
          raw(`${t}.timezone`),
          // In every zone, the venue's today is less than two days before that of the database.
          sql`(SELECT coalesce(jsonb_agg(d.closure_date ORDER BY d.closure_date), '[]') FROM (
            SELECT DISTINCT c.closure_date FROM business_closure c WHERE c.provider_id = ${raw(t)}.provider_id
              AND c.closure_date > (${nowInstant}::timestamptz)::date - 2
              AND (c.venue_id IS NULL OR c.venue_id = ${raw(t)}.id)
            ORDER BY c.closure_date LIMIT ${raw(String(MAX_DAYS + 2))}) d)`,
        ],
        ([zone, dates], wire) => {
          const today = wallAt(wire.now, zone!).date;
          return (JSON.parse(dates!) as string[]).filter((day) => day >= today).slice(0, MAX_DAYS);
        },
      )
      .describe(
        `The days from today on, by the clock of the venue, on which it is closed: the first ${MAX_DAYS}. \`GET /business_closures\` says why.`,
      ),
  },
};
