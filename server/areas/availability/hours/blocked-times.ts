/** Times at which an instructor or a venue can't be booked, whatever the schedules allow. */
import { action, answer, read, STAFF, staffWith } from '../../../kernel/api/endpoint.ts';
import { checkMayBlock } from './may-change.ts';
import { date, instant, listOf, object, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { inOrder, timeRanges, united } from './time-ranges.ts';
import { instant as at, json, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { instructorBlockedTimesFeed, venueBlockedTimesFeed } from './feed.ts';
import { invalid, Issues, Problem } from '../../../kernel/base/problem.ts';
import { formatInstant } from '../../../kernel/base/values/zone.ts';
import { MAX_PERIODS, readPeriods } from './periods.ts';
import type { Resource } from '../../../kernel/api/resource.ts';
import type { TimeRange } from './rules/ranges.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** For one instructor or venue. */
const MAX_ENTRIES = 1000;

/** Kinds of booking that they block: instructors, rooms for rent, group classes. */
const APPLICABLE = ['IU', 'RRTL', 'GC'] as const;
type Applicable = (typeof APPLICABLE)[number];

const applicable = () =>
  oneOf(APPLICABLE)
    .nullable()
    .describe(
      'Blocked types of schedules: `IU` appointments, `RRTL` room rentals, `GC` group classes. Null means everything.',
    );

/** Owner of the times: the column of the table, and the term in the API. */
type Whose = 'instructor' | 'venue';

interface Values {
  date: string;
  end_date?: string | null;
  blocked_times: TimeRange[];
  applicable_to_availability_schedule_type?: Applicable | null;
}

const shapeOf = (whose: Whose) => ({
  data: listOf(
    object({
      date: date(),
      blocked_times: timeRanges(),
      created_at: instant(),
      applicable_to_availability_schedule_type: applicable(),
      [whose]: ref(whose),
    }),
    { max: MAX_ENTRIES },
  ),
  applicable_to_availability_schedule_type: applicable().describe('Value of the parameter with this name.'),
});

const asked = {
  date_gte: date().optional().describe('Only this day and later ones.'),
  date_lte: date().optional().describe('Only this day and earlier ones.'),
  applicable_to_availability_schedule_type: oneOf(APPLICABLE)
    .optional()
    .describe('Only what blocks this type, which includes what blocks everything.'),
};

interface Query {
  date_gte?: string;
  date_lte?: string;
  applicable_to_availability_schedule_type?: Applicable;
}

const bodyOf = (whose: Whose) => ({
  data: listOf(
    object({
      date: date(),
      end_date: date()
        .nullable()
        .optional()
        .describe('The last day of a period that begins on `date`. If absent or null, it is one day.'),
      blocked_times: timeRanges().describe('Replaces what is blocked on that day for this type. Empty: nothing.'),
      applicable_to_availability_schedule_type: applicable().optional(),
      [whose]: ref(whose).nullable().optional().describe('If present, the one that the path names.'),
    }),
    { max: MAX_PERIODS },
  ),
  applicable_to_availability_schedule_type: applicable()
    .optional()
    .describe('For entries that don’t say it themselves.'),
});

interface Row extends Record<string, unknown> {
  id: number;
  date: string;
  applicable_to: Applicable | null;
  blocked_times: TimeRange[];
  created_at: number;
}

const mine = ({ providerId }: Work, whose: Whose, id: number): Sql =>
  sql`provider_id = ${providerId} AND ${raw(`${whose}_id`)} = ${id}`;

async function blockedOf(work: Work, whose: Whose, id: number, query: Query): Promise<unknown> {
  const { date_gte: from = null, date_lte: to = null, applicable_to_availability_schedule_type: type = null } = query;
  const rows = await work.tx.rows<Row>(sql`SELECT * FROM blocked_time WHERE ${mine(work, whose, id)}
    AND (${from}::date IS NULL OR date >= ${from}::date) AND (${to}::date IS NULL OR date <= ${to}::date)
    AND (${type}::text IS NULL OR applicable_to IS NULL OR applicable_to = ${type}) ORDER BY date, id`);
  return {
    data: rows.map((row) => ({
      date: row.date,
      blocked_times: row.blocked_times.map(inOrder),
      created_at: formatInstant(row.created_at, work.tenant.zone),
      applicable_to_availability_schedule_type: row.applicable_to,
      [whose]: id,
    })),
    applicable_to_availability_schedule_type: type,
  };
}

interface Day {
  readonly date: string;
  readonly applicable: Applicable | null;
  /** empty: nothing is blocked any longer */
  readonly times: readonly TimeRange[];
}

/** Reads the days of all entries: if several name the same day for the same type, the last counts. */
function readDays(entries: readonly Values[], general: Applicable | null): Day[] {
  const issues = new Issues();
  const times = entries.map((one, n) => united(one.blocked_times, `data.${n}.blocked_times`, issues));
  const typeOf = ({ applicable_to_availability_schedule_type: type }: Values) => (type === undefined ? general : type);
  const days = [...Map.groupBy(entries.keys(), (n) => typeOf(entries[n]))].flatMap(([type, numbers]) => {
    const wanted = [...numbers];
    const all = readPeriods(
      entries.map((one, n) => (wanted.includes(n) ? one : null)),
      'data',
      issues,
    );
    return [...all].map(([day, n]): Day => ({ date: day, applicable: type, times: times[n] }));
  });
  issues.throwIfAny();
  return days;
}

const keyOf = (date: string, type: Applicable | null): string => `${date} ${type}`;

/** Replaces blocked times. The owner is locked. */
async function setBlocked(work: Work, whose: Whose, id: number, days: readonly Day[]): Promise<void> {
  if (days.length === 0) return;
  const { tx, providerId, now } = work;
  const own = mine(work, whose, id);
  const stored = await tx.rows<Row>(
    sql`SELECT * FROM blocked_time WHERE ${own} AND date = ANY(${[...new Set(days.map((day) => day.date))]}::date[])
      ORDER BY id`,
  );
  const before = new Map(stored.map((row) => [keyOf(row.date, row.applicable_to), row]));
  const changed = days.filter(({ date: day, applicable: type, times }) => {
    const was = before.get(keyOf(day, type))?.blocked_times ?? [];
    return JSON.stringify(was.map(inOrder)) !== JSON.stringify(times.map(inOrder));
  });
  if (changed.length === 0) return;
  const set = changed.filter(({ times }) => times.length > 0);
  const gone = changed.flatMap((day) => {
    const row = before.get(keyOf(day.date, day.applicable));
    return row && day.times.length === 0 ? [row.id] : [];
  });
  const [made, , [{ n }]] = await tx.all([
    sql`
      INSERT INTO blocked_time (provider_id, ${raw(`${whose}_id`)}, date, applicable_to, blocked_times, created_at,
        updated_at)
        SELECT ${providerId}, ${id}, day, type, times, ${at(now)}, ${at(now)}
        FROM unnest(${set.map((one) => one.date)}::date[],
          ${set.map((one) => one.applicable)}::text[], ${set.map((one) => json(one.times))}::jsonb[])
        WITH ORDINALITY AS b (day, type, times, nth) ORDER BY nth
        ON CONFLICT ON CONSTRAINT blocked_time_one
        DO UPDATE SET blocked_times = excluded.blocked_times, updated_at = excluded.updated_at
        RETURNING id, date, applicable_to`,
    sql`DELETE FROM blocked_time WHERE ${own} AND id = ANY(${gone}::bigint[])`,
    sql`SELECT count(*) AS n FROM blocked_time WHERE ${own}`,
  ]);
  if (n > MAX_ENTRIES)
    throw new Problem(
      'conflict',
      `Times can be blocked on ${MAX_ENTRIES} days. Unblock past days first, by sending them with empty blocked_times.`,
    );
  for (const row of made) work.touch('blocked_time', row.id, before.get(keyOf(row.date, row.applicable_to)) ?? null);
  for (const row of stored) if (gone.includes(row.id)) work.touch('blocked_time', row.id, row);
  const dates = [...new Set(changed.map((day) => day.date))].toSorted();
  if (whose === 'instructor')
    work.record(instructorBlockedTimesFeed.blocked_times_updated, id, { instructor: id, dates });
  else work.record(venueBlockedTimesFeed.blocked_times_updated, id, { venue: id, dates });
}

/** Returns GET and PATCH for the blocked times of instructors or of venues. */
export function blockedTimesOf(whose: Whose, target: Resource) {
  const path = `/${whose}s/{id}/blocked_times`;
  const permission =
    whose === 'instructor' ? ' Needs `manage_events`. Without it, instructors can do this for themselves.' : '';
  const check = async (work: Work, id: number) => {
    if (whose === 'instructor') await checkMayBlock(work, id);
  };
  const problems = whose === 'instructor' ? (['permission_denied'] as const) : [];
  return [
    read({
      path,
      summary: `List the blocked times of ${whose === 'instructor' ? 'an instructor' : 'a venue'}`,
      description: `In the order of their dates.${permission}`,
      who: STAFF,
      target,
      query: asked,
      returns: answer(shapeOf(whose)),
      problems,
      run: async ({ work, target: { id }, query }) => {
        await check(work, id);
        return blockedOf(work, whose, id, query);
      },
    }),
    action({
      method: 'PATCH',
      path,
      summary: `Block times of ${whose === 'instructor' ? 'an instructor' : 'a venue'}, or unblock them`,
      description: `Days that are not named stay as they are. What is booked already stays.${permission}`,
      who: whose === 'instructor' ? STAFF : staffWith('super_admin', 'manage_events'),
      target,
      body: bodyOf(whose),
      returns: answer(shapeOf(whose)),
      problems: [...problems, 'conflict'],
      run: async ({ work, target: { id }, body }) => {
        await check(work, id);
        const data = body.data as unknown as (Values & Partial<Record<Whose, number | null>>)[];
        const other = data.findIndex((one) => (one[whose] ?? id) !== id);
        if (other >= 0) throw invalid(`data.${other}.${whose}`, `Must be ${id}, the ${whose} that the path names.`);
        await setBlocked(work, whose, id, readDays(data, body.applicable_to_availability_schedule_type ?? null));
        return blockedOf(work, whose, id, {});
      },
    }),
  ];
}
