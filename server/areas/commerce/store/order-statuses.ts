/** Statuses in the order in which an order goes through them; the last two are final. */
export const ORDER_STATUSES = ['open', 'paid', 'fulfilled', 'cancelled', 'returned'] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];
