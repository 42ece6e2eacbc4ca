import { createProduct } from '../index.ts';
import { name, seed } from '../../../../test/seeds.ts';
import { row } from '../../../../test/schedule-world.ts';
import { newOrder, newProduct, paidOrder } from './seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { Queries } from '../../../../test/matrix/cases.ts';
import type { World } from '../../../../test/world.ts';

/** Creates a product that was never in stock. */
const unused = (world: World): Promise<{ product: number; variant: number }> =>
  world.work(world.harbour, (work) => createProduct(work, { name: name('Mug'), price: '8.00' }));

export const CALLS: Calls = {
  'DELETE /store/products/{id}': async (world) => ({ id: (await unused(world)).product, body: {} }),
  'PATCH /store/products/ordering': async (world) => ({
    body: { ordering: [await seed(world, 'store_product'), await seed(world, 'store_product')] },
  }),
  'POST /store/product_attributes': async (world) => ({
    body: { store_product: (await unused(world)).product, name: 'Size', values: ['S', 'M'] },
  }),
  'PUT /store/product_attributes/{id}': async (world) => ({
    id: await seed(world, 'store_product_attribute'),
    body: { name: 'Size', values: ['M', 'L'] },
  }),
  'DELETE /store/product_attributes/{id}': async (world) => ({
    id: await row(world, 'store_product_attribute', {
      store_product_id: (await unused(world)).product,
      name: 'Size',
    }),
    body: {},
  }),
  'POST /store/product_variants': async (world) => {
    const attribute = await seed(world, 'store_product_attribute');
    const { body } = await world.get(`/store/product_attributes/${attribute}`, { as: world.machine });
    return {
      body: {
        store_product: body.store_product,
        attribute_values: [{ store_product_attribute: attribute, value: 'S' }],
      },
    };
  },
  'PUT /store/product_variants/{id}': async (world) => ({
    id: (await newProduct(world)).variant,
    body: { sku: name('SKU'), price_override: '9.00' },
  }),
  'PATCH /store/product_variants/{id}': async (world) => ({
    id: (await newProduct(world)).variant,
    body: { low_stock_threshold: 4 },
  }),
  'DELETE /store/product_variants/{id}': async (world) => {
    const { product } = await unused(world);
    const variant = await row(world, 'store_product_variant', { store_product_id: product, combination: 'other' });
    return { id: variant, body: {} };
  },
  'POST /store/inventory_adjustments': async (world) => ({
    body: { store_product_variant: (await newProduct(world)).variant, quantity: 3, reason: 'received' },
  }),
  'POST /store/order_items': async (world) => {
    const { variant } = await newProduct(world);
    const customer = await seed(world, 'customer');
    return { body: { customer, store_product_variant: variant, quantity: 2 }, customer };
  },
  'PUT /store/order_items/{id}': async (world) => {
    const { item, customer } = await newOrder(world);
    return { id: item, customer, body: { quantity: 3, delivery_method: 'delivery' } };
  },
  'PATCH /store/order_items/{id}': async (world) => {
    const { item, customer } = await newOrder(world);
    return { id: item, customer, body: { quantity: 3 } };
  },
  'DELETE /store/order_items/{id}': async (world) => {
    const { item, customer } = await newOrder(world);
    return { id: item, customer, body: {} };
  },
  'POST /store/order_items/{id}/confirm_delivery': async (world) => ({
    id: (await paidOrder(world)).item,
    body: {},
  }),
  'POST /store/order_items/{id}/return': async (world) => ({
    id: (await paidOrder(world)).item,
    body: { quantity: 1, reason: 'It has a hole.' },
  }),
  'POST /store/orders/{id}/cancel': async (world) => {
    const { order, customer } = await newOrder(world);
    return { id: order, customer, body: {} };
  },
  'PATCH /store/orders/{id}': async (world) => {
    const { order, customer } = await newOrder(world);
    return { id: order, customer, body: { note: name('Ring twice') } };
  },
  'POST /store/orders/checkout': async (world) => {
    const { order, customer } = await newOrder(world);
    return { customer, body: { store_order: order } };
  },
  'POST /store/orders': async (world) => {
    const customer = await seed(world, 'customer');
    const { variant } = await newProduct(world);
    return { customer, body: { customer, items: [{ store_product_variant: variant, quantity: 1 }] } };
  },
  'PATCH /store/settings': async () => ({ body: { pickup_instructions: name('At the desk') } }),
};

export const QUERIES: Queries = {
  'GET /store/orders/current_order': async (world) => ({ customer: String((await newOrder(world)).customer) }),
};
