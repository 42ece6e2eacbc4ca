/** A discount code as its rules know it: docs/algorithms/discount-codes.md. */

/** What a code can be for. */
export const CODE_PURCHASE_TYPES = ['event', 'course', 'membership', 'store', 'joining_fee'] as const;
export type CodePurchaseType = (typeof CODE_PURCHASE_TYPES)[number];

/** What a single rule of a code can be about. */
export type ObjectType = 'offering_type' | 'membership' | 'event' | 'store_product' | 'course';

/** A rate of 100%: rates are hundredths of a percent, so that 12.5% is a whole number. */
export const WHOLE = 10_000;

export type Discount =
  | { readonly type: 'percent'; /** of `WHOLE` */ readonly rate: number }
  | { readonly type: 'flat'; /** minor units, more than 0 */ readonly amount: number };

/** The code may, or may not, be used for one object, whatever it says otherwise. */
export interface Applicability {
  readonly type: ObjectType;
  readonly id: number;
  readonly allowed: boolean;
}

export interface Code {
  readonly code: string;
  readonly active: boolean;
  /** YYYY-MM-DD at the business, the first and the last day; null: no bound */
  readonly startsOn: string | null;
  readonly endsOn: string | null;
  readonly newCustomersOnly: boolean;
  /** null: as many as anybody likes */
  readonly allowedUses: number | null;
  readonly allowedPerHousehold: number | null;
  readonly purchaseTypes: readonly CodePurchaseType[];
  /** false: only for what an applicability allows */
  readonly byDefault: boolean;
  readonly applicabilities: readonly Applicability[];
  readonly discount: Discount;
}

/** One line of a purchase. */
export interface CodeItem {
  /** what the caller knows it by */
  readonly item: number;
  readonly purchaseType: CodePurchaseType;
  /** ids of what is bought: of an event also its offering type, of a joining fee its membership */
  readonly objects: {
    readonly event?: number;
    readonly offeringType?: number;
    readonly membership?: number;
    readonly product?: number;
    readonly course?: number;
  };
  /** list price of the whole line, minor units, 0 or more */
  readonly amount: number;
}
