/**
 * Amounts as they appear in files: one number, with at most the currency and a known word for a billing period.
 * Anything else isn't read, because a wrong amount is worse than none. Pure.
 */
import { minorDigits } from '../../../../../kernel/base/values/currency.ts';
import { parseDecimal } from '../../../../../kernel/base/values/money.ts';
import { readPeriod, type Period } from './period.ts';

export interface Amount {
  readonly minor: number;
  /** the period that the amount is for, if the cell names it */
  readonly every: Period | null;
}

/** The way to write amounts. */
export interface Money {
  /** ISO 4217 */
  readonly currency: string;
  /** ISO 3166: it decides whether `1.049` is a thousand */
  readonly country: string;
}

/** Signs of currencies; one sign may be that of several. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN'],
  us$: ['USD'],
  ca$: ['CAD'],
  c$: ['CAD'],
  a$: ['AUD'],
  au$: ['AUD'],
  nz$: ['NZD'],
  r$: ['BRL'],
  '€': ['EUR'],
  euro: ['EUR'],
  '£': ['GBP'],
  zł: ['PLN'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  'fr.': ['CHF'],
  '¥': ['JPY', 'CNY'],
  kč: ['CZK'],
};

const NUMBER = /\d(?:[\d.,'’\s]*\d)?(?:[.,](?:-|–|—))?/u;

/** Returns the separator of thousands in a country: a comma, or anything but a comma. */
function groups(country: string): string {
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const parts = new Intl.NumberFormat(`${language}-${country}`).formatToParts(1_234_567);
  return parts.find(({ type }) => type === 'group')?.value === ',' ? ',' : '.';
}

/** Returns the digits before and after the decimal sign; null if they can be read in several ways. */
function partsOf(number: string, { country }: Money): readonly [whole: string, fraction: string] | null {
  const plain = number.replace(/[.,][-–—]$/u, '');
  const grouped = /^(\d{1,3})(?:([\s'’.,])\d{3})+$/u.exec(plain);
  if (grouped) {
    const marks = [...plain.matchAll(/[^\d]/gu)].map(([mark]) => mark);
    const alike = marks.every((mark) => mark === marks[0]);
    if (!alike) return mixed(plain);
    // `1.234.567` and `1 234` are clear; one point or comma before three digits depends on the country.
    if (marks.length > 1 || !/[.,]/.test(marks[0]) || marks[0] === groups(country))
      return [plain.replaceAll(/\D/gu, ''), ''];
    return null;
  }
  if (/^\d+$/.test(plain)) return [plain, ''];
  const simple = /^(\d+)[.,](\d{1,2})$/.exec(plain);
  return simple ? [simple[1], simple[2]] : mixed(plain);
}

/** Reads a number with groups and a fraction, such as `1,049.90`, `1.049,90` or `1'049.90`. */
function mixed(plain: string): readonly [string, string] | null {
  const found = /^(\d{1,3})((?:[\s'’.,]\d{3})+)([.,])(\d{1,2})$/u.exec(plain);
  if (!found) return null;
  const marks = new Set(found[2].replaceAll(/\d/g, ''));
  if (marks.size !== 1 || marks.has(found[3])) return null;
  return [(found[1] + found[2]).replaceAll(/\D/gu, ''), found[4]];
}

/** Returns the amount of 0 or more; undefined if the text isn't exactly one. */
export function readAmount(text: string, money: Money): Amount | undefined {
  const { currency } = money;
  const whole = text.trim().replaceAll(/[\u00a0\u202f\u2009]/gu, ' ');
  const found = NUMBER.exec(whole);
  if (!found) return undefined;
  const before = whole.slice(0, found.index).trim().toLowerCase();
  let after = whole
    .slice(found.index + found[0].length)
    .trim()
    .toLowerCase();
  const isCurrency = (word: string): boolean =>
    word === currency.toLowerCase() || (SIGNS[word]?.includes(currency) ?? false);
  if (before !== '' && !isCurrency(before)) return undefined;
  const [first] = /^[^\s/]+/u.exec(after) ?? [''];
  if (first !== '' && isCurrency(first)) {
    if (before !== '') return undefined;
    after = after.slice(first.length).trim();
  }
  const every = after === '' ? null : readPeriod(after.replace(/^\/\s*/, ''), { counted: false });
  if (every === undefined) return undefined;
  const parts = partsOf(found[0].trim(), money);
  if (parts === null) return undefined;
  const [digits, fraction] = [parts[0], parts[1].replace(/0+$/, '')];
  // 1500.00 in a currency without minor units.
  if (fraction.length > minorDigits(currency)) return undefined;
  const minor = parseDecimal(fraction === '' ? digits : `${digits}.${fraction}`, currency);
  return minor === null || minor < 0 ? undefined : { minor, every };
}

/** Returns an amount that may be less than 0, with the sign before or after it; undefined if it isn't exactly one. */
export function readSigned(text: string, money: Money): number | undefined {
  // The sign can stand behind the currency, as in `$-12.00`. In `12,-` it is none.
  const found = /^(\D{0,4}?)[-−–]\s?(?=\D{0,4}\d)(.*)$/su.exec(text.trim());
  const behind = found ? null : /^(.*\d)\s?[-−–]$/su.exec(text.trim());
  const rest = found ? found[1] + found[2] : (behind?.[1] ?? text.trim());
  const amount = readAmount(rest, money);
  if (amount === undefined || amount.every !== null) return undefined;
  // Nothing is less than nothing.
  return (found || behind) && amount.minor !== 0 ? -amount.minor : amount.minor;
}
