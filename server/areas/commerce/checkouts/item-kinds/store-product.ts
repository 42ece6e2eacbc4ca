/** Store products: a variant, or an item of an order. */
import {
  checkSale,
  lockForPaying,
  orderItems,
  quoteVariants,
  sell,
  settleOrders,
  unlock,
  wrongStatus,
  type VariantQuote,
} from '../../store/index.ts';
import { heldFor, orderItemsOf, STOCK } from '../reservations/stock.ts';
import { invalid, type Problem } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { ItemKind, Wanted } from './kind.ts';
import type { ItemRow } from '../rows.ts';
import type { NewItem } from './kind.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const quotesOf = (work: Work, items: readonly Wanted[]): Promise<Map<number, VariantQuote>> =>
  quoteVariants(
    work,
    items.map((item) => item.store_product_variant_id!),
  );

/** Ignores availability: the contents of the checkout are already reserved. */
const withoutStock = (quote: VariantQuote): VariantQuote => ({ ...quote, facts: { ...quote.facts, available: null } });

interface Ordered {
  readonly variant: number;
  readonly quantity: number;
  readonly customer: number;
  readonly status: string;
  readonly sold: boolean;
}

/** Returns what is sold by an order item. */
async function orderedItem({ tx, providerId }: Work, item: number): Promise<Ordered> {
  const row = await tx.one<Ordered>(sql`
    SELECT i.store_product_variant_id AS variant, i.quantity, o.customer_id AS customer, o.status, i.unit_price_minor IS NOT NULL AS sold
    FROM store_order_item i JOIN store_order o ON o.provider_id = i.provider_id AND o.id = i.store_order_id
    WHERE i.provider_id = ${providerId} AND i.id = ${item}`);
  return row!;
}

async function ofOrder<W extends Wanted>(work: Work, wanted: W): Promise<W> {
  const { variant, quantity, customer, status, sold } = await orderedItem(work, wanted.store_order_item_id!);
  if (customer !== wanted.customer_id) throw notTheirs('store_order_item');
  if (status !== 'open' || sold) throw wrongStatus(status);
  if (wanted.store_product_variant_id !== null && wanted.store_product_variant_id !== variant)
    throw invalid('store_product_variant', 'The item of the order is of another variant. Leave this out.');
  return { ...wanted, store_product_variant_id: variant, quantity: wanted.quantity ?? quantity };
}

/** Returns all items of an order, for a checkout that may already contain items. */
export async function orderedItems(
  work: Work,
  order: number,
  { customer, already }: { readonly customer: number; readonly already: readonly ItemRow[] },
): Promise<NewItem[]> {
  const row = await work.tx.one<{ customer: number; status: string }>(
    sql`SELECT customer_id AS customer, status FROM store_order WHERE provider_id = ${work.providerId} AND id = ${order}`,
  );
  if (row!.customer !== customer) throw notTheirs('store_order');
  if (row!.status !== 'open') throw wrongStatus(row!.status);
  const items = await orderItems(work, order);
  if (items.length === 0) throw invalid('store_order', 'Nothing is in the order. Add an item first.');
  if (already.some((item) => items.some(({ id }) => id === item.store_order_item_id))) throw twice('store_order');
  return items.map((item) => ({
    item_type: 'STR_PRO',
    customer_id: customer,
    quantity: item.quantity,
    store_product_variant_id: item.store_product_variant_id,
    store_order_item_id: item.id,
  }));
}

const notTheirs = (property: string): Problem =>
  invalid(property, {
    staff: 'The order belongs to somebody else. Send its customer as `customer`.',
    customer: 'This order belongs to somebody else.',
  });

const twice = (property: string): Problem =>
  invalid(property, {
    staff: 'An item of the order is already in the checkout.',
    customer: 'This is already in your purchase.',
  });

export const STORE_PRODUCT: ItemKind = {
  type: 'STR_PRO',
  description:
    'A variant of a product, an item of an order, or with `store_order` everything in an order. Send how many as `quantity`; an item of an order has its own.',
  needs: [],
  takes: ['store_product_variant', 'store_order_item'],
  several: true,
  forWalkIns: true,
  holds: STOCK,
  rank: 3,
  line: () => 'store_order',
  resolve: async (work, wanted) => {
    if (wanted.store_order_item_id !== null) return ofOrder(work, wanted);
    if (wanted.store_product_variant_id === null)
      throw invalid('store_product_variant', 'Send this, store_order_item or store_order.');
    return wanted;
  },
  check: async (work, wanted, { items }) => {
    const ordered = wanted.store_order_item_id;
    if (ordered !== null && items.some((item) => item.store_order_item_id === ordered)) throw twice('store_order_item');
    const quote = (await quotesOf(work, [wanted])).get(wanted.store_product_variant_id!)!;
    checkSale(work, quote, { quantity: wanted.quantity ?? 1 });
  },
  facts: async (work, items) => {
    const quotes = await quotesOf(work, items);
    return new Map(
      items.map((item) => {
        const quote = quotes.get(item.store_product_variant_id!)!;
        checkSale(work, withoutStock(quote), { quantity: item.quantity });
        return [
          item.id,
          {
            description: quote.name,
            unitPrice: quote.price,
            recurringPrice: null,
            taxed: { type: 'store', venue: null },
            discounted: { type: 'store', objects: { product: quote.product } },
            credit: 0,
          },
        ];
      }),
    );
  },
  paying: (work, items) => lockForPaying(work, orderItemsOf(items), items[0].checkout_id),
  reopened: (work, items) => unlock(work, orderItemsOf(items), items[0].checkout_id),
  fulfil: async (work, { checkout, item, items, got }) => {
    const before = items.find(
      (one) =>
        got.get(one.id)?.object === 'store_order_item' &&
        one.customer_id === item.customer_id &&
        !one.store_order_item_id,
    );
    const [quote] = (await quotesOf(work, [item])).values();
    const id = await sell(work, {
      variant: item.store_product_variant_id!,
      quantity: item.quantity,
      by: heldFor(item),
      customer: item.customer_id,
      name: item.description,
      unitPrice: item.unit_price_minor ?? item.standard_unit_price_minor,
      orderItem: item.store_order_item_id,
      after: before ? got.get(before.id)!.id : null,
      method: quote.deliveryMethods[0],
      checkout: checkout.id,
    });
    return { object: 'store_order_item', id, name: item.description };
  },
  billed: (work, sold: readonly number[], invoice) => settleOrders(work, sold, invoice),
};
