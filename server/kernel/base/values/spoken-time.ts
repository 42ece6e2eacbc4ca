/** Days and times as people read them, in the zone of their venue, across all clock changes. */
import { isShownTwice, wallAt } from './zone.ts';
import { offsetAt, offsetText } from './offset.ts';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Returns a calendar date with its weekday: `Friday, 17 July 2026`. */
export const spokenDate = (date: string): string => dayText(Date.parse(`${date}T00:00Z`), 'UTC');

/** Returns a calendar date without its weekday: `17 July 2026`. */
export function plainDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

export function dayText(at: number, zone: string): string {
  const { dayOfWeek, day, month, year } = wallAt(at, zone);
  return `${WEEKDAYS[dayOfWeek - 1]}, ${day} ${MONTHS[month - 1]} ${year}`;
}

/** Returns `18:00`; a time that happens twice has its offset: `01:30 (UTC-04:00)`. */
const clockText = (at: number, zone: string): string =>
  `${wallAt(at, zone).time.slice(0, 5)}${isShownTwice(at, zone) ? ` (UTC${offsetText(offsetAt(at, zone))})` : ''}`;

const sameDay = (a: number, b: number, zone: string): boolean => wallAt(a, zone).date === wallAt(b, zone).date;

/** Returns `18:00 to 19:00`, with the day of the end if that is another one. */
export const spanText = (from: number, to: number, zone: string): string =>
  `${clockText(from, zone)} to ${sameDay(from, to, zone) ? '' : `${dayText(to, zone)}, `}${clockText(to, zone)}`;

export const momentText = (at: number, zone: string): string => `${dayText(at, zone)}, ${clockText(at, zone)}`;

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;

/** Returns a sentence of the interface with its instants as people read them; `print` replaces the format. */
export const spoken = (sentence: string, zone: string, print = momentText): string =>
  sentence.replaceAll(INSTANT, (instant) => print(Date.parse(instant), zone));
