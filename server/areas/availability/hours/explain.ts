/** Explains a schedule day by day: the hours that apply, what blocks them, and what is left. */
import { addDays, daysBetween, formatInstant } from '../../../kernel/base/values/zone.ts';
import { answer, read, STAFF } from '../../../kernel/api/endpoint.ts';
import { availabilitySchedule, WEEK } from './schedule.ts';
import { boolean, date, id, instant, integer, listOf, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { closedDates } from '../closures/index.ts';
import { explainDay, type Blocking } from './rules/explain-day.ts';
import { inOrder, timeRanges } from './time-ranges.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { TimeRange } from './rules/ranges.ts';

const MAX_DAYS = 92;

export const explain = read({
  path: '/availability_schedules/{id}/explain',
  summary: 'Explain the hours of an availability schedule',
  description:
    'Says for each day which hours apply and why, what is blocked, and what remains open. Bookings are not taken into account.',
  who: STAFF,
  target: availabilitySchedule,
  query: {
    from: date(),
    to: date().describe(`The last day. At most ${MAX_DAYS} days.`),
  },
  returns: answer({
    availability_schedule: id(),
    timezone: text().describe('Time zone of the venue, or of the business if the schedule is for every venue.'),
    days: listOf(
      object({
        date: date(),
        applies: oneOf(['weekly', 'override', 'not_valid']).describe(
          'Source of the hours: the weekly hours, an override, or none, because the schedule is not valid on that day.',
        ),
        hours: timeRanges().describe('Hours that begin on this day.'),
        weekly: timeRanges().describe('The weekly hours of this day, whether or not they apply.'),
        after_midnight: timeRanges().describe('The part of the hours of the day before that reaches into this day.'),
        blocked: listOf(
          object({
            by: oneOf(['instructor', 'venue']).describe('Owner of the blocked times.'),
            times: timeRanges().describe('Including those of the day before that reach into this day.'),
          }),
        ),
        closed: boolean().describe('The business or the venue is closed on this day, so nothing is open.'),
        open: listOf(object({ starts_at: instant(), ends_at: instant() })),
        minutes: integer({ min: 0 }).describe('Open time on this day, in minutes.'),
      }),
    ),
  }),
  run: async ({ work, target, query: { from, to } }) => {
    const { tx, providerId, tenant } = work;
    if (to < from) throw invalid('to', 'The last day must not be before the first.');
    if (daysBetween(from, to) >= MAX_DAYS) throw invalid('to', `Must be at most ${MAX_DAYS} days.`);
    if (from < '1900-01-01' || to > '2200-12-31') throw invalid('from', 'Must be a day of the years 1900 to 2200.');
    const first = addDays(from, -1);
    const [places, overrides, blocked] = await tx.all([
      sql`SELECT timezone FROM venue WHERE provider_id = ${providerId} AND id = ${target.venue_id}`,
      sql`SELECT date, availability FROM availability_override
          WHERE provider_id = ${providerId} AND availability_schedule_id = ${target.id}
            AND date BETWEEN ${first}::date AND ${to}::date`,
      sql`SELECT date, CASE WHEN instructor_id IS NULL THEN 'venue' ELSE 'instructor' END AS by, blocked_times
        FROM blocked_time
          WHERE provider_id = ${providerId}
            AND (instructor_id = ${target.instructor_id} OR venue_id = ${target.venue_id})
            AND date BETWEEN ${first}::date AND ${to}::date
            AND (applicable_to IS NULL OR applicable_to = ${target.schedule_type})
          ORDER BY date, id`,
    ]);
    const closures = await closedDates(work, { venues: target.venue_id === null ? [] : [target.venue_id], from, to });
    const zone = (places[0]?.timezone as string | undefined) ?? tenant.zone;
    const plan = {
      zone,
      weekly: WEEK.map((day) => (target[day] as TimeRange[]).map(inOrder)),
      overrides: new Map(overrides.map((row) => [row.date as string, (row.availability as TimeRange[]).map(inOrder)])),
      blocked: blocked.map((row): Blocking => ({
        date: row.date as string,
        by: row.by as Blocking['by'],
        times: (row.blocked_times as TimeRange[]).map(inOrder),
      })),
      closed: new Set(closures.map((one) => one.date)),
      validFrom: target.valid_from as string | null,
      validUntil: target.valid_until as string | null,
    };
    const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, n) => explainDay(plan, addDays(from, n)));
    return {
      availability_schedule: target.id,
      timezone: zone,
      days: days.map(({ afterMidnight, open, ...day }) => ({
        date: day.date,
        applies: day.applies,
        hours: day.hours,
        weekly: day.weekly,
        after_midnight: afterMidnight,
        blocked: day.blocked,
        closed: day.closed,
        open: open.map(({ start, end }) => ({
          starts_at: formatInstant(start, zone),
          ends_at: formatInstant(end, zone),
        })),
        minutes: open.reduce((sum, { start, end }) => sum + (end - start) / 60_000, 0),
      })),
    };
  },
});
