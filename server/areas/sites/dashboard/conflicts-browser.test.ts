/** Conflicts of two people who change one form at the same time: of products, variants and events. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardWorld } from './test/dashboard-world.ts';
import { newEvent, newPlace } from '../../../test/schedule-world.ts';
import { sends } from './test/proposals.ts';
import type { Visit } from './test/window/visit.ts';

let desk: DashboardWorld;
before(async () => {
  desk = await DashboardWorld.start();
});
after(() => desk?.close());

const button = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true });

/** Submits the form, and waits until it is gone. */
async function save(visitor: Visit): Promise<void> {
  const submits = sends(visitor);
  await submits.click();
  await submits.waitFor({ state: 'detached' });
}

test('what two people change about one product or variant is merged, and what both changed is chosen', async () => {
  const { id, variants } = await desk.ask('POST', '/store/products', { name: 'Oar', price: '80.00' });
  const visitor = await desk.window();
  await desk.open(visitor, `store?product=${id}`);
  const { page } = visitor;
  await button(visitor, 'Edit').first().click();
  await page.getByLabel('Name', { exact: true }).fill('Sweep oar');
  await page.getByLabel('Category').fill('Boats');
  await desk.ask('PATCH', `/store/products/${id}`, { name: 'Scull', price: '85.00' });
  await sends(visitor).click();
  await page.getByText('They: Scull').waitFor();
  await visitor.checkLive('product-conflict');
  assert.equal(
    (await desk.ask('GET', `/store/products/${id}`)).category,
    null,
    'nothing is saved before it is decided',
  );
  await button(visitor, 'Name: Keep mine').click();
  await save(visitor);
  const { name, category, price } = await desk.ask('GET', `/store/products/${id}`);
  assert.deepEqual([name, category, price.string], ['Sweep oar', 'Boats', '85.00']);

  await button(visitor, 'Edit: Sweep oar').click();
  await page.getByLabel('SKU').fill('OAR-1');
  await desk.ask('PATCH', `/store/product_variants/${variants[0]}`, { barcode: '4006381333931' });
  await save(visitor);
  const variant = await desk.ask('GET', `/store/product_variants/${variants[0]}`);
  assert.deepEqual([variant.sku, variant.barcode], ['OAR-1', '4006381333931']);
  await visitor.close();
});

test('what two people change about one event is merged, and what both changed is chosen', async () => {
  const { world } = desk;
  const { id } = await newEvent(world, await newPlace(world), { in: 48, name: 'Rowing', max_occupancy: 8 });
  const visitor = await desk.window();
  await desk.open(visitor, `calendar?event=${id}&do=edit`);
  const { page } = visitor;
  const read = async () => {
    const { name, max_occupancy, waitlist_max_override } = await desk.ask('GET', `/events/${id}`);
    return [name, max_occupancy, waitlist_max_override];
  };
  await page.getByLabel('Name', { exact: true }).fill('Sculling');
  await page.getByLabel('Waitlist').fill('3');
  await desk.ask('PATCH', `/events/${id}`, { name: 'Sweeping', max_occupancy: 10 });
  await sends(visitor).click();
  await page.getByText('They: Sweeping').waitFor();
  await visitor.checkLive('event-conflict');
  assert.deepEqual(await read(), ['Sweeping', 10, null], 'nothing is saved before it is decided');
  await button(visitor, 'Name: Take theirs').click();
  await save(visitor);
  assert.deepEqual(await read(), ['Sweeping', 10, 3]);

  await desk.open(visitor, `calendar?event=${id}&do=edit`);
  await page.getByLabel('Name', { exact: true }).fill('Sculling');
  await desk.ask('PATCH', `/events/${id}`, { max_occupancy: 12 });
  await save(visitor);
  assert.deepEqual(await read(), ['Sculling', 12, 3], 'what only one of them changed needs no decision');
  await visitor.close();
});
