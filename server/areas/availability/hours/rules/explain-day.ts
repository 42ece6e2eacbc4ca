/** Explains why a schedule is open on a day as it is. Pure; `openTimes` computes the times. */
import { addDays, weekdayOf } from '../../../../kernel/base/values/zone.ts';
import { openTimes } from './open-times.ts';
import type { Period } from '../../../../kernel/base/values/period.ts';
import { together, type TimeRange } from './ranges.ts';

export interface Blocking {
  /** the day on which it begins */
  readonly date: string;
  /** owner of the blocked time */
  readonly by: 'instructor' | 'venue';
  readonly times: readonly TimeRange[];
}

interface Explained {
  readonly date: string;
  readonly applies: 'weekly' | 'override' | 'not_valid';
  readonly hours: readonly TimeRange[];
  readonly weekly: readonly TimeRange[];
  /** of the previous day */
  readonly afterMidnight: readonly TimeRange[];
  readonly blocked: readonly Pick<Blocking, 'by' | 'times'>[];
  /** the venue or the business is closed on that day */
  readonly closed: boolean;
  readonly open: readonly Period[];
}

interface Schedule {
  readonly zone: string;
  /** seven days, Monday first */
  readonly weekly: readonly (readonly TimeRange[])[];
  readonly overrides: ReadonlyMap<string, readonly TimeRange[]>;
  readonly blocked: readonly Blocking[];
  /** dates on which the venue or the business is closed */
  readonly closed: ReadonlySet<string>;
  /** the first and the last day; null: unbounded */
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}

/** Returns the hours that apply to a day. */
function appliesOn(
  { weekly, overrides, validFrom, validUntil }: Omit<Schedule, 'zone' | 'blocked' | 'closed'>,
  date: string,
): Pick<Explained, 'applies' | 'hours'> {
  if ((validFrom !== null && date < validFrom) || (validUntil !== null && date > validUntil))
    return { applies: 'not_valid', hours: [] };
  const override = overrides.get(date);
  return override
    ? { applies: 'override', hours: override }
    : { applies: 'weekly', hours: weekly[weekdayOf(date) - 1] };
}

/** Returns the part of a day's ranges that falls on the next day. */
const over = (ranges: readonly TimeRange[]): TimeRange[] =>
  ranges.flatMap(({ start, end }) => (end <= start && end !== '00:00' ? [{ start: '00:00', end }] : []));

export function explainDay(schedule: Schedule, date: string): Explained {
  const before = addDays(date, -1);
  const { applies, hours } = appliesOn(schedule, date);
  const blockedOn = (day: string, by: Blocking['by']) =>
    schedule.blocked.filter((one) => one.date === day && one.by === by).flatMap(({ times }) => times);
  const blocked = (['instructor', 'venue'] as const).map((by) => ({
    by,
    times: together([...over(blockedOn(before, by)), ...blockedOn(date, by)]),
  }));
  const applying = new Map([before, date].map((day) => [day, appliesOn(schedule, day).hours]));
  const blocking = new Map(
    [before, date].map((day) => [day, [...blockedOn(day, 'instructor'), ...blockedOn(day, 'venue')]]),
  );
  return {
    date,
    applies,
    hours,
    weekly: schedule.weekly[weekdayOf(date) - 1],
    afterMidnight: over(applying.get(before)!),
    blocked: blocked.filter(({ times }) => times.length > 0),
    closed: schedule.closed.has(date),
    open: schedule.closed.has(date)
      ? []
      : openTimes({ ...schedule, overrides: applying, blocked: blocking }, date, date),
  };
}
