/**
 * Duration of a recurring plan's discount: docs/algorithms/discount-codes.md. Billing cycles are counted from 1, which
 * is the first payment. Pure.
 */
import { discountOn } from './amounts.ts';
import type { Discount } from './code.ts';

/** The discount of one plan, as it was agreed when the plan was bought. */
export interface PlanTerms {
  readonly discount: Discount;
  /** 0 means all cycles */
  readonly cycles: number;
}

/** Returns how many more cycles are discounted after `billed` cycles; null if all are. */
export const cyclesLeft = ({ cycles }: PlanTerms, billed: number): number | null =>
  cycles === 0 ? null : Math.max(0, cycles - billed);

/** Returns the discount of a cycle on `price`, in minor units. */
export const discountOfCycle = (terms: PlanTerms, cycle: number, price: number): number =>
  cyclesLeft(terms, cycle - 1) === 0 ? 0 : discountOn(terms.discount, price);

/** Returns whether the plan costs nothing, however long it lasts. */
export const freeForever = (terms: PlanTerms, price: number): boolean =>
  terms.cycles === 0 && discountOn(terms.discount, price) === price;
