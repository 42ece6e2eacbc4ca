/**
 * Calendar dates (`YYYY-MM-DD`, proleptic Gregorian, years 0001 to 9999) as strings; no zone, no clock. Such strings
 * sort like the dates that they name, so they are compared with `<` and `===`.
 */

export const MS_PER_DAY = 86_400_000;
const DAYS_PER_ERA = 146_097; // 400 Gregorian years
const DAYS_TO_EPOCH = 719_468; // from 0000-03-01 to 1970-01-01
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

type YearMonthDay = { year: number; month: number; day: number };

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Returns the length of a month in days; `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : MONTH_LENGTHS[month - 1];
}

/**
 * Returns the number of days since 1970-01-01. The year is counted from 1 March, so that the leap day is the last day
 * of its year.
 */
export function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const monthFromMarch = month <= 2 ? month + 9 : month - 3;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH;
}

/** Returns the date of a day number: the inverse of `dayNumber`. */
export function yearMonthDay(days: number): YearMonthDay {
  const shifted = days + DAYS_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const leapless =
    dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor(leapless / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

/** Returns the ISO weekday of a day number: 1 is Monday, 7 is Sunday (1970-01-01 was a Thursday). */
export function weekday(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1;
}

export function isValidDate(year: number, month: number, day: number): boolean {
  return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Returns two digits, zero-padded; for 0 to 99. */
export function twoDigits(n: number): string {
  return n < 10 ? `0${n}` : `${n}`;
}

/**
 * Returns a date as `YYYY-MM-DD`; outside 0000 to 9999 (an instant next to the supported range) with the signed
 * six-digit year of ISO 8601.
 */
export function dateText({ year, month, day }: YearMonthDay): string {
  return `${yearText(year)}-${twoDigits(month)}-${twoDigits(day)}`;
}

function yearText(year: number): string {
  if (year >= 1000 && year <= 9999) return `${year}`;
  if (year >= 0 && year <= 9999) return `${year}`.padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${`${Math.abs(year)}`.padStart(6, '0')}`;
}

/** Returns the text itself if it is an existing date `YYYY-MM-DD` of the years 0001 to 9999, otherwise null. */
export function parseDate(text: string): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match && isValidDate(+match[1], +match[2], +match[3]) ? text : null;
}

/** Returns the parts of a date; throws RangeError if the text is not a date. */
export function partsOfDate(date: string): YearMonthDay {
  if (parseDate(date) === null) throw new RangeError(`Not a date: ${JSON.stringify(date)}`);
  return { year: +date.slice(0, 4), month: +date.slice(5, 7), day: +date.slice(8, 10) };
}

/** Returns the day number of a date: days since 1970-01-01; throws RangeError if the text is not a date. */
export function dayNumberOf(date: string): number {
  const { year, month, day } = partsOfDate(date);
  return dayNumber(year, month, day);
}

/** Returns the date of a day number; throws RangeError outside the years 0001 to 9999. */
export function dateOfDayNumber(days: number): string {
  const parts = yearMonthDay(days);
  if (!isValidDate(parts.year, parts.month, parts.day)) throw new RangeError('Date outside the years 0001 to 9999');
  return dateText(parts);
}

/** Returns the date `n` days later (earlier if negative); throws RangeError outside the years 0001 to 9999. */
export function addDays(date: string, n: number): string {
  return dateOfDayNumber(dayNumberOf(date) + n);
}

/** Returns the number of days from one date to another, negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return dayNumberOf(to) - dayNumberOf(from);
}

/** Returns the ISO weekday of a date: 1 is Monday, 7 is Sunday. */
export function weekdayOf(date: string): number {
  return weekday(dayNumberOf(date));
}

/**
 * Returns the age on a date in completed years, negative before birth. The birthday of 29 February is 1 March in common
 * years (which follows from comparing month and day as text: `02-28` < `02-29` < `03-01`).
 */
export function ageOn(birthDate: string, date: string): number {
  const years = partsOfDate(date).year - partsOfDate(birthDate).year;
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}
