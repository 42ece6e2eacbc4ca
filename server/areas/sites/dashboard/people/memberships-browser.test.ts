/**
 * Memberships in the dashboard, as staff sell and manage them in a browser. The results are checked through the
 * interface.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { button, confirm, field, goOn, noteRefusals, saying, submit } from '../test/membership-steps.ts';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { look } from '../test/dashboard-world.ts';
import { Keyboard } from '../test/hands.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import type { StaffPermission } from '../../../people/staff/index.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
let m: MembershipWorld;
const forbidden: string[] = [];

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;

before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
  m = await MembershipWorld.of(world);
});
after(() => desk?.close());
afterEach(() => assert.deepEqual(forbidden, []));

/** Opens Chromium for the journeys by keyboard and what needs a layout, and a window for everything else. */
async function atMemberships(
  search: string,
  permissions?: readonly StaffPermission[],
  { chromium = false } = {},
): Promise<Visit> {
  const who = await desk.colleague({ permissions });
  const visitor = chromium ? await desk.visitor(who) : await desk.window(who);
  noteRefusals(visitor, forbidden);
  await desk.open(visitor, `memberships${search}`);
  return visitor;
}

test('a recurring plan gets uses, a payment plan, a joining fee and terms, and is then complete', async () => {
  const visitor = await atMemberships('');
  const { page } = visitor;
  await button(visitor, 'Another kind …').click();
  await field(visitor, 'Type').selectOption({ label: 'Recurring plan' });
  await field(visitor, 'Name').fill('Full month');
  await look(visitor, 'memberships-new');
  await submit(visitor);
  await page.getByRole('heading', { name: 'Full month' }).waitFor();
  await saying(visitor, 'Customers can’t see or buy it yet:');

  await button(visitor, 'Change the uses').click();
  await button(visitor, 'Add a limit').click();
  await field(visitor, 'Period').selectOption({ label: 'per billing period' });
  await field(visitor, 'Uses').fill('8');
  await look(visitor, 'memberships-uses');
  await goOn(visitor, 'Save');
  await saying(visitor, '8 uses per billing period');

  await button(visitor, 'Add an offering').click();
  await field(visitor, 'Extra price of each use in CAD').fill('2,50');
  await submit(visitor);
  await saying(visitor, '$2.50 extra for each use');

  await button(visitor, 'New payment plan').click();
  await field(visitor, 'Price in CAD').fill('90');
  await field(visitor, 'Committed billing periods').fill('6');
  await submit(visitor);
  await saying(visitor, '$90.00 every month');
  await button(visitor, 'New joining fee').click();
  await field(visitor, 'Price in CAD').fill('25');
  await field(visitor, '$90.00 every month').check();
  await submit(visitor);
  await page.getByRole('list', { name: 'Joining fees' }).getByText('$25.00').waitFor();

  await button(visitor, 'Write: Terms of the membership').click();
  await field(visitor, 'Text').fill('Cancel one month ahead.');
  await submit(visitor);
  await saying(visitor, /^version 1, since/);
  await world.newCustomer({ first_name: 'Adwoa', last_name: 'Sarpong' });
  await button(visitor, 'Agreements: Terms of the membership').click();
  await page.getByRole('combobox', { name: 'Customer' }).fill('Adwoa');
  await page.getByRole('option', { name: /Adwoa Sarpong/ }).click();
  await field(visitor, 'How they agreed').selectOption({ label: 'on paper' });
  await goOn(visitor, 'Save');
  await page.getByRole('list', { name: 'Agreements' }).getByText('Adwoa Sarpong').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await look(visitor, 'memberships-plan');

  const [made] = (await get('/memberships?name_contains=Full%20month')).results;
  assert.deepEqual([made.is_draft, made.display_price.string], [false, '90.00']);
  const [plan] = (await get(`/membership_payment_plans?membership=${made.id}&expand=joining_fee`)).results;
  assert.deepEqual([plan.committed_billing_periods, plan.joining_fee.amount.string], [6, '25.00']);
  const [consent] = (await get(`/terms_consents?membership=${made.id}`)).results;
  assert.deepEqual([consent.version, consent.how], [1, 'on_paper']);
  await visitor.close();
});

test('by keyboard only, a pack is created, moved in the list, archived, restored and deleted', async () => {
  const visitor = await atMemberships('', undefined, { chromium: true });
  const { page } = visitor;
  const hands = new Keyboard(page);
  await hands.press(button(visitor, 'Another kind …'));
  await hands.type(field(visitor, 'Name'), 'Pack of five');
  await hands.type(field(visitor, 'Price in CAD'), '75');
  await submit(visitor, hands);
  await page.getByRole('heading', { name: 'Pack of five' }).waitFor();
  const [{ id }] = (await get('/memberships?name_contains=Pack%20of%20five')).results;
  await hands.press(button(visitor, 'Change the uses'));
  await hands.type(field(visitor, 'Uses'), '5');
  await goOn(visitor, 'Save', hands);
  await saying(visitor, '5 uses in total');
  await hands.press(page.getByRole('link', { name: 'All memberships' }));
  await m.pack(10, { name: 'Pack of ten' });
  await hands.press(button(visitor, 'Put in order'));
  for (;;) {
    const first = await page.getByRole('dialog').getByRole('listitem').first().innerText();
    if (first === 'Pack of five') break;
    await hands.press(button(visitor, 'Move Pack of five up'));
  }
  await look(visitor, 'memberships-order');
  await submit(visitor, hands);
  await page
    .getByRole('list', { name: 'Plans and packs' })
    .getByRole('listitem')
    .first()
    .getByText('Pack of five')
    .waitFor();
  const [first] = (await get('/memberships')).results;
  assert.equal(first.id, id);

  await hands.press(page.getByRole('link', { name: 'Pack of five' }));
  await hands.press(button(visitor, 'Archive'));
  await confirm(visitor, 'Archive', hands);
  await hands.press(button(visitor, 'Restore'));
  await confirm(visitor, 'Restore', hands);
  await button(visitor, 'Archive').waitFor();
  const restored = await get(`/memberships/${id}`);
  assert.deepEqual([restored.archived_at, restored.for_sale], [null, false]);
  await hands.press(button(visitor, 'Delete'));
  await confirm(visitor, 'Delete', hands);
  await button(visitor, 'Another kind …').waitFor();
  assert.equal((await world.get(`/memberships/${id}`, { as: world.machine })).status, 404);
  await visitor.close();
});

test('staff who manage customers edit the categories, and see no prices of plans that they may not change', async () => {
  const membership = await m.pack(10, { name: 'Ten visits' });
  const visitor = await atMemberships('', ['customers'], { chromium: true });
  const { page } = visitor;
  await shows(() => button(visitor, 'Another kind …').count(), 0);
  await button(visitor, 'Categories').click();
  await button(visitor, 'New category').click();
  await field(visitor, 'Name').fill('Trials');
  await submit(visitor);
  await button(visitor, 'Edit: Trials').click();
  await field(visitor, 'Name').fill('First visits');
  await submit(visitor);
  await button(visitor, 'Order of the categories').click();
  await button(visitor, 'Move First visits up').click();
  await submit(visitor);
  await button(visitor, 'Delete: First visits').waitFor();
  const [first] = (await get('/membership_categories')).results;
  assert.equal(first.name, 'First visits');
  await button(visitor, 'Delete: First visits').click();
  await confirm(visitor, 'Delete');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.ok(
    !(await get('/membership_categories')).results.some(({ name }: { name: string }) => name === 'First visits'),
  );
  await desk.open(visitor, `memberships?membership=${membership}`);
  await saying(visitor, '10 uses in total');
  await shows(() => button(visitor, 'Edit').count(), 0);
  await visitor.close();
});

test('two people who edit one membership do not overwrite each other', async () => {
  const membership = await m.pack(10, { name: 'Shared work' });
  const visitor = await atMemberships(`?membership=${membership}`);
  await button(visitor, 'Edit').click();
  await field(visitor, 'Name').fill('Mine');
  await world.patch(`/memberships/${membership}`, { as: world.machine, body: { name: 'Theirs' } });
  await button(visitor, 'Save').click();
  await saying(visitor, 'They: Theirs');
  assert.equal((await get(`/memberships/${membership}`)).name, 'Theirs');
  await button(visitor, 'Name: Keep mine').click();
  await button(visitor, 'Save').click();
  await visitor.page.getByRole('heading', { name: 'Mine' }).waitFor();
  await visitor.close();
});
