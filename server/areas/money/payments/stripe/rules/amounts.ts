/**
 * Amounts as Stripe wants them. Its minor units are those of ISO 4217 for most currencies, but not for all: mistaking
 * one charges a hundred times too much, or a hundredth.
 */
import { minorDigits } from '../../../../../kernel/base/values/money.ts';

/** Decimals that Stripe counts differently than ISO 4217. */
const DIGITS: Readonly<Record<string, number>> = {
  // Have had no decimals for years; Stripe still takes two, which must be 00.
  ISK: 2,
  UGX: 2,
  // Has two by the standard, and nobody has used them since 2005.
  MGA: 0,
};

/** What an amount must be a multiple of, in Stripe's units. */
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

/** Three decimals, and not among those that Stripe has. */
const UNKNOWN: ReadonlySet<string> = new Set(['IQD', 'LYD']);

const digitsOf = (currency: string): number => DIGITS[currency] ?? minorDigits(currency);

/** Our minor units as Stripe's; null: Stripe can't take exactly this amount. */
export function toStripe(minor: number, currency: string): number | null {
  if (UNKNOWN.has(currency)) return null;
  const more = digitsOf(currency) - minorDigits(currency);
  const amount = more >= 0 ? minor * 10 ** more : minor / 10 ** -more;
  return Number.isSafeInteger(amount) && amount % (STEPS[currency] ?? 1) === 0 ? amount : null;
}

/** Stripe's units as ours; what is less than one of ours is cut off. `currency` in upper case. */
export function fromStripe(amount: number, currency: string): number {
  const more = digitsOf(currency) - minorDigits(currency);
  return more >= 0 ? Math.trunc(amount / 10 ** more) : amount * 10 ** -more;
}
