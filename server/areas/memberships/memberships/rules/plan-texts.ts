/**
 * Descriptions of a payment plan in words, and the consequences of its days: docs/algorithms/membership-products.md.
 * Pure.
 */
export const UNITS = ['months', 'weeks'] as const;
type BillingUnit = (typeof UNITS)[number];

export const SCHEMES = ['stop_contract', 'renew_contract', 'continue_by_period'] as const;
export const DAYS_OF_WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type DayOfWeek = (typeof DAYS_OF_WEEK)[number];

export interface BillingPeriod {
  readonly length: number;
  readonly unit: BillingUnit;
}

export interface Commitment {
  /** number of billing periods; null if none */
  readonly periods: number | null;
  readonly scheme: (typeof SCHEMES)[number];
}

export interface BillingDay {
  /** day of the month, 1 to 31 */
  readonly ofMonth: number | null;
  readonly ofWeek: DayOfWeek | null;
}

const some = (n: number, unit: BillingUnit): string => `${n} ${n === 1 ? unit.slice(0, -1) : unit}`;
const every = ({ length, unit }: BillingPeriod): string =>
  length === 1 ? `every ${unit.slice(0, -1)}` : `every ${some(length, unit)}`;

/** Returns the price with its period in words. `price`: the text of an amount. */
export const priceWithPeriod = (price: string, period: BillingPeriod): string =>
  period.length === 1 ? `${price} per ${period.unit.slice(0, -1)}` : `${price} ${every(period)}`;

export function durationDescription(period: BillingPeriod, { periods, scheme }: Commitment): string {
  if (periods === null) return `Until cancelled, paid ${every(period)}`;
  const committed = some(periods * period.length, period.unit);
  if (scheme === 'stop_contract') return committed;
  return scheme === 'renew_contract'
    ? `${committed}, then renewed for ${committed} at a time`
    : `${committed}, then until cancelled, paid ${every(period)}`;
}

/**
 * Returns when enrollment takes effect. Until a fixed day is reached, the days are paid in proportion; without one, the
 * first period starts at the purchase.
 */
export const enrollmentSchedule = ({ ofMonth, ofWeek }: BillingDay): 'purchase_date' | 'next_possible_prorate' =>
  ofMonth === null && ofWeek === null ? 'purchase_date' : 'next_possible_prorate';

export function billingDayDescription({ ofMonth, ofWeek }: BillingDay): string {
  if (ofWeek !== null) return `On ${ofWeek[0].toUpperCase()}${ofWeek.slice(1)}s`;
  if (ofMonth === null) return 'On the day of the purchase';
  return ofMonth <= 28
    ? `On the ${ordinal(ofMonth)} of the month`
    : `On the ${ordinal(ofMonth)} of the month, or the last day of a shorter one`;
}

function ordinal(n: number): string {
  const ending = n >= 11 && n <= 13 ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[n % 10] ?? 'th');
  return `${n}${ending}`;
}

interface PlanShape extends BillingDay {
  readonly unit: BillingUnit;
  readonly commitment: Commitment;
}

/** Returns contradictions, by the property to be changed. */
export function planObjections({
  unit,
  ofMonth,
  ofWeek,
  commitment,
}: PlanShape): { property: string; message: string }[] {
  const found: { property: string; message: string }[] = [];
  if (ofMonth !== null && unit !== 'months')
    found.push({
      property: 'fixed_billing_day_of_month',
      message: 'A plan that is paid by the week needs a fixed_billing_day_of_week.',
    });
  if (ofWeek !== null && unit !== 'weeks')
    found.push({
      property: 'fixed_billing_day_of_week',
      message: 'A plan that is paid by the month needs a fixed_billing_day_of_month.',
    });
  if (commitment.periods === null && commitment.scheme !== 'continue_by_period') {
    found.push({
      property: 'commitment_expiration_scheme',
      message: `Without a commitment, nothing expires. Send committed_billing_periods, or continue_by_period.`,
    });
  }
  return found;
}
