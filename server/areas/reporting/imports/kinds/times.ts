/** When a row takes place: from a column for the start, or from one for the day and one for the time. */
import { clockText, readSpan, type Span } from './rules/time.ts';
import { instantOfWall, parseInstant, wallAt } from '../../../../kernel/base/values/zone.ts';
import { isIssue, issueOf, templateOf, textIn, type Issue, type Portion } from './portion.ts';
import { readMoment } from './rules/day.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

export interface Times {
  /** YYYY-MM-DD, by the clock of the business */
  readonly day: string;
  /** minutes since midnight */
  readonly start: number;
  /** minutes since midnight; null if the row names no end, or a duration */
  readonly end: number | null;
}

/** Returns the times of a row, or the cell that can't be read as one; null if it has no day. */
export function timesIn(portion: Portion, row: CsvRow): Times | Issue | null {
  const found = dayTimeIn(portion, row);
  if (found === null || isIssue(found)) return found;
  const { day, start, end } = found;
  if (start !== null) return { day, start, end };
  const [date, time] = [templateOf(portion, 'start_date'), templateOf(portion, 'start_time')];
  return issueOf(time ?? date, row, time ? 'is empty' : 'has no time of day');
}

/** Returns the day of a row, and its times if it has any, or the cell that can't be read; null if it has no day. */
export function dayTimeIn(
  portion: Portion,
  row: CsvRow,
): (Omit<Times, 'start'> & { readonly start: number | null }) | Issue | null {
  const date = templateOf(portion, 'start_date');
  const text = textIn(date, row);
  if (text === null) return null;
  const { zone } = portion.work.tenant;
  const order = portion.dateFormat;
  const moment = readMoment(text, { order });
  if (moment === null) return issueOf(date, row, `is not a date${order ? ` (${order})` : ''}`);
  let { day } = moment;
  let start: number | null = moment.time;
  if (moment.zoned) {
    const instant = parseInstant(text.trim().replace(' ', 'T'), zone);
    if (instant === null) return issueOf(date, row, 'is not a time that can be read');
    const wall = wallAt(instant, zone);
    [day, start] = [wall.date, minutesOfClock(wall.time)];
  }
  const clock = clockIn(portion, row);
  if (isIssue(clock)) return clock;
  return { day, start: clock.start ?? start, end: clock.end };
}

/** Returns the times of day of a row, each null if it has none, or the cell that can't be read as one. */
export function clockIn(
  portion: Portion,
  row: CsvRow,
): { readonly start: number | null; readonly end: number | null } | Issue {
  const [time, end] = [templateOf(portion, 'start_time'), templateOf(portion, 'end_time')];
  const given = textIn(time, row);
  const span: Span | null = given === null ? null : readSpan(clockPart(given));
  if (given !== null && span === null) return issueOf(time, row, 'is not a time of day');
  const until = textIn(end, row);
  const last = until === null ? null : readSpan(clockPart(until));
  if (until !== null && (last === null || last.end !== null)) return issueOf(end, row, 'is not a time of day');
  return { start: span?.start ?? null, end: span?.end ?? last?.start ?? null };
}

/** Returns the time of a cell that repeats its day, such as `2026-03-02 18:30`; otherwise the cell. */
function clockPart(text: string): string {
  const moment = readMoment(text, { order: 'DD/MM/YYYY' }) ?? readMoment(text, { order: 'MM/DD/YYYY' });
  return moment === null || moment.time === null || moment.zoned ? text : clockText(moment.time);
}

const minutesOfClock = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** Returns the instant of a wall time at the business. */
export const instantAt = ({ work }: Portion, { day, start }: Pick<Times, 'day' | 'start'>): number =>
  instantOfWall(`${day}T${clockText(start)}:00`, work.tenant.zone);
