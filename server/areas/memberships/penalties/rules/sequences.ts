/** Rules that turn strikes into penalties, as described in docs/algorithms/penalties.md. */
import { daysBetween } from '../../../../kernel/base/values/date.ts';

export const APPLIES_TO = ['no_shows', 'late_cancels', 'late_cancels_or_no_shows'] as const;
export const INFRACTIONS = ['late_cancel', 'no_show'] as const;

export type AppliesTo = (typeof APPLIES_TO)[number];
export type Infraction = (typeof INFRACTIONS)[number];

export interface Rule {
  readonly id: number;
  /** number of free infractions; the next one costs */
  readonly maxInfractions: number;
  /** number of days within which they count together, including the first and the last */
  readonly days: number;
  /** minor units, more than 0 */
  readonly price: number;
}

export interface Strike {
  readonly id: number;
  readonly rule: number;
  /** the booking: strikes of one booking under several rules are one infraction */
  readonly attendance: number;
  /** start of its event in epoch milliseconds, by which strikes are ordered */
  readonly at: number;
  /** that day by the calendar of the business */
  readonly on: string;
}

/** Strikes that together cost a penalty: the last one is the one too many. */
export interface Sequence {
  readonly rule: Rule;
  readonly strikes: readonly Strike[];
  /** true if another rule already charges for the same infraction */
  readonly skipped: boolean;
}

/** Returns true if a rule counts the infraction. */
export const counts = (appliesTo: AppliesTo, infraction: Infraction): boolean =>
  appliesTo === 'late_cancels_or_no_shows' || appliesTo === `${infraction}s`;

const inOrder = (strikes: readonly Strike[]): Strike[] =>
  strikes.toSorted((a, b) => a.at - b.at || a.attendance - b.attendance || a.id - b.id);

interface Counted {
  /** sequences, each completed and used up by the infraction that is one too many: the count then restarts */
  readonly sequences: readonly (readonly Strike[])[];
  /** number of each strike within its count, including itself */
  readonly position: ReadonlyMap<number, number>;
}

/** Counts the strikes of one rule. The result depends on the strikes, never on the order in which they were marked. */
export function count(rule: Pick<Rule, 'maxInfractions' | 'days'>, strikes: readonly Strike[]): Counted {
  const sequences: Strike[][] = [];
  const position = new Map<number, number>();
  let waiting: Strike[] = [];
  for (const strike of inOrder(strikes)) {
    waiting = [...waiting.filter((earlier) => daysBetween(earlier.on, strike.on) < rule.days), strike];
    position.set(strike.id, waiting.length);
    if (waiting.length > rule.maxInfractions) {
      waiting.forEach(({ id }, i) => position.set(id, i + 1));
      sequences.push(waiting);
      waiting = [];
    }
  }
  return { sequences, position };
}

export const lastStrike = ({ strikes }: Pick<Sequence, 'strikes'>): Strike => strikes.at(-1)!;

/**
 * Returns the penalties for the strikes of one membership under all rules. Each rule counts separately, and one
 * infraction is charged once: by the most expensive rule for which it is one too many. `charged`: bookings that were
 * already charged for.
 */
export function sequencesOf(
  rules: readonly Rule[],
  strikes: readonly Strike[],
  charged: ReadonlySet<number> = new Set(),
): { sequences: Sequence[]; position: ReadonlyMap<number, number> } {
  const position = new Map<number, number>();
  const taken = new Set(charged);
  const sequences: Sequence[] = [];
  for (const rule of rules.toSorted((a, b) => b.price - a.price || a.id - b.id)) {
    const counted = count(
      rule,
      strikes.filter((strike) => strike.rule === rule.id),
    );
    for (const [id, n] of counted.position) position.set(id, n);
    for (const own of counted.sequences) {
      const { attendance } = own.at(-1)!;
      sequences.push({ rule, strikes: own, skipped: taken.has(attendance) });
      taken.add(attendance);
    }
  }
  return { sequences, position };
}

/** A penalty that is not charged yet. */
export interface Pending {
  readonly id: number;
  readonly rule: number;
  readonly strikes: readonly number[];
  readonly skipped: boolean;
}

/**
 * Returns the changes after which exactly these sequences are pending: a penalty stays if it follows from the same
 * strikes.
 */
export function reconcile(
  pending: readonly Pending[],
  sequences: readonly Sequence[],
): { voids: readonly Pending[]; makes: readonly Sequence[] } {
  const same = (one: Pending, other: Sequence): boolean =>
    one.rule === other.rule.id &&
    one.skipped === other.skipped &&
    one.strikes.length === other.strikes.length &&
    one.strikes.every((id, i) => id === other.strikes[i].id);
  return {
    voids: pending.filter((one) => !sequences.some((other) => same(one, other))),
    makes: sequences.filter((other) => !pending.some((one) => same(one, other))),
  };
}
