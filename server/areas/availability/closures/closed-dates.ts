/** Dates on which venues are closed: the interface of this area for everything that plans. */
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface ClosedDate {
  /** null: every venue */
  readonly venue: number | null;
  /** ISO date, in the zone of the venue */
  readonly date: string;
}

/**
 * Selects dates on which a venue is closed, both bounds included; a closure of the whole business counts for each
 * venue.
 */
export const closedDates = (
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  { venues, from, to }: { venues?: readonly number[]; from: string; to: string },
): Promise<ClosedDate[]> =>
  tx.rows<{ venue: number | null; date: string }>(
    sql`SELECT venue_id AS venue, closure_date AS date FROM business_closure
        WHERE provider_id = ${providerId} AND closure_date BETWEEN ${from}::date AND ${to}::date
          AND (venue_id IS NULL OR ${venues ?? null}::bigint[] IS NULL OR venue_id = ANY(${venues ?? null}::bigint[]))
        ORDER BY closure_date, venue_id NULLS FIRST`,
  );

/** Returns a condition for other statements: true if a venue is closed on a date. */
export const closedOn = (venueId: Sql, date: Sql): Sql =>
  sql`EXISTS (SELECT FROM business_closure closed
    WHERE closed.provider_id = current_provider_id() AND closed.closure_date = ${date}
    AND (closed.venue_id IS NULL OR closed.venue_id = ${venueId}))`;
