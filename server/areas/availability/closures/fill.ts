/**
 * Closures, as the schedule's ports ask for them: no event is planned on a closed day, and an event that staff bring
 * back is no longer the closure's.
 */
import { businessClosure } from './business-closure.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { ClosedDay, ClosedDays, Returning } from '../../scheduling/schedule/index.ts';

export const closureDays: ClosedDays = {
  name: 'closure',
  description: 'A day on which the business is closed.',
  resource: businessClosure.name,
  // The reason shown is that of the venue's own closure, if it has one.
  read: ({ tx, providerId }, { venue, from, to }) =>
    tx.rows<ClosedDay>(
      sql`SELECT DISTINCT ON (closure_date) closure_date AS date, reason FROM business_closure
          WHERE provider_id = ${providerId} AND closure_date BETWEEN ${from}::date AND ${to}::date
            AND (venue_id IS NULL OR venue_id = ${venue})
          ORDER BY closure_date, venue_id NULLS LAST`,
    ),
};

/** Staff have brought back an event of a closed day: the closure has no further effect on it. */
export const closedEvents: Returning = {
  name: 'closure',
  description: 'A day on which the business is closed.',
  resource: businessClosure.name,
  returned: ({ tx, providerId }, events) =>
    tx.run(
      sql`DELETE FROM business_closure_event WHERE provider_id = ${providerId} AND event_id = ANY(${events}::bigint[])`,
    ),
};
