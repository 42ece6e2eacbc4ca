/** Whether something is still needed by the schedule: active events that are not over. */
import { nowInstant } from '../../../kernel/access/viewer.ts';
import { instant, raw, sql, type Sql } from '../../../kernel/db/sql.ts';
import type { Work } from '../../../kernel/work.ts';

/** Columns of `event` that name what an event takes place in, or what it is of. */
export type EventColumn = 'venue_id' | 'venue_room_id' | 'offering_type_id';

const ahead = (t: string, column: EventColumn, now: unknown): Sql =>
  sql`SELECT FROM event ahead WHERE ahead.provider_id = ${raw(t)}.provider_id AND ahead.${raw(column)} = ${raw(t)}.id
    AND ahead.status = 'active' AND ahead.ends_at > ${now}`;

/** For filters and fields: the row under alias `t` has active events that are not over. */
export const hasEventsAhead = (t: string, column: EventColumn): Sql => sql`EXISTS (${ahead(t, column, nowInstant)})`;

/** How many active events that are not over refer to `id`. */
export async function countEventsAhead(work: Work, column: EventColumn, id: number): Promise<number> {
  const row = await work.tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM event WHERE provider_id = ${work.providerId} AND ${raw(column)} = ${id}
        AND status = 'active' AND ends_at > ${instant(work.now)}`,
  );
  return row!.n;
}

/** "1 event", "3 events", for refusals. */
export const eventsInWords = (n: number): string => `${n} event${n === 1 ? '' : 's'}`;
