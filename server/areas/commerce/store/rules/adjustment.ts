/** Reasons for stock changes, and their limits: docs/algorithms/stock.md. Pure. */

/** Reasons that staff can record. */
export const MANUAL_REASONS = ['received', 'correction', 'damaged', 'lost', 'returned'] as const;
/** All reasons. Only orders write `sold` and `cancelled`. */
export const REASONS = [...MANUAL_REASONS, 'sold', 'cancelled'] as const;
export type Reason = (typeof REASONS)[number];

/** Direction in which a reason changes stock; 0 for either. */
const SIGN: Readonly<Record<Reason, -1 | 0 | 1>> = {
  received: 1,
  correction: 0,
  damaged: -1,
  lost: -1,
  sold: -1,
  returned: 1,
  cancelled: 1,
};

export interface Stock {
  readonly tracked: boolean;
  /** quantity in stock */
  readonly count: number;
  /** part of it reserved by open checkouts */
  readonly held: number;
}

/** Returns the quantity that can be sold; null if unlimited. */
export const availableStock = ({ tracked, count, held }: Stock): number | null => (tracked ? count - held : null);

/** Returns the objection to an adjustment, as the wrong property and a sentence; null if there is none. */
export function objectionTo(
  stock: Stock,
  reason: Reason,
  quantity: number,
): { readonly property: 'quantity' | 'store_product_variant'; readonly message: string } | null {
  if (!stock.tracked)
    return {
      property: 'store_product_variant',
      message: 'Its stock is not tracked. Set track_stock of the variant first.',
    };
  const sign = SIGN[reason];
  if (quantity === 0) return { property: 'quantity', message: 'Must not be 0.' };
  if (sign !== 0 && Math.sign(quantity) !== sign)
    return {
      property: 'quantity',
      message:
        sign > 0
          ? `Must be more than 0 for the reason ${reason}.`
          : `Must be less than 0 for the reason ${reason}: it takes something out of stock.`,
    };
  if (quantity < 0 && stock.count - stock.held + quantity < 0)
    return {
      property: 'quantity',
      message:
        stock.held === 0
          ? `Only ${stock.count} in stock. Take out at most that.`
          : `${stock.count} in stock, of which open checkouts hold ${stock.held}. Take out at most ${stock.count - stock.held}.`,
    };
  return null;
}

/** Returns whether this change made the stock fall to its threshold or below. */
export const fellLow = (before: number, after: number, threshold: number | null): boolean =>
  threshold !== null && before > threshold && after <= threshold;
