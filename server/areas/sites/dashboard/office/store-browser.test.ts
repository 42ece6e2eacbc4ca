/** The store in the dashboard, as staff manage it in a browser. The results are checked through the interface. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { look } from '../test/dashboard-world.ts';
import { confirm, sends } from '../test/proposals.ts';
import { pngOf } from '../../../platform/images/test/pictures.ts';
import type { StaffPermission } from '../../../people/staff/index.ts';
import type { Visitor } from '../../../../test/pages/browser.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
const forbidden: string[] = [];

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const images = async (path: string): Promise<unknown[]> => (await get(`${path}?fields=images`)).images;
const make = async (path: string, body: object = {}) => {
  const answer = await world.post(path, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
});
after(() => desk?.close());
afterEach(() => assert.deepEqual(forbidden, []));

/** Opens a part of the store in Chromium. Print jobs are captured. */
async function inChromium(search: string, permissions: readonly StaffPermission[] = ['store']): Promise<Visitor> {
  const visitor = await desk.visitor(await desk.colleague({ permissions }));
  await visitor.page.addInitScript(() => {
    const frame = globalThis as any;
    frame.print = () => (frame.top.printed = frame.document.body.innerText);
  });
  return goTo(visitor, search);
}

/** Opens a part of the store in a window, for everything but its journeys. */
const atStore = async (search: string, permissions: readonly StaffPermission[] = ['store']): Promise<Visit> =>
  goTo(await desk.window(await desk.colleague({ permissions })), search);

async function goTo<V extends Visit>(visitor: V, search: string): Promise<V> {
  visitor.page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    // A page without access to the feed is refused once, and polls instead.
    if (response.status() === 403 && !path.endsWith('/feed_items'))
      forbidden.push(`${response.request().method()} ${path}`);
  });
  await desk.open(visitor, `store${search}`);
  return visitor;
}

const button = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true });
const saying = ({ page }: Visit, text: string) => page.getByText(text).first().waitFor();

/** Submits a form whose change needs no preview. */
async function submit(visitor: Visit): Promise<void> {
  const submits = sends(visitor);
  await submits.click();
  await submits.waitFor({ state: 'detached' });
}

/** Submits a form, and confirms its preview. */
async function goOn(visitor: Visit, name: string): Promise<void> {
  await button(visitor, 'Continue').click();
  await confirm(visitor, name);
}

async function newProduct(name: string, price: string, stock: number, over: object = {}) {
  const { id, variants } = await make('/store/products', { name, price, ...over });
  await make('/store/inventory_adjustments', {
    store_product_variant: variants[0],
    quantity: stock,
    reason: 'received',
  });
  return { product: id as number, variant: variants[0] as number };
}

/** Creates an order of two, paid at the desk, and returns its id. */
async function newOrder(variant: number, firstName: string) {
  const customer = await world.newCustomer({ first_name: firstName, last_name: 'Osei' });
  const { id: processor } = await make('/payment_processors', { kind: 'offline', name: 'Card terminal' });
  const { id } = await make('/store/orders', { customer, items: [{ store_product_variant: variant, quantity: 2 }] });
  const checkout = await make('/store/orders/checkout', { store_order: id });
  await make(`/checkouts/${checkout.id}/pay`, { payment_processor: processor });
  return { id: id as number, customer };
}

test('a product is added with its options, and stock is received with a reason', async () => {
  const visitor = await inChromium('');
  const { page } = visitor;
  await button(visitor, 'New product').click();
  await page.getByLabel('Name', { exact: true }).last().fill('Club shirt');
  await page.getByLabel('Price in CAD').fill('20');
  await page.getByLabel('SKU').fill('SHIRT');
  await look(visitor, 'store-new');
  await submit(visitor);
  await page.getByRole('heading', { name: 'Club shirt' }).waitFor();
  await button(visitor, 'Add an attribute').click();
  await page.getByLabel('Name', { exact: true }).fill('Size');
  await page.getByLabel('Values').fill('S, L');
  await submit(visitor);
  await saying(visitor, 'S, L');
  await button(visitor, 'New variant').click();
  await page.getByLabel('Size', { exact: true }).selectOption('L');
  await page.getByLabel('Custom price, in CAD').fill('22.50');
  await page.getByLabel('Barcode').fill('4006381333931');
  await submit(visitor);
  await saying(visitor, 'Club shirt (L)');
  await button(visitor, 'Adjust the stock: Club shirt (L)').click();
  await page.getByLabel('Change in stock').fill('-3');
  await button(visitor, 'Adjust the stock').click();
  await page.locator('.field .error').first().waitFor();
  await page.getByLabel('Change in stock').fill('8');
  await page.getByLabel('Note (optional)').fill('First delivery');
  await submit(visitor);
  await saying(visitor, 'In stock: 8');
  await look(visitor, 'store-product');
  await button(visitor, 'Edit').first().click();
  await page.getByLabel('Price in CAD').fill('21');
  await submit(visitor);
  await saying(visitor, '$21.00');
  await button(visitor, 'History: Club shirt (L)').click();
  await saying(visitor, 'First delivery');
  const [found] = (await get('/store/product_variants?barcode=4006381333931')).results;
  assert.deepEqual([found.name, found.price.string, found.stock], ['Club shirt (L)', '22.50', 8]);
  await visitor.close();
});

test('a variant gets a picture of its own, which is shown next to it', async () => {
  const { product, variant } = await newProduct('Band', '9.00', 2);
  const visitor = await atStore(`?product=${product}`);
  const { page } = visitor;
  const own = page.locator('main .rows img.picture');
  await button(visitor, 'Edit: Band').click();
  const buffer = await pngOf({ width: 48 });
  await page.getByLabel('Pictures').setInputFiles({ name: 'band.png', mimeType: 'image/png', buffer });
  await button(visitor, 'Remove picture 1').waitFor();
  await look(visitor, 'store-variant-picture');
  await submit(visitor);
  await own.waitFor();
  await look(visitor, 'store-variant-pictured');
  assert.equal((await images(`/store/product_variants/${variant}`)).length, 1);
  assert.deepEqual(await images(`/store/products/${product}`), [], 'the product has none');
  await visitor.close();
});

test('pictures of a product are uploaded, replaced and removed', async () => {
  const { product } = await newProduct('Kettlebell', '40.00', 2);
  const pictures = async (): Promise<number[]> =>
    (await get(`/store/products/${product}?fields=images`)).images.map(
      ({ original_width: width }: { original_width: number }) => width,
    );
  const visitor = await atStore(`?product=${product}`);
  const { page } = visitor;
  const shown = page.locator('main img.picture');
  const upload = async (width: number, n: number): Promise<void> => {
    const buffer = await pngOf({ width });
    await page.getByLabel('Pictures').setInputFiles({ name: `${width}.png`, mimeType: 'image/png', buffer });
    await button(visitor, `Remove picture ${n}`).waitFor();
  };
  await button(visitor, 'Edit').first().click();
  await page
    .getByLabel('Pictures')
    .setInputFiles({ name: 'not.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await upload(40, 1);
  await upload(60, 2);
  await look(visitor, 'store-pictures');
  await submit(visitor);
  await shows(() => shown.count(), 2);
  await look(visitor, 'store-product-pictures');
  assert.deepEqual(await pictures(), [40, 60]);

  await button(visitor, 'Edit').first().click();
  await button(visitor, 'Remove picture 1').click();
  await button(visitor, 'Remove picture 2').waitFor({ state: 'detached' });
  await upload(80, 2);
  await submit(visitor);
  await shows(pictures, [60, 80]);

  await shows(() => page.getByRole('dialog').count(), 0);
  await button(visitor, 'Edit').first().click();
  await button(visitor, 'Remove picture 2').click();
  await button(visitor, 'Remove picture 1').click();
  await submit(visitor);
  await shows(pictures, []);
  await shown.first().waitFor({ state: 'detached' });
  await visitor.close();
});

test('two people who edit one product do not overwrite each other', async () => {
  const { product } = await newProduct('Towel', '12.00', 3);
  const visitor = await atStore(`?product=${product}`);
  await button(visitor, 'Edit').first().click();
  await visitor.page.getByLabel('Price in CAD').fill('13');
  await world.patch(`/store/products/${product}`, { as: world.machine, body: { name: 'Large towel' } });
  await submit(visitor);
  const { name, price } = await get(`/store/products/${product}`);
  assert.deepEqual([name, price.string], ['Large towel', '13.00']);
  await visitor.close();
});

test('an order is handed over, part of it is returned, and another is cancelled', async () => {
  const { variant } = await newProduct('Water bottle', '9.00', 10);
  const [first, second] = [await newOrder(variant, 'Ama'), await newOrder(variant, 'Kofi')];
  const visitor = await atStore('?tab=orders&status=paid', ['pos']);
  const { page } = visitor;
  await page.getByRole('link', { name: `Order ${first.id}` }).click();
  await look(visitor, 'store-order');
  await button(visitor, 'Hand over Water bottle').click();
  await confirm(visitor, 'Hand over');
  await page.getByRole('dialog').getByText('Handed over', { exact: true }).first().waitFor();
  assert.equal((await get(`/store/orders/${first.id}`)).status, 'fulfilled');
  await button(visitor, 'Take back Water bottle').click();
  await page.getByLabel('How many').fill('1');
  await page.getByLabel('What was paid').selectOption({ label: 'Turn it into account credit' });
  await page.getByLabel('Reason').fill('It leaked.');
  await goOn(visitor, 'Take back');
  await saying(visitor, 'Returned: 1');
  const [item] = (await get(`/store/orders/${first.id}`)).items;
  assert.equal(item.returned_quantity, 1);
  const { credit_balance } = await get(`/customers/${first.customer}?fields=credit_balance`);
  assert.equal(credit_balance.string, '9.00');
  await desk.open(visitor, `store?tab=orders&order=${second.id}`);
  await button(visitor, 'Cancel the order').click();
  await page.getByLabel('Reason').fill('They changed their mind.');
  await goOn(visitor, 'Cancel the order');
  await page.getByRole('dialog').getByText('Cancelled', { exact: true }).first().waitFor();
  assert.equal((await get(`/store/orders/${second.id}`)).status, 'cancelled');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await look(visitor, 'store-orders');
  await visitor.close();
});

test('gift cards are set up, printed, and redeemed for a customer', async () => {
  const visitor = await inChromium('?tab=cards', ['store', 'pos']);
  const { page } = visitor;
  await button(visitor, 'Change the gift card settings').click();
  await page.getByLabel('Staff sell them').check();
  await page.getByLabel('Amounts to choose from, in CAD').fill('25 40,50');
  await look(visitor, 'store-card-settings');
  await submit(visitor);
  await saying(visitor, '$25.00 · $40.50');
  const { id: processor } = await make('/payment_processors', { kind: 'offline', name: 'Card terminal' });
  await make('/counter/sales', {
    items: [{ item_type: 'GIFT_CARD', unit_price: '25.00' }],
    payments: [{ payment_processor: processor }],
  });
  await world.newCustomer({ first_name: 'Yaw', last_name: 'Boateng' });
  await page.reload();
  const card = 'gift card of anyone who has it for $25.00';
  await button(visitor, `Print: ${card}`).click();
  await page.waitForFunction(() => /25/.test((globalThis as any).printed ?? ''));
  await look(visitor, 'store-cards');
  await button(visitor, `Redeem: ${card}`).click();
  await page.getByRole('combobox', { name: 'Customer' }).fill('Yaw');
  await page.getByRole('option', { name: /Yaw Boateng/ }).click();
  await confirm(visitor, 'Credit it to Yaw Boateng');
  await saying(visitor, 'credited to Yaw Boateng');
  const [redeemed] = (await get('/gift_cards?expand=redeemed_by')).results;
  assert.deepEqual([redeemed.status, redeemed.redeemed_by.first_name], ['redeemed', 'Yaw']);
  await visitor.close();
});

test("staff with the permission change the store's settings, and others can read them", async () => {
  const visitor = await atStore('?tab=settings');
  const { page } = visitor;
  await button(visitor, 'Edit').click();
  await page.getByLabel('Delivery fee in CAD').fill('4,90');
  await page.getByLabel('Where and when orders are picked up').fill('At the desk, from 9 to 18.');
  await submit(visitor);
  await saying(visitor, 'At the desk, from 9 to 18.');
  await look(visitor, 'store-settings');
  const settings = await get('/store/settings');
  assert.deepEqual([settings.delivery_fee, settings.pickup_instructions], ['4.90', 'At the desk, from 9 to 18.']);
  await visitor.close();
  const other = await atStore('?tab=settings', ['pos']);
  await saying(other, 'You need the permission for the store to change them.');
  await shows(() => button(other, 'Edit').count(), 0);
  await other.page.getByRole('link', { name: 'Products' }).click();
  await other.page.getByRole('search').waitFor();
  await shows(() => button(other, 'New product').count(), 0);
  await other.close();
});
