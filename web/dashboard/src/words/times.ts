/** Days, times and amounts as the person reads them. Times are those of a place, so a zone is always given. */
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

/** `6:30 PM` */
export const timeOf = (moment: string | number | Date, zone: string): string =>
  format(zone, { timeStyle: 'short' }).format(at(moment));

/** `6:30 – 7:30 PM` */
export const timesOf = (from: string | number | Date, to: string | number | Date, zone: string): string =>
  format(zone, { hour: 'numeric', minute: '2-digit' }).formatRange(at(from), at(to));

/** `Mon, Nov 23` */
export const dayOf = (moment: string | number | Date, zone: string): string =>
  format(zone, { weekday: 'short', month: 'short', day: 'numeric' }).format(at(moment));

/** `Monday, November 23, 2026` */
export const longDayOf = (moment: string | number | Date, zone: string): string =>
  format(zone, { dateStyle: 'full' }).format(at(moment));

/** `Nov 23, 2026, 6:30 PM` */
export const momentOf = (moment: string | number | Date, zone: string): string =>
  format(zone, { dateStyle: 'medium', timeStyle: 'short' }).format(at(moment));

/** The date on which a moment falls at a place: `2026-11-23`. */
export function dateAt(moment: string | number | Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return parts.format(at(moment));
}

/** `$12.50` */
export const amountOf = ({ decimal, iso_currency_code: currency }: Money): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(decimal);

/** An amount in the smallest unit of its currency, as dry runs say it: 1250 of `USD` is `$12.50`. */
export function minorAmountOf(minor: number, currency: string): string {
  const said = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return said.format(minor / 10 ** (said.resolvedOptions().maximumFractionDigits ?? 2));
}

export const numberOf = (n: number): string => new Intl.NumberFormat(locale).format(n);

/** A day of the calendar, `2026-11-23`, as `Nov 23, 2026`. */
export const calendarDayOf = (date: string): string =>
  format('UTC', { dateStyle: 'medium' }).format(at(`${date}T12:00:00Z`));
