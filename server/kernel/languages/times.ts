/** Days, times and amounts as they are written where a reader is. */
import type { Money } from '../values/money.ts';
import { minorDigits } from '../values/money.ts';
import { MS_PER_DAY } from '../values/date.ts';
import { wallAt } from '../values/zone.ts';

const made = new Map<string, Intl.DateTimeFormat>();
/** zones of venues and locales of readers come from outside: more than this are made anew */
const MOST = 2000;

/** Making one costs a hundred times as much as using it. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  let one = made.get(key);
  if (!one) {
    one = new Intl.DateTimeFormat(locale, options);
    if (made.size >= MOST) made.clear();
    made.set(key, one);
  }
  return one;
}

/** Of 24 hours with two digits: 9:00 beside 18:00 looks like a mistake. */
function clockOf(locale: string, zone: string): Intl.DateTimeFormat {
  const { hour12 } = formatter(locale, { hour: 'numeric' }).resolvedOptions();
  return formatter(locale, { timeZone: zone, hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' });
}

/** `18:00`, or `6:00 PM` where clocks have twelve hours. */
export const timeIn = (locale: string, at: number, zone: string): string => clockOf(locale, zone).format(at);

/** `18:00 – 19:00`, without what both have in common; past midnight `23:00 – 00:30`, and with its day where it is further away. */
export function timesIn(locale: string, from: number, to: number, zone: string): string {
  const sameDay = wallAt(from, zone).date === wallAt(to, zone).date;
  if (sameDay) return clockOf(locale, zone).formatRange(from, to);
  const end = timeIn(locale, to, zone);
  return `${timeIn(locale, from, zone)} – ${to - from < MS_PER_DAY ? end : `${nearDayIn(locale, to, zone)}, ${end}`}`;
}

/** `Monday, 23 November 2026` */
export const dayIn = (locale: string, at: number, zone: string): string =>
  formatter(locale, { timeZone: zone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(at);

/** `Monday, 23 November`: where the year goes without saying. */
export const nearDayIn = (locale: string, at: number, zone: string): string =>
  formatter(locale, { timeZone: zone, weekday: 'long', day: 'numeric', month: 'long' }).format(at);

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

/** `21 November 2026, 15:04` */
export const momentIn = (locale: string, at: number, zone: string): string =>
  `${formatter(locale, { timeZone: zone, day: 'numeric', month: 'long', year: 'numeric' }).format(at)}, ${timeIn(locale, at, zone)}`;

/** `23 – 29 November 2026` */
export const daysIn = (locale: string, from: number, to: number, zone: string): string =>
  formatter(locale, { timeZone: zone, day: 'numeric', month: 'long', year: 'numeric' }).formatRange(from, to);

/** `Europe/Paris` as people call it: `Central European Time`. */
export function zoneIn(locale: string, at: number, zone: string): string {
  const parts = formatter(locale, { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

const amounts = new Map<string, Intl.NumberFormat>();

/** `€30.00`, `30,00 €`; digits are those of the currency's minor unit. */
export function amountIn(locale: string, { minor, currency }: Money): string {
  const digits = minorDigits(currency);
  const key = `${locale} ${currency}`;
  let one = amounts.get(key);
  if (!one) {
    one = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    if (amounts.size >= MOST) amounts.clear();
    amounts.set(key, one);
  }
  return one.format(minor / 10 ** digits);
}
