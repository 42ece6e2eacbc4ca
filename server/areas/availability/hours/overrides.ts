/** Hours for certain dates that replace the weekly ones. */
import { action, answer, nothing, read, STAFF } from '../../../kernel/api/endpoint.ts';
import { availabilitySchedule } from './schedule.ts';
import { checkMayChange } from './may-change.ts';
import { date, listOf, object } from '../../../kernel/base/fields/kinds.ts';
import { inOrder, timeRanges, united } from './time-ranges.ts';
import { Issues, Problem } from '../../../kernel/base/problem.ts';
import { json, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { MAX_PERIODS, readPeriods } from './periods.ts';
import { availabilityScheduleFeed } from './feed.ts';
import type { TimeRange } from './rules/ranges.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** For one schedule. */
const MAX_DATES = 1000;

const path = '/availability_schedules/{id}/overrides';

const shape = { overrides: listOf(object({ date: date(), availability: timeRanges() }), { max: MAX_DATES }) };

const between = {
  date_gte: date().optional().describe('Only this day and later ones.'),
  date_lte: date().optional().describe('Only this day and earlier ones.'),
};

interface Between {
  date_gte?: string;
  date_lte?: string;
}

const inside = ({ date_gte: from, date_lte: to }: Between): Sql =>
  sql`(${from ?? null}::date IS NULL OR date >= ${from ?? null}::date)
    AND (${to ?? null}::date IS NULL OR date <= ${to ?? null}::date)`;

const show = read({
  path,
  summary: 'List the overrides of an availability schedule',
  description: 'In the order of their dates. Needs `manage_events`, or a schedule of your own.',
  who: STAFF,
  target: availabilitySchedule,
  query: between,
  returns: answer(shape),
  problems: ['permission_denied'],
  run: async ({ work, target, query }) => {
    await checkMayChange(work, target.instructor_id);
    return { overrides: await overridesOf(work, target.id, inside(query)) };
  },
});

interface Override {
  date: string;
  availability: TimeRange[];
}

async function overridesOf({ tx, providerId }: Work, schedule: number, where: Sql): Promise<Override[]> {
  const rows = await tx.rows<{ date: string; availability: TimeRange[] }>(
    sql`SELECT date, availability FROM availability_override
        WHERE provider_id = ${providerId} AND availability_schedule_id = ${schedule} AND ${where} ORDER BY date`,
  );
  return rows.map((row) => ({ date: row.date, availability: row.availability.map(inOrder) }));
}

const whose = 'Needs `manage_events`. Without it, instructors can do this for their own schedules.';

const change = action({
  method: 'PATCH',
  path,
  summary: 'Set other hours of an availability schedule on some dates',
  description: `${whose} Dates that are not named stay as they are. Of dates that are named twice, the last one counts, so a period can have exceptions.`,
  who: STAFF,
  target: availabilitySchedule,
  body: {
    overrides: listOf(
      object({
        date: date(),
        end_date: date()
          .nullable()
          .optional()
          .describe('The last day of a period that begins on `date`. If absent or null, it is one day.'),
        availability: timeRanges()
          .nullable()
          .optional()
          .describe(
            'Hours instead of the weekly ones. Empty: none on that day. Absent or null: the weekly hours again.',
          ),
      }),
      { max: MAX_PERIODS },
    ),
  },
  returns: nothing,
  problems: ['permission_denied', 'conflict'],
  run: async ({ work, target, body: { overrides } }) => {
    await checkMayChange(work, target.instructor_id);
    const issues = new Issues();
    const days = readPeriods(overrides, 'overrides', issues);
    const hours = overrides.map(({ availability }, n) =>
      availability ? united(availability, `overrides.${n}.availability`, issues) : null,
    );
    issues.throwIfAny();
    await setOverrides(work, target.id, new Map([...days].map(([day, n]) => [day, hours[n]])));
  },
});

/** Sets overrides; null restores the weekly hours. The schedule is locked. */
async function setOverrides(
  work: Work,
  schedule: number,
  days: ReadonlyMap<string, readonly TimeRange[] | null>,
): Promise<void> {
  if (days.size === 0) return;
  const { tx, providerId } = work;
  const named = sql`date = ANY(${[...days.keys()]}::date[])`;
  const mine = sql`provider_id = ${providerId} AND availability_schedule_id = ${schedule}`;
  const before = await overridesOf(work, schedule, named);
  const set = [...days].flatMap(([day, hours]) => (hours === null ? [] : [{ day, hours: json(hours) }]));
  const [, , [{ n }]] = await tx.all([
    sql`DELETE FROM availability_override WHERE ${mine} AND ${named}`,
    sql`INSERT INTO availability_override (provider_id, availability_schedule_id, date, availability)
        SELECT ${providerId}, ${schedule}, day, hours
        FROM unnest(${set.map((one) => one.day)}::date[], ${set.map((one) => one.hours)}::jsonb[]) AS o (day, hours)`,
    sql`SELECT count(*) AS n FROM availability_override WHERE ${mine}`,
  ]);
  if (n > MAX_DATES)
    throw new Problem(
      'conflict',
      `A schedule can have other hours on ${MAX_DATES} dates. Remove past ones first, with DELETE and date_lte.`,
    );
  recordChanges(work, schedule, before, await overridesOf(work, schedule, named));
}

/** Records the changes; nothing is recorded if nothing changed. */
function recordChanges(work: Work, schedule: number, before: readonly Override[], after: readonly Override[]): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  work.audit({
    action: 'availability_schedule.overrides',
    object: 'availability_schedule',
    objectId: schedule,
    before: { overrides: before },
    after: { overrides: after },
  });
  work.record(availabilityScheduleFeed.updated, schedule, { availability_schedule: schedule, changed: ['overrides'] });
}

const clear = action({
  method: 'DELETE',
  path,
  summary: 'Remove the overrides of an availability schedule',
  description: `${whose} The weekly hours apply on these dates again. Without \`date_gte\` and \`date_lte\`, removes all of them.`,
  who: STAFF,
  target: availabilitySchedule,
  query: between,
  returns: nothing,
  problems: ['permission_denied'],
  run: async ({ work, target, query }) => {
    await checkMayChange(work, target.instructor_id);
    const before = await overridesOf(work, target.id, inside(query));
    await work.tx.run(
      sql`DELETE FROM availability_override WHERE provider_id = ${work.providerId}
        AND availability_schedule_id = ${target.id} AND ${inside(query)}`,
    );
    recordChanges(work, target.id, before, []);
  },
});

export const overrideEndpoints = [show, change, clear];
