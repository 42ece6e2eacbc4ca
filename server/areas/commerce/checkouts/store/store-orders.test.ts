import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../test/world.ts';
import { driveAll } from '../../../money/payments/engine.ts';
import { expireCheckout } from '../expire.ts';
import { newCode } from '../../discount-codes/test/seeds.ts';
import { slug } from '../../../../test/seeds.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { StoreWorld } from '../../store/test/world.ts';

let world: World;
let c: CheckoutWorld;
let s: StoreWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  s = await StoreWorld.of(world);
});
after(async () => {
  await s.owner.end();
  await c.close();
});

const wrong = ({ field_errors }: { field_errors: object }): string[] => Object.keys(field_errors);

/** Creates a customer with a cart of two pieces. */
async function cart({ stock = 10, quantity = 2, ...over }: { stock?: number; quantity?: number; price?: string } = {}) {
  const { product, variant } = await s.product({ stock, ...over });
  const customer = await world.newCustomer();
  const order = await s.done('POST', '/store/orders', {
    customer,
    items: [{ store_product_variant: variant, quantity }],
  });
  return { product, variant, customer, order: order.id as number, item: order.items[0].id as number };
}

const checkOut = (order: number, more = {}) =>
  s.done('POST', '/store/orders/checkout', { store_order: order, ...more });

/** Creates a paid order from such a cart. */
async function bought(over: Parameters<typeof cart>[0] = {}) {
  const made = await cart(over);
  const { id } = await checkOut(made.order);
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.equal(paid.status, 'completed');
  return { ...made, checkout: id as string, invoice: paid.invoice as number, payment: paid.payment as number };
}

const expire = async (checkout: string): Promise<void> => {
  await c.owner.query(
    `UPDATE checkout SET expires_at = now() - interval '1 second' WHERE provider_id = $1 AND id = $2`,
    [world.harbour, checkout],
  );
  await world.work(world.harbour, (work) => expireCheckout(work, { checkout: Number(checkout) }));
};

const orderOf = (order: number) => s.done('GET', `/store/orders/${order}`);
const cancel = (order: number, body = {}, as?: string) => s.ask('POST', `/store/orders/${order}/cancel`, body, as);

test('a cart is filled item by item, shows current prices, and reserves nothing', async () => {
  const { product, variant } = await s.product({ stock: 5 });
  const customer = await world.newCustomer();
  const as = world.customer(customer);
  assert.equal((await s.refused('GET', '/store/orders/current_order', undefined, as)).status, 404);
  const first = await s.done('POST', '/store/order_items', { store_product_variant: variant }, as);
  const again = await s.done('POST', '/store/order_items', { store_product_variant: variant, quantity: 2 }, as);
  assert.deepEqual([again.id, again.quantity, again.delivery_method], [first.id, 3, 'pickup']);
  const order = await s.done('GET', '/store/orders/current_order', undefined, as);
  assert.deepEqual([order.status, order.locked_at, order.subtotal.string], ['open', null, '36.00']);
  assert.deepEqual(await s.stock(variant), { stock: 5, held: 0 });
  await s.done('PATCH', `/store/products/${product}`, { price: '10.00' });
  assert.equal((await s.done('GET', `/store/orders/${order.id}`, undefined, as)).subtotal.string, '30.00');
  const path = `/store/order_items/${first.id}`;
  assert.equal((await s.done('PATCH', path, { quantity: 5 }, as)).quantity, 5);
  assert.equal((await s.refused('PATCH', path, { quantity: 6 }, as)).code, 'out_of_stock');
  assert.deepEqual(wrong(await s.refused('PATCH', path, { delivery_method: 'delivery' }, as)), ['delivery_method']);
  assert.equal((await s.ask('DELETE', path, undefined, as)).status, 204);
  assert.equal((await orderOf(order.id)).items.length, 0);
  const empty = await s.refused('POST', '/store/orders/checkout', {}, as);
  assert.equal(empty.code, 'checkout_empty');
});

test('products that are not for sale, sold out or in a closed store are refused with texts for customers', async () => {
  const customer = world.customer(await world.newCustomer());
  const add = (variant: number, as?: string, quantity = 1) =>
    s.refused('POST', '/store/order_items', { store_product_variant: variant, quantity }, as);
  const [off, few] = [await s.product({ for_sale: false }), await s.product({ stock: 1 })];
  assert.equal((await add(off.variant, customer)).code, 'not_for_sale');
  const sold = await add(few.variant, customer, 2);
  assert.deepEqual([sold.code, /Please choose fewer/.test(sold.message)], ['out_of_stock', true]);
  await s.done('PATCH', '/store/settings', { is_open: false });
  // Customers see nothing of a closed store, so the variant doesn't exist for them.
  assert.equal((await add(few.variant, customer)).status, 400);
  const staff = { customer: await world.newCustomer(), store_product_variant: few.variant };
  assert.equal((await s.ask('POST', '/store/order_items', staff)).status, 201);
  await s.done('PATCH', '/store/settings', { is_open: true });
});

test('a store that closes after the cart was filled refuses the order at checkout', async () => {
  const { order, customer } = await cart();
  const as = world.customer(customer);
  await s.done('PATCH', '/store/settings', { is_open: false });
  const refused = await s.refused('POST', '/store/orders/checkout', { store_order: order }, as);
  assert.deepEqual([refused.status, refused.code], [409, 'store_closed']);
  await s.done('PATCH', '/store/settings', { is_open: true });
  assert.equal((await s.ask('POST', '/store/orders/checkout', { store_order: order }, as)).status, 201);
});

test('checking out reserves the stock, paying takes it, and the order, its items and the invoice show what was sold', async () => {
  const { order, item, variant, customer } = await cart();
  const checkout = await checkOut(order);
  assert.deepEqual(
    [checkout.total_price.string, checkout.checkout_items[0].quantity, checkout.checkout_items[0].store_order_item],
    ['24.00', 2, item],
  );
  assert.deepEqual(await s.stock(variant), { stock: 10, held: 2 });
  const paid = await c.pay(checkout.id, { payment_processor: c.sandbox, total: '24.00' });
  assert.deepEqual(await s.stock(variant), { stock: 8, held: 0 });
  const after = await orderOf(order);
  assert.deepEqual(
    [after.status, after.locked_at, after.invoice, after.items[0].unit_price.string],
    ['paid', null, paid.invoice, '12.00'],
  );
  const invoice = await c.read(`/invoices/${paid.invoice}?expand=line_items,line_items.billed_item`);
  assert.deepEqual(
    [invoice.line_items[0].type, invoice.line_items[0].billed_item.type, invoice.line_items[0].billed_item.id],
    ['store_order', 'billed_store_product', item],
  );
  const listed = await c.read(`/invoices?store_order=${order}`);
  assert.deepEqual(
    listed.results.map(({ id }: any) => id),
    [paid.invoice],
  );
  const adjusted = await s.done('GET', `/store/inventory_adjustments?store_product_variant=${variant}&reason=sold`);
  assert.equal(adjusted.results[0].quantity, -2);
  assert.equal((await s.refused('PATCH', `/store/order_items/${item}`, { quantity: 1 })).code, 'order_not_open');
  assert.equal((await s.refused('GET', `/store/orders/current_order?customer=${customer}`)).status, 404);
  await s.counted();
  await c.balanced();
});

test('checking out again replaces the checkout that is still open, and never reserves twice', async () => {
  const { order, variant } = await cart({ stock: 2 });
  const first = await checkOut(order);
  const second = await checkOut(order);
  assert.notEqual(first.id, second.id);
  assert.deepEqual([(await c.get(first.id)).status, await s.stock(variant)], ['cancelled', { stock: 2, held: 2 }]);
  await c.ask('DELETE', `/checkouts/${second.id}`);
  assert.deepEqual(await s.stock(variant), { stock: 2, held: 0 });
});

test('an order is locked while a payment runs, and nothing about it changes', async () => {
  const { order, item, variant } = await cart();
  const { id } = await checkOut(order);
  await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
  const locked = await orderOf(order);
  assert.ok(locked.locked_at);
  assert.equal(
    (await s.done('GET', `/store/orders?status=open`)).results.find((o: any) => o.id === order).locked_at,
    locked.locked_at,
  );
  for (const [method, path, body] of [
    ['PATCH', `/store/order_items/${item}`, { quantity: 1 }],
    ['DELETE', `/store/order_items/${item}`, undefined],
    ['POST', '/store/order_items', { store_order: order, store_product_variant: variant }],
    ['POST', '/store/orders/checkout', { store_order: order }],
    ['POST', `/store/orders/${order}/cancel`, {}],
    ['POST', `/store/orders/${order}/cancel`, { locked_at: null }],
    ['POST', `/store/orders/${order}/cancel`, { locked_at: '2026-01-01T00:00:00Z' }],
  ] as const) {
    const refused = await s.refused(method, path, body);
    assert.deepEqual([refused.status, refused.code], [409, 'locked'], `${method} ${path}`);
  }
  const cancelled = await s.done('POST', `/store/orders/${order}/cancel`, { locked_at: locked.locked_at });
  assert.deepEqual([cancelled.status, cancelled.locked_at], ['cancelled', null]);
  assert.deepEqual([(await c.get(id)).status, await s.stock(variant)], ['cancelled', { stock: 10, held: 0 }]);
  await c.balanced();
});

test('a failed payment unlocks the order, and the stock stays reserved for the checkout', async () => {
  const { order, variant } = await cart();
  const { id } = await checkOut(order);
  await c.pay(id, { payment_processor: c.sandbox, scenario: 'declined' });
  assert.equal((await orderOf(order)).locked_at, null);
  const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
  assert.ok((await orderOf(order)).locked_at);
  await c.play(waiting.payment, 'fail');
  assert.deepEqual([(await orderOf(order)).locked_at, await s.stock(variant)], [null, { stock: 10, held: 2 }]);
  const wrongOne = await cancel(order, { locked_at: '2026-01-01T00:00:00Z' });
  assert.deepEqual([wrongOne.status, wrongOne.body.code], [409, 'locked']);
  assert.equal((await cancel(order, { locked_at: null })).body.status, 'cancelled');
  assert.deepEqual([(await c.get(id)).status, await s.stock(variant)], ['cancelled', { stock: 10, held: 0 }]);
});

test('money that arrives while an order is being cancelled pays for it, and the response says so', async () => {
  const { order } = await cart();
  const { id } = await checkOut(order);
  const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
  const { locked_at } = await orderOf(order);
  await c.play(waiting.payment, 'succeed', 'lost');
  const refused = await cancel(order, { locked_at });
  assert.deepEqual([refused.status, refused.body.code], [409, 'already_paid']);
  assert.equal((await orderOf(order)).status, 'paid');
  await c.balanced();
});

test('an order can’t be paid in two checkouts: the second is refused while the first is being paid, and afterwards', async () => {
  const { order, item, customer } = await cart();
  const { id } = await checkOut(order);
  const other = await c.open(customer);
  await c.add(other, { store_order_item: item });
  const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
  const pay = () => c.refused('POST', `/checkouts/${other}/pay`, { payment_processor: c.sandbox });
  assert.equal((await pay()).code, 'locked');
  await c.play(waiting.payment, 'succeed');
  assert.ok(['conflict', 'order_not_open'].includes((await pay()).code));
  assert.equal(await c.payments(other), 0);
  await c.balanced();
});

test('stock reserved by a checkout is free again once it expires, and a late payment buys it only if it is still there', async () => {
  for (const free of [true, false]) {
    const { order, variant } = await cart({ stock: 2 });
    const { id } = await checkOut(order);
    const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
    await expire(id);
    await driveAll(c.own());
    assert.deepEqual([(await c.get(id)).status, await s.stock(variant)], ['expired', { stock: 2, held: 0 }]);
    if (!free)
      await s.done('POST', '/store/inventory_adjustments', {
        store_product_variant: variant,
        quantity: -1,
        reason: 'lost',
      });
    await c.play(waiting.payment, 'succeed');
    const payment = await c.read(`/payments/${waiting.payment}`);
    assert.deepEqual(
      [(await orderOf(order)).status, payment.taken, payment.refunded_amount.string, await s.stock(variant)],
      free ? ['paid', true, '0.00', { stock: 0, held: 0 }] : ['open', false, '24.00', { stock: 1, held: 0 }],
    );
  }
  await s.counted();
  await c.balanced();
});

test('variants bought without a cart become one order, next to other items in the checkout', async () => {
  const [one, two] = [await s.product(), await s.product({ price: '3.00' })];
  const id = await c.open(await world.newCustomer());
  await c.add(id, { item_type: 'STR_PRO', store_product_variant: one.variant, quantity: 3 });
  await c.add(id, { store_product_variant: two.variant });
  const filled = await c.add(id, { item_type: 'CLASS_DRP', event: await c.event() });
  assert.equal(filled.total_price.string, '54.00');
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  const [first, second] = paid.checkout_items.map(({ result }: any) => result);
  assert.deepEqual([first.object, second.object], ['store_order_item', 'store_order_item']);
  const orders = await Promise.all(
    [first, second].map((r: any) =>
      s
        .done('GET', `/store/order_items?page_size=100`)
        .then((l) => l.results.find((i: any) => i.id === r.id).store_order),
    ),
  );
  assert.equal(orders[0], orders[1]);
  const order = await orderOf(orders[0]);
  assert.deepEqual([order.status, order.items.length, order.subtotal.string], ['paid', 2, '39.00']);
  assert.deepEqual(await s.stock(one.variant), { stock: 7, held: 0 });
  await c.balanced();
});

test('a higher quantity reserves more, a lower one releases some, and more than the stock is refused', async () => {
  const { variant } = await s.product({ stock: 5 });
  const id = await c.open(await world.newCustomer());
  const { checkout_items: items } = await c.add(id, { store_product_variant: variant, quantity: 2 });
  const quantity = (n: number) => c.ask('POST', `/checkouts/${id}/items/${items[0].id}/quantity`, { quantity: n });
  assert.equal((await quantity(5)).body.total_price.string, '60.00');
  assert.equal((await s.stock(variant)).held, 5);
  assert.deepEqual([(await quantity(6)).body.code, (await s.stock(variant)).held], ['out_of_stock', 5]);
  await quantity(1);
  assert.equal((await s.stock(variant)).held, 1);
  await c.ask('DELETE', `/checkouts/${id}/items/${items[0].id}`);
  assert.deepEqual(await s.stock(variant), { stock: 5, held: 0 });
});

test('all items of an order are added to a checkout by its id, and invalid requests are refused by name', async () => {
  const { order, item, customer, variant } = await cart();
  const id = await c.open(customer);
  const add = (body: object) => c.refused('POST', `/checkouts/${id}/add_item`, body as Record<string, unknown>);
  assert.deepEqual(wrong(await add({ item_type: 'STR_PRO' })), ['store_product_variant']);
  assert.deepEqual(wrong(await add({ store_order: order, quantity: 2 })), ['quantity']);
  assert.deepEqual(wrong(await add({ store_order: order, item_type: 'MEM_PK' })), ['store_order']);
  assert.deepEqual(wrong(await add({ item_type: 'MEM_PP', membership: await c.m.prepaid(), quantity: 2 })), [
    'quantity',
  ]);
  const other = await s.product();
  assert.deepEqual(wrong(await add({ store_order_item: item, store_product_variant: other.variant })), [
    'store_product_variant',
  ]);
  const filled = await c.add(id, { store_order: order });
  assert.deepEqual([filled.checkout_items.length, filled.total_price.string], [1, '24.00']);
  assert.deepEqual(wrong(await add({ store_order_item: item })), ['store_order_item']);
  const stranger = await c.open(await world.newCustomer());
  assert.deepEqual(wrong(await c.refused('POST', `/checkouts/${stranger}/add_item`, { store_order_item: item })), [
    'store_order_item',
  ]);
  assert.equal((await s.stock(variant)).held, 2);
});

test('if an order is bought in part, the rest stays in a cart', async () => {
  const { order, item, customer } = await cart();
  const rest = await s.product();
  await s.done('POST', '/store/order_items', { store_order: order, store_product_variant: rest.variant });
  const id = await c.open(customer);
  await c.add(id, { store_order_item: item });
  await c.pay(id, { payment_processor: c.sandbox });
  assert.deepEqual([(await orderOf(order)).status, (await orderOf(order)).items.length], ['paid', 1]);
  const left = await s.done('GET', `/store/orders/current_order?customer=${customer}`);
  assert.deepEqual(
    left.items.map((one: any) => one.store_product_variant),
    [rest.variant],
  );
});

test('a discount code can apply to one product, and store taxes are added', async () => {
  const { order, product } = await cart();
  const [code, other] = [slug().slice(0, 12), slug().slice(0, 12)];
  const ofProduct = await newCode(world, {
    code,
    usable_purchase_types: ['store'],
    usable_by_default_for_purchase_types: false,
  });
  await newCode(world, { code: other, usable_purchase_types: ['store'], usable_by_default_for_purchase_types: false });
  await s.done('POST', '/discount_code_applicabilities', {
    discount_code: ofProduct,
    item: { id: product, type: 'store_product' },
  });
  const fee = await s.done('POST', '/purchase_fees', {
    name: 'VAT',
    kind: 'tax',
    type: 'percent',
    percentage: '10',
    purchase_types: ['store'],
  });
  const checkout = await checkOut(order, { discount_code: code });
  assert.deepEqual([checkout.discount.string, checkout.total_price.string], ['2.40', '23.76']);
  const none = await checkOut(order, { discount_code: other });
  assert.deepEqual([none.discount.string, none.discount_code_error !== null], ['0.00', true]);
  await s.done('DELETE', `/purchase_fees/${fee.id}`);
});

test('an order is fulfilled when everything was handed over, and each item is handed over once', async () => {
  const { order, item } = await bought();
  const path = `/store/order_items/${item}/confirm_delivery`;
  const desk = world.staff(['pos']);
  assert.equal((await s.refused('POST', path, {}, world.staff(['discount_codes']))).status, 403);
  const first = await s.done('POST', path, {}, desk);
  assert.ok(first.delivered_at);
  assert.equal((await s.done('POST', path, {}, desk)).delivered_at, first.delivered_at);
  const after = await orderOf(order);
  assert.deepEqual([after.status, after.fulfilled_at !== null], ['fulfilled', true]);
  const open = await cart();
  const early = await s.refused('POST', `/store/order_items/${open.item}/confirm_delivery`);
  assert.deepEqual([early.status, early.code], [409, 'order_not_open']);
});

test('returns piece by piece refund exactly what was paid, and return to stock only what can be sold', async () => {
  const { order, item, variant, customer, invoice } = await bought({ quantity: 3, price: '3.33', stock: 3 });
  const path = `/store/order_items/${item}/return`;
  const back = (body: object) => s.done('POST', path, { reason: 'Too small.', ...body });
  assert.equal((await back({ quantity: 1 })).returned_quantity, 1);
  assert.deepEqual(await s.stock(variant), { stock: 1, held: 0 });
  assert.equal((await c.balances(customer)).credit, -333);
  assert.deepEqual(wrong(await s.refused('POST', path, { quantity: 3, reason: 'All.' })), ['quantity']);
  await back({ restock: false, give_back: 'refund' });
  assert.deepEqual([(await orderOf(order)).status, await s.stock(variant)], ['returned', { stock: 1, held: 0 }]);
  const { line_items: lines } = await c.read(`/invoices/${invoice}?expand=line_items`);
  assert.equal(lines[0].credited_amount.string, '9.99');
  assert.equal((await s.refused('POST', path, { reason: 'Again.' })).code, 'order_not_open');
  await driveAll(c.own());
  await s.counted();
  await c.balanced();
});

test('staff can cancel paid items that were not handed over, and customers can’t', async () => {
  const { order, item, variant, customer, payment } = await bought();
  const other = await s.product();
  assert.equal((await cancel(order, {}, world.customer(customer))).body.code, 'order_not_open');
  const done = await cancel(order, { give_back: 'refund', reason: 'We are out of boxes.' }, world.staff(['store']));
  assert.deepEqual([done.body.status, done.body.cancelled_at !== null], ['cancelled', true]);
  assert.deepEqual(await s.stock(variant), { stock: 10, held: 0 });
  await driveAll(c.own());
  assert.equal((await c.read(`/payments/${payment}`)).refunded_amount.string, '24.00');
  assert.equal((await cancel(order)).body.code, 'order_not_open');
  assert.equal((await s.refused('POST', `/store/order_items/${item}/return`, { reason: 'x' })).code, 'order_not_open');
  const late = { store_order: order, store_product_variant: other.variant };
  assert.equal((await s.refused('POST', '/store/order_items', late)).code, 'order_not_open');
  await c.balanced();
});

test('customers see and change their own orders and those of their children, and nobody else’s', async () => {
  const { order, item, customer } = await cart();
  const stranger = world.customer(await world.newCustomer());
  for (const [method, path, body] of [
    ['GET', `/store/orders/${order}`, undefined],
    ['POST', `/store/orders/${order}/cancel`, {}],
    ['PATCH', `/store/order_items/${item}`, { quantity: 1 }],
    ['DELETE', `/store/order_items/${item}`, undefined],
  ] as const)
    assert.equal((await s.ask(method, path, body, stranger)).status, 404, `${method} ${path}`);
  for (const body of [{ store_order: order }, { customer }])
    assert.ok([400, 403, 404].includes((await s.ask('POST', '/store/orders/checkout', body, stranger)).status));
  assert.equal((await s.ask('GET', `/store/orders/${order}`, undefined, world.staff(['customers']))).status, 403);
  assert.deepEqual((await s.done('GET', '/store/orders', undefined, stranger)).results, []);
  assert.equal((await s.done('GET', '/store/orders', undefined, world.customer(customer))).results[0].id, order);
  assert.equal((await cancel(order, {}, world.customer(customer))).body.status, 'cancelled');
});

test('a dry run of a checkout and of its payment shows what would happen, and changes nothing', async () => {
  const { order, variant } = await cart();
  const preview = await s.done('POST', '/store/orders/checkout?dry_run=true', { store_order: order });
  assert.ok(preview.effects.some(({ effect }: any) => effect === 'stock_held'));
  assert.deepEqual(await s.stock(variant), { stock: 10, held: 0 });
  const { id } = await checkOut(order);
  const paying = await s.done('POST', `/checkouts/${id}/pay?dry_run=true`, { payment_processor: c.sandbox });
  const effects = paying.effects.map(({ effect }: any) => effect);
  for (const effect of ['stock_adjusted', 'store_order_paid']) assert.ok(effects.includes(effect), effect);
  assert.deepEqual([(await orderOf(order)).status, await s.stock(variant)], ['open', { stock: 10, held: 2 }]);
});

test('super admins are notified once when the stock falls to its threshold', async () => {
  const { variant } = await s.product({ stock: 4 });
  await s.done('PATCH', `/store/product_variants/${variant}`, { low_stock_threshold: 2 });
  const lose = () =>
    s.done('POST', '/store/inventory_adjustments', { store_product_variant: variant, quantity: -1, reason: 'lost' });
  await lose();
  await lose();
  await lose();
  const { rows } = await c.owner.query(
    `SELECT payload->>'stock' AS stock FROM feed_item WHERE provider_id = $1 AND kind = 'store_product_variant.low_stock' AND object_id = $2`,
    [world.harbour, variant],
  );
  assert.deepEqual(rows, [{ stock: '2' }]);
});
