/** The fee for delivering products: added and removed with the products to deliver. */
import { noteDelivery } from '../../store/index.ts';
import { quoteOf } from '../items/delivery.ts';
import type { ItemKind } from './kind.ts';

export const DELIVERY_FEE: ItemKind = {
  type: 'DELIVERY_FEE',
  description: 'The price of delivering products.',
  needs: [],
  automatic: 'It comes with products that are delivered.',
  // after the delivered products
  rank: 4,
  line: () => 'flat_fee',
  check: async () => {},
  facts: async (work, items, around) => {
    const { fee } = await quoteOf(work, around.items);
    return new Map(
      items.map((item) => [
        item.id,
        {
          description: 'Delivery',
          unitPrice: fee ?? 0,
          recurringPrice: null,
          taxed: { type: 'store', venue: null },
          discounted: null,
          credit: 0,
        },
      ]),
    );
  },
  fulfil: async (work, { item, got }) => {
    const delivered = got.get(item.with_item_id!)!.id;
    const fee = item.unit_price_minor ?? item.standard_unit_price_minor;
    return { object: 'store_order', id: await noteDelivery(work, delivered, fee), name: item.description };
  },
};
