/** Formats hours and weekdays for the user. */
import { locale } from '../words/language.ts';
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

const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
const clock = (text: string): string => time.format(new Date(`2024-01-01T${text}Z`));

/** Formats ranges as `9:00 AM – 12:00 PM, 2:00 – 6:00 PM`. */
export const rangesOf = (ranges: readonly Range[]): string =>
  ranges.map(({ start, end }) => `${clock(start)} – ${clock(end)}`).join(', ');

const dates = new Intl.DateTimeFormat(locale, { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });
/** Formats `2026-11-23` as `Mon, Nov 23`. */
export const shortDayOf = (date: string): string => dates.format(new Date(`${date}T12:00:00Z`));
