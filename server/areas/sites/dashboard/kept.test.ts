/** Lists whose earlier rows stay while others are read: they say so, and are never said to be empty meanwhile. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { globSync, readFileSync } from 'node:fs';
import { DashboardWorld } from './test/dashboard-world.ts';
import type { DeskWindow } from './test/window/desk-window.ts';
import type { World } from '../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
let owner: DeskWindow;
before(async () => {
  desk = await DashboardWorld.start();
  ({ world } = desk);
  owner = await desk.window();
});
after(async () => {
  await owner?.close();
  await desk?.close();
});

const busy = () => owner.page.locator('main .kept[aria-busy="true"]');
const settled = () => owner.page.locator('main .kept[aria-busy="false"]').first().waitFor();

test('customers of the earlier search are dimmed until those of the next are there', async () => {
  await world.newCustomer({ first_name: 'Ines', last_name: 'Quandt' });
  await world.newCustomer({ first_name: 'Otto', last_name: 'Marsh' });
  await desk.open(owner, 'people');
  await owner.page.getByRole('link', { name: 'Otto Marsh' }).waitFor();
  await settled();
  const arrive = owner.hold('/customers');
  await owner.page.getByLabel('Name or email').fill('quandt');
  await busy().getByRole('link', { name: 'Otto Marsh' }).waitFor();
  arrive();
  await owner.page.getByRole('link', { name: 'Otto Marsh' }).waitFor({ state: 'detached' });
  await settled();
  assert.equal(await busy().count(), 0);
});

test('a list that was empty is not called empty while other rows are read', async () => {
  await desk.ask('POST', '/discount_codes', {
    name: 'Spring',
    code: 'SPRING',
    discount_type: 'percent',
    discount_amount: '10',
    usable_purchase_types: ['event'],
    usable_by_default_for_purchase_types: true,
    usable_by_new_customers_only: false,
    allowed_uses: null,
    allowed_uses_per_customer: null,
    applicable_billing_cycles: 1,
  });
  await desk.open(owner, 'memberships?tab=codes&status=inactive');
  const none = owner.page.getByText('No codes match. Try other filters.');
  await none.waitFor();
  const arrive = owner.hold('/discount_codes');
  await owner.page.getByRole('search').getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Active' });
  await none.waitFor({ state: 'detached' });
  await owner.page.locator('main .loading').waitFor();
  arrive();
  await owner.page.getByText('SPRING').first().waitFor();
});

test('a search for customers does not say that it found nothing before it has looked', async () => {
  await desk.open(owner, 'sales?tab=invoices');
  const arrive = owner.hold('/customers');
  await owner.page.getByRole('combobox', { name: 'Customer' }).fill('nobody at all');
  await owner.page.locator('[role="listbox"][aria-busy="true"]').waitFor({ state: 'attached' });
  assert.equal(await owner.page.getByText('Nothing found. Try another word.').count(), 0);
  arrive();
  await owner.page.getByText('Nothing found. Try another word.').waitFor();
});

test('every screen that keeps earlier rows shows that they are', () => {
  const folder = new URL('../../../../web/dashboard/src/', import.meta.url).pathname;
  // Names of people who were read before, a state that is polled, and suggestions, which the search field marks.
  const others = ['screens/workflows/simulation.tsx', 'screens/imports/import.ts', 'screens/store/find-variant.tsx'];
  const silent = globSync('screens/**/*.{ts,tsx}', { cwd: folder }).filter((file) => {
    const text = readFileSync(folder + file, 'utf8');
    return /\bkeep: true\b/.test(text) && file.endsWith('.tsx') && !/<(?:Kept|Listed)\b|isPlaceholderData/.test(text);
  });
  assert.deepEqual(
    silent.filter((file) => !others.includes(file)),
    [],
  );
});
