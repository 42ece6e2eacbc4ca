/** Dates as files write them. */
import { parseDate } from '../values/zone.ts';

/** Positions of year, month and day in the three numbers of a date. */
export const DATE_FORMATS = {
  'YYYY-MM-DD': [0, 1, 2],
  'DD/MM/YYYY': [2, 1, 0],
  'MM/DD/YYYY': [2, 0, 1],
} as const;
export type DateFormat = keyof typeof DATE_FORMATS;

/** `YYYY-MM-DD`, or null when the text is no date of that format. A time behind the date is left out. */
export function readDate(text: string, format: DateFormat): string | null {
  const match = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?:[T ].*)?$/.exec(text);
  if (!match) return null;
  const [year, month, day] = DATE_FORMATS[format].map((i) => match[i + 1]);
  return year.length === 4 ? parseDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`) : null;
}
