/** A discount code as its rules know it: docs/algorithms/discount-codes.md. */

/** Purchase types that a code can apply to. */
export const CODE_PURCHASE_TYPES = ['event', 'course', 'membership', 'store', 'joining_fee'] as const;
export type CodePurchaseType = (typeof CODE_PURCHASE_TYPES)[number];

/** Types of objects that an applicability can name. */
export type ObjectType = 'offering_type' | 'membership' | 'event' | 'store_product' | 'course';

/** A rate of 100%: rates are hundredths of a percent, so that 12.5% is a whole number. */
export const WHOLE = 10_000;

export type Discount =
  | { readonly type: 'percent'; /** of `WHOLE` */ readonly rate: number }
  | { readonly type: 'flat'; /** minor units, more than 0 */ readonly amount: number };

/** A rule that allows or excludes one object, overriding the code's general setting. */
export interface Applicability {
  readonly type: ObjectType;
  readonly id: number;
  readonly allowed: boolean;
}

export interface Code {
  readonly code: string;
  readonly active: boolean;
  /** YYYY-MM-DD at the business, the first and last day; null if unbounded */
  readonly startsOn: string | null;
  readonly endsOn: string | null;
  readonly newCustomersOnly: boolean;
  /** null means unlimited */
  readonly allowedUses: number | null;
  readonly allowedPerHousehold: number | null;
  readonly purchaseTypes: readonly CodePurchaseType[];
  /** false if only applicabilities allow anything */
  readonly byDefault: boolean;
  readonly applicabilities: readonly Applicability[];
  readonly discount: Discount;
}

/** One line of a purchase. */
export interface CodeItem {
  /** the caller's key for it */
  readonly item: number;
  readonly purchaseType: CodePurchaseType;
  /** ids of the purchased objects: for an event also its offering type, for a joining fee its membership */
  readonly objects: {
    readonly event?: number;
    readonly offeringType?: number;
    readonly membership?: number;
    readonly product?: number;
    readonly course?: number;
  };
  /** list price of the whole line in minor units, 0 or more */
  readonly amount: number;
}
