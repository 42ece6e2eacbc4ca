/** Events that series skipped because a day was closed, and that are created once it is open again. */
import { closedDaysAt } from '../events/closed-days.ts';
import { makeOne, ruleOf } from './series-writes.ts';
import { occurrences, type Occurrence } from '../../../../kernel/base/values/recurrence.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startOfDay } from '../../../../kernel/base/values/zone.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** A range of days by the clock of each venue, both ends included. */
export interface Stretch {
  readonly from: string;
  readonly to: string;
}

/** Returns the series at these venues, or all series, whose events on these days have already been created. */
export async function seriesThrough(
  { tx, providerId }: Work,
  { from, to }: Stretch,
  venues: readonly number[] | null,
): Promise<{ id: number; venue: number }[]> {
  return tx.rows(
    sql`SELECT s.id, (s.template->>'venue')::bigint AS venue FROM event_series s
        WHERE s.provider_id = ${providerId} AND s.status = 'active' AND s.first_local_starts_at < ${to}::date + 1 AND s.made_until > ${from}::date
          AND (${venues}::bigint[] IS NULL OR (s.template->>'venue')::bigint = ANY(${venues}::bigint[])) ORDER BY s.id`,
  );
}

/**
 * Creates the missing events of these series on these days, unless the room, an instructor or the venue is not free.
 */
export async function makeLeftOut(work: Work, ids: readonly number[], days: Stretch): Promise<void> {
  const { tx, providerId } = work;
  const all = await tx.rows(
    sql`SELECT * FROM event_series WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[]) AND status = 'active' ORDER BY id FOR UPDATE`,
  );
  const planned = all.map((series) => ({ series, on: occurrencesOn(work, series, days) }));
  // By its day: this includes an event that was cancelled before its series was moved.
  const there = await tx.rows<{ series: number; at: string }>(
    sql`SELECT e.series_id AS series, p.at
        FROM unnest(${planned.flatMap(({ series, on }) => on.map(() => series.id))}::bigint[], ${planned.flatMap(({ on }) => on.map((o) => o.wall))}::timestamp[]) AS p (series, at)
          JOIN event e ON e.provider_id = ${providerId} AND e.series_id = p.series
            AND e.series_local_starts_at >= p.at::date AND e.series_local_starts_at < p.at::date + 1`,
  );
  const known = new Set(there.map(({ series, at }) => `${series} ${at}`));
  for (const { series, on } of planned) {
    const missing = on.filter(({ wall }) => !known.has(`${series.id} ${wall}`));
    if (missing.length === 0) continue;
    const closed = await closedDaysAt(work, { venue: series.template.venue, ...days });
    for (const { wall, instant: startsAt } of missing)
      if (!closed.has(wall.slice(0, 10))) await makeOne(work, series, { wall, startsAt }, 'skip');
  }
}

/** Returns the future occurrences up to the date until which the series has been extended. */
function occurrencesOn({ now }: Work, series: Record<string, any>, { from, to }: Stretch): Occurrence[] {
  const { timezone: zone, first_local_starts_at: startWall, exceptions, made_until: until } = series;
  const within = { from: Math.max(startOfDay(from, zone), now + 1), to: startOfDay(addDays(to, 1), zone) };
  return [...occurrences(ruleOf(series.rrule), { startWall, zone, exceptions, ...within })].filter(
    ({ wall }) => wall < until,
  );
}
