/**
 * Orders for customers, their price and its explanation, referrals, and the order of offerings. The results are checked
 * through the interface.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BillingWorld } from '../../../commerce/billing/test/world.ts';
import { confirm, topDialog, proceed } from '../test/proposals.ts';
import { DashboardWorld } from '../test/dashboard-world.ts';
import { newOffering } from '../../../../test/schedule-world.ts';
import { newProduct } from '../../../commerce/store/test/seeds.ts';
import { promise, referred } from '../../../commerce/referrals/test/seeds.ts';
import type { Visit } from '../test/window/visit.ts';

let desk: DashboardWorld;
let b: BillingWorld;
let owner: Visit;
before(async () => {
  desk = await DashboardWorld.start({ own: true });
  b = await BillingWorld.of(desk.world);
  owner = await desk.window();
  await desk.open(owner, 'today');
});
after(() => desk?.close());

const dialog = () => topDialog(owner);
const saying = (text: string | RegExp) => owner.page.getByText(text).first().waitFor();
const button = (name: string) => owner.page.getByRole('button', { name, exact: true });

test('an order is created for a customer, changed while it is a cart, and billed to their account', async () => {
  const customer = await desk.world.newCustomer({ first_name: 'Olive', last_name: 'Ordering' });
  const ways = ['pickup', 'delivery'] as const;
  const towel = await newProduct(desk.world, { name: 'Towel', delivery_methods: ways } as never);
  const bottle = await newProduct(desk.world, { name: 'Bottle', price: '8.00' } as never);
  await desk.open(owner, 'store?tab=orders');
  await button('Order for a customer').click();
  await dialog().getByRole('combobox', { name: 'For whom' }).fill('Ordering');
  await owner.page.getByRole('option', { name: /Olive Ordering/ }).click();
  await dialog().getByRole('combobox', { name: 'Product' }).fill('Towel');
  await owner.page.getByRole('option', { name: /Towel/ }).click();
  await dialog().getByLabel('How they get it').selectOption({ label: 'Delivery' });
  await dialog().getByLabel('Delivered to').fill('1 Main Street');
  await owner.checkLive('orders-new');
  await proceed(owner, 'Order for a customer');
  const [order] = (await b.read(`/store/orders?customer=${customer}`)).results;
  assert.equal(new URL(owner.page.url()).searchParams.get('order'), String(order.id));
  assert.deepEqual([order.status, order.delivery_address], ['open', '1 Main Street']);

  await dialog().getByRole('button', { name: 'Change: Towel' }).click();
  await dialog().getByLabel('How many').fill('3');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await button('Add a product').click();
  await dialog().getByRole('combobox', { name: 'Product' }).fill('Bottle');
  await owner.page.getByRole('option', { name: /Bottle/ }).click();
  await proceed(owner, 'Add a product');
  await button('Address and note').click();
  await dialog().getByLabel('Note from the customer').fill('Ring twice.');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByText('Ring twice.').waitFor();
  await owner.checkLive('orders-cart');
  const items = async () =>
    (await b.read(`/store/order_items?store_order=${order.id}`)).results.map((one: any) => [
      one.store_product_variant,
      one.quantity,
      one.delivery_method,
    ]);
  assert.deepEqual(await items(), [
    [towel.variant, 3, 'delivery'],
    [bottle.variant, 1, 'pickup'],
  ]);
  await dialog().getByRole('button', { name: 'Remove: Bottle' }).click();
  await confirm(owner, 'Remove');
  await dialog().getByText('Bottle').waitFor({ state: 'detached' });

  await button('Check out').click();
  await confirm(owner, 'Check out');
  await confirm(owner, 'Bill it to their account');
  await dialog().getByText('To hand over').waitFor();
  await dialog().getByRole('button', { name: 'Hand over Towel' }).waitFor();
  const sold = await b.read(`/store/orders/${order.id}`);
  assert.equal(sold.status, 'paid');
  const invoice = await b.read(`/invoices/${sold.invoice}`);
  assert.deepEqual([invoice.payer, invoice.status], [customer, 'pending_offline']);
});

test('the price of a checkout is explained, amount by amount', async () => {
  const customer = await desk.world.newCustomer({ first_name: 'Wanda', last_name: 'Wondering' });
  const checkout = await b.c.open(customer);
  await b.c.add(checkout, { item_type: 'CLASS_DRP', event: await b.c.event() });
  await desk.open(owner, `sales?tab=checkouts&customer=${customer}`);
  await button('Price: Wanda Wondering').click();
  await dialog().getByText('Left to pay').waitFor();
  const { items, steps } = await b.read(`/checkouts/${checkout}/explain`);
  for (const { text } of [...items[0].amounts, ...steps]) await dialog().getByText(text).first().waitFor();
  await owner.checkLive('orders-price');
});

const status = async (id: number) => (await b.read(`/referrals/${id}`)).status;

test('referrals are explained, confirmed, and cancelled', async () => {
  const { world } = desk;
  await promise(world, world.harbour);
  const first = await referred(world, world.harbour, undefined, { first_name: 'Berta', last_name: 'Brought' });
  const second = await referred(world, world.harbour, first.referrer, { first_name: 'Bodo', last_name: 'Brought' });
  await desk.open(owner, `sales?tab=referrals&referrer=${first.referrer}`);
  await button('Why?: Berta Brought').click();
  for (const sentence of (await b.read(`/referrals/${first.referral}/explain`)).sentences)
    await dialog().getByText(sentence).waitFor();
  await owner.checkLive('orders-referral');
  await owner.page.keyboard.press('Escape');
  await button('Confirm: Berta Brought').click();
  await confirm(owner, 'Confirm');
  await owner.page.getByRole('listitem').filter({ hasText: 'Berta' }).getByText('$10.00 and $5.00').waitFor();
  await button('Cancel referral: Bodo Brought').click();
  await confirm(owner, 'Cancel referral');
  await owner.page.getByRole('listitem').filter({ hasText: 'Bodo' }).getByText('Cancelled').waitFor();
  await owner.checkLive('orders-referrals');
  assert.deepEqual([await status(first.referral), await status(second.referral)], ['confirmed', 'cancelled']);
});

test('products and offerings are sorted by keyboard', async () => {
  const { world } = desk;
  const products = await Promise.all(['Apron', 'Brush', 'Candle'].map((name) => newProduct(world, { name } as never)));
  await b.patch('/store/products/ordering', { ordering: products.map(({ product }) => product) });
  await desk.open(owner, 'store');
  await button('Put in order').click();
  await dialog().getByRole('button', { name: 'Move Candle up' }).press('Enter');
  await dialog().getByRole('button', { name: 'Move Candle up' }).press('Enter');
  await owner.checkLive('orders-order');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await saying('The order was saved.');
  const listed = (await b.read('/store/products?sort=order')).results.slice(0, 3).map((one: any) => one.name);
  assert.deepEqual(listed, ['Candle', 'Apron', 'Brush']);

  const [surf, swim] = [await newOffering(world, { name: 'Surf' }), await newOffering(world, { name: 'Swim' })];
  const place = async (id: number) =>
    (await b.read('/offering_types?page_size=100')).results.findIndex((one: any) => one.id === id);
  assert.ok((await place(surf)) < (await place(swim)));
  await desk.open(owner, 'settings/offerings');
  await button('Put in order').click();
  await dialog().getByRole('button', { name: 'Move Swim up' }).press('Enter');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await saying('The order was saved.');
  assert.ok((await place(swim)) < (await place(surf)));
});
