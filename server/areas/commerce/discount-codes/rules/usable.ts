/**
 * Reasons why a discount code can't be used, regardless of the purchase: docs/algorithms/discount-codes.md. Each has
 * one text for staff and one for customers. Pure.
 */
import { day, many, say, type Text } from '../../../../kernel/base/values/words.ts';
import { spokenDate } from '../../../../kernel/base/values/spoken-time.ts';
import type { Code } from './code.ts';
import type { Wordings } from '../../../../kernel/base/values/wording.ts';

export interface Circumstances {
  /** YYYY-MM-DD at the business */
  readonly today: string;
  /** true if nobody in the household has held a membership or come to an event */
  readonly isNew: boolean;
  /** true if the customer has a family, and so shares the limit with it */
  readonly hasFamily: boolean;
  /** uses without those of the purchase that asks: used, and reserved by open checkouts */
  readonly uses: number;
  readonly reservedUses: number;
  /** uses of the household, counted in the same way */
  readonly householdUses: number;
}

export const USABLE_REASONS = [
  'inactive',
  'not_started',
  'ended',
  'used_up',
  'household_limit',
  'new_customers_only',
] as const;
export type UsableReason = (typeof USABLE_REASONS)[number];

interface Obstacle<Reason extends string = UsableReason> {
  readonly reason: Reason;
  readonly text: Wordings;
}

/** Customers can't distinguish an inactive code from one that never existed. */
const NOT_VALID = say`This discount code isn’t valid. Check the spelling, or continue without it.`;

export const unknownText = (code: string): Wordings => ({
  staff: `There is no discount code ${code}. Check the spelling.`,
  customer: NOT_VALID,
});

const times = (n: number): string => (n === 1 ? 'once' : `${n} times`);

function limitText(n: number, ofFamily: boolean): Text {
  if (ofFamily)
    return n === 1
      ? say`A family can use this discount code once, and yours already has. Continue without it.`
      : say`A family can use this discount code ${n} times, and yours already has. Continue without it.`;
  return n === 1
    ? say`You can use this discount code once, and already have. Continue without it.`
    : say`You can use this discount code ${n} times, and already have. Continue without it.`;
}

/**
 * Returns every reason against it, the most important first; if there is none, it can be used for everything it applies
 * to.
 */
export function listObstacles(code: Code, is: Circumstances): Obstacle[] {
  const name = code.code;
  const found: Obstacle[] = [];
  const add = (reason: UsableReason, staff: string, customer: Text) =>
    found.push({ reason, text: { staff, customer } });
  if (!code.active)
    add('inactive', `The discount code ${name} is inactive. Activate it, or use another one.`, NOT_VALID);
  if (code.startsOn !== null && is.today < code.startsOn)
    add(
      'not_started',
      `The discount code ${name} can be used from ${spokenDate(code.startsOn)}.`,
      say`You can use this discount code from ${day(code.startsOn)}.`,
    );
  if (code.endsOn !== null && is.today > code.endsOn)
    add(
      'ended',
      `The discount code ${name} could be used until ${spokenDate(code.endsOn)}. Change its last day, or use another one.`,
      say`This discount code could be used until ${day(code.endsOn)}. Continue without it.`,
    );
  if (code.allowedUses !== null && is.uses + is.reservedUses >= code.allowedUses)
    add(
      'used_up',
      is.reservedUses > 0
        ? `The discount code ${name} can be used ${times(code.allowedUses)}. ${is.uses} are used, and open checkouts hold ${is.reservedUses}. Try again when they have ended, or raise allowed_uses.`
        : `The discount code ${name} has been used ${times(is.uses)}, which is all that it allows. Raise allowed_uses, or use another one.`,
      say`This discount code has been used up. Continue without it.`,
    );
  if (code.allowedPerHousehold !== null && is.householdUses >= code.allowedPerHousehold) {
    const limit = times(code.allowedPerHousehold);
    add(
      'household_limit',
      is.hasFamily
        ? `Each customer can use the discount code ${name} ${limit}, a family counts as one customer, and this one has done so.`
        : `Each customer can use the discount code ${name} ${limit}, and this one has done so.`,
      limitText(code.allowedPerHousehold, is.hasFamily),
    );
  }
  if (code.newCustomersOnly && !is.isNew)
    add(
      'new_customers_only',
      `The discount code ${name} is for new customers only, and this one, or somebody in the family, has already held a membership or come to an event.`,
      say`This discount code is for new ${many.customer} only. Continue without it.`,
    );
  return found;
}
