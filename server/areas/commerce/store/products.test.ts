import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type ApiAnswer } from '../../../test/world.ts';
import { readerIn } from '../../../kernel/base/languages/languages.ts';
import { imageUses } from '../../platform/images/index.ts';
import { join, sql } from '../../../kernel/base/db/sql.ts';
import { lowStockReader } from './notify-low-stock.ts';
import { StoreWorld } from './test/world.ts';

let s: StoreWorld;
let customer: string;
before(async () => {
  const world = await startWorld();
  s = await StoreWorld.of(world);
  customer = world.customer(await world.newCustomer());
});
after(() => s.close());

const wrong = ({ field_errors }: { field_errors: object }): string[] => Object.keys(field_errors);
const status = ({ status: code }: ApiAnswer): number => code;
const ids = ({ images }: any): number[] => images.map(({ id }: any) => id);

test('a product has one variant from the start, and gets more through its attributes', async () => {
  const product = await s.done('POST', '/store/products', { name: 'Shirt', price: '20.00', sku: 'SHIRT' });
  assert.deepEqual(
    [product.name, product.price.string, product.for_sale, product.visible_to_customers, product.delivery_methods],
    ['Shirt', '20.00', true, true, ['pickup']],
  );
  assert.equal(product.variants.length, 1);
  assert.equal(product.in_stock, false);
  const size = await s.done('POST', '/store/product_attributes', {
    store_product: product.id,
    name: 'Size',
    values: ['S', 'L'],
  });
  const color = await s.done('POST', '/store/product_attributes', {
    store_product: product.id,
    name: 'Color',
    values: ['Red'],
  });
  const values = [
    { store_product_attribute: color.id, value: 'Red' },
    { store_product_attribute: size.id, value: 'L' },
  ];
  const variant = await s.done('POST', '/store/product_variants', {
    store_product: product.id,
    sku: 'SHIRT-L',
    price_override: '22.50',
    attribute_values: values,
  });
  assert.deepEqual(
    [variant.name, variant.price.string, variant.stock, variant.available, variant.in_stock],
    ['Shirt (L, Red)', '22.50', 0, 0, false],
  );
  assert.deepEqual(variant.attribute_values, [
    { store_product_attribute: size.id, name: 'Size', value: 'L' },
    { store_product_attribute: color.id, name: 'Color', value: 'Red' },
  ]);
  const cheaper = await s.done('PATCH', `/store/product_variants/${variant.id}`, { price_override: null });
  assert.deepEqual([cheaper.price.string, cheaper.price_override], ['20.00', null]);
  assert.equal((await s.done('GET', `/store/product_variants?sku=shirt-l`)).results[0].id, variant.id);
  const found = async (words: string) =>
    (await s.done('GET', `/store/product_variants?query=${encodeURIComponent(words)}`)).results.map(
      ({ id }: any) => id,
    );
  assert.deepEqual(await found('red shirt'), [variant.id]);
  assert.deepEqual(await found('irt-l'), [variant.id]);
  assert.deepEqual(await found('red trousers'), []);
  const shown = await s.done('GET', `/store/products/${product.id}`);
  assert.deepEqual(
    shown.attributes.map(({ name, values: all }: any) => [name, all]),
    [
      ['Size', ['S', 'L']],
      ['Color', ['Red']],
    ],
  );
});

test('two variants with the same values, SKU or barcode are refused', async () => {
  const { product } = await s.product({ sku: 'ONE', barcode: '4006381333931' });
  const twin = await s.refused('POST', '/store/product_variants', { store_product: product });
  assert.deepEqual([twin.status, twin.code, wrong(twin)], [409, 'already_exists', ['attribute_values']]);
  const attribute = await s.done('POST', '/store/product_attributes', {
    store_product: product,
    name: 'Size',
    values: ['S', 'L'],
  });
  const small = { store_product: product, attribute_values: [{ store_product_attribute: attribute.id, value: 'S' }] };
  for (const [property, value] of [
    ['sku', 'one'],
    ['barcode', '4006381333931'],
  ]) {
    const refused = await s.refused('POST', '/store/product_variants', { ...small, [property]: value });
    assert.deepEqual([refused.status, refused.code, wrong(refused)], [409, 'already_exists', [property]]);
  }
  const again = await s.refused('POST', '/store/product_attributes', {
    store_product: product,
    name: 'size',
    values: ['M'],
  });
  assert.deepEqual([again.status, wrong(again)], [409, ['name']]);
});

test('values that the product’s attributes do not have are refused, each by its name', async () => {
  const [{ product }, other] = [await s.product(), await s.product()];
  const size = await s.done('POST', '/store/product_attributes', {
    store_product: product,
    name: 'Size',
    values: ['S', 'L'],
  });
  const foreign = await s.done('POST', '/store/product_attributes', {
    store_product: other.product,
    name: 'Size',
    values: ['S'],
  });
  const refused = await s.refused('POST', '/store/product_variants', {
    store_product: product,
    attribute_values: [
      { store_product_attribute: size.id, value: 'XL' },
      { store_product_attribute: foreign.id, value: 'S' },
      { store_product_attribute: size.id, value: 'S' },
    ],
  });
  assert.deepEqual(wrong(refused), [
    'attribute_values.0.value',
    'attribute_values.1.store_product_attribute',
    'attribute_values.2.store_product_attribute',
  ]);
  assert.match(refused.field_errors['attribute_values.0.value'][0], /S, L/);
});

test('an attribute keeps the values that variants use', async () => {
  const { product } = await s.product();
  const size = await s.done('POST', '/store/product_attributes', {
    store_product: product,
    name: 'Size',
    values: ['S', 'L'],
  });
  const path = `/store/product_attributes/${size.id}`;
  const variant = await s.done('POST', '/store/product_variants', {
    store_product: product,
    attribute_values: [{ store_product_attribute: size.id, value: 'L' }],
  });
  assert.deepEqual((await s.done('PATCH', path, { values: ['L', 'M'] })).values, ['L', 'M']);
  const refused = await s.refused('PATCH', path, { values: ['M'] });
  assert.deepEqual([wrong(refused), /“L”/.test(refused.message)], [['values'], true]);
  assert.deepEqual(wrong(await s.refused('PATCH', path, { values: ['L', 'L'] })), ['values']);
  assert.equal((await s.refused('DELETE', path)).code, 'in_use');
  await s.done('DELETE', `/store/product_variants/${variant.id}`);
  assert.equal(status(await s.ask('DELETE', path)), 204);
});

test('only a variant that was never in stock can be deleted, and a product keeps its last variant', async () => {
  const fresh = await s.product({ stock: 0 });
  assert.equal((await s.refused('DELETE', `/store/product_variants/${fresh.variant}`)).code, 'in_use');
  assert.equal(status(await s.ask('DELETE', `/store/products/${fresh.product}`)), 204);
  const used = await s.product({ stock: 1 });
  for (const path of [`/store/products/${used.product}`, `/store/product_variants/${used.variant}`]) {
    const refused = await s.refused('DELETE', path);
    assert.deepEqual([refused.status, refused.code], [409, 'in_use']);
    assert.match(refused.message, /for_sale/);
  }
});

test('stock changes through adjustments with a reason, which are permanent', async () => {
  const { variant } = await s.product({ stock: 0 });
  const path = '/store/inventory_adjustments';
  const staff = s.world.staff(['store']);
  const adjust = (quantity: number, reason: string) =>
    s.ask('POST', path, { store_product_variant: variant, quantity, reason, note: 'Counted' }, staff);
  assert.equal((await adjust(10, 'received')).body.quantity, 10);
  assert.equal(status(await adjust(-3, 'damaged')), 201);
  assert.deepEqual(wrong((await adjust(-8, 'lost')).body), ['quantity']);
  assert.deepEqual(wrong((await adjust(1, 'damaged')).body), ['quantity']);
  assert.deepEqual(wrong((await adjust(-1, 'sold')).body), ['reason']);
  const { stock, available, is_low_stock: low } = await s.done('GET', `/store/product_variants/${variant}`);
  assert.deepEqual([stock, available, low], [7, 7, false]);
  const listed = await s.done('GET', `${path}?store_product_variant=${variant}`);
  assert.deepEqual(
    listed.results.map(({ quantity, reason }: any) => [quantity, reason]),
    [
      [-3, 'damaged'],
      [10, 'received'],
    ],
  );
  await assert.rejects(
    s.owner.query('DELETE FROM store_inventory_adjustment WHERE id = $1', [listed.results[0].id]),
    /stays as it is/,
  );
  await assert.rejects(
    s.owner.query('UPDATE store_inventory_adjustment SET quantity = 5 WHERE id = $1', [listed.results[0].id]),
    /stays as it is/,
  );
  await s.done('PATCH', `/store/product_variants/${variant}`, { track_stock: false });
  assert.deepEqual(wrong((await adjust(1, 'received')).body), ['store_product_variant']);
  assert.equal((await s.done('GET', `/store/product_variants/${variant}`)).stock, null);
  await s.counted();
});

test('the database itself refuses a stock below zero, whatever writes', async () => {
  const { variant } = await s.product({ stock: 2 });
  const insert = (quantity: number) =>
    s.owner.query(
      `INSERT INTO store_inventory_adjustment (provider_id, store_product_variant_id, quantity, reason)
        VALUES ($1, $2, $3, 'correction')`,
      [s.world.harbour, variant, quantity],
    );
  await assert.rejects(insert(-3), { constraint: 'store_stock' });
  await s.done('PATCH', `/store/product_variants/${variant}`, { track_stock: false });
  await assert.rejects(insert(-3), { constraint: 'store_stock_count' });
  await insert(-2);
  await s.counted();
});

test('customers and visitors see what is visible to them while the store is open, and never the stock', async () => {
  const [{ product, variant }, hidden] = [await s.product(), await s.product({ visible_to_customers: false })];
  const seen = async (as: string | undefined) => {
    const { body } = await s.world.get(`/store/products?ids=${product},${hidden.product}`, { as });
    return body.results.map(({ id }: any) => id);
  };
  for (const as of [customer, undefined]) {
    assert.deepEqual(await seen(as), [product]);
    const shown = (await s.world.get(`/store/product_variants/${variant}`, { as })).body;
    assert.deepEqual([shown.in_stock, shown.stock, shown.available, shown.held], [true, null, null, null]);
    assert.equal(status(await s.world.get(`/store/product_variants/${hidden.variant}`, { as })), 404);
  }
  assert.deepEqual(await seen(s.world.staff([])), [product, hidden.product]);
  const settings = await s.done('PATCH', '/store/settings', { is_open: false, pickup_instructions: 'At the desk.' });
  assert.deepEqual([settings.is_open, settings.pickup_instructions], [false, 'At the desk.']);
  for (const as of [customer, undefined]) {
    assert.deepEqual(await seen(as), []);
    assert.equal((await s.world.get('/store/settings', { as })).body.pickup_instructions, 'At the desk.');
  }
  await s.done('PATCH', '/store/settings', { is_open: true });
  assert.deepEqual(await seen(customer), [product]);
});

test('only staff with the permission manage the store, and the front desk sees its stock', async () => {
  const { product, variant } = await s.product();
  const pos = s.world.staff(['pos']);
  for (const as of [pos, s.world.staff(['discount_codes']), customer]) {
    assert.equal((await s.refused('PATCH', `/store/products/${product}`, { name: 'Mine' }, as)).status, 403);
    const body = { store_product_variant: variant, quantity: 1, reason: 'received' };
    assert.equal((await s.refused('POST', '/store/inventory_adjustments', body, as)).status, 403);
    assert.equal((await s.refused('PATCH', '/store/settings', { is_open: false }, as)).status, 403);
  }
  assert.equal(status(await s.ask('GET', '/store/inventory_adjustments', undefined, pos)), 200);
  assert.equal(status(await s.ask('GET', '/store/inventory_adjustments', undefined, customer)), 403);
});

test('products are listed in the order of the business, and by category', async () => {
  const [one, two, three] = [await s.product(), await s.product({ category: 'Hats' }), await s.product()];
  await s.done('PATCH', '/store/products/ordering', { ordering: [three.product, one.product, two.product] });
  const { results } = await s.done('GET', `/store/products?ids=${one.product},${two.product},${three.product}`);
  assert.deepEqual(
    results.map(({ id }: any) => id),
    [three.product, one.product, two.product],
  );
  const hats = await s.done('GET', '/store/products?category=Hats');
  assert.deepEqual(
    hats.results.map(({ id }: any) => id),
    [two.product],
  );
});

test('pictures are shown in the order in which they were sent, and variants without their own show the product’s first', async () => {
  const [one, two, foreign] = [
    await seed(s.world, 'image', s.world.harbour),
    await seed(s.world, 'image', s.world.harbour),
    await seed(s.world, 'image', s.world.meadow),
  ];
  const product = await s.done('POST', '/store/products', { name: 'Mat', price: '30.00', images: [two, one] });
  assert.deepEqual([ids(product), product.image.id], [[two, one], two]);
  assert.deepEqual(
    [product.image.original_width, new URL(product.image.url).pathname.startsWith('/images/')],
    [4000, true],
  );
  const variant = `/store/product_variants/${product.variants[0]}`;
  const shown = async () => {
    const { image, images } = await s.done('GET', variant);
    return [image?.id ?? null, ids({ images })];
  };
  assert.deepEqual(await shown(), [two, []]);
  await s.done('PATCH', variant, { images: [one] });
  assert.deepEqual(await shown(), [one, [one]]);
  const path = `/store/products/${product.id}`;
  assert.deepEqual(ids(await s.done('PATCH', path, { images: [one, two, one] })), [one, two]);
  assert.deepEqual(ids(await s.done('PATCH', path, { name: 'Blue mat' })), [one, two]);
  for (const unknown of [foreign, 999_999_999])
    assert.deepEqual(wrong(await s.refused('PATCH', path, { images: [one, unknown] })), ['images']);
  assert.deepEqual(ids(await s.done('PATCH', path, { images: [] })), []);
});

test('an image in use can’t be deleted, and one no longer in use can', async () => {
  const image = await seed(s.world, 'image', s.world.harbour);
  const product = await s.done('POST', '/store/products', { name: 'Mat', price: '30.00', images: [image] });
  const isUsed = async () => {
    const used = imageUses.items.map((one) => one.used('t'));
    const found = await s.world.work(s.world.harbour, ({ tx }) =>
      tx.one<{ used: boolean }>(
        sql`SELECT (${join(used, ' OR ')}) AS used FROM image t
          WHERE t.provider_id = ${s.world.harbour} AND t.id = ${image}`,
      ),
    );
    return found!.used;
  };
  assert.equal(await isUsed(), true);
  await s.done('PATCH', `/store/product_variants/${product.variants[0]}`, { images: [image] });
  await s.done('PATCH', `/store/products/${product.id}`, { images: [] });
  assert.equal(await isUsed(), true);
  assert.equal(status(await s.ask('DELETE', `/store/products/${product.id}`)), 204);
  assert.equal(await isUsed(), false);
});

test('the people who run the business are emailed in its language when stock runs low', async () => {
  const { world } = s;
  const { variant, product } = await s.product({ stock: 2 });
  const owner = await s.done('POST', '/staff', {
    first_name: 'Kim',
    last_name: 'Lee',
    email: 'kim@example.com',
    permissions: { super_admin: true },
  });
  const mailIn = async (country: string, seq: number) => {
    const payload = { store_product_variant: variant, stock: 2 };
    const item = { seq, kind: 'store_product_variant.low_stock', payload, occurredAt: world.now };
    await world.work(world.harbour, (work) => {
      Object.assign(work.tenant, { reader: readerIn(country) });
      return lowStockReader.read(work, [item as never]);
    });
    const [mail] = await world.work(world.harbour, ({ tx }) =>
      tx.rows<{ subject: string; text_part: string; language: string; button: string }>(
        sql`SELECT subject, text_part, language, button FROM message WHERE staff_id = ${owner.id} ORDER BY id DESC`,
      ),
    );
    return mail;
  };
  const english = await mailIn('CA', 1);
  assert.match(english.text_part, /^Only 2 are left of “.+”\.\n\nWhen you’ve received more, record it here:\n/);
  assert.ok(english.text_part.endsWith(`/dashboard/${world.harbour}/store?tab=products&product=${product}`));
  const polish = await mailIn('PL', 2);
  assert.match(polish.text_part, /^„.+”: zostały tylko 2 sztuki\./);
  assert.deepEqual([polish.language, polish.button], ['pl', 'Otwórz produkt']);
});
