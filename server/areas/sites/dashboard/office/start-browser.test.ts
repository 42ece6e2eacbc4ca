/** The set-up of a new business, which is its first screen; and how a test business goes live or is deleted. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { confirm, saved } from '../test/proposals.ts';
import { newEvent } from '../../../../test/schedule-world.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
before(async () => {
  desk = await DashboardBrowser.start({ own: true, worker: true, test: true });
  ({ world } = desk);
});
after(() => desk?.close());

const listed = async (path: string): Promise<any[]> => (await world.get(path, { as: world.machine })).body.results;

/** Fills in the form of a step, and submits it. */
async function take(visitor: Visit, open: string, fields: Record<string, string>, submit = open): Promise<void> {
  const { page } = visitor;
  await page.getByRole('button', { name: open, exact: true }).click();
  const form = page.getByRole('dialog').last();
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByLabel(label, { exact: true });
    if (label === 'What they do') await field.selectOption({ label: value });
    else await field.fill(value);
  }
  await form.getByRole('button', { name: submit, exact: true }).click();
}

const isFirst = async (visitor: Visit, screen: string): Promise<void> => {
  await visitor.page.goto(`/dashboard/${world.harbour}`);
  await visitor.page.waitForURL(new RegExp(`/${screen}$`));
};

test('the list is the first screen until people can book and pay, and each step is a few clicks away', async () => {
  const visitor = await desk.window();
  const { page } = visitor;
  await isFirst(visitor, 'start');
  await page.getByText('0 of 9 steps done').waitFor();
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
  await saved(visitor, '“Boat house” is added.');
  const venue = (await listed('/venues')).find(({ name }) => name === 'Boat house');
  assert.match(venue.address, /1 Water St, Victoria/);

  await take(visitor, 'Add a class', { Name: 'Rowing', 'Price of a single visit': '18,00' });
  await saved(visitor, '“Rowing” is added.');
  const [offering] = await listed('/offering_types?name_contains=Rowing');
  assert.equal(offering.dropin_price, '18.00');
  await page.getByText('1 kind of class').waitFor();

  const pack = { Name: 'Ten times', Price: '150,00', 'Number of visits': '10', 'Valid for, in months': '6' };
  await take(visitor, 'Add a pack', pack, 'Create');
  await saved(visitor, /Ten times/);
  const [membership] = await listed('/memberships?name_contains=Ten');
  const allotment = await desk.ask('GET', `/memberships/${membership.id}/allotment`);
  assert.equal(allotment.period_limits[0].max_uses, 10);
  assert.deepEqual([membership.incomplete_reasons, membership.duration], [[], 6]);
  const club = { Name: 'Every month', 'Price per month': '60', 'Visits per month': '' };
  await take(visitor, 'Add a monthly membership', club, 'Create');
  await saved(visitor, /Every month/);
  await take(visitor, 'Add a monthly membership', { Name: 'Never', 'Price per month': 'a lot' }, 'Create');
  await page.getByLabel('Price per month').and(page.locator('[aria-invalid]')).waitFor();
  assert.equal(await page.getByRole('dialog').getByRole('alert').count(), 0);
  await page.keyboard.press('Escape');
  const [{ type, incomplete_reasons, display_price }] = await listed('/memberships?name_contains=Every');
  assert.deepEqual([type, incomplete_reasons, display_price.string], ['recurring_plan', [], '60.00']);
  await page.getByText('3 of 9 steps done').waitFor();

  await take(
    visitor,
    'Invite someone',
    {
      'First name': 'Pia',
      'Last name': 'Desk',
      'Email address': 'pia.desk@example.com',
      'What they do': 'Work at the front desk',
    },
    'Continue',
  );
  await confirm(visitor, 'Invite Pia Desk');
  const invited = (await listed('/staff')).find(({ email }) => email === 'pia.desk@example.com');
  assert.deepEqual(
    ['attendances', 'customers', 'pos', 'super_admin'].map((one) => invited.permissions[one]),
    [true, true, true, false],
  );

  await page.getByRole('button', { name: 'Share your site' }).click();
  const share = page.getByRole('dialog');
  await share.getByRole('img', { name: 'QR code that opens your site' }).waitFor();
  await share.getByText(/rollcall-timetable business=/).waitFor();
  await visitor.checkLive('start-share');
  await share.getByRole('button', { name: 'Copy Link to your site' }).click();
  await share.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByText('The link is copied').waitFor();

  await page.getByRole('link', { name: 'Add a way to pay' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor();
  await isFirst(visitor, 'start');
  await page.getByRole('link', { name: 'Schedule it' }).click();
  await page.waitForURL(/calendar\?do=new$/);
  await page.getByRole('dialog').waitFor();

  await newEvent(world, { venue: venue.id, offering: offering.id }, { in: 48 });
  await isFirst(visitor, 'start');
  await desk.ask('POST', '/payment_processors', { kind: 'offline', name: 'Cash' });
  await isFirst(visitor, 'today');
  await visitor.close();
});

test('a new business starts from a template with two clicks, and what it creates is for sale', async () => {
  const visitor = await desk.window(await desk.colleague({ providerId: world.meadow }));
  const { page } = visitor;
  await desk.open(visitor, 'start', world.meadow);
  await page.getByRole('button', { name: 'Choose a template' }).click();
  const form = page.getByRole('dialog', { name: 'Start from a template' });
  await form.getByRole('button', { name: /^Gym / }).click();
  await form.getByText('Strength Basics, Indoor Cycling, Circuit Training').waitFor();
  await visitor.checkLive('start-template');
  await form.getByRole('button', { name: 'Create all of it' }).click();
  await saved(visitor, 'Your classes and memberships are ready to edit.');
  await page.getByText('3 kinds of classes').waitFor();
  const machine = world.staff(['super_admin'], undefined, world.meadow);
  const sold = (await world.get('/memberships?for_sale=true', { as: machine })).body.results;
  assert.deepEqual(sold.map(({ name }: any) => name).toSorted(), [
    '10 visits',
    'Monthly membership',
    'Trial: 3 visits',
  ]);
  assert.equal(await page.getByRole('button', { name: 'Choose a template' }).count(), 0, 'offered only at the start');
  await visitor.close();
});

test('staff who may not set the business up start with Today', async () => {
  const visitor = await desk.window(await desk.colleague({ permissions: ['pos', 'attendances'] }));
  await isFirst(visitor, 'today');
  await visitor.close();
});

test('errors are shown next to their field, and nothing is created', async () => {
  const visitor = await desk.window();
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
  await page.setViewportSize({ width: 320, height: 844 });
  await desk.open(visitor, 'start');
  const [mark, text] = [page.locator('.start .mark').first(), page.locator('.start .what').first()];
  const [marked, said] = [(await mark.boundingBox())!, (await text.boundingBox())!];
  assert.ok(marked.y < said.y + said.height, 'on a phone, the mark of a step is beside its text');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Delete this business' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Another name');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog').locator('[aria-invalid]').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Go live' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('can’t become a test business again').waitFor();
  await dialog.getByText('If you continue:').waitFor();
  await dialog.getByText('The business takes real payments, and emails and text messages are sent to').waitFor();
  assert.equal(await dialog.getByText('more change').count(), 0);
  await visitor.checkLive('go-live');
  assert.equal(await isTest(), true);
  await dialog.getByRole('button', { name: 'Go live' }).click();
  await page.getByText('This is a test business').waitFor({ state: 'detached' });
  assert.equal(await isTest(), false);
  await visitor.close();
});
