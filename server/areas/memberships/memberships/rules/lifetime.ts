/**
 * Rules for the term of a pack or a prepaid plan: docs/algorithms/membership-products.md. Dates are the business's.
 * Pure.
 */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { addMonths } from '../../../../kernel/base/values/period.ts';

export const DURATION_UNITS = ['days', 'weeks', 'months'] as const;

export interface Lifetime {
  readonly duration: number | null;
  readonly durationUnit: (typeof DURATION_UNITS)[number];
  /** YYYY-MM-DD */
  readonly startDate: string | null;
  /** last day */
  readonly expirationDate: string | null;
  readonly beginOnFirstRegistration: boolean;
}

interface Beginning {
  readonly boughtOn: string;
  /** day of the first event that it was used for; null if there is none yet */
  readonly firstUseOn: string | null;
}

export interface Term {
  /** null until the first registration, with which it begins */
  readonly startDate: string | null;
  /** last day; null if it has no end */
  readonly expirationDate: string | null;
}

export function termOf(product: Lifetime, { boughtOn, firstUseOn }: Beginning): Term {
  const startDate = product.beginOnFirstRegistration ? firstUseOn : later(product.startDate ?? boughtOn, boughtOn);
  const ends =
    startDate === null || product.duration === null ? null : lastDay(startDate, product.duration, product.durationUnit);
  return { startDate, expirationDate: earlier(ends, product.expirationDate) };
}

const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string | null, b: string | null): string | null => (a === null ? b : b === null || a < b ? a : b);

/**
 * Returns the last day. A month from 31 January lasts until 27 or 28 February: the day before the date that the
 * calendar uses instead of the 31st.
 */
function lastDay(start: string, duration: number, unit: Lifetime['durationUnit']): string {
  const after =
    unit === 'months' ? addMonths(start, duration) : addDays(start, unit === 'weeks' ? duration * 7 : duration);
  return addDays(after, -1);
}
