/** Sessions of a series: planned by a rule or a list, and created as events of the schedule. */
import {
  findClash,
  createEvent,
  exceptionsOf,
  seriesTimes,
  timesOn,
  type EventValues,
  SCHEDULE_PROBLEMS,
  showInCalendar,
} from '../../scheduling/schedule/index.ts';
import { parseInstant } from '../../../kernel/base/values/zone.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { occurrences, parseRecurrence } from '../../../kernel/base/values/recurrence.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { VENUE_PROBLEMS, venueZone } from '../../places/venues/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** More than any course has; each is a separate event. */
const MAX_SESSIONS = 100;

interface Planned {
  /** with the offset of the venue */
  readonly starts_at: string;
  readonly ends_at: string;
}

export interface Plan {
  readonly venue: number;
  readonly starts_at?: string;
  readonly ends_at?: string;
  readonly recurrence?: { readonly rrule: string; readonly exceptions?: readonly string[] } | null;
  readonly dates?: readonly Planned[] | null;
}

/** Returns the planned sessions, soonest first. */
export async function plannedSessions(work: Work, plan: Plan): Promise<Planned[]> {
  const zone = await venueZone(work, plan.venue);
  if (plan.dates && plan.recurrence) throw invalid('dates', 'Send this or recurrence, not both.');
  if (plan.dates) {
    for (const name of ['starts_at', 'ends_at'] as const)
      if (plan[name] !== undefined)
        throw invalid(name, 'Belongs to recurrence. Leave it out, because there are dates.');
    return inOrder(plan.dates, zone);
  }
  return byRule(plan, zone);
}

function inOrder(dates: readonly Planned[], zone: string): Planned[] {
  const starts = dates.map(({ starts_at }) => parseInstant(starts_at, zone)!);
  const twice = starts.findIndex((at, n) => starts.indexOf(at) < n);
  if (twice >= 0) throw invalid(`dates.${twice}.starts_at`, 'Another session starts at the same time.');
  return [...dates.keys()].toSorted((a, b) => starts[a] - starts[b]).map((n) => dates[n]);
}

function byRule({ starts_at, ends_at, recurrence }: Plan, zone: string): Planned[] {
  if (!recurrence) throw invalid('dates', 'Send dates, or recurrence with starts_at and ends_at.');
  if (starts_at === undefined) throw invalid('starts_at', 'This field is required with recurrence.');
  if (ends_at === undefined) throw invalid('ends_at', 'This field is required with recurrence.');
  const times = seriesTimes(zone, { starts_at, ends_at });
  const rule = parseRecurrence(recurrence.rrule);
  if ('error' in rule) throw invalid('recurrence.rrule', rule.error);
  if (rule.count === null && rule.until === null)
    throw invalid('recurrence.rrule', 'Set the number of sessions with COUNT, or the last day with UNTIL.');
  const found = [
    ...occurrences(rule, {
      startWall: times.startWall,
      zone,
      exceptions: exceptionsOf(recurrence.exceptions ?? [], { rule, startWall: times.startWall, zone }),
      limit: MAX_SESSIONS + 1,
    }),
  ];
  if (found.length === 0) throw invalid('recurrence.rrule', 'The rule gives no date.');
  if (found.length > MAX_SESSIONS) throw invalid('recurrence.rrule', `A series has at most ${MAX_SESSIONS} sessions.`);
  return found.map(({ wall }) => (wall === times.startWall ? times.own : timesOn(wall.slice(0, 10), times, zone)));
}

interface Making {
  readonly series: number;
  readonly course: {
    readonly id: number;
    readonly name: string | null;
    readonly offering_type_id: number;
    readonly published: boolean;
  };
  readonly values: Pick<EventValues, 'venue' | 'venue_room' | 'instructors' | 'max_occupancy'>;
  readonly planned: readonly Planned[];
  /** number of existing sessions; default 0 */
  readonly before?: number;
  /** clashes are shown as effects instead of being refused */
  readonly onlyTried: boolean;
}

interface Clash {
  readonly constraint: 'event_room_free' | 'instructor_free';
  readonly at: string;
}

/**
 * Creates all sessions and returns their ids, or refuses with every day on which the room or an instructor is taken.
 */
export async function makeSessions(work: Work, making: Making): Promise<number[]> {
  const { series, course, planned, values, before = 0, onlyTried } = making;
  if (before + planned.length > MAX_SESSIONS) throw invalid('dates', `A series has at most ${MAX_SESSIONS} sessions.`);
  const name = course.name ?? (await offeringName(work, course.offering_type_id));
  const made: number[] = [];
  const clashes: Clash[] = [];
  for (const { starts_at, ends_at } of planned) {
    const event = { ...values, name: name.slice(0, 200), offering_type: course.offering_type_id, starts_at, ends_at };
    try {
      made.push(await work.tx.attempt(() => createEvent(work, event)));
    } catch (error) {
      const constraint = findClash(error);
      if (constraint === null) throw error;
      clashes.push({ constraint, at: starts_at });
    }
  }
  for (const { constraint, at } of clashes)
    work.effect('session_clashes', 'course_date_series', series, {
      starts_at: at,
      because: constraint === 'event_room_free' ? 'room_taken' : 'instructor_taken',
    });
  if (clashes.length > 0 && !onlyTried) throw clashing(clashes);
  await work.tx.run(sql`
    INSERT INTO course_date (provider_id, event_id, course_id, course_date_series_id, position)
    SELECT ${work.providerId}::bigint, d.event, ${course.id}::bigint, ${series}::bigint, ${before}::int + d.position
    FROM unnest(${made}::bigint[]) WITH ORDINALITY AS d (event, position)`);
  if (!course.published) await showInCalendar(work, made, false);
  return made;
}

const offeringName = async ({ tx, providerId }: Work, id: number): Promise<string> =>
  (await tx.one<{ name: string }>(
    sql`SELECT name FROM offering_type WHERE provider_id = ${providerId} AND id = ${id}`,
  ))!.name;

function clashing(clashes: readonly Clash[]): Problem {
  const rooms = clashes.filter(({ constraint }) => constraint === 'event_room_free');
  const of = rooms.length > 0 ? rooms : clashes;
  const days = of.map(({ at }) => at.slice(0, 16).replace('T', ' ')).join(', ');
  return rooms.length > 0
    ? new Problem(
        VENUE_PROBLEMS.room_taken,
        `Another event uses the room on ${days}. Choose another room or time, or leave those days out.`,
        { venue_room: [`Taken on ${days}.`] },
      )
    : new Problem(
        SCHEDULE_PROBLEMS.instructor_taken,
        `An instructor teaches another event on ${days}. Choose another instructor or time, or leave those days out.`,
        { instructors: [`Taken on ${days}.`] },
      );
}
