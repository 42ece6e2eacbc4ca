/** Interpretation of the dates and times in a schedule file, including mistakes. */
import { addDays, dayNumberOf } from '../../../../../kernel/base/values/zone.ts';

const DAY = 1440;
const HALF_DAY = 720;
/**
 * Maximum length of a session in minutes after its end was corrected: a longer one is probably not the intended one.
 */
const LONGEST_CORRECTED = 360;
/** Minutes since midnight; an earlier start should be checked, because hardly anybody meets then. */
const NIGHT_ENDS = 300;

/**
 * Reads `9:30`, `21:30:00`, `9:30 PM`, `9 p.m.` as minutes since midnight; 24:00 is the end of the day. Null for
 * anything else.
 */
export function readTime(text: string): number | null {
  const match = /^(\d{1,2})(?:[:.h](\d{2})(?::\d{2})?)?\s*(?:([ap])\.?m\.?)?$/i.exec(text);
  if (!match) return null;
  const [, hour, minute = '0', half] = match;
  if (!half) return match[2] === undefined ? null : minutesOf(Number(hour), Number(minute));
  if (Number(hour) < 1 || Number(hour) > 12) return null;
  return minutesOf((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0), Number(minute));
}

/** Reads an hour and a minute column as minutes since midnight; an empty minute is 0. */
export function readHourAndMinute(hour: string, minute: string | null): number | null {
  if (!/^\d{1,2}(\.0+)?$/.test(hour) || (minute !== null && !/^\d{1,2}(\.0+)?$/.test(minute))) return null;
  return minutesOf(Number(hour), Number(minute ?? 0));
}

const minutesOf = (hour: number, minute: number): number | null =>
  minute > 59 || hour > 24 || (hour === 24 && minute > 0) ? null : hour * 60 + minute;

export interface Span {
  /** wall times `YYYY-MM-DDTHH:MM:SS` */
  readonly starts: string;
  readonly ends: string;
  /** correction that was made, or value that a person should check */
  readonly note: string | null;
}

/**
 * Returns the wall times of a session from its first and last date and its times in minutes since midnight; or why they
 * make no sense. A session ends after it starts, and within a day.
 */
export function sessionSpan(
  firstDate: string,
  start: number,
  lastDate: string,
  end: number,
): Span | { refused: string } {
  const days = dayNumberOf(lastDate) - dayNumberOf(firstDate);
  if (days < 0) return { refused: 'the last date is before the first' };
  const length = days * DAY + end - start;
  if (length > DAY) return { refused: `lasts from ${firstDate} to ${lastDate}: give each session its own row` };
  const odd = start < NIGHT_ENDS ? `starts at ${clock(start)}, taken as written` : null;
  if (length > 0) return span(firstDate, start, length, odd);
  const halfDayLater = length + HALF_DAY;
  if (end < HALF_DAY && halfDayLater > 0 && halfDayLater <= LONGEST_CORRECTED) {
    return span(
      firstDate,
      start,
      halfDayLater,
      `ends before it starts: ${clock(end)} taken as ${clock(end + HALF_DAY)}`,
    );
  }
  const dayLater = length + DAY;
  if (dayLater > 0 && dayLater <= LONGEST_CORRECTED) {
    return span(firstDate, start, dayLater, `ends before it starts: taken to end at ${clock(end)} of the next day`);
  }
  return { refused: `ends at ${clock(end)}, not after its start at ${clock(start)}` };
}

/** Returns the wall times from a start and a length. @param length minutes */
export function span(date: string, start: number, length: number, note: string | null = null): Span {
  return { starts: wall(date, start), ends: wall(date, start + length), note };
}

const wall = (date: string, minutes: number): string =>
  `${addDays(date, Math.floor(minutes / DAY))}T${clock(minutes % DAY)}:00`;

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
