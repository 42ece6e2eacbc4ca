/** Days, times and amounts in the reader's format. */
import type { Money } from '../values/money.ts';
import { minorDigits } from '../values/money.ts';
import { MS_PER_DAY } from '../values/date.ts';
import { isShownTwice, wallAt } from '../values/zone.ts';

/** zones of venues and locales of readers come from outside: at this number of entries, the cache is cleared */
const MAX_ROWS = 2000;

/** A cache for values that are used repeatedly and expensive to compute. */
class Remembered<T> {
  readonly #known = new Map<string, T>();

  get(key: string, make: () => T): T {
    let one = this.#known.get(key);
    if (one === undefined) {
      one = make();
      if (this.#known.size >= MAX_ROWS) this.#known.clear();
      this.#known.set(key, one);
    }
    return one;
  }
}

const made = new Remembered<Intl.DateTimeFormat>();

/** Returns a cached formatter: creating one costs a hundred times as much as using it. */
const formatter = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  made.get(`${locale} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options));

const clocks = new Remembered<Intl.DateTimeFormat>();
const spans = new Remembered<string>();

/** Returns options for a time. A 24-hour clock has two digits: 9:00 next to 18:00 looks like a mistake. */
const clockOptions = (locale: string, zone: string): Intl.DateTimeFormatOptions => {
  const { hour12 } = formatter(locale, { hour: 'numeric' }).resolvedOptions();
  return { timeZone: zone, hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' };
};

const clockOf = (locale: string, zone: string): Intl.DateTimeFormat =>
  clocks.get(`${locale} ${zone}`, () => formatter(locale, clockOptions(locale, zone)));

/** Distinguishes two equal times on the night when clocks go back: `EDT`, `UTC+2`. */
const whichOfTwo = (at: number, zone: string): Intl.DateTimeFormatOptions =>
  isShownTwice(at, zone) ? { timeZoneName: 'short' } : {};

/**
 * Returns `18:00`, or `6:00 PM` where clocks have twelve hours. A time that happens twice has its zone: `1:30 AM EDT`.
 */
export const timeIn = (locale: string, at: number, zone: string): string =>
  isShownTwice(at, zone)
    ? formatter(locale, { ...clockOptions(locale, zone), ...whichOfTwo(at, zone) }).format(at)
    : clockOf(locale, zone).format(at);

/**
 * Returns `18:00 – 19:00`, without the parts that both have in common; past midnight `23:00 – 00:30`, and with the day
 * if the end is further away.
 */
export function timesIn(locale: string, from: number, to: number, zone: string): string {
  const [begin, until] = [wallAt(from, zone), wallAt(to, zone)];
  // A week has few different times of day, and printing a range costs three hundred times as much as printing a time.
  if (begin.date === until.date && !isShownTwice(from, zone) && !isShownTwice(to, zone))
    return spans.get(`${locale} ${begin.time} ${until.time}`, () => clockOf(locale, zone).formatRange(from, to));
  const end = timeIn(locale, to, zone);
  return `${timeIn(locale, from, zone)} – ${to - from < MS_PER_DAY ? end : `${nearDayIn(locale, to, zone)}, ${end}`}`;
}

/** Returns `Monday, 23 November 2026` */
export const dayIn = (locale: string, at: number, zone: string): string =>
  formatter(locale, { timeZone: zone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(at);

/** Returns `Monday, 23 November`, for dates whose year is clear from the context. */
export const nearDayIn = (locale: string, at: number, zone: string): string =>
  formatter(locale, { timeZone: zone, weekday: 'long', day: 'numeric', month: 'long' }).format(at);

/** Returns `Monday 23 November 2026 at 18:00` */
export function momentIn(locale: string, at: number, zone: string): string {
  return formatter(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...clockOptions(locale, zone),
    ...whichOfTwo(at, zone),
  }).format(at);
}

/**
 * Returns `Sat, Nov 28, 12:10 PM`, for subjects and text messages: without the year, and with plain spaces, because a
 * narrow one would double the price of a text message.
 */
export const shortMomentIn = (locale: string, at: number, zone: string): string =>
  formatter(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...clockOptions(locale, zone),
    ...whichOfTwo(at, zone),
  })
    .format(at)
    .replaceAll(/[\u00a0\u202f]/g, ' ');

/** Returns only the time if it is today, otherwise with the day. */
export const soonIn = (locale: string, at: number, now: number, zone: string): string =>
  (wallAt(at, zone).date === wallAt(now, zone).date ? timeIn : momentIn)(locale, at, zone);

/** Returns `Monday` */
export const weekdayIn = (locale: string, at: number, zone: string): string =>
  formatter(locale, { timeZone: zone, weekday: 'long' }).format(at);

/** Returns `Mon` and `23`, for a row of days. */
export const shortDayIn = (
  locale: string,
  at: number,
  zone: string,
): { readonly weekday: string; readonly day: string } => ({
  weekday: formatter(locale, { timeZone: zone, weekday: 'short' }).format(at),
  day: formatter(locale, { timeZone: zone, day: 'numeric' }).format(at),
});

/** Returns `21 November 2026` for `2026-11-21` */
export const dateIn = (locale: string, date: string): string =>
  formatter(locale, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }).format(Date.parse(date));

/** Returns `23 – 29 November 2026` */
export const daysIn = (locale: string, from: number, to: number, zone: string): string =>
  formatter(locale, { timeZone: zone, day: 'numeric', month: 'long', year: 'numeric' }).formatRange(from, to);

/** Returns the common name of a zone: `Central European Time` for `Europe/Paris`. */
export function zoneIn(locale: string, at: number, zone: string): string {
  const parts = formatter(locale, { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

const amounts = new Remembered<Intl.NumberFormat>();

/** Returns `€30.00` or `30,00 €`, with the digits of the currency's minor unit. */
export function amountIn(locale: string, { minor, currency }: Money): string {
  const digits = minorDigits(currency);
  const one = amounts.get(
    `${locale} ${currency}`,
    () =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  );
  return one.format(minor / 10 ** digits);
}
