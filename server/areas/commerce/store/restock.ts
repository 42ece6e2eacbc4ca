/** Order items that an invoice credits, and that return to stock with it: implements the port of the invoices. */
import { cameBack, comeBack, piecesOf, type TakingBack } from './take-back.ts';
import { lockOrdersOf, orderItemsById, type OrderItemRow } from './order-rows.ts';
import type { ComingBack, SoldGoods } from '../../money/invoices/index.ts';

export const storeGoods: SoldGoods = {
  name: 'store_order_item',
  description: 'Products of the store.',
  resource: 'store_order_item',
  comeBack: async (work, parts) => {
    const ids = parts.map(({ billed }) => billed);
    const orders = await lockOrdersOf(work, ids);
    const items = new Map((await orderItemsById(work, ids)).map((item) => [item.id, item]));
    const back = parts.flatMap((part) => backOf(part, items.get(part.billed)!));
    if (back.length > 0) await comeBack(work, back, { restock: true, as: 'returned' });
    return {
      count: back.length,
      noted: async (note) => {
        for (const [order, mine] of Map.groupBy(back, ({ item }) => item.store_order_id))
          await cameBack(work, orders.get(order)!, mine, { as: 'returned', note });
      },
    };
  },
};

function backOf({ quantity, at }: ComingBack, item: OrderItemRow): TakingBack[] {
  if (at === null && item.returned_quantity === item.quantity) return [];
  return [{ item, quantity: piecesOf(item, quantity ?? undefined, at ?? 'restock') }];
}
