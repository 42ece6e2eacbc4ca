/** Rules for the pay of an instructor for a session by one rate, with an explanation. Pure. */
import { amountText, roundHalfUp } from '../../../../kernel/base/values/money.ts';

export const PAY_TYPES = ['per_session', 'per_hour'] as const;
type PayType = (typeof PAY_TYPES)[number];

/** Statuses of bookings that may count; those that were cancelled in time never do. */
export const COUNTED_STATUSES = ['attended', 'registered', 'no_show', 'late_cancelled'] as const;
type CountedStatus = (typeof COUNTED_STATUSES)[number];

/** Customers from one number to another, both included, counted from 1; `to` is null for all further ones. */
export interface Tier {
  readonly from: number;
  readonly to: number | null;
  /** amount that each of them adds, in minor units */
  readonly minor: number;
}

/** The terms of a rate. Amounts are minor units. */
export interface Terms {
  readonly name: string;
  readonly type: PayType;
  /** for a session, or for an hour */
  readonly base: number;
  readonly tiers: readonly Tier[];
  readonly counted: readonly CountedStatus[];
  /** true if customers who attended for free count */
  readonly countsComped: boolean;
  readonly paysEmpty: boolean;
  readonly minimum: number | null;
  readonly maximum: number | null;
}

export interface Session {
  readonly minutes: number;
  /** number of bookings of each kind */
  readonly bookings: readonly { readonly status: string; readonly comped: boolean; readonly n: number }[];
}

type StepName = 'base' | 'tier' | 'minimum' | 'maximum' | 'empty';

/** A part of the pay; the steps sum to it. */
export interface Step {
  readonly name: StepName;
  readonly minor: number;
  readonly text: string;
}

interface Pay {
  readonly minor: number;
  /** number of customers who count */
  readonly counted: number;
  readonly steps: readonly Step[];
}

const countOf = ({ counted, countsComped }: Terms, { bookings }: Session): number =>
  bookings
    .filter(({ status, comped }) => counted.includes(status as CountedStatus) && (countsComped || !comped))
    .reduce((sum, { n }) => sum + n, 0);

/** Returns how many of the counted customers are in the tier. */
const within = ({ from, to }: Tier, counted: number): number =>
  Math.max(0, Math.min(counted, to ?? counted) - from + 1);

/**
 * Returns the base, plus the amount for each customer by the tier of their number, limited to the minimum and the
 * maximum. Only the base of a part of an hour can have a fraction: it is rounded half up.
 */
export function payFor(terms: Terms, session: Session, currency: string): Pay {
  const counted = countOf(terms, session);
  if (counted === 0 && !terms.paysEmpty)
    return {
      minor: 0,
      counted,
      steps: [{ name: 'empty', minor: 0, text: 'Nobody who counts came, so it pays nothing.' }],
    };
  const said = (minor: number): string => amountText({ minor, currency });
  const steps: Step[] = [baseOf(terms, session, said)];
  for (const tier of terms.tiers) {
    const n = within(tier, counted);
    if (n > 0)
      steps.push({
        name: 'tier',
        minor: n * tier.minor,
        text: `${people(n)} at ${said(tier.minor)} each (${placeOf(tier)}).`,
      });
  }
  const sum = steps.reduce((all, { minor }) => all + minor, 0);
  const { minimum, maximum } = terms;
  if (minimum !== null && sum < minimum)
    steps.push({ name: 'minimum', minor: minimum - sum, text: `The least that it pays is ${said(minimum)}.` });
  if (maximum !== null && sum > maximum)
    steps.push({ name: 'maximum', minor: maximum - sum, text: `The most that it pays is ${said(maximum)}.` });
  return { minor: steps.reduce((all, { minor }) => all + minor, 0), counted, steps };
}

function baseOf({ type, base }: Terms, { minutes }: Session, said: (minor: number) => string): Step {
  if (type === 'per_session') return { name: 'base', minor: base, text: `${said(base)} for the session.` };
  return {
    name: 'base',
    minor: roundHalfUp(BigInt(base) * BigInt(minutes), 60),
    text: `${minutes} minutes at ${said(base)} an hour.`,
  };
}

const people = (n: number): string => (n === 1 ? '1 customer' : `${n} customers`);

const placeOf = ({ from, to }: Tier): string =>
  to === null ? `from number ${from}` : to === from ? `number ${from}` : `number ${from} to ${to}`;

/** Returns the first invalid tier, by its number from 0, with the problem; null if there is none. */
export function tierProblem(tiers: readonly Tier[]): { readonly at: number; readonly text: string } | null {
  for (const [at, { from, to }] of tiers.entries()) {
    const before = tiers[at - 1];
    if (to !== null && to < from) return { at, text: 'upper_bound must not be less than lower_bound.' };
    if (before && (before.to === null || from <= before.to))
      return { at, text: 'Must begin after the tier before it ends. Send tiers in order, without overlaps.' };
  }
  return null;
}
