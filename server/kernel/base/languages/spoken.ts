/**
 * Days, times and amounts within sentences, in the reader's format. English without a region is that of
 * `spoken-time.ts`.
 */
import { amountIn, dateIn, dayIn, timeIn, timesIn } from './times.ts';
import { dayText, momentText, plainDate, spanText } from '../values/spoken-time.ts';
import { amountText, type Money } from '../values/money.ts';
import { ENGLISH, type Reader } from './languages.ts';

const isPlain = ({ locale }: Reader): boolean => locale === ENGLISH.locale;

export const spokenDay = (reader: Reader, at: number, zone: string): string =>
  isPlain(reader) ? dayText(at, zone) : dayIn(reader.locale, at, zone);

/** Returns a calendar date. */
export const spokenDateIn = (reader: Reader, date: string): string =>
  spokenDay(reader, Date.parse(`${date}T00:00Z`), 'UTC');

/** Returns a calendar date without its weekday: `17 July 2026`, or `July 17, 2026` in North America. */
export const plainDateIn = (reader: Reader, date: string): string =>
  isPlain(reader) ? plainDate(date) : dateIn(reader.locale, date);

/** Returns a time span on a day that is shown next to it. */
export const spokenSpan = (reader: Reader, from: number, to: number, zone: string): string =>
  isPlain(reader) ? spanText(from, to, zone) : timesIn(reader.locale, from, to, zone);

export const spokenMoment = (reader: Reader, at: number, zone: string): string =>
  isPlain(reader) ? momentText(at, zone) : `${spokenDay(reader, at, zone)}, ${timeIn(reader.locale, at, zone)}`;

/** Returns a time of day of no particular date, from `19:00`. */
export const spokenTimeOfDay = (reader: Reader, wall: string): string =>
  isPlain(reader) ? wall : timeIn(reader.locale, Date.parse(`2024-01-01T${wall}Z`), 'UTC');

export const spokenAmount = (reader: Reader, amount: Money): string =>
  isPlain(reader) ? amountText(amount) : amountIn(reader.locale, amount);
