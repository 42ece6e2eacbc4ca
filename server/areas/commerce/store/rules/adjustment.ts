/** Why stock changes, and by how much it may: docs/algorithms/stock.md. Pure. */

/** What staff can record. */
export const MANUAL_REASONS = ['received', 'correction', 'damaged', 'lost', 'returned'] as const;
/** `sold` and `cancelled` are written by orders alone. */
export const REASONS = [...MANUAL_REASONS, 'sold', 'cancelled'] as const;
export type Reason = (typeof REASONS)[number];

/** Which way a reason changes stock; 0: either. */
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
  /** what is there */
  readonly count: number;
  /** what of it open checkouts hold */
  readonly held: number;
}

/** What can be sold; null: there is always enough. */
export const availableOf = ({ tracked, count, held }: Stock): number | null => (tracked ? count - held : null);

/** What is against an adjustment, as the property that is wrong and a sentence; null: nothing. */
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

/** Whether the stock fell to its threshold, or below, just now. */
export const fellLow = (before: number, after: number, threshold: number | null): boolean =>
  threshold !== null && before > threshold && after <= threshold;
