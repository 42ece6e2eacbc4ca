/** The membership that would have been cheapest for the visits of the last three months. Pure. */
import { roundHalfEven } from '../../../../kernel/base/values/money.ts';

/** Length of the time that is compared, in each unit in which plans are billed and packs expire. */
const QUARTER = { days: 91, weeks: 13, months: 3 } as const;

type Unit = keyof typeof QUARTER;

interface Length {
  readonly length: number;
  readonly unit: Unit;
}

/** A membership for sale. Amounts are in minor units. */
export interface Candidate {
  readonly id: number;
  readonly name: string;
  readonly price: number;
  /** paid once when it begins */
  readonly joining: number;
  /** visits that the price pays for; null: any number */
  readonly visits: number | null;
  /** time that the price pays for; null: without end */
  readonly lasts: Length | null;
  /** number of visits of the last three months that it covers */
  readonly covered: number;
  /** its cost or its number of visits depends on more than the number of visits */
  readonly limited: boolean;
}

/** The cost of a membership for three months. */
export interface Compared {
  readonly id: number;
  readonly name: string;
  /** in minor units, with what is paid to join */
  readonly cost: number;
  readonly joining: number;
  /** price of a visit, in minor units; null: the price is for a time */
  readonly each: number | null;
}

export interface Best {
  /** number of visits */
  readonly visits: number;
  /** the cheapest first; empty: none covers all visits */
  readonly compared: readonly Compared[];
  /** names of those that cover the visits, but can't be compared by their number */
  readonly others: readonly string[];
}

/** Returns the memberships that cover all `visits`, compared by what they cost for three months. */
export function bestFor(visits: number, candidates: readonly Candidate[]): Best {
  const fitting = visits === 0 ? [] : candidates.filter(({ covered }) => covered === visits);
  const costs = fitting.map((one) => (one.limited ? null : costOf(visits, one)));
  return {
    visits,
    compared: costs.filter((one) => one !== null).toSorted((a, b) => a.cost - b.cost || a.id - b.id),
    others: fitting.filter((_, i) => costs[i] === null).map(({ name }) => name),
  };
}

/**
 * Returns the cost. A pack is paid by its visits, as unused ones remain, or by its time if it expires before they are
 * used. Null if it has neither.
 */
function costOf(count: number, { id, name, price, joining, visits, lasts }: Candidate): Compared | null {
  const byTime = lasts === null ? null : roundHalfEven(price * QUARTER[lasts.unit], lasts.length);
  const rate = visits === null || visits === 0 ? null : roundHalfEven(price, visits);
  // Multiplied after rounding, so that the sum that people read is exact.
  const byVisit = rate === null ? null : rate * count;
  if (byTime === null && byVisit === null) return null;
  // Of a plan with a number of visits, whichever is used up first is paid again.
  const cost = Math.max(byTime ?? 0, byVisit ?? 0);
  const each = byVisit !== null && byVisit >= (byTime ?? 0) ? rate : null;
  return { id, name, cost: cost + joining, joining, each };
}
