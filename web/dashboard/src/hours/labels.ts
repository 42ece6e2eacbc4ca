/** Formats hours and weekdays for the user. */
import { locale } from '../words/language.ts';
import { timeOf, timesOf } from '../words/times.ts';
import type { Range } from './ranges.tsx';

/** Monday first, with the names of the interface. */
export const WEEK = [
  'default_monday',
  'default_tuesday',
  'default_wednesday',
  'default_thursday',
  'default_friday',
  'default_saturday',
  'default_sunday',
] as const;

export type Weekday = (typeof WEEK)[number];

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
export const weekdayOf = (day: Weekday): string => weekday.format(MONDAY + WEEK.indexOf(day) * DAY);

const at = (time: string): Date => new Date(`2024-01-01T${time}Z`);

/** Two times of one day, like those of events; an end on the next day would bring both dates along. */
const rangeOf = ({ start, end }: Range): string =>
  start < end ? timesOf(at(start), at(end), 'UTC') : `${timeOf(at(start), 'UTC')} – ${timeOf(at(end), 'UTC')}`;

/** Formats ranges as `9:00 AM – 12:00 PM, 2:00 – 6:00 PM`. */
export const rangesOf = (ranges: readonly Range[]): string => ranges.map(rangeOf).join(', ');

const dates = new Intl.DateTimeFormat(locale, { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });
/** Formats `2026-11-23` as `Mon, Nov 23`. */
export const shortDayOf = (date: string): string => dates.format(new Date(`${date}T12:00:00Z`));
