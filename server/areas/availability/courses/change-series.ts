/** Creates date series of a course with all their sessions, changes and cancels them. */
import { action, one, update } from '../../../kernel/api/endpoint.ts';
import { integer, moneyText, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { addSessions } from './add-sessions.ts';
import { cancelSeries } from './cancel-series.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import {
  changeCancelled,
  changeEvent,
  CLASHES,
  SCHEDULE_PROBLEMS,
  takeEvents,
} from '../../scheduling/schedule/index.ts';
import { course } from './course.ts';
import { courseDateSeries, GIVES, LATE_PRICES, REFUNDS } from './course-date-series.ts';
import { makeSessions, plannedSessions, type Plan } from './make-sessions.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { courseDateSeriesFeed } from './feed.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { offerPlaces } from './waitlist.ts';
import { oneSeries } from './facts.ts';
import { sessionDates } from './session-dates.ts';
import { whoManages } from './change-courses.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const settings = {
  name: text({ max: 200 }).describe('For example “Autumn, Mondays”.'),
  price: moneyText().describe('Price of all sessions, before fees and taxes.'),
  single_date_price: moneyText()
    .nullable()
    .optional()
    .describe('Price of one session. Null: single sessions are not sold.'),
  max_occupancy: integer({ min: 0, max: 1_000_000 })
    .nullable()
    .optional()
    .describe('Places at each session. Null or 0 means no limit.'),
  late_join_limit: integer({ min: 0, max: 1000 })
    .nullable()
    .optional()
    .describe(
      'At most so many sessions have begun when somebody joins. 0: nobody joins late. Null: as long as one is left.',
    ),
  late_price: oneOf(LATE_PRICES).optional().describe('`prorated` if left out.'),
  make_up_days: integer({ min: 1, max: 366 })
    .nullable()
    .optional()
    .describe('Days after a missed session within which it can be made up for. Null: never.'),
  cancelled_session_gives: oneOf(GIVES).optional().describe('`make_up` if left out.'),
  cancellation_refunds: oneOf(REFUNDS).optional().describe('`sessions_left` if left out.'),
};

const dates = { venue: ref('venue'), ...sessionDates };

type Settings = Partial<Record<keyof typeof settings, any>>;

const columnsOf = (work: Work, { price, single_date_price: single, max_occupancy: max, ...rest }: Settings) => ({
  ...rest,
  price_minor: price === undefined ? undefined : minorOf('price', price, work.tenant.currency),
  single_price_minor: typeof single === 'string' ? minorOf('single_date_price', single, work.tenant.currency) : single,
  max_occupancy: max === undefined ? undefined : max || null,
});

const createSeries = action({
  path: '/courses/{id}/date_series',
  summary: 'Add a date series to a course',
  description:
    'Creates the series with all its sessions: by a recurrence rule that ends, or by a list of dates. A dry run lists every session, and each one whose room or instructor is taken.',
  who: whoManages,
  target: course,
  body: { ...settings, ...dates },
  returns: one(courseDateSeries),
  status: 201,
  problems: CLASHES,
  run: ({ work, target, body, dryRun }) => addSeries(work, target as CourseRow, body, { onlyTried: dryRun }),
});

type CourseRow = Parameters<typeof makeSessions>[1]['course'];

/** A new series, as in the body of its endpoint. */
interface NewSeries extends Settings, Plan {
  readonly venue_room?: number | null;
  readonly instructors?: number[];
}

/** Creates the series with all its sessions, and returns its id. */
async function addSeries(
  work: Work,
  course: CourseRow,
  { venue, venue_room, instructors, starts_at, ends_at, recurrence, dates: list, ...sold }: NewSeries,
  { onlyTried }: { readonly onlyTried: boolean },
): Promise<number> {
  const planned = await plannedSessions(work, { venue, starts_at, ends_at, recurrence, dates: list });
  const id = await insertRow(work, 'course_date_series', {
    course_id: course.id,
    venue_id: venue,
    ...columnsOf(work, sold),
  });
  await makeSessions(work, {
    series: id,
    course,
    values: { venue, venue_room, instructors, max_occupancy: sold.max_occupancy },
    planned,
    onlyTried,
  });
  work.record(courseDateSeriesFeed.created, id, { course_date_series: id, course: course.id });
  return id;
}

/** Adds the first series of a course that was just created. */
export async function createDates(work: Work, course: number, body: NewSeries): Promise<number> {
  const row = await work.tx.one<CourseRow>(
    sql`SELECT * FROM course WHERE provider_id = ${work.providerId} AND id = ${course}`,
  );
  return addSeries(work, row!, body, { onlyTried: false });
}

/** Returns the columns whose value differs from the stored one. */
function changesOf(target: Readonly<Record<string, any>>, columns: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).filter(([name, value]) => value !== undefined && value !== target[name]),
  );
}

const WIRE: Record<string, string> = { price_minor: 'price', single_price_minor: 'single_date_price' };

const updateSeries = update(courseDateSeries, {
  path: '/course_date_series/{id}',
  summary: 'Update a date series of a course',
  description:
    'Enrolments keep the price at which they were sold. The number of places changes at every session that has not begun.',
  who: whoManages,
  body: settings,
  // The events of its sessions are locked before it.
  unlocked: true,
  problems: ['already_cancelled', SCHEDULE_PROBLEMS.capacity_below_bookings],
  run: async ({ work, target, body }) => {
    const values = changesOf(target, columnsOf(work, body));
    if (changedNames(values).length === 0) return target.id;
    if ('max_occupancy' in values) await changePlaces(work, target.id, values.max_occupancy as number | null);
    const [row] = await work.tx.rows<Record<string, any> & { id: number }>(
      sql`SELECT * FROM course_date_series WHERE provider_id = ${work.providerId} AND id = ${target.id}
        FOR NO KEY UPDATE`,
    );
    work.touch('course_date_series', row.id, row);
    await updateRow(work, 'course_date_series', row.id, values);
    const changed = changedNames(values).map((name) => WIRE[name] ?? name);
    work.record(courseDateSeriesFeed.updated, row.id, { course_date_series: row.id, course: row.course_id, changed });
    if ('max_occupancy' in values) offerPlaces(work, row.id);
    return row.id;
  },
});

async function changePlaces(work: Work, series: number, max: number | null): Promise<void> {
  const { sessions } = await oneSeries(work, series);
  const ahead = sessions.filter(({ startsAt }) => startsAt > work.now);
  const events = await takeEvents(
    work,
    ahead.map(({ event }) => event),
  );
  // Cancelled events too: they may be brought back later.
  for (const event of events)
    await (event.status === 'active' ? changeEvent : changeCancelled)(work, event, { max_occupancy: max });
}

export const changeSeries = [createSeries, ...updateSeries, addSessions, cancelSeries];
