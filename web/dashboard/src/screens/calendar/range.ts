/** The dates that the calendar shows. */
import { DAY, parseWall } from './wall.ts';
import { daysAfter } from '../../app/days.ts';

export const VIEWS = ['day', 'week', 'resources', 'list'] as const;
export type View = (typeof VIEWS)[number];

export const isView = (text: string | undefined): text is View =>
  (VIEWS as readonly (string | undefined)[]).includes(text);

/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (date: string): number => ((parseWall(date)! / DAY + 3) % 7) + 1;

/** Returns the seven dates of the week of a date; `first` is the first day of the week. */
export function weekOf(date: string, first: number): string[] {
  const begin = daysAfter(date, -((weekdayOf(date) - first + 7) % 7));
  return Array.from({ length: 7 }, (_, i) => daysAfter(begin, i));
}

/** Days of a list: of those that nobody teaches there are few. */
const listDays = (untaught: boolean): number => (untaught ? 14 : 7);

/**
 * The dates that a view shows. A list begins with the date, because it is read from the top. `untaught`: only what
 * nobody teaches.
 */
export function datesOf(view: View, date: string, first: number, untaught = false): string[] {
  if (view === 'list') return Array.from({ length: listDays(untaught) }, (_, i) => daysAfter(date, i));
  return view === 'week' ? weekOf(date, first) : [date];
}

/** Returns the date of the next view, or the previous with -1. */
export const stepDate = (view: View, date: string, by: 1 | -1, untaught = false): string =>
  daysAfter(date, by * (view === 'list' ? listDays(untaught) : view === 'week' ? 7 : 1));

/** Returns the number of days from one date to another. */
export const daysApart = (from: string, to: string): number => (parseWall(to)! - parseWall(from)!) / DAY;
