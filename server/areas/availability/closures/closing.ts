/** Cancels the events of a closed day: the job of `bulk_close`, and its dry run. */
import { cancelEvents, lockToChange, type EventRow } from '../../scheduling/schedule/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { BulkKind } from '../../platform/bulk/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Closing {
  /** message to customers who lose a booking or a spot; null: nobody is notified */
  readonly notify: string | null;
}

export const closeEvents = {
  type: 'close_business',
  many: async (work: Work, ids: readonly number[], { notify }: Closing) => {
    const rows = await lockToChange(work, ids);
    const closures = await closuresOf(work, rows);
    const against = new Map<number, string>();
    const closed: EventRow[] = [];
    for (const row of rows) {
      const why = refusal(work, row, closures);
      if (why === null) closed.push(row);
      else against.set(row.id, why);
    }
    await cancelEvents(work, closed, notify);
    await work.tx.run(
      sql`INSERT INTO business_closure_event (provider_id, event_id, business_closure_id)
          SELECT ${work.providerId}::bigint, event, closure
          FROM unnest(${closed.map((row) => row.id)}::bigint[],
            ${closed.map((row) => closures.get(row.id)!)}::bigint[]) AS c (event, closure)
          ORDER BY event
          ON CONFLICT (provider_id, event_id) DO UPDATE SET business_closure_id = excluded.business_closure_id`,
    );
    return against;
  },
} satisfies BulkKind;

/**
 * Returns why an event is skipped that was to be cancelled when the day was closed; null if nothing prevents the
 * cancellation.
 */
function refusal({ now }: Work, row: EventRow, closures: ReadonlyMap<number, number>): string | null {
  if (row.status === 'cancelled') return 'The event is already cancelled.';
  if (row.starts_at <= now) return 'The event has already started.';
  if (!closures.has(row.id)) return 'The event is no longer on a closed day: it was moved, or the day is open again.';
  return null;
}

/**
 * Returns the closure that applies to each event: that of its own venue, if there is one. Locks the closures, so that
 * none is undone in the meantime.
 */
async function closuresOf(work: Work, events: readonly EventRow[]): Promise<ReadonlyMap<number, number>> {
  const rows = await work.tx.rows<{ event: number; closure: number }>(
    sql`WITH falls AS MATERIALIZED (
          SELECT e.id AS event, c.id AS closure, c.venue_id
          FROM unnest(${events.map((row) => row.id)}::bigint[], ${events.map((row) => row.venue_id)}::bigint[],
            ${events.map((row) => row.local_starts_at)}::timestamp[])
              AS e (id, venue_id, starts) JOIN business_closure c ON c.provider_id = ${work.providerId}
            AND c.closure_date = e.starts::date
            AND (c.venue_id IS NULL OR c.venue_id = e.venue_id)
          FOR KEY SHARE OF c)
        SELECT DISTINCT ON (event) event, closure FROM falls ORDER BY event, venue_id NULLS LAST`,
  );
  return new Map(rows.map(({ event, closure }) => [event, closure]));
}
