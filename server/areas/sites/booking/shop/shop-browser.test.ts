/** The shop as people experience it: on a desktop and on a phone, in light and dark mode, without scripts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../../people/identity/index.ts';
import { CheckoutWorld } from '../../../commerce/checkouts/test/world.ts';
import { newProduct } from '../../../commerce/store/test/seeds.ts';
import { picture } from '../../../platform/images/test/pictures.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { PageBrowser } from '../../../../test/pages/page-visitor.ts';

const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let c: CheckoutWorld;
let browser: PageBrowser;
let slug: string;
before(async () => {
  world = await startWorld({ worker: true });
  c = await CheckoutWorld.of(world);
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
  browser = new PageBrowser(world.url);
});
after(async () => {
  await c?.close();
});

test('somebody finds something in the shop, logs in, and pays for it', async () => {
  const bytes = await picture({ width: 900, height: 600 }).jpeg().toBuffer();
  const uploaded = await world.ask('POST', '/images', { as: world.machine, body: { image: bytes.toString('base64') } });
  assert.equal(uploaded.status, 201, uploaded.text);
  const towel = {
    name: 'A towel with a very long name that has to break',
    description: 'Soft.\n\nMade to last.',
    category: 'For the water',
    images: [uploaded.body.id],
    delivery_methods: ['pickup', 'delivery'] as ['pickup', 'delivery'],
  };
  await newProduct(world, { ...towel, price: '24.00' });
  await newProduct(world, { name: 'Mug', stock: 0 });
  const cards = { is_enabled_customer_site: true, amount_choices: ['25.00', '50.00'] };
  assert.equal((await world.patch('/gift_cards/config', { as: world.machine, body: cards })).status, 200);
  const email = 'ada.shop@example.com';
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  await world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}`);
  await visitor.follow('Everything in the store');
  assert.match(await visitor.text(), /For the water[^]*\$24\.00[^]*In stock[^]*Mug[^]*Sold out/);
  await visitor.checkAccessible('shop');
  await visitor.follow('Mug');
  await visitor.checkAccessible('shop-sold-out');
  await visitor.follow('Everything in the store');
  await visitor.follow(towel.name);
  await visitor.checkAccessible('shop-product');
  await visitor.follow('Log in');
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  assert.match(visitor.path, new RegExp(`^/${slug}/shop/\\d+$`));
  await visitor.checkAccessible('shop-member');
  await visitor.submit('Continue to pay', { 'How many?': '0' });
  assert.ok(await visitor.page.getByRole('alert').isVisible());
  await visitor.checkAccessible('shop-wrong');
  await visitor.submit('Continue to pay', { 'How many?': '2' });
  assert.match(visitor.path, /\/checkout$/);
  assert.match(await visitor.text(), /A towel[^]*2 × \$24\.00[^]*\$48\.00/);
  await visitor.open(`/${slug}/shop?lang=de`);
  await visitor.follow('Gutscheine');
  assert.match(await visitor.text(), /Beträge: 25,00\s\$, 50,00\s\$/);
  await visitor.checkAccessible('gift-cards-german');
  await visitor.close();
});
