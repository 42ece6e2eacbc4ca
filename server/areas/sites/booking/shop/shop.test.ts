/** The pages of the shop, requested like search engines and people who are logged in do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LANGUAGES } from '../../../../kernel/base/languages/languages.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../../test/worlds/direct-auth-world.ts';
import { newProduct } from '../../../commerce/store/test/seeds.ts';
import { PageClient } from '../../../../test/pages/page-client.ts';
import { pngOf } from '../../../platform/images/test/pictures.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let slug: string;
before(async () => {
  world = await startWorld();
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
});
after(() => world.close());

const seen = (path: string, headers: Record<string, string> = {}) => {
  const visitor = new PageClient(world.url);
  visitor.headers = { accept: 'text/html', 'accept-language': 'en-GB', ...headers };
  return visitor.get(path);
};

const plain = (text: string): string => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

async function sent(method: string, path: string, body: object): Promise<any> {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

/** Creates a shirt in two sizes, of which the larger one is sold out. */
async function shirt(): Promise<{ product: number; small: number }> {
  const { product, variant } = await newProduct(world, { name: 'Shirt', price: '20.00', stock: 0 });
  const { id: attribute } = await sent('POST', '/store/product_attributes', {
    store_product: product,
    name: 'Size',
    values: ['S', 'L'],
  });
  const of = (value: string) => [{ store_product_attribute: attribute, value }];
  await sent('PATCH', `/store/product_variants/${variant}`, { for_sale: false });
  const [small, large] = [
    await sent('POST', '/store/product_variants', { store_product: product, attribute_values: of('S') }),
    await sent('POST', '/store/product_variants', {
      store_product: product,
      attribute_values: of('L'),
      price_override: '22.00',
    }),
  ];
  assert.notEqual(small.id, large.id);
  await sent('POST', '/store/inventory_adjustments', {
    store_product_variant: small.id,
    quantity: 3,
    reason: 'received',
  });
  return { product, small: small.id };
}

async function someone(): Promise<{ visitor: PageClient; customer: number }> {
  const member = await newMember(world);
  const customer = await makeCustomer(world, member);
  const visitor = new PageClient(world.url);
  visitor.headers = { 'accept-language': 'en-GB' };
  const logIn = `/account/${world.harbour}/log-in`;
  await visitor.get(logIn);
  await visitor.post(logIn, { email: member.email, password: PASSWORD });
  return { visitor, customer };
}

test('the shop shows products with their picture, price and stock, and search engines read it', async () => {
  const { id: image } = await sent('POST', '/images', { image: (await pngOf()).toString('base64') });
  const { product } = await newProduct(world, { name: 'Towel of the house', price: '12.50', images: [image] });
  const none = await newProduct(world, { name: 'Old mug', stock: 0 });
  const list = await seen(`/${slug}/shop`);
  assert.equal(list.status, 200, list.text);
  assert.match(plain(list.text), /Towel of the house \$12\.50 In stock/);
  assert.match(plain(list.text), /Old mug \$12\.00 Sold out/);
  const { text } = await seen(`/${slug}/shop/${product}`);
  const [, src] = /<img src="([^"]+)" srcset="[^"]+ \d+w[^>]* class="picture"/.exec(text)!;
  assert.equal((await fetch(new URL(src, world.url))).status, 200);
  assert.match(
    text,
    /"@type":"Product","name":"Towel of the house"[^<]*"availability":"https:\/\/schema\.org\/InStock"/,
  );
  assert.match(text, new RegExp(`return_to=%2F${slug}%2Fshop%2F${product}`));
  const out = await seen(`/${slug}/shop/${none.product}`);
  assert.match(out.text, /This is sold out\. Look at what else there is, or ask Harbour\.[^]*Everything in the store/);
  assert.doesNotMatch(out.text, /<form/);
});

test("the shop is available in every language, with amounts in the reader's format", async () => {
  const { product } = await newProduct(world, { name: 'Bench', price: '1250.00' });
  for (const language of Object.keys(LANGUAGES))
    for (const path of ['shop', `shop/${product}`, 'gift-cards']) {
      const { status, text } = await seen(`/${slug}/${path}?lang=${language}`);
      assert.equal(status, 200);
      assert.match(text, new RegExp(`<html lang="${language}`));
    }
  assert.match(plain((await seen(`/${slug}/shop/${product}?lang=fr`)).text), /1 250,00 \$ En stock/);
});

test('somebody chooses a variant and a quantity, and pays in a checkout of their own', async () => {
  const { product, small } = await shirt();
  const { visitor, customer } = await someone();
  const page = `/${slug}/shop/${product}`;
  assert.match((await visitor.get(page)).text, /How many\?[^]*L: sold out/);
  for (const [fields, why] of [
    [{ quantity: '0' }, /Enter a whole number from 1 to 20/],
    [{ quantity: 'x' }, /Enter a whole number from 1 to 20/],
    [{ quantity: '' }, /Fill this in/],
  ] as const) {
    const wrong = await visitor.post(page, fields);
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, why);
  }
  const many = await visitor.post(page, { quantity: '4' });
  assert.ok(many.status >= 400 && many.status < 500);
  assert.match(many.text, /There is a problem[^]*<a class="button quiet" href="[^"]*\/shop">/);
  const begun = await visitor.post(page, { quantity: '2' });
  assert.equal(begun.status, 303, begun.text);
  const checkout = await visitor.get(begun.headers.get('location')!.replace(world.url, ''));
  assert.match(plain(checkout.text), /Shirt \(S\) 2 × \$20\.00 \$40\.00/);
  const { body } = await world.get(`/store/orders?customer=${customer}&expand=items`, { as: world.machine });
  assert.equal(body.results.length, 1, JSON.stringify(body.results));
  const held = await world.get(`/store/product_variants/${small}`, { as: world.machine });
  assert.deepEqual([held.body.stock, held.body.held], [3, 2]);
});

test('each variant is chosen by its own picture, and strangers see what is available', async () => {
  const { product, small } = await shirt();
  const pictured = async (variant: number): Promise<string> => {
    const image = await sent('POST', '/images', { image: (await pngOf()).toString('base64') });
    await sent('PATCH', `/store/product_variants/${variant}`, { images: [image.id] });
    return new URL(image.url).pathname;
  };
  const url = await pictured(small);
  const page = `/${slug}/shop/${product}`;
  const stranger = await seen(page);
  assert.match(stranger.text, new RegExp(`<li><picture>[^]*?<img src="${url}"[^>]*></picture>S</li>`));
  const { results } = (
    await world.get(`/store/product_variants?store_product=${product}&for_sale=true`, { as: world.machine })
  ).body;
  const large = results.find(({ id }: { id: number }) => id !== small);
  await sent('POST', '/store/inventory_adjustments', {
    store_product_variant: large.id,
    quantity: 1,
    reason: 'received',
  });
  const { visitor } = await someone();
  const form = (await visitor.get(page)).text;
  const options = [...form.matchAll(/<input type="radio"[^>]*value="(\d+)"[^]*?<\/label>/g)];
  assert.deepEqual(
    options.map(([option, id]) => [Number(id), option.includes(url)]),
    [
      [small, true],
      [large.id, false],
    ],
  );
  assert.doesNotMatch(form, /<li><picture>/);
});

test('a product that can be shipped asks for the address, and only if shipping is chosen', async () => {
  const { product } = await newProduct(world, { name: 'Poster', delivery_methods: ['delivery', 'pickup'] });
  const { visitor, customer } = await someone();
  const page = `/${slug}/shop/${product}`;
  assert.match((await visitor.get(page)).text, /How would you like to get it\?[^]*Address for the delivery/);
  const missing = await visitor.post(page, { quantity: '1', method: 'delivery', delivery_address: '' });
  assert.match(missing.text, /Enter the delivery address\./);
  const begun = await visitor.post(page, {
    quantity: '1',
    method: 'delivery',
    delivery_address: '1 Main Street, Halifax',
  });
  assert.equal(begun.status, 303, begun.text);
  const { body } = await world.get(`/store/orders?customer=${customer}`, { as: world.machine });
  assert.equal(body.results[0].delivery_address, '1 Main Street, Halifax');
  assert.equal((await visitor.post(page, { quantity: '1', method: 'pickup', delivery_address: '' })).status, 303);
});

test('nobody buys a product that is not shown, or without being logged in', async () => {
  const hidden = await newProduct(world, { name: 'Staff mug', visible_to_customers: false });
  const off = await newProduct(world, { name: 'Retired mug', for_sale: false });
  const { product } = await newProduct(world, { name: 'Mug' });
  const { visitor } = await someone();
  await visitor.get(`/${slug}/shop/${product}`);
  for (const id of [hidden.product, off.product, 999_999_999]) {
    assert.equal((await visitor.get(`/${slug}/shop/${id}`)).status, 404);
    assert.equal((await visitor.post(`/${slug}/shop/${id}`, { quantity: '1' })).status, 404);
  }
  assert.equal((await visitor.post(`/${slug}/shop/${product}`, { quantity: '1' }, { token: 'wrong' })).status, 403);
  const stranger = new PageClient(world.url);
  await stranger.get(`/account/${world.harbour}/log-in`);
  const asked = await stranger.post(`/${slug}/shop/${product}`, { quantity: '1' });
  assert.match(asked.headers.get('location')!, /\/log-in\?return_to=/);
});

test('gift cards are offered if the business sells them, with their possible amounts', async () => {
  assert.match((await seen(`/${slug}/gift-cards`)).text, /doesn’t sell gift cards here/);
  await sent('PATCH', '/gift_cards/config', {
    is_enabled_customer_site: true,
    amount_choices: ['25.00', '50.00'],
    amount_range: { smallest: '10.00', largest: '500.00' },
  });
  const { status, text } = await seen(`/${slug}/gift-cards`);
  assert.equal(status, 200);
  assert.match(plain(text), /Amounts: \$25\.00, \$50\.00 Any amount from \$10\.00 to \$500\.00\./);
  assert.match(text, new RegExp(`href="/account/${world.harbour}/gift-card/buy"`));
  for (const path of ['', '/shop'])
    assert.match((await seen(`/${slug}${path}`)).text, new RegExp(`href="/${slug}/gift-cards"`));
});
