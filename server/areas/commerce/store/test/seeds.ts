import { adjustStock, createOrder, createProduct, createVariant, sell, settleOrders } from '../index.ts';
import { name, seed, slug, type Seeds } from '../../../../test/seeds.ts';
import { row } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

/** Creates a product with a single variant and this stock. */
export const newProduct = (
  world: World,
  { stock = 10, ...over }: Partial<Parameters<typeof createProduct>[1]> & { stock?: number } = {},
  providerId = world.harbour,
): Promise<{ product: number; variant: number }> =>
  world.work(providerId, async (work) => {
    const made = await createProduct(work, { name: name('Towel'), price: '12.00', ...over });
    if (stock > 0) await adjustStock(work, [{ variant: made.variant, quantity: stock, reason: 'received' }]);
    return made;
  });

/** Creates an open order of a new customer with two pieces in it. */
export async function newOrder(
  world: World,
  providerId = world.harbour,
): Promise<{ order: number; item: number; customer: number; variant: number }> {
  const customer = await seed(world, 'customer', providerId);
  const { variant } = await newProduct(world, { delivery_methods: ['pickup', 'delivery'] }, providerId);
  return world.work(providerId, async (work) => {
    const order = await createOrder(work, {
      customer,
      items: [{ variant, quantity: 2 }],
      note: 'Gift wrap, please',
      delivery_address: '1 Main Street',
    });
    const item = await work.tx.one<{ id: number }>(
      sql`SELECT id FROM store_order_item WHERE provider_id = ${providerId} AND store_order_id = ${order}`,
    );
    return { order, item: item!.id, customer, variant };
  });
}

/** Creates a paid order, with an unrelated invoice. */
export async function paidOrder(
  world: World,
  providerId = world.harbour,
): Promise<{ order: number; item: number; customer: number; variant: number }> {
  const [made, invoice] = [await newOrder(world, providerId), await seed(world, 'invoice', providerId)];
  const { item, customer, variant } = made;
  await world.work(providerId, async (work) => {
    await sell(work, {
      variant,
      quantity: 2,
      by: { object: 'test', id: item },
      customer,
      name: 'Towel',
      unitPrice: 1200,
      orderItem: item,
      after: null,
      method: 'pickup',
      checkout: 0,
    });
    await settleOrders(work, [item], invoice);
  });
  return made;
}

/** Creates a product with a value in every column, and an attribute that its variant has a value for. */
async function shirt(
  world: World,
  providerId: number,
): Promise<{ product: number; attribute: number; variant: number }> {
  const { product } = await newProduct(
    world,
    { description: 'Cotton', category: 'Clothes', order: 3, delivery_methods: ['pickup', 'delivery'] },
    providerId,
  );
  const attribute = await row(
    world,
    'store_product_attribute',
    { store_product_id: product, name: 'Size' },
    providerId,
  );
  const image = await seed(world, 'image', providerId);
  return world.work(providerId, async (work) => {
    await work.tx.run(
      sql`INSERT INTO store_product_image (provider_id, store_product_id, image_id, position)
        VALUES (${providerId}, ${product}, ${image}, 1)`,
    );
    await work.tx.run(
      sql`INSERT INTO store_product_attribute_value (provider_id, store_product_attribute_id, value, sort_order)
          VALUES (${providerId}, ${attribute}, 'S', 0), (${providerId}, ${attribute}, 'L', 1)`,
    );
    const variant = await createVariant(work, {
      store_product: product,
      sku: slug(),
      barcode: slug(),
      price_override: '15.00',
      low_stock_threshold: 2,
      attribute_values: [{ store_product_attribute: attribute, value: 'L' }],
    });
    await work.tx.run(
      sql`INSERT INTO store_product_variant_image (provider_id, store_product_variant_id, image_id, position)
        VALUES (${providerId}, ${variant}, ${image}, 1)`,
    );
    await adjustStock(work, [{ variant, quantity: 5, reason: 'received', note: 'From the printer' }]);
    return { product, attribute, variant };
  });
}

export const SEEDS: Seeds = {
  store_product: async (world, providerId) => (await shirt(world, providerId)).product,
  store_product_attribute: async (world, providerId) => (await shirt(world, providerId)).attribute,
  store_product_variant: async (world, providerId) => (await shirt(world, providerId)).variant,
  store_order: async (world, providerId) => {
    await paidOrder(world, providerId);
    return (await newOrder(world, providerId)).order;
  },
  store_order_item: async (world, providerId) => {
    const { item } = await paidOrder(world, providerId);
    const staff = await seed(world, 'staff', providerId);
    await world.work(providerId, ({ tx }) =>
      tx.run(
        sql`UPDATE store_order_item SET delivered_at = now(), delivered_by_id = ${staff}
          WHERE provider_id = ${providerId} AND id = ${item}`,
      ),
    );
    return (await newOrder(world, providerId)).item;
  },
  store_inventory_adjustment: async (world, providerId) =>
    row(
      world,
      'store_inventory_adjustment',
      {
        store_product_variant_id: await seed(world, 'store_product_variant', providerId),
        staff_id: await seed(world, 'staff', providerId),
        quantity: 2,
        reason: 'correction',
        note: 'Counted again',
      },
      providerId,
    ),
};
