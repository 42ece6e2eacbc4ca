/**
 * Buying without an account as people experience it: on a desktop and on a phone, in light and dark mode, without
 * scripts.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { newProduct } from '../../commerce/store/test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser } from '../../../test/pages/page-visitor.ts';

let world: World;
let c: CheckoutWorld;
let browser: PageBrowser;
let slug: string;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
  browser = new PageBrowser(world.url);
  for (const [path, body] of [
    [`/providers/${world.harbour}`, { booking_site: { sells_to_guests: true } }],
    ['/gift_cards/config', { is_enabled_customer_site: true, amount_choices: ['25.00', '50.00'] }],
  ] as const) {
    const { status, text } = await world.patch(path, { as: world.machine, body });
    assert.equal(status, 200, text);
  }
});
after(async () => {
  await c?.close();
});

const WHO = { 'First name': 'Ada', 'Last name (optional)': 'Byron', 'Email address': 'ada.guest@example.com' };

const bought = async (email: string): Promise<any> => {
  const { body } = await world.get(`/customers?query=${encodeURIComponent(email)}`, { as: world.machine });
  assert.equal(body.results.length, 1, JSON.stringify(body.results));
  return body.results[0];
};

test('a visitor finds a class, books it without an account, and pays', async () => {
  const event = await c.event({ price: '15.00', max_occupancy: 5 });
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}/events/${event}`);
  await visitor.checkAccessible('guest-event');
  await visitor.follow('Continue without an account');
  assert.match(await visitor.text(), /\$15\.00[^]*You don’t need an account/);
  await visitor.checkAccessible('guest-event-form');
  await visitor.submit('Continue to pay', { ...WHO, 'Email address': 'ada' });
  assert.ok(await visitor.page.getByRole('alert').isVisible());
  await visitor.checkAccessible('guest-event-wrong');
  await visitor.submit('Continue to pay', WHO);
  assert.match(visitor.path, /\/checkout$/);
  await visitor.checkAccessible('guest-checkout');
  await visitor.submit('Pay $15.00');
  assert.equal(await visitor.heading(), "You're booked");
  await visitor.checkAccessible('guest-receipt');
  await visitor.follow('Continue to the class');
  assert.equal(visitor.path, `/${slug}/events/${event}`);
  const { id } = await bought(WHO['Email address']);
  const { body } = await world.get(`/attendances?event=${event}`, { as: world.machine });
  assert.deepEqual(
    body.results.map((one: any) => [one.customer, one.status]),
    [[id, 'registered']],
  );
  await visitor.close();
});

test('a visitor buys a product and a gift card without an account, in another language too', async () => {
  const { product } = await newProduct(world, {
    name: 'A towel with a very long name that has to break',
    price: '24.00',
    delivery_methods: ['pickup', 'delivery'],
  });
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}/shop/${product}`);
  await visitor.checkAccessible('guest-product');
  await visitor.follow('Continue without an account');
  await visitor.checkAccessible('guest-product-form');
  const email = 'bea.guest@example.com';
  await visitor.submit('Continue to pay', { ...WHO, 'Email address': email, 'How many?': '2' });
  assert.match(visitor.path, /\/checkout$/);
  await visitor.submit('Pay $48.00');
  await visitor.checkAccessible('guest-product-receipt');
  assert.match(await visitor.text(), /payment of \$48\.00/);
  const { id } = await bought(email);
  const orders = await world.get(`/store/orders?customer=${id}`, { as: world.machine });
  assert.deepEqual(
    orders.body.results.map(({ status }: any) => status),
    ['paid'],
  );
  await visitor.open(`/${slug}/gift-cards?lang=de`);
  await visitor.checkAccessible('guest-cards-german');
  await visitor.follow('Ohne Konto fortfahren');
  await visitor.checkAccessible('guest-cards-form-german');
  assert.match(await visitor.text(), /Sie brauchen kein Konto/);
  await visitor.close();
});
