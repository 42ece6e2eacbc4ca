/** Courses with their runs, as the interface shows them to the reader. */
import { moneyOf, type Money } from '../../../../kernel/base/values/money.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import { shownTo, type Ask, type Entry, type Person } from '../../frame/index.ts';

export interface Course {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** A run of a course, which is booked as a whole. */
export interface Run {
  readonly id: number;
  readonly course: number;
  readonly name: string;
  /** for all dates, before fees and taxes */
  readonly price: Money;
  /** for one date; null: single dates are not sold */
  readonly singlePrice: Money | null;
  /** in epoch milliseconds, and as the interface returned it */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly startsAtText: string;
  readonly endsAtText: string;
  readonly zone: string;
  readonly dates: number;
  readonly datesLeft: number;
  readonly full: boolean;
  readonly venue: string;
}

export interface Listed extends Course {
  /** soonest first */
  readonly runs: readonly Run[];
}

export interface CourseDate {
  /** event id */
  readonly id: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly zone: string;
  readonly cancelled: boolean;
  readonly venue: string;
  readonly teachers: readonly string[];
  /** null: unlimited */
  readonly left: number | null;
}

/** A person's relation to a run. */
export type Standing =
  | { readonly kind: 'none' | 'enrolled' }
  | { readonly kind: 'waiting'; readonly position: number }
  | { readonly kind: 'offered'; readonly until: number };

export interface Shown extends Run {
  readonly all: readonly CourseDate[];
  /** price of joining now, before fees and taxes */
  readonly priceNow: Money;
  readonly canJoin: boolean;
  /** by customer id */
  readonly standing: ReadonlyMap<number, Standing>;
}

/** Returns true if people without an account can book it now. */
export const openToGuests = ({ canJoin, full }: Shown): boolean => canJoin && !full;

const MAX_ROWS = 100;
const MAX_DATES = 250;
/** Maximum number of runs: the current price of each is requested separately. */
const MAX_RUNS = 20;

const COURSE = 'id,name,offering_type.name,offering_type.description';
const RUN =
  'id,course,name,price,single_date_price,starts_at,ends_at,session_count,sessions_left,is_full,venue.name,venue.timezone';

const DATE =
  'id,starts_at,ends_at,status,attending_count,max_occupancy,course_date_series,venue.name,venue.timezone,instructors.name';

const courseOf = ({
  id,
  name,
  offering_type: type,
}: Entry<'GET /courses', typeof COURSE, 'offering_type'>): Course => ({
  id,
  name: name ?? type?.name ?? '',
  description: type?.description ?? '',
});

/** Returns null for a run without dates. `zone`: of the business, used if the venue is not visible. */
function runOf(one: Entry<'GET /course_date_series', typeof RUN, 'venue'>, zone: string): Run | null {
  const { course, starts_at: from, ends_at: to, venue } = one;
  if (course === null || from === null || to === null) return null;
  return {
    id: one.id,
    course,
    name: one.name,
    price: moneyOf(one.price),
    singlePrice: one.single_date_price && moneyOf(one.single_date_price),
    startsAt: Date.parse(from),
    endsAt: Date.parse(to),
    startsAtText: from,
    endsAtText: to,
    zone: venue?.timezone ?? zone,
    dates: one.session_count,
    datesLeft: one.sessions_left,
    full: one.is_full,
    venue: venue?.name ?? '',
  };
}

/** Returns the runs that still have a date, soonest first. */
async function runsOf(ask: Ask, zone: string, course?: number): Promise<Run[]> {
  const { results } = await ask('GET /course_date_series', {
    query: {
      fields: RUN,
      expand: 'venue',
      status: 'active',
      ...(course !== undefined && { course: String(course) }),
      page_size: MAX_DATES,
    },
  });
  return results
    .filter((one) => one.sessions_left > 0)
    .flatMap((one) => runOf(one, zone) ?? [])
    .toSorted((a, b) => a.startsAt - b.startsAt);
}

/** Returns the courses that somebody can book or has booked, the one that begins next first. */
export async function listedCourses(ask: Ask, zone: string): Promise<readonly Listed[]> {
  const [{ results }, runs] = await Promise.all([
    ask('GET /courses', { query: { fields: COURSE, expand: 'offering_type', page_size: MAX_ROWS } }),
    runsOf(ask, zone),
  ]);
  return results
    .map((one): Listed => ({ ...courseOf(one), runs: runs.filter(({ course }) => course === one.id) }))
    .filter(({ runs: own }: Listed) => own.length > 0)
    .toSorted((a: Listed, b: Listed) => a.runs[0].startsAt - b.runs[0].startsAt);
}

/** @throws Problem 404 */
export async function oneCourse(
  ask: Ask,
  { id, zone, people }: { readonly id: number; readonly zone: string; readonly people: readonly Person[] | null },
): Promise<{ readonly course: Course; readonly runs: readonly Shown[] }> {
  const found = await ask('GET /courses/{id}', {
    params: { id },
    query: { fields: `${COURSE},published`, expand: 'offering_type' },
  });
  if (!found.published) throw notFound();
  const [runs, dates] = await Promise.all([runsOf(ask, zone, id), datesOf(ask, id, zone)]);
  const shown = runs.slice(0, MAX_RUNS);
  const standings = await standingsOf(ask, shown, people);
  return {
    course: courseOf(found),
    runs: await Promise.all(
      shown.map(async (run): Promise<Shown> => {
        const now = await ask('GET /course_date_series/{id}/explain', { params: { id: run.id } });
        return {
          ...run,
          all: dates.get(run.id) ?? [],
          priceNow: moneyOf(now.price),
          canJoin: now.can_join,
          standing: standings.get(run.id) ?? new Map(),
        };
      }),
    ),
  };
}

/** Returns the dates by the id of their run, soonest first. */
async function datesOf(ask: Ask, course: number, zone: string): Promise<Map<number | null, CourseDate[]>> {
  const { results } = await ask('GET /course_sessions', {
    query: {
      course: String(course),
      fields: DATE,
      expand: 'venue,instructors',
      sort: 'start',
      page_size: MAX_DATES,
    },
  });
  const of = Map.groupBy(results, (one) => one.course_date_series);
  return new Map([...of].map(([run, those]) => [run, those.map((one) => dateOf(one, zone))]));
}

const dateOf = (one: Entry<'GET /course_sessions', typeof DATE, 'venue,instructors'>, zone: string): CourseDate => ({
  id: one.id,
  startsAt: Date.parse(one.starts_at),
  endsAt: Date.parse(one.ends_at),
  zone: one.venue?.timezone ?? zone,
  cancelled: one.status === 'cancelled',
  venue: one.venue?.name ?? '',
  teachers: one.instructors.map(({ name }) => name),
  left: one.max_occupancy === null ? null : Math.max(0, one.max_occupancy - one.attending_count),
});

/** Returns each person's relation to each run, by the ids of both. */
async function standingsOf(
  ask: Ask,
  runs: readonly Run[],
  people: readonly Person[] | null,
): Promise<Map<number, Map<number, Standing>>> {
  const standings = new Map(runs.map(({ id }) => [id, new Map<number, Standing>()]));
  if (!people || people.length === 0 || runs.length === 0) return standings;
  const query = { course_date_series: runs.map(({ id }) => id).join(), customer: people.map(({ id }) => id).join() };
  const [enrolled, waiting] = await Promise.all([
    ask('GET /course_enrollments', {
      query: { ...query, status: 'active', fields: 'customer,course_date_series', page_size: MAX_ROWS },
    }),
    ask('GET /course_waitlist_spots', {
      query: {
        ...query,
        status: 'waiting,offered',
        fields: 'customer,course_date_series,status,position,offered_until',
        page_size: MAX_ROWS,
      },
    }),
  ]);
  const standingAt = (run: number | null) => standings.get(shownTo(run));
  for (const { customer, course_date_series: run, status, position, offered_until: until } of waiting.results)
    standingAt(run)?.set(
      shownTo(customer),
      status === 'offered' && until !== null
        ? { kind: 'offered', until: Date.parse(until) }
        : { kind: 'waiting', position: position ?? 1 },
    );
  for (const { customer, course_date_series: run } of enrolled.results)
    standingAt(run)?.set(shownTo(customer), { kind: 'enrolled' });
  return standings;
}
