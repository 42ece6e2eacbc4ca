/** A quick item without fees: a bottle of water for 4.00. */
export const WATER = { description: 'Water', unit_price: '4.00', purchase_type: 'store' } as const;
