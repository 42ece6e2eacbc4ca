/** What somebody asks for when they make a recurring reservation: which events it is for. */
import { weekdayOf } from '../../../kernel/values/date.ts';
import { invalid, Issues } from '../../../kernel/api/problem.ts';
import { a, say } from '../../../kernel/values/words.ts';
import { sql } from '../../../kernel/db/sql.ts';
import { wallAt } from '../../../kernel/values/zone.ts';
import { WEEKDAYS } from './recurring-reservation.ts';
import type { Work } from '../../../kernel/work.ts';

export interface AskedPlan {
  readonly event?: number;
  readonly event_series?: number;
  readonly offering_type?: number;
  readonly venue?: number;
  readonly instructor?: number | null;
  readonly weekday?: (typeof WEEKDAYS)[number];
  readonly local_time?: string;
  readonly start_date?: string;
}

export interface Plan {
  /** ids; `series` null: it follows none */
  readonly series: number | null;
  readonly offeringType: number;
  readonly venue: number;
  readonly instructor: number | null;
  /** 1 is Monday */
  readonly weekday: number;
  /** HH:MM */
  readonly localTime: string;
  readonly startDate: string;
}

interface Example {
  readonly series: number | null;
  readonly offering_type: number;
  readonly venue: number;
  /** local time `YYYY-MM-DDTHH:MM:SS` */
  readonly starts: string;
  readonly timezone: string;
}

/** As the event that is named, as the series, or as it is written out. */
export async function planOf(work: Work, asked: AskedPlan): Promise<Plan> {
  const sources = (['event', 'event_series', 'offering_type'] as const).filter((name) => asked[name] !== undefined);
  if (sources.length === 0)
    throw invalid('event', {
      staff: 'Send event, event_series, or offering_type with venue and local_time.',
      customer: 'Choose what to book.',
    });
  if (sources.length > 1) throw invalid(sources[1], `Send this or ${sources[0]}, not both.`);
  const plan = await (asked.event !== undefined
    ? ofEvent(work, asked)
    : asked.event_series !== undefined
      ? ofSeries(work, asked)
      : written(work, asked));
  await checkType(work, plan.offeringType, sources[0]);
  return plan;
}

async function ofEvent(work: Work, asked: AskedPlan): Promise<Plan> {
  const found = (await work.tx.one<Example & Record<string, unknown>>(sql`
    SELECT series_id AS series, offering_type_id AS offering_type, venue_id AS venue, coalesce(series_local_starts_at, local_starts_at) AS starts, timezone
    FROM event WHERE provider_id = ${work.providerId} AND id = ${asked.event}`))!;
  return like(work, asked, found, found.starts.slice(0, 10));
}

async function ofSeries(work: Work, asked: AskedPlan): Promise<Plan> {
  const found = await work.tx.one<Example & Record<string, unknown>>(sql`
    SELECT s.id AS series, (s.template->>'offering_type')::bigint AS offering_type, (s.template->>'venue')::bigint AS venue,
      s.first_local_starts_at AS starts, s.timezone
    FROM event_series s WHERE s.provider_id = ${work.providerId} AND s.id = ${asked.event_series}`);
  // Customers are not shown series; they name an event.
  if (!found || work.viewer.mode !== 'provider')
    throw invalid('event_series', {
      staff: `There is no event series with the id ${asked.event_series}.`,
      customer: 'Choose what to book.',
    });
  return like(work, asked, found, null);
}

/** What the example says needs no other word. */
function like(work: Work, asked: AskedPlan, found: Example, day: string | null): Plan {
  for (const name of ['venue', 'local_time'] as const)
    if (asked[name] !== undefined) throw invalid(name, 'Leave it out: the event says it.');
  const today = wallAt(work.now, found.timezone).date;
  return {
    series: found.series,
    offeringType: found.offering_type,
    venue: found.venue,
    instructor: asked.instructor ?? null,
    weekday: asked.weekday ? WEEKDAYS.indexOf(asked.weekday) + 1 : weekdayOf(day ?? found.starts.slice(0, 10)),
    localTime: found.starts.slice(11, 16),
    startDate: asked.start_date ?? (day === null || day < today ? today : day),
  };
}

async function written(work: Work, asked: AskedPlan): Promise<Plan> {
  const issues = new Issues();
  for (const name of ['venue', 'local_time'] as const)
    if (asked[name] === undefined) issues.add(name, 'This field is required with offering_type.');
  if (asked.weekday === undefined && asked.start_date === undefined)
    issues.add('weekday', 'Send this or start_date, which says the day of the week.');
  issues.throwIfAny();
  const { timezone } = (await work.tx.one<{ timezone: string }>(
    sql`SELECT timezone FROM venue WHERE provider_id = ${work.providerId} AND id = ${asked.venue}`,
  ))!;
  const startDate = asked.start_date ?? wallAt(work.now, timezone).date;
  return {
    series: null,
    offeringType: asked.offering_type!,
    venue: asked.venue!,
    instructor: asked.instructor ?? null,
    weekday: asked.weekday ? WEEKDAYS.indexOf(asked.weekday) + 1 : weekdayOf(startDate),
    localTime: asked.local_time!.slice(0, 5),
    startDate,
  };
}

/** Sessions of a course are booked together, with the course. */
async function checkType(work: Work, offeringType: number, field: string): Promise<void> {
  const found = await work.tx.one<{ schedule_type: string }>(
    sql`SELECT schedule_type FROM offering_type WHERE provider_id = ${work.providerId} AND id = ${offeringType}`,
  );
  if (found!.schedule_type === 'class') return;
  throw invalid(field, {
    staff: 'Recurring reservations are for classes. Choose an offering type whose schedule_type is `class`.',
    customer: say`This can’t be booked every week. Choose ${a.class}.`,
  });
}
