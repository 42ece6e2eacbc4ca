/**
 * Amounts in Stripe's units. They are the minor units of ISO 4217 for most currencies, but not for all: a mistake
 * charges a hundred times too much, or a hundredth.
 */
import { minorDigits } from '../../../../../kernel/base/values/money.ts';

/** Currencies whose decimals at Stripe differ from ISO 4217. */
const DIGITS: Readonly<Record<string, number>> = {
  // Has had no decimals for years; Stripe still expects two, which must be 00.
  ISK: 2,
  UGX: 2,
  // Has two by the standard, which nobody has used since 2005.
  MGA: 0,
};

/** The step of an amount in Stripe's units: it must be a multiple of it. */
const STEPS: Readonly<Record<string, number>> = {
  ISK: 100,
  UGX: 100,
  // The last of three decimals must be 0.
  BHD: 10,
  JOD: 10,
  KWD: 10,
  OMR: 10,
  TND: 10,
};

/** Have three decimals, and are not among Stripe's three-decimal currencies. */
const UNKNOWN: ReadonlySet<string> = new Set(['IQD', 'LYD']);

const digitsOf = (currency: string): number => DIGITS[currency] ?? minorDigits(currency);

/** Converts our minor units to Stripe's; null if Stripe can't represent exactly this amount. */
export function toStripe(minor: number, currency: string): number | null {
  if (UNKNOWN.has(currency)) return null;
  const more = digitsOf(currency) - minorDigits(currency);
  const amount = more >= 0 ? minor * 10 ** more : minor / 10 ** -more;
  return Number.isSafeInteger(amount) && amount % (STEPS[currency] ?? 1) === 0 ? amount : null;
}

/** Converts Stripe's units to ours, rounding down. `currency` is in upper case. */
export function fromStripe(amount: number, currency: string): number {
  const more = digitsOf(currency) - minorDigits(currency);
  return more >= 0 ? Math.trunc(amount / 10 ** more) : amount * 10 ** -more;
}
