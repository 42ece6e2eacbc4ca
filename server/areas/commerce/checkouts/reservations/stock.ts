/** Store stock that is reserved for checkout items. */
import { extendStock, holdStock, lockOrdersOf, lockStock, releaseStock } from '../../store/index.ts';
import type { Held, Wanted } from '../item-kinds/kind.ts';
import type { ItemRow } from '../rows.ts';

const HELD_FOR = 'checkout_item';

export const orderItemsOf = (items: readonly Pick<Wanted, 'store_order_item_id'>[]): number[] =>
  items.flatMap(({ store_order_item_id: item }) => item ?? []);

export const heldFor = ({ id }: Pick<ItemRow, 'id'>) => ({ object: HELD_FOR, id });

const by = (items: readonly ItemRow[]) => ({ object: HELD_FOR, ids: items.map(({ id }) => id) });

export const STOCK: Held = {
  /** orders are locked before their items */
  lock: async (work, items) => {
    await lockOrdersOf(work, orderItemsOf(items));
    await lockStock(
      work,
      items.map((item) => item.store_product_variant_id!),
    );
  },
  hold: (work, items, until) =>
    holdStock(
      work,
      items.map((item) => ({ variant: item.store_product_variant_id!, quantity: item.quantity, by: heldFor(item) })),
      { until },
    ),
  extend: (work, items, how) => extendStock(work, by(items), how),
  release: (work, items) => releaseStock(work, by(items)),
};
