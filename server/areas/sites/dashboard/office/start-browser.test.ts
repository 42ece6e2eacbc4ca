/** Setup of a new business in five steps, in a real browser; and how a test business goes live or is deleted. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import type { Visitor } from '../../../../test/pages/browser.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
before(async () => {
  desk = await DashboardBrowser.start({ own: true, worker: true, test: true });
  ({ world } = desk);
});
after(() => desk?.close());

const listed = async (path: string): Promise<any[]> => (await world.get(path, { as: world.machine })).body.results;

/** Fills in the form of a step and submits it. `confirm`: the button of its preview, if it has one. */
async function take(visitor: Visitor, open: string, fields: Record<string, string>, confirm?: string): Promise<void> {
  const { page } = visitor;
  await page.getByRole('button', { name: open, exact: true }).click();
  const form = page.getByRole('dialog').last();
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByLabel(label, { exact: true });
    if ((await field.evaluate((e: any) => e.nodeName)) === 'SELECT') await field.selectOption({ label: value });
    else await field.fill(value);
  }
  await form.getByRole('button', { name: /^(Continue|Create)$/ }).click();
  if (confirm !== undefined) {
    await page.getByRole('dialog', { name: confirm }).getByText('If you continue:').waitFor();
    await page.getByRole('button', { name: confirm, exact: true }).click();
  }
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  visitor.check();
}

test('each of the five steps is one form, and shows the result', async () => {
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, 'start');
  await visitor.checkLive('start');

  await page.getByRole('button', { name: 'Add a place' }).click();
  await visitor.checkLive('start-venue');
  await page.keyboard.press('Escape');
  await take(visitor, 'Add a place', {
    Name: 'Boat house',
    'Street and number': '1 Water St',
    'Postal code': 'V8V',
    City: 'Victoria',
  });
  const venue = (await listed('/venues')).find(({ name }) => name === 'Boat house');
  assert.match(venue.address, /1 Water St, Victoria/);

  await take(visitor, 'Add a class', { Name: 'Rowing', 'Price of a single visit': '18,00' });
  const [offering] = await listed('/offering_types?name_contains=Rowing');
  assert.equal(offering.dropin_price, '18.00');
  await page.getByText('1 kind of class').waitFor();

  await take(visitor, 'Add a pack', {
    Name: 'Ten times',
    Price: '150,00',
    'Number of visits': '10',
    'Valid for, in months': '6',
  });
  const [membership] = await listed('/memberships?name_contains=Ten');
  const { body: allotment } = await world.get(`/memberships/${membership.id}/allotment`, { as: world.machine });
  assert.equal(allotment.period_limits[0].max_uses, 10);
  assert.deepEqual([membership.incomplete_reasons, membership.duration], [[], 6]);
  await take(visitor, 'Add a monthly membership', {
    Name: 'Every month',
    'Price per month': '60',
    'Visits per month': '',
  });
  const [club] = await listed('/memberships?name_contains=Every');
  assert.deepEqual([club.type, club.incomplete_reasons, club.display_price.string], ['recurring_plan', [], '60.00']);

  await take(
    visitor,
    'Invite someone',
    {
      'First name': 'Pia',
      'Last name': 'Desk',
      'Email address': 'pia.desk@example.com',
      'What they do': 'Work at the front desk',
    },
    'Invite Pia Desk',
  );
  const invited = (await listed('/staff')).find(({ email }) => email === 'pia.desk@example.com');
  assert.deepEqual(
    ['attendances', 'customers', 'pos', 'super_admin'].map((one) => invited.permissions[one]),
    [true, true, true, false],
  );

  await page.getByRole('link', { name: 'Schedule it' }).click();
  await page.waitForURL('**/calendar?do=new');
  await page.getByRole('dialog').waitFor();
  await visitor.close();
});

test('errors are shown next to their field, and nothing is created', async () => {
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, 'start');
  const before = (await listed('/staff')).length;
  await page.getByRole('button', { name: 'Invite someone' }).click();
  await page.getByLabel('First name').fill('Nobody');
  await page.getByLabel('Last name').fill('Here');
  await page.getByLabel('Email address').fill('not an address');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Email address').and(page.locator('[aria-invalid]')).waitFor();
  assert.equal((await listed('/staff')).length, before);
  await visitor.close();
});

const isTest = async () =>
  (await world.get(`/providers/${world.harbour}?fields=is_test`, { as: world.machine })).body.is_test;

test('a test business goes live after a preview, and is no longer a test business', async () => {
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, 'start');
  await page.getByRole('button', { name: 'Delete this business' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Another name');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog').locator('[aria-invalid]').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Go live' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('can’t become a test business again').waitFor();
  await dialog.getByText('If you continue:').waitFor();
  await visitor.checkLive('go-live');
  assert.equal(await isTest(), true);
  await dialog.getByRole('button', { name: 'Go live' }).click();
  await page.getByText('This is a test business').waitFor({ state: 'detached' });
  assert.equal(await isTest(), false);
  await visitor.close();
});
