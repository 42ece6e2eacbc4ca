/**
 * Weekly plans: rows with weekdays and a time instead of a day. Each becomes a series of events, from today at the
 * earliest.
 */
import { addDays, wallAt } from '../../../../kernel/base/values/zone.ts';
import { clockIn, type Times } from './times.ts';
import { createSeries, SCHEDULE_PROBLEMS, type Places, type Session } from '../../../scheduling/schedule/index.ts';
import { dateIn, isIssue, issueOf, templateOf, textIn, type Issue, type Portion } from './portion.ts';
import { instant } from '../../../../kernel/base/db/sql.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { VENUE_PROBLEMS } from '../../../places/venues/index.ts';
import { weekdayReader } from './rules/weekday.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';
import type { Taught } from './instructors.ts';

export interface WeeklyPlan {
  /** times of the first event */
  readonly times: Times;
  readonly rrule: string;
  /** identifies the plan in its file, beside its name and venue */
  readonly key: string;
  readonly notes: readonly Issue[];
}

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Returns the ISO weekday of a day. */
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/**
 * Returns a function that reads the plan of a row, or the cell that can't be read; null for a row with a day of its
 * own.
 */
export function plansIn(portion: Portion): (row: CsvRow) => WeeklyPlan | Issue | null {
  const at = (property: string) => templateOf(portion, property);
  const [weekday, date, from, until] = [at('weekday'), at('start_date'), at('from'), at('until')];
  if (!weekday) return () => null;
  const read = weekdayReader(portion.rows.flatMap((row) => textIn(weekday, row) ?? []));
  const { date: today } = wallAt(portion.work.now, portion.work.tenant.zone);
  // A day beside a last day is the first day of a plan.
  const begins = from ?? (until ? date : undefined);
  return (row) => {
    const text = textIn(weekday, row);
    if (text === null || (date !== begins && textIn(date, row) !== null)) return null;
    const days = read(text);
    if (days === null) return issueOf(weekday, row, 'is not a weekday, or could be several: write it in full');
    const [first, last] = [dateIn(portion, begins, row), dateIn(portion, until, row)];
    if (isIssue(first)) return first;
    if (isIssue(last)) return last;
    const clock = clockIn(portion, row);
    if (isIssue(clock)) return clock;
    if (clock.start === null) return issueOf(at('start_time'), row, 'is empty');
    let day = first !== null && first > today ? first : today;
    while (!days.includes(weekdayOf(day))) day = addDays(day, 1);
    if (last !== null && last < day) return issueOf(until, row, 'is in the past: the plan has ended');
    return {
      times: { day, start: clock.start, end: clock.end },
      rrule: `FREQ=WEEKLY;BYDAY=${days.map((one) => WEEKDAYS[one - 1]).join()}${
        last === null ? '' : `;UNTIL=${last.replaceAll('-', '')}T235959`
      }`,
      key: ['weekly', days.join(''), clock.start, first ?? '', last ?? ''].join(' '),
      notes: [
        ...(first === null ? [issueOf(begins ?? weekday, row, `has no first day, so it begins on ${day}`)] : []),
        ...(last === null ? [issueOf(until ?? weekday, row, 'has no last day, so it goes on every week')] : []),
      ],
    };
  };
}

export interface WrittenPlan {
  /** its first event; null if it is refused */
  readonly event: number | null;
  readonly issues: readonly Issue[];
}

/** Creates a series with its events: without instructors or a room that are busy at one of its times. */
export async function createPlan(
  { work }: Portion,
  { session, rrule }: { readonly session: Session; readonly rrule: string },
  asked: { readonly taught: Taught | undefined; readonly room: number | undefined },
  places: Places,
): Promise<WrittenPlan> {
  const create = async (instructors: readonly number[], room: number | undefined): Promise<number> => {
    const beside = work.beside();
    const event = await work.tx.attempt(() =>
      createSeries(
        beside,
        {
          name: session.name,
          offering_type: places.offeringTypes.get(session.offeringType.externalId)!,
          venue: places.venues.get(session.venue.externalId)!.id,
          venue_room: room,
          starts_at: instant(session.startsAt)!,
          ends_at: instant(session.endsAt)!,
          max_occupancy: session.maxOccupancy,
          instructors: [...instructors],
        },
        { rrule },
      ),
    );
    work.take(beside);
    return event;
  };
  let { room } = asked;
  let instructors = asked.taught?.ids ?? [];
  const issues: Issue[] = [];
  for (;;) {
    try {
      return { event: await create(instructors, room), issues };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.kind === VENUE_PROBLEMS.room_taken && room !== undefined) {
        room = undefined;
        const reason = 'needs a room that is taken at one of these times; the events are imported without a room';
        issues.push({ column: '', value: session.name, reason });
      } else if (error.kind === SCHEDULE_PROBLEMS.instructor_taken && instructors.length > 0) {
        instructors = [];
        const { column, value } = asked.taught!;
        const reason = 'teaches another event at one of these times; the events are imported without instructors';
        issues.push({ column, value, reason });
      } else return { event: null, issues: [{ column: '', value: '', reason: error.message.replace(/\.$/, '') }] };
    }
  }
}
