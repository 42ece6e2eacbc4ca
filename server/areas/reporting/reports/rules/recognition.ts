/** When what was sold becomes revenue: see docs/algorithms/revenue.md. Amounts are minor units, days `YYYY-MM-DD`. Pure. */
import { daysBetween } from '../../../../kernel/base/values/zone.ts';

/** What was sold, without taxes and fees; what a credit note takes back is less than 0. */
export interface Sold {
  readonly amount: number;
  readonly soldOn: string;
  /** earned evenly on each of these days, or with each of so many uses; null: on the day on which it was sold */
  readonly over: { readonly from: string; readonly to: string } | { readonly uses: number } | null;
  /** the day on which whatever is left is earned, because nothing can be used any more; null: no such day is known */
  readonly closedOn: string | null;
}

/** How many portions are earned by the end of a day, and of how many. `used`: uses until then. */
function portions({ over, closedOn, soldOn }: Sold, day: string, used: number): { done: number; all: number } {
  if (over === null) return { done: day >= soldOn ? 1 : 0, all: 1 };
  const all = 'uses' in over ? over.uses : daysBetween(over.from, over.to) + 1;
  if (closedOn !== null && day >= closedOn) return { done: all, all };
  const counted = 'uses' in over ? used : daysBetween(over.from, day) + 1;
  return { done: Math.max(0, Math.min(counted, all)), all };
}

/** What is revenue by the end of a day: portions are rounded towards zero together, so the last one takes the rest. */
export function recognisedBy(sold: Sold, day: string, used = 0): number {
  if (day < sold.soldOn) return 0;
  const { done, all } = portions(sold, day, used);
  return done === all ? sold.amount : Math.trunc((sold.amount * done) / all);
}

/** What was sold by the end of a day, and is not revenue yet. */
export const deferredOn = (sold: Sold, day: string, used = 0): number =>
  day < sold.soldOn ? 0 : sold.amount - recognisedBy(sold, day, used);
