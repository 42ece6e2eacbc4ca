/** Formats dates, times and amounts for the user. Times belong to a place, so every function takes a time zone. */
import { isShownTwice } from './shown-twice.ts';
import { locale } from './language.ts';
import type { Money } from 'rollcall-sdk';

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options);
  let known = formats.get(key);
  if (!known) formats.set(key, (known = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options })));
  return known;
}

const at = (moment: string | number | Date): Date => new Date(moment);

const isTwice = (moment: string | number | Date, zone: string): boolean => isShownTwice(at(moment).getTime(), zone);

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;
/** Tells apart the two equal times of the night when clocks go back. */
const CLOCK_AND_ZONE = { ...CLOCK, timeZoneName: 'short' } as const;

/** Returns for example `6:30 PM`, or `1:30 AM EDT` for a time that happens twice. */
export const timeOf = (moment: string | number | Date, zone: string): string =>
  format(zone, isTwice(moment, zone) ? CLOCK_AND_ZONE : { timeStyle: 'short' }).format(at(moment));

/** Returns for example `6:30 – 7:30 PM`. */
export const timesOf = (from: string | number | Date, to: string | number | Date, zone: string): string =>
  isTwice(from, zone) || isTwice(to, zone)
    ? `${timeOf(from, zone)} – ${timeOf(to, zone)}`
    : format(zone, CLOCK).formatRange(at(from), at(to));

/** Returns for example `Mon, Nov 23`. */
export const dayOf = (moment: string | number | Date, zone: string): string =>
  format(zone, { weekday: 'short', month: 'short', day: 'numeric' }).format(at(moment));

/** Returns for example `Monday, November 23, 2026`. */
export const longDayOf = (moment: string | number | Date, zone: string): string =>
  format(zone, { dateStyle: 'full' }).format(at(moment));

/** Returns for example `Nov 23, 2026, 6:30 PM`. */
export const momentOf = (moment: string | number | Date, zone: string): string =>
  format(
    zone,
    isTwice(moment, zone)
      ? { year: 'numeric', month: 'short', day: 'numeric', ...CLOCK_AND_ZONE }
      : { dateStyle: 'medium', timeStyle: 'short' },
  ).format(at(moment));

/** Formatters are expensive to create and cheap to use: each is created once and cached by its key. */
function kept<F>(make: (of: string) => F): (of: string) => F {
  const made = new Map<string, F>();
  return (of) => {
    let known = made.get(of);
    if (!known) made.set(of, (known = make(of)));
    return known;
  };
}

const dates = kept(
  (timeZone) => new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
);

/** Returns the date of an instant in a time zone: `2026-11-23`. */
export const dateAt = (moment: string | number | Date, zone: string): string => dates(zone).format(at(moment));

// A business has one currency, and its sign is the same here as on its pages and in its emails: `$`, never `CA$`.
const amounts = kept(
  (currency) => new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
);

/** Returns for example `$12.50`. */
export const amountOf = ({
  decimal,
  iso_currency_code: currency,
}: Pick<Money, 'decimal' | 'iso_currency_code'>): string => amounts(currency).format(decimal);

/** Formats an amount in the smallest unit of its currency, as in dry runs: 1250 of `USD` is `$12.50`. */
export function minorAmountOf(minor: number, currency: string): string {
  const said = amounts(currency);
  return said.format(minor / 10 ** (said.resolvedOptions().maximumFractionDigits ?? 2));
}

const numbers = new Intl.NumberFormat(locale);

export const numberOf = (n: number): string => numbers.format(n);

const percents = new Intl.NumberFormat(locale, { style: 'percent' });

/** Formats a share: 0.625 is `63%`. */
export const percentOf = (share: number): string => percents.format(share);

/** Formats the month of `2026-11` or `2026-11-23` as `November 2026`, or `Nov 2026`. */
export const monthOf = (date: string, month: 'long' | 'short' = 'long'): string =>
  format('UTC', { year: 'numeric', month }).format(at(`${date.slice(0, 7)}-15T12:00:00Z`));

/** Returns the name of a weekday, from 0 for Monday. */
export const weekdayNamed = (weekday: number): string =>
  format('UTC', { weekday: 'long' }).format(at(`2024-01-0${weekday + 1}T12:00:00Z`));

/** Formats the date `2026-11-23` as `Nov 23, 2026`. */
export const calendarDayOf = (date: string): string =>
  format('UTC', { dateStyle: 'medium' }).format(at(`${date}T12:00:00Z`));
