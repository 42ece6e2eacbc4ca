/** Rules for selling a variant: docs/algorithms/stock.md. Pure. */

export interface SaleFacts {
  readonly storeOpen: boolean;
  readonly productForSale: boolean;
  /** true if customers see the product */
  readonly visible: boolean;
  readonly variantForSale: boolean;
  /** quantity in stock and not reserved by others; null if its stock isn't tracked */
  readonly available: number | null;
}

const OBSTACLES = ['store_closed', 'not_for_sale', 'out_of_stock'] as const;
type Obstacle = (typeof OBSTACLES)[number];

/** Returns the first objection; null if it can be sold. Staff can also sell products hidden from customers. */
export function obstacleTo(facts: SaleFacts, quantity: number, byStaff: boolean): Obstacle | null {
  if (!byStaff && !facts.storeOpen) return 'store_closed';
  if (!facts.productForSale || !facts.variantForSale || (!byStaff && !facts.visible)) return 'not_for_sale';
  if (facts.available !== null && facts.available < quantity) return 'out_of_stock';
  return null;
}
