/**
 * Money in integer minor units (pence, yen, fils). Amounts never pass through binary fractions: text is read digit by
 * digit, and every division names its rounding.
 */
import { currencyOf, minorDigits } from './currency.ts';

export { currencyOf, isCurrency, minorDigits } from './currency.ts';
export type { Currency } from './currency.ts';

/** `minor`: safe integer, negative for credits; `currency`: upper-case ISO 4217 code. */
export type Money = { minor: number; currency: string };

export type WireMoney = {
  decimal: number;
  string: string;
  iso_currency_code: string;
  currency_symbol: string;
  currency_symbol_position: 'before' | 'after';
};

/** Returns an amount. Throws RangeError for an amount that is not a safe integer or an unknown currency. */
export function money(minor: number, currency: string): Money {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`Not an amount in minor units: ${minor}`);
  minorDigits(currency);
  return { minor: minor + 0, currency };
}

/**
 * Returns the minor units of a decimal text (`10`, `10.9`, `-10.99`). Returns null for anything but plain digits and
 * one point, more decimals than the currency has, or an amount beyond safe integers. Throws RangeError for an unknown
 * currency.
 */
export function parseDecimal(text: string, currency: string): number | null {
  const digits = minorDigits(currency);
  const match = /^(-?)(\d{1,16})(?:\.(\d{1,3}))?$/.exec(text);
  const fraction = match?.[3] ?? '';
  if (match === null || fraction.length > digits) return null;
  const minor = Number(match[2] + fraction.padEnd(digits, '0'));
  if (!Number.isSafeInteger(minor)) return null;
  return match[1] === '-' && minor !== 0 ? -minor : minor;
}

/** Returns the amount with exactly the decimals of its currency and no symbol: `10.90`, `-0.05`, `1500` (JPY). */
export function formatDecimal({ minor, currency }: Money): string {
  const digits = minorDigits(currency);
  const text = `${Math.abs(minor)}`.padStart(digits + 1, '0');
  const sign = minor < 0 ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * Returns an amount as the interface sends it; `string` is the decimal text, to be combined with the symbol by its
 * position.
 */
export function wireMoney(amount: Money, locale = 'en'): WireMoney {
  const { symbol, position } = currencyOf(amount.currency, locale);
  const string = formatDecimal(amount);
  return {
    decimal: Number(string),
    string,
    iso_currency_code: amount.currency.toLowerCase(),
    currency_symbol: symbol,
    currency_symbol_position: position,
  };
}

/** Returns the amount in a value of the interface. */
export function moneyOf({ string, iso_currency_code }: WireMoney): Money {
  const currency = iso_currency_code.toUpperCase();
  const minor = parseDecimal(string, currency);
  if (minor === null) throw new RangeError(`Not an amount: ${string} ${currency}`);
  return { minor, currency };
}

/** Returns an amount for people, with the symbol where the currency puts it: $30.00, 30.00 kr. */
export function amountText(amount: Money): string {
  const { string, currency_symbol: symbol, currency_symbol_position: position } = wireMoney(amount);
  return position === 'before' ? `${symbol}${string}` : `${string} ${symbol}`;
}

/**
 * Returns the quotient rounded to the nearest integer, halves to the even neighbor (`5/2` is 2, `7/2` is 4): no drift
 * over many lines. Takes bigints if a product may be too large; throws RangeError unless both are integers, the
 * denominator positive, the result safe.
 */
export function roundHalfEven(numerator: number | bigint, denominator: number | bigint): number {
  return roundHalf(numerator, denominator, (quotient) =>
    typeof quotient === 'bigint' ? quotient % 2n === 1n : quotient % 2 === 1,
  );
}

/**
 * Works like `roundHalfEven`, but rounds halves away from zero (`5/2` is 3, `-5/2` is -3), so that a refund mirrors its
 * charge.
 */
export function roundHalfUp(numerator: number | bigint, denominator: number | bigint): number {
  return roundHalf(numerator, denominator, () => true);
}

function roundHalf(
  numerator: number | bigint,
  denominator: number | bigint,
  halfGoesAway: (quotient: number | bigint) => boolean,
): number {
  return isSmall(numerator) && isSmall(denominator) && denominator > 0
    ? roundHalfOfNumbers(numerator, denominator, halfGoesAway)
    : roundHalfOfBigInts(numerator, denominator, halfGoesAway);
}

/** Returns true if twice the value is still exact. */
const isSmall = (value: number | bigint): value is number =>
  Number.isSafeInteger(value) && Math.abs(value as number) < 2 ** 52;

/** Rounds without bigints, which cost many times as much: prices are rounded for every fee of every purchase. */
function roundHalfOfNumbers(numerator: number, divisor: number, halfGoesAway: (quotient: number) => boolean): number {
  const size = Math.abs(numerator);
  const rest = size % divisor;
  const quotient = (size - rest) / divisor;
  const away = rest * 2 > divisor || (rest * 2 === divisor && halfGoesAway(quotient));
  const rounded = away ? quotient + 1 : quotient;
  return numerator < 0 && rounded !== 0 ? -rounded : rounded;
}

function roundHalfOfBigInts(
  numerator: number | bigint,
  denominator: number | bigint,
  halfGoesAway: (quotient: bigint) => boolean,
): number {
  const divisor = BigInt(denominator);
  if (divisor <= 0n) throw new RangeError('The denominator of a rounding must be positive');
  const signed = BigInt(numerator);
  const size = signed < 0n ? -signed : signed;
  const quotient = size / divisor;
  const twiceRest = (size % divisor) * 2n;
  const away = twiceRest > divisor || (twiceRest === divisor && halfGoesAway(quotient));
  const rounded = away ? quotient + 1n : quotient;
  return safeNumber(signed < 0n ? -rounded : rounded);
}

/**
 * Splits a total in proportion to weights so that the parts sum to it exactly: each part gets the whole units of its
 * share, and the rest goes one unit each to the largest remainders, earlier ones first. A negative total mirrors the
 * positive one; weight 0 gets nothing. Throws RangeError for negative or fractional weights, and for weights that are
 * all 0 unless the total is 0 too.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  if (weights.some((weight) => weight < 0)) throw new RangeError('Weights cannot be negative');
  const exact = weights.map(BigInt);
  const sum = exact.reduce((all, weight) => all + weight, 0n);
  if (sum === 0n) return nothingToSplit(total, weights);
  const size = BigInt(Math.abs(total));
  const parts = exact.map((weight) => (size * weight) / sum);
  const rests = exact.map((weight, index) => ({ index, rest: (size * weight) % sum }));
  const left = Number(size - parts.reduce((all, part) => all + part, 0n));
  // The sort is stable: equal remainders stay in the order of the weights.
  const first = rests.toSorted((a, b) => (a.rest === b.rest ? 0 : a.rest > b.rest ? -1 : 1)).slice(0, left);
  for (const { index } of first) parts[index] += 1n;
  return parts.map((part) => safeNumber(total < 0 ? -part : part));
}

function nothingToSplit(total: number, weights: readonly number[]): number[] {
  if (total !== 0) throw new RangeError('An amount cannot be split without a weight above 0');
  return weights.map(() => 0);
}

function safeNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('Amount beyond safe integers');
  return number;
}
