import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { driveAll } from '../../../money/payments/engine.ts';
import { newCode } from '../../discount-codes/test/seeds.ts';
import { shop } from '../test/shop.ts';
import { slug } from '../../../../test/seeds.ts';

const on = shop();
afterEach(() => on.s.done('PATCH', '/store/settings', { delivery_fee: null }));

const fees = (delivery_fee: string | null, free_delivery_from: string | null = null) =>
  on.s.done('PATCH', '/store/settings', { delivery_fee, free_delivery_from });

type Way = 'pickup' | 'delivery';

/** Creates an order of a new customer with one item for each given delivery method, at 12.00 each. */
async function cart(...ways: Way[]): Promise<{ order: number; customer: number; items: number[] }> {
  const customer = await on.world.newCustomer();
  const items = [];
  for (const delivery_method of ways) {
    const { variant } = await on.s.product({ delivery_methods: ['pickup', 'delivery'] });
    items.push({ store_product_variant: variant, delivery_method });
  }
  const order = await on.s.done('POST', '/store/orders', { customer, items });
  return { order: order.id, customer, items: order.items.map((item: any) => item.id) };
}

const checkOut = (order: number) => on.s.done('POST', '/store/orders/checkout', { store_order: order });
const pay = (id: string) => on.c.pay(id, { payment_processor: on.c.sandbox });
const orderOf = (order: number) => on.s.done('GET', `/store/orders/${order}`);
/** Returns the delivery fee; null if there is no such item. */
const feeIn = (checkout: any): string | null =>
  checkout.checkout_items.find((item: any) => item.item_type === 'DELIVERY_FEE')?.total_price.string ?? null;

async function bought(...ways: Way[]) {
  const made = await cart(...ways);
  const { id } = await checkOut(made.order);
  const paid = await pay(id);
  assert.equal(paid.status, 'completed');
  const invoice = await on.c.read(`/invoices/${paid.invoice}?expand=line_items`);
  const line = invoice.line_items.find((one: any) => one.description === 'Delivery');
  return { ...made, checkout: paid, invoice: paid.invoice as number, line };
}

test('a delivered order costs the fee once, a pickup costs none, and the cart shows it in advance', async () => {
  await fees('5.00');
  for (const [ways, fee] of [
    [['pickup'], null],
    [['delivery'], '5.00'],
    [['delivery', 'delivery', 'pickup'], '5.00'],
  ] as const) {
    const { order, checkout, line } = await bought(...ways);
    assert.equal(feeIn(checkout), fee);
    assert.equal(checkout.total_price.string, `${12 * ways.length + (fee ? 5 : 0)}.00`);
    assert.equal((await orderOf(order)).delivery_fee.string, fee ?? '0.00');
    assert.equal(line?.total_amount_due.string, fee ?? undefined);
    if (line) assert.deepEqual([line.type, line.billed_item?.id ?? line.billed_item], ['flat_fee', order]);
  }
  const { order } = await cart('delivery');
  assert.equal((await orderOf(order)).delivery_fee.string, '5.00');
  await on.c.balanced();
});

test('delivery is free from a minimum amount before discounts, and follows every change of the checkout', async () => {
  await fees('5.00', '36.00');
  const { order } = await cart('delivery', 'pickup');
  const checkout = await checkOut(order);
  assert.equal(feeIn(checkout), '5.00');
  const [delivered] = checkout.checkout_items.filter((item: any) => item.item_type === 'STR_PRO');
  const set = async (quantity: number) => {
    await on.s.done('POST', `/checkouts/${checkout.id}/items/${delivered.id}/quantity`, { quantity });
    return feeIn(await on.c.get(checkout.id));
  };
  assert.deepEqual([await set(2), await set(3), await set(2)], ['5.00', '0.00', '5.00']);
  assert.equal(await set(3), '0.00');
  const code = slug().slice(0, 12);
  await newCode(on.world, { code, usable_purchase_types: ['store'] });
  assert.equal(feeIn(await on.c.patch(checkout.id, { discount_code: code })), '0.00');
  assert.equal(await set(1), '5.00');
  await on.s.done('DELETE', `/checkouts/${checkout.id}/items/${delivered.id}`);
  const left = await on.c.get(checkout.id);
  assert.deepEqual([feeIn(left), left.checkout_items.length], [null, 1]);
  // A new checkout of the same order starts over.
  assert.equal(feeIn(await checkOut(order)), '5.00');
  assert.equal((await on.c.get(checkout.id)).status, 'cancelled');
});

test('taxes are added, nobody can remove the fee, and staff can waive it', async () => {
  await fees('5.00');
  const tax = { name: 'VAT', kind: 'tax', type: 'percent', percentage: '10', purchase_types: ['store'] };
  const { id: vat } = await on.s.done('POST', '/purchase_fees', tax);
  const { order, customer } = await cart('delivery');
  const checkout = await checkOut(order);
  assert.deepEqual([feeIn(checkout), checkout.total_price.string], ['5.50', '18.70']);
  const { id: item } = checkout.checkout_items.find((one: any) => one.item_type === 'DELIVERY_FEE');
  const path = `/checkouts/${checkout.id}/items/${item}`;
  assert.equal((await on.s.refused('DELETE', path, undefined, on.world.customer(customer))).code, 'conflict');
  assert.equal((await on.s.refused('DELETE', path)).code, 'conflict');
  const byHand = { item_type: 'DELIVERY_FEE' };
  assert.equal((await on.s.refused('POST', `/checkouts/${checkout.id}/add_item`, byHand)).status, 400);
  await on.s.done('POST', `${path}/price`, { unit_price: '0.00' });
  const paid = await pay(checkout.id);
  assert.deepEqual([paid.total_price.string, (await orderOf(order)).delivery_fee.string], ['13.20', '0.00']);
  // Invoices have charged the tax, so it can only be archived.
  await on.s.done('PATCH', `/purchase_fees/${vat}`, { purchase_types: ['joining_fee'] });
  await on.c.balanced();
});

test('a customer who chooses delivery after opening the checkout, or pays after the fee changed, sees the new total first', async () => {
  await fees('5.00');
  const { order, items } = await cart('pickup');
  const { id } = await checkOut(order);
  await on.s.done('PATCH', `/store/order_items/${items[0]}`, { quantity: 1, delivery_method: 'delivery' });
  const refused = await on.s.refused('POST', `/checkouts/${id}/pay`, { payment_processor: on.c.sandbox });
  assert.equal(refused.code, 'price_changed');
  assert.equal(feeIn(await on.c.get(id)), '5.00');
  await fees('7.00');
  assert.equal(
    (await on.s.refused('POST', `/checkouts/${id}/pay`, { payment_processor: on.c.sandbox })).code,
    'price_changed',
  );
  assert.equal((await pay(id)).total_price.string, '19.00');
});

test('the fee is kept or refunded as staff choose, and only once', async () => {
  await fees('5.00');
  const credited = async (invoice: number) =>
    (await on.c.read(`/invoices/${invoice}?expand=line_items`)).line_items.map(
      (one: any) => one.credited_amount.string,
    );
  const returned = await bought('delivery');
  await on.s.done('POST', `/store/order_items/${returned.items[0]}/return`, { reason: 'Too small.' });
  assert.deepEqual(await credited(returned.invoice), ['12.00', '0.00']);
  const whole = await bought('delivery', 'delivery');
  const back = { reason: 'Broken.', give_back: 'refund', give_back_delivery_fee: true };
  await on.s.done('POST', `/store/order_items/${whole.items[0]}/return`, back);
  await on.s.done('POST', `/store/order_items/${whole.items[1]}/return`, back);
  assert.deepEqual(await credited(whole.invoice), ['12.00', '12.00', '5.00']);
  const cancelled = await bought('delivery');
  await on.s.done('POST', `/store/orders/${cancelled.order}/cancel`, {});
  assert.deepEqual(await credited(cancelled.invoice), ['12.00', '5.00']);
  const kept = await bought('delivery');
  await on.s.done('POST', `/store/orders/${kept.order}/cancel`, { give_back_delivery_fee: false });
  assert.deepEqual(await credited(kept.invoice), ['12.00', '0.00']);
  const part = await bought('delivery', 'delivery');
  await on.s.done('POST', `/store/order_items/${part.items[0]}/confirm_delivery`);
  await on.s.done('POST', `/store/orders/${part.order}/cancel`, {});
  assert.deepEqual(await credited(part.invoice), ['0.00', '12.00', '0.00']);
  await driveAll(on.c.own());
  await on.c.balanced();
});

test('a purchase without a cart is delivered if the product is, and nothing is delivered at the counter', async () => {
  await fees('5.00');
  const { variant } = await on.s.product({ delivery_methods: ['delivery'] });
  const customer = await on.world.newCustomer();
  const id = await on.c.open(customer);
  assert.equal(feeIn(await on.c.add(id, { store_product_variant: variant })), '5.00');
  const paid = await pay(id);
  assert.equal(paid.total_price.string, '17.00');
  const [{ store_order }] = (await on.s.done('GET', `/store/order_items?store_product_variant=${variant}`)).results;
  assert.equal((await orderOf(store_order)).delivery_fee.string, '5.00');
  const sale = await on.s.done('POST', '/counter/sales', {
    items: [{ store_product_variant: variant }],
    payments: [{ payment_processor: on.c.desk }],
  });
  assert.equal(sale.total_amount.string, '12.00');
});

test('a fee of 0 means none, and a free-delivery threshold requires a fee', async () => {
  assert.equal((await fees('0.00')).delivery_fee, null);
  const wrong = await on.s.refused('PATCH', '/store/settings', { delivery_fee: null, free_delivery_from: '50.00' });
  assert.deepEqual([wrong.status, Object.keys(wrong.field_errors)], [400, ['free_delivery_from']]);
  const { delivery_fee, free_delivery_from } = await fees('5.00', '50.00');
  assert.deepEqual([delivery_fee, free_delivery_from], ['5.00', '50.00']);
  const after = await on.s.done('PATCH', '/store/settings', { delivery_fee: null });
  assert.deepEqual([after.delivery_fee, after.free_delivery_from], [null, null]);
});

test('the delivery address can be set until the order is paid, and by staff until it is handed over', async () => {
  const { order, customer, items } = await cart('delivery');
  const as = on.world.customer(customer);
  const path = `/store/orders/${order}`;
  const first = await on.s.done('PATCH', path, { delivery_address: '1 Main Street' }, as);
  assert.equal(first.delivery_address, '1 Main Street');
  const other = on.world.customer(await on.world.newCustomer());
  assert.equal((await on.s.refused('PATCH', path, { note: 'Mine now.' }, other)).status, 404);
  const address = { delivery_address: '2 Main Street', note: 'Ring twice.' };
  const { id } = await on.s.done('POST', '/store/orders/checkout', { store_order: order, ...address }, as);
  const { delivery_address, note } = await orderOf(order);
  assert.deepEqual({ delivery_address, note }, address, 'the checkout can say it too');
  await pay(id);
  assert.equal((await on.s.refused('PATCH', path, { note: 'Late.' }, as)).code, 'order_not_open');
  assert.equal((await on.s.done('PATCH', path, { note: 'Called: 3 Main Street.' })).note, 'Called: 3 Main Street.');
  const { rows } = await on.c.owner.query(
    `SELECT payload->'changed' AS changed FROM feed_item WHERE provider_id = $1 AND kind = 'store_order.updated' AND object_id = $2 ORDER BY id`,
    [on.world.harbour, order],
  );
  assert.deepEqual(
    rows.map((row) => row.changed),
    [['delivery_address'], ['delivery_address', 'note'], ['note']],
  );
  await on.s.done('POST', `/store/order_items/${items[0]}/confirm_delivery`);
  assert.equal((await on.s.refused('PATCH', path, { note: 'Gone.' })).code, 'order_not_open');
});
