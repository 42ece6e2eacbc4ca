/** Whether something can be sold: docs/algorithms/stock.md. Pure. */

export interface SaleFacts {
  readonly storeOpen: boolean;
  readonly productForSale: boolean;
  /** customers see the product */
  readonly visible: boolean;
  readonly variantForSale: boolean;
  /** in stock and not held by others; null: its stock is not tracked */
  readonly available: number | null;
}

export const OBSTACLES = ['store_closed', 'not_for_sale', 'out_of_stock'] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** The first thing that is against it; null: it can be sold. Staff also sell what customers do not see. */
export function obstacleTo(facts: SaleFacts, quantity: number, byStaff: boolean): Obstacle | null {
  if (!byStaff && !facts.storeOpen) return 'store_closed';
  if (!facts.productForSale || !facts.variantForSale || (!byStaff && !facts.visible)) return 'not_for_sale';
  if (facts.available !== null && facts.available < quantity) return 'out_of_stock';
  return null;
}
