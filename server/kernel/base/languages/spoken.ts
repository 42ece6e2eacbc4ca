/** Days and times within sentences, in the reader's format. English ones are those of `spoken-time.ts`. */
import { amountIn, dateIn, dayIn, timeIn, timesIn } from './times.ts';
import { dayText, momentText, plainDate, spanText } from '../values/spoken-time.ts';
import { amountText, type Money } from '../values/money.ts';
import type { Reader } from './languages.ts';

const isEnglish = ({ language }: Reader): boolean => language === 'en';

export const spokenDay = (reader: Reader, at: number, zone: string): string =>
  isEnglish(reader) ? dayText(at, zone) : dayIn(reader.locale, at, zone);

/** Returns a calendar date. */
export const spokenDateIn = (reader: Reader, date: string): string =>
  spokenDay(reader, Date.parse(`${date}T00:00Z`), 'UTC');

/** Returns a calendar date without its weekday: `17 July 2026`. */
export const plainDateIn = (reader: Reader, date: string): string =>
  isEnglish(reader) ? plainDate(date) : dateIn(reader.locale, date);

/** Returns a time span on a day that is shown next to it. */
export const spokenSpan = (reader: Reader, from: number, to: number, zone: string): string =>
  isEnglish(reader) ? spanText(from, to, zone) : timesIn(reader.locale, from, to, zone);

export const spokenMoment = (reader: Reader, at: number, zone: string): string =>
  isEnglish(reader) ? momentText(at, zone) : `${spokenDay(reader, at, zone)}, ${timeIn(reader.locale, at, zone)}`;

export const spokenAmount = (reader: Reader, amount: Money): string =>
  isEnglish(reader) ? amountText(amount) : amountIn(reader.locale, amount);
