/** Revenue recognition: see docs/algorithms/revenue.md. Amounts are minor units, days `YYYY-MM-DD`. Pure. */
import { daysBetween } from '../../../../kernel/base/values/zone.ts';

/** A sale, without taxes and fees; negative for a credit note. */
export interface Sold {
  readonly amount: number;
  readonly soldOn: string;
  /** earned evenly over these days, or with each of this many uses; null: on the day of the sale */
  readonly over: { readonly from: string; readonly to: string } | { readonly uses: number } | null;
  /** the day on which the rest is earned, because nothing can be used any more; null if no such day is known */
  readonly closedOn: string | null;
}

/** Returns how many portions are earned by the end of a day, and their total. `used`: uses until then. */
function portions({ over, closedOn, soldOn }: Sold, day: string, used: number): { done: number; all: number } {
  if (over === null) return { done: day >= soldOn ? 1 : 0, all: 1 };
  const all = 'uses' in over ? over.uses : daysBetween(over.from, over.to) + 1;
  if (closedOn !== null && day >= closedOn) return { done: all, all };
  const counted = 'uses' in over ? used : daysBetween(over.from, day) + 1;
  return { done: Math.max(0, Math.min(counted, all)), all };
}

/**
 * Returns the revenue by the end of a day: portions are rounded toward zero together, so the last one takes the rest.
 */
export function recognisedBy(sold: Sold, day: string, used = 0): number {
  if (day < sold.soldOn) return 0;
  const { done, all } = portions(sold, day, used);
  return done === all ? sold.amount : Math.trunc((sold.amount * done) / all);
}

/** Returns the amount that was sold by the end of a day and isn't revenue yet. */
export const deferredOn = (sold: Sold, day: string, used = 0): number =>
  day < sold.soldOn ? 0 : sold.amount - recognisedBy(sold, day, used);
