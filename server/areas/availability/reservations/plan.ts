/** The plan of a recurring reservation: it determines which events the reservation is for. */
import { weekdayOf } from '../../../kernel/base/values/date.ts';
import { invalid, Issues } from '../../../kernel/base/problem.ts';
import { a, say } from '../../../kernel/base/values/words.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { WEEKDAYS } from './recurring-reservation.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface AskedPlan {
  readonly event?: number;
  readonly event_series?: number;
  readonly offering_type?: number;
  readonly venue?: number;
  readonly instructor?: number | null;
  readonly venue_room?: number | null;
  readonly weekday?: (typeof WEEKDAYS)[number];
  readonly local_time?: string;
  readonly start_date?: string;
}

interface Plan {
  /** ids; `series` null: the plan follows none */
  readonly series: number | null;
  /** its dates book free times */
  readonly bySlot: boolean;
  readonly offeringType: number;
  readonly venue: number;
  readonly instructor: number | null;
  readonly room: number | null;
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
  /** of an event: its first instructor, and its room */
  readonly instructor: number | null;
  readonly room: number | null;
  /** local time `YYYY-MM-DDTHH:MM:SS` */
  readonly starts: string;
  readonly timezone: string;
}

/** Returns the plan of the named event, of the series, or as written out in the request. */
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
  const kind = await checkType(work, plan.offeringType, sources[0]);
  if (kind === 'class' && typeof asked.venue_room === 'number')
    throw invalid('venue_room', 'Only for appointments and room rentals. Leave it out.');
  const { instructor, room, ...rest } = plan;
  return {
    ...rest,
    bySlot: kind !== 'class',
    // A repeated appointment is with the same instructor, a repeated rental in the same room.
    instructor: asked.instructor === undefined && kind !== 'class' ? instructor : (asked.instructor ?? null),
    room: asked.venue_room === undefined && kind === 'room_rental' ? room : (asked.venue_room ?? null),
  };
}

type Found = Omit<Plan, 'bySlot'>;

async function ofEvent(work: Work, asked: AskedPlan): Promise<Found> {
  const found = (await work.tx.one<Example & Record<string, unknown>>(sql`
    SELECT series_id AS series, offering_type_id AS offering_type, venue_id AS venue,
      coalesce(series_local_starts_at, local_starts_at) AS starts, timezone,
      venue_room_id AS room, (SELECT min(i.instructor_id) FROM event_instructor i
        WHERE i.provider_id = e.provider_id AND i.event_id = e.id) AS instructor
    FROM event e WHERE provider_id = ${work.providerId} AND id = ${asked.event}`))!;
  return like(work, asked, found, found.starts.slice(0, 10));
}

async function ofSeries(work: Work, asked: AskedPlan): Promise<Found> {
  const found = await work.tx.one<Example & Record<string, unknown>>(sql`
    SELECT s.id AS series, (s.template->>'offering_type')::bigint AS offering_type,
      (s.template->>'venue')::bigint AS venue,
      s.first_local_starts_at AS starts, s.timezone, NULL::bigint AS room, NULL::bigint AS instructor
    FROM event_series s WHERE s.provider_id = ${work.providerId} AND s.id = ${asked.event_series}`);
  // Customers can't see series; they name an event.
  if (!found || work.viewer.mode !== 'provider')
    throw invalid('event_series', {
      staff: `There is no event series with the id ${asked.event_series}.`,
      customer: 'Choose what to book.',
    });
  return like(work, asked, found, null);
}

/** Values taken from the example need no further check. */
function like(work: Work, asked: AskedPlan, found: Example, day: string | null): Found {
  for (const name of ['venue', 'local_time'] as const)
    if (asked[name] !== undefined) throw invalid(name, 'Leave it out: it follows from the event.');
  const today = wallAt(work.now, found.timezone).date;
  return {
    series: found.series,
    offeringType: found.offering_type,
    venue: found.venue,
    instructor: found.instructor,
    room: found.room,
    weekday: asked.weekday ? WEEKDAYS.indexOf(asked.weekday) + 1 : weekdayOf(day ?? found.starts.slice(0, 10)),
    localTime: found.starts.slice(11, 16),
    startDate: asked.start_date ?? (day === null || day < today ? today : day),
  };
}

async function written(work: Work, asked: AskedPlan): Promise<Found> {
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
    instructor: null,
    room: null,
    weekday: asked.weekday ? WEEKDAYS.indexOf(asked.weekday) + 1 : weekdayOf(startDate),
    localTime: asked.local_time!.slice(0, 5),
    startDate,
  };
}

type Kind = 'class' | 'appointment' | 'room_rental';

/** Sessions of a course are booked together, with the course. */
async function checkType(work: Work, offeringType: number, field: string): Promise<Kind> {
  const found = (await work.tx.one<{ kind: Kind | 'course'; offered: boolean }>(
    sql`SELECT schedule_type AS kind, status = 'active' AND slot_duration IS NOT NULL AS offered
        FROM offering_type WHERE provider_id = ${work.providerId} AND id = ${offeringType}`,
  ))!;
  if (found.kind === 'course')
    throw invalid(field, {
      staff: 'Sessions of a course are booked with the course. Choose a class, an appointment or a room rental.',
      customer: say`This can’t be booked every week. Choose ${a.class}.`,
    });
  if (found.kind !== 'class' && !found.offered)
    throw invalid(field, {
      staff: `No times are offered. Set its ${found.kind}_settings, or unarchive it.`,
      customer: 'No times are offered for this.',
    });
  return found.kind;
}
