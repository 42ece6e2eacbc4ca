/** Amounts that a discount code takes off, and the lines it applies to: docs/algorithms/discount-codes.md. Pure. */
import { many, one, say, type Text } from '../../../../kernel/base/values/words.ts';
import { allocate, amountText, roundHalfUp } from '../../../../kernel/base/values/money.ts';
import { WHOLE, type Applicability, type Code, type CodeItem, type CodePurchaseType, type Discount } from './code.ts';
import type { Wordings } from '../../../../kernel/base/values/wording.ts';

/** Result for one line. */
export interface DiscountedItem {
  readonly item: number;
  readonly applies: boolean;
  /** minor units; never more than the line costs */
  readonly discount: number;
  /** why the code doesn't apply to it; null if it does */
  readonly why: Wordings | null;
}

export interface Discounted {
  readonly items: readonly DiscountedItem[];
  /** amount that the discount was calculated from: the lines that the code applies to */
  readonly base: number;
  readonly discount: number;
}

const NOUNS: Record<CodePurchaseType, string> = {
  event: 'events',
  course: 'courses',
  membership: 'memberships',
  store: 'the store',
  joining_fee: 'joining fees',
};

const NOT_FOR: Record<CodePurchaseType, Text> = {
  event: say`This discount code is not for ${many.event}.`,
  course: say`This discount code is not for ${many.course}.`,
  membership: say`This discount code is not for ${many.membership}.`,
  store: say`This discount code is not for the ${one.store}.`,
  joining_fee: say`This discount code is not for joining fees.`,
};

/** Calculates one discount on all the lines that the code applies to, split over them in proportion to their prices. */
export function discounted(code: Code, items: readonly CodeItem[]): Discounted {
  const reasons = items.map((item) => whyNotFor(code, item));
  const prices = items.map(({ amount }, i) => (reasons[i] === null ? amount : 0));
  const base = prices.reduce((sum, price) => sum + price, 0);
  const discount = discountOn(code.discount, base);
  const parts = allocate(discount, prices);
  return {
    base,
    discount,
    items: items.map(({ item }, i) => ({ item, applies: reasons[i] === null, discount: parts[i], why: reasons[i] })),
  };
}

/** Returns the discount on an amount, never more than the amount. */
export const discountOn = (discount: Discount, base: number): number =>
  discount.type === 'flat' ? Math.min(discount.amount, base) : roundHalfUp(BigInt(base) * BigInt(discount.rate), WHOLE);

/**
 * Returns why the code doesn't apply to a line, or null if it does. An applicability of the line itself takes
 * precedence over one of its kind.
 */
export function whyNotFor(code: Code, { purchaseType, objects }: CodeItem): Wordings | null {
  const noun = NOUNS[purchaseType];
  if (!code.purchaseTypes.includes(purchaseType))
    return {
      staff: `The discount code ${code.code} is not for ${noun}. Its usable_purchase_types say so.`,
      customer: NOT_FOR[purchaseType],
    };
  const customer = 'This discount code is not for this.';
  const said = sayingOf(code.applicabilities, objects);
  if (said?.allowed === false)
    return { staff: `An applicability of the discount code ${code.code} excludes the ${words(said)}.`, customer };
  if (said || code.byDefault) return null;
  return {
    staff: `The discount code ${code.code} is only for what its applicabilities allow, and none allows this.`,
    customer,
  };
}

const words = ({ type, id }: Applicability): string => `${type.replaceAll('_', ' ')} ${id}`;

/** Returns the most specific applicability: that of the event takes precedence over that of its offering type. */
function sayingOf(all: readonly Applicability[], objects: CodeItem['objects']): Applicability | undefined {
  const about = (type: Applicability['type'], id: number | undefined) =>
    id === undefined ? undefined : all.find((one) => one.type === type && one.id === id);
  return (
    about('event', objects.event) ??
    about('course', objects.course) ??
    about('offering_type', objects.offeringType) ??
    about('membership', objects.membership) ??
    about('store_product', objects.product)
  );
}

/** `20%`, `12.5%`. */
const rateText = (rate: number): string => `${rate / 100}%`;

/** Returns how the discount was calculated: `20% of $80.00`, `$10.00 off $80.00`. */
export function discountText(discount: Discount, base: number, currency: string): string {
  const say = (minor: number) => amountText({ minor, currency });
  if (discount.type === 'percent') return `${rateText(discount.rate)} of ${say(base)}`;
  const limit = discount.amount > base ? ', at most the price' : '';
  return `${say(discount.amount)} off ${say(base)}${limit}`;
}
