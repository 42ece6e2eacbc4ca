/** Days, times and amounts as they are written where a reader is. */
import type { Money } from '../values/money.ts';
import { minorDigits } from '../values/money.ts';
import { MS_PER_DAY } from '../values/date.ts';
import { isShownTwice, wallAt } from '../values/zone.ts';

/** zones of venues and locales of readers come from outside: more than this are made anew */
const MAX_ROWS = 2000;

/** What is asked for again and again, and takes long to find out. */
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

/** Making one costs a hundred times as much as using it. */
const formatter = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  made.get(`${locale} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options));

const clocks = new Remembered<Intl.DateTimeFormat>();
const spans = new Remembered<string>();

/** Of 24 hours with two digits: 9:00 beside 18:00 looks like a mistake. */
const clockOptions = (locale: string, zone: string): Intl.DateTimeFormatOptions => {
  const { hour12 } = formatter(locale, { hour: 'numeric' }).resolvedOptions();
  return { timeZone: zone, hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' };
};

const clockOf = (locale: string, zone: string): Intl.DateTimeFormat =>
  clocks.get(`${locale} ${zone}`, () => formatter(locale, clockOptions(locale, zone)));

/** What tells two equal times apart, on the night on which clocks go back: `EDT`, `UTC+2`. */
const whichOfTwo = (at: number, zone: string): Intl.DateTimeFormatOptions =>
  isShownTwice(at, zone) ? { timeZoneName: 'short' } : {};

/** `18:00`, or `6:00 PM` where clocks have twelve hours. A time that clocks show twice has its zone: `1:30 AM EDT`. */
export const timeIn = (locale: string, at: number, zone: string): string =>
  isShownTwice(at, zone)
    ? formatter(locale, { ...clockOptions(locale, zone), ...whichOfTwo(at, zone) }).format(at)
    : clockOf(locale, zone).format(at);

/** `18:00 – 19:00`, without what both have in common; past midnight `23:00 – 00:30`, and with its day where it is further away. */
export function timesIn(locale: string, from: number, to: number, zone: string): string {
  const [begin, until] = [wallAt(from, zone), wallAt(to, zone)];
  // A week has few times of a day, and printing a range costs three hundred times as much as printing a time.
  if (begin.date === until.date && !isShownTwice(from, zone) && !isShownTwice(to, zone))
    return spans.get(`${locale} ${begin.time} ${until.time}`, () => clockOf(locale, zone).formatRange(from, to));
  const end = timeIn(locale, to, zone);
  return `${timeIn(locale, from, zone)} – ${to - from < MS_PER_DAY ? end : `${nearDayIn(locale, to, zone)}, ${end}`}`;
}

/** `Monday, 23 November 2026` */
export const dayIn = (locale: string, at: number, zone: string): string =>
  formatter(locale, { timeZone: zone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(at);

/** `Monday, 23 November`: where the year goes without saying. */
export const nearDayIn = (locale: string, at: number, zone: string): string =>
  formatter(locale, { timeZone: zone, weekday: 'long', day: 'numeric', month: 'long' }).format(at);

/** `Monday 23 November 2026 at 18:00` */
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

/** The time alone where it is today, else with the day. */
export const soonIn = (locale: string, at: number, now: number, zone: string): string =>
  (wallAt(at, zone).date === wallAt(now, zone).date ? timeIn : momentIn)(locale, at, zone);

/** `Monday` */
export const weekdayIn = (locale: string, at: number, zone: string): string =>
  formatter(locale, { timeZone: zone, weekday: 'long' }).format(at);

/** `Mon` and `23`: a day in a row of days. */
export const shortDayIn = (
  locale: string,
  at: number,
  zone: string,
): { readonly weekday: string; readonly day: string } => ({
  weekday: formatter(locale, { timeZone: zone, weekday: 'short' }).format(at),
  day: formatter(locale, { timeZone: zone, day: 'numeric' }).format(at),
});

/** `21 November 2026`, of `2026-11-21` */
export const dateIn = (locale: string, date: string): string =>
  formatter(locale, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }).format(Date.parse(date));

/** `23 – 29 November 2026` */
export const daysIn = (locale: string, from: number, to: number, zone: string): string =>
  formatter(locale, { timeZone: zone, day: 'numeric', month: 'long', year: 'numeric' }).formatRange(from, to);

/** `Europe/Paris` as people call it: `Central European Time`. */
export function zoneIn(locale: string, at: number, zone: string): string {
  const parts = formatter(locale, { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

const amounts = new Remembered<Intl.NumberFormat>();

/** `€30.00`, `30,00 €`; digits are those of the currency's minor unit. */
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
