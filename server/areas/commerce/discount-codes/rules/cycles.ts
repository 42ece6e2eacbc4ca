/**
 * How long the discount of a recurring plan lasts: docs/algorithms/discount-codes.md. Billing cycles are counted from 1,
 * which is the first payment. Pure.
 */
import { discountOn } from './amounts.ts';
import type { Discount } from './code.ts';

/** The discount of one plan, as it was agreed when the plan was bought. */
export interface PlanTerms {
  readonly discount: Discount;
  /** 0: all of them */
  readonly cycles: number;
}

/** How many more cycles are discounted after so many; null: all. */
export const cyclesLeft = ({ cycles }: PlanTerms, billed: number): number | null =>
  cycles === 0 ? null : Math.max(0, cycles - billed);

/** What a cycle costs less than `price`, in minor units. */
export const discountOfCycle = (terms: PlanTerms, cycle: number, price: number): number =>
  cyclesLeft(terms, cycle - 1) === 0 ? 0 : discountOn(terms.discount, price);

/** The plan costs nothing, however long it lasts. */
export const freeForever = (terms: PlanTerms, price: number): boolean =>
  terms.cycles === 0 && discountOn(terms.discount, price) === price;
