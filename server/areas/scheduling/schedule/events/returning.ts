/**
 * Cancelled events that may be reopened, if their plan still includes them. The schedule knows series; later areas know
 * other plans, and fill the port `returning`.
 */
import { occurrences } from '../../../../kernel/base/values/recurrence.ts';
import { Port, type Item } from '../../../../kernel/base/fields/port.ts';
import { ruleOf } from '../series/series-writes.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startOfDay } from '../../../../kernel/base/values/zone.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import type { EventRow } from './cancel-events.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface Returning extends Item {
  /** name of the resource that plans the events */
  readonly resource: string;
  /** returns the reasons why events no longer belong to the plan, by their ids */
  readonly against?: (work: Work, events: readonly EventRow[]) => Promise<ReadonlyMap<number, string>>;
  /** called when events have been reopened */
  readonly returned?: (work: Work, events: readonly number[]) => Promise<unknown>;
}

export const returning = new Port<Returning>('plan of events', ({ resource }) => resource);

/** Returns the reasons why events no longer belong to their plan, by their ids. The events are locked. */
export async function againstReturn(work: Work, events: readonly EventRow[]): Promise<ReadonlyMap<number, string>> {
  const found: ReadonlyMap<number, string>[] = [await againstSeries(work, events)];
  for (const { against } of returning.filled) if (against) found.push(await against(work, events));
  return new Map(found.flatMap((reasons) => [...reasons]));
}

export async function afterReturn(work: Work, event: number): Promise<void> {
  for (const { returned } of returning.filled) await returned?.(work, [event]);
}

async function againstSeries(work: Work, events: readonly EventRow[]): Promise<Map<number, string>> {
  const ids = [...new Set(events.flatMap(({ series_id: id }) => id ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await work.tx.rows<Record<string, any>>(
    sql`SELECT id, rrule, timezone, first_local_starts_at, exceptions, status FROM event_series
        WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`,
  );
  const series = new Map(rows.map((row) => [row.id as number, row]));
  return new Map(
    events.flatMap((event): [number, string][] => {
      const why = event.series_id === null ? null : notPlanned(series.get(event.series_id)!, event);
      return why === null ? [] : [[event.id, why]];
    }),
  );
}

/** Compares days: a series has at most one event a day, and may have moved to another time since. */
function notPlanned(series: Record<string, any>, event: EventRow): string | null {
  if (series.status === 'ended') return `Its series (${series.id}) was cancelled.`;
  const { timezone: zone, first_local_starts_at: startWall, exceptions } = series;
  const day = event.series_local_starts_at.slice(0, 10);
  // An occurrence on a day that the zone skips is on the next one.
  const within = { from: startOfDay(day, zone), to: startOfDay(addDays(day, 2), zone) };
  for (const { wall } of occurrences(ruleOf(series.rrule), { startWall, zone, exceptions, ...within }))
    if (wall.slice(0, 10) === day) return null;
  return `Its series (${series.id}) has no event on ${day} any more.`;
}
