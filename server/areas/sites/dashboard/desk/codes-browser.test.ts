/**
 * Discount codes in the dashboard, as staff manage them in a browser. The results are checked through the interface.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { button, confirm, field, goOn, noteRefusals, saying } from '../test/membership-steps.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { look } from '../test/dashboard-world.ts';
import { Keyboard } from '../test/hands.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { shows } from '../../../../test/pages/shows.ts';
import { seed } from '../../../../test/seeds.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
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

/** Opens Chromium for the journey by keyboard, and a window for everything else. */
async function atCodes(more: readonly StaffPermission[] = [], { chromium = false } = {}): Promise<Visit> {
  const who = await desk.colleague({ permissions: ['discount_codes', ...more] });
  const visitor = chromium ? await desk.visitor(who) : await desk.window(who);
  noteRefusals(visitor, forbidden);
  await desk.open(visitor, 'memberships?tab=codes');
  return visitor;
}

test('by keyboard, staff who manage codes create one, exclude a membership, and switch it off', async () => {
  const membership = await m.pack(10, { name: 'Ten visits' });
  const visitor = await atCodes([], { chromium: true });
  const { page } = visitor;
  const hands = new Keyboard(page);
  await hands.press(button(visitor, 'New discount code'));
  await hands.type(field(visitor, 'Code'), 'SPRING');
  await hands.type(field(visitor, 'Name'), 'Spring offer');
  await hands.type(field(visitor, 'Percent'), '120');
  await hands.press(button(visitor, 'Save').last());
  await page.locator('.field .error').first().waitFor();
  await hands.type(field(visitor, 'Percent'), '12,5');
  await hands.press(button(visitor, 'Save').last());
  await saying(visitor, /^12\.5% off · not used yet/);
  await hands.press(button(visitor, 'Applies to: SPRING'));
  await hands.choose(field(visitor, 'Which one'), 'Ten visits');
  await hands.choose(field(visitor, 'What the code can do'), 'It can’t be used');
  await hands.press(button(visitor, 'Add'));
  await page.getByRole('list', { name: 'Applies to' }).getByText('Ten visits').waitFor();
  await look(visitor, 'codes-objects');
  const [code] = (await get('/discount_codes?query=spring')).results;
  const [item] = (await get(`/discount_code_applicabilities?discount_code=${code.id}`)).results;
  assert.deepEqual([code.discount_amount, item.item.id, item.allow_use], [12.5, membership, false]);
  await hands.press(button(visitor, 'Allow: Ten visits'));
  await button(visitor, 'Exclude: Ten visits').waitFor();
  await hands.press(button(visitor, 'Delete: Ten visits'));
  await confirm(visitor, 'Remove Ten visits', hands);
  await saying(visitor, 'Nothing is allowed or excluded individually.');
  assert.equal((await get(`/discount_code_applicabilities?discount_code=${code.id}`)).count, 0);
  await page.keyboard.press('Escape');
  await hands.press(button(visitor, 'Deactivate: SPRING'));
  await button(visitor, 'Activate: SPRING').waitFor();
  assert.equal((await get(`/discount_codes/${code.id}`)).status, 'inactive');
  await visitor.close();
});

test('a code for a single event and a single course shows their names', async () => {
  const [event, course] = [await seed(world, 'event'), await seed(world, 'course')];
  const { name, starts_at: at, timezone } = await get(`/events/${event}?fields=name,starts_at,timezone`);
  const { name: courseName } = await get(`/courses/${course}`);
  const made = await world.post('/discount_codes', {
    as: world.machine,
    body: {
      code: 'ONE',
      name: 'One evening',
      discount_type: 'percent',
      discount_amount: '10',
      usable_purchase_types: ['event', 'course'],
      usable_by_default_for_purchase_types: false,
      usable_by_new_customers_only: false,
      allowed_uses: 100,
      allowed_uses_per_customer: 1,
      applicable_billing_cycles: 1,
    },
  });
  assert.equal(made.status, 201, made.text);
  const visitor = await atCodes(['attendances']);
  await button(visitor, 'Applies to: ONE').click();
  const add = async (choose: () => Promise<unknown>): Promise<void> => {
    await choose();
    await button(visitor, 'Add').click();
  };
  const items = visitor.page.getByRole('list', { name: 'Applies to' }).getByRole('listitem');
  await add(async () => {
    await field(visitor, 'Kind').selectOption({ label: 'Event' });
    await field(visitor, 'Day').fill('2001-01-01');
    await saying(visitor, 'Nothing takes place on this day. Choose another.');
    await field(visitor, 'Day').fill(wallAt(Date.parse(at), timezone).date);
    await field(visitor, 'Which one').selectOption(String(event));
    await look(visitor, 'codes-event');
  });
  await items.filter({ hasText: `${name}, ` }).waitFor();
  await add(async () => {
    await field(visitor, 'Kind').selectOption({ label: 'Course' });
    await field(visitor, 'Which one').selectOption(String(course));
    await field(visitor, 'What the code can do').selectOption({ label: 'It can’t be used' });
  });
  await items.filter({ hasText: courseName }).waitFor();
  const { results } = await get(`/discount_code_applicabilities?discount_code=${made.body.id}`);
  assert.deepEqual(
    results
      .map(({ item, allow_use: allowed }: any) => [item.type, item.id, allowed])
      .toSorted(([a]: string[], [b]: string[]) => a.localeCompare(b)),
    [
      ['course', course, false],
      ['event', event, true],
    ],
  );
  await visitor.close();
});

test('many codes are generated in a group, listed, and switched on and off together', async () => {
  const visitor = await atCodes();
  await button(visitor, 'Generate codes').click();
  await field(visitor, 'How many').fill('25');
  await field(visitor, 'Prefix').fill('GYM');
  await field(visitor, 'Group').fill('Autumn');
  await field(visitor, 'Name').fill('Autumn letter');
  await field(visitor, 'What it takes off').selectOption({ label: 'An amount' });
  await field(visitor, 'Amount in CAD').fill('15');
  await look(visitor, 'codes-generate');
  await goOn(visitor, 'Create the codes');
  await saying(visitor, /^\$15\.00 off · not used yet/);
  await look(visitor, 'codes-list');
  await button(visitor, 'Deactivate all of these').click();
  await saying(visitor, '25 discount codes change');
  await confirm(visitor, 'Deactivate all of these');
  await visitor.page.getByRole('list', { name: 'Discount codes' }).getByText('Inactive').first().waitFor();
  const { count, results } = await get('/discount_codes?query=GYM&status=inactive&expand=group');
  assert.deepEqual([count, results[0].group.name], [25, 'Autumn']);
  // Nothing outside of the list changes: of inactive codes, all can only be activated.
  await visitor.page.getByRole('search').getByLabel('Status').selectOption({ label: 'Inactive' });
  await shows(() => button(visitor, 'Deactivate all of these').count(), 0);
  await button(visitor, 'Activate all of these').click();
  await confirm(visitor, 'Activate all of these');
  await visitor.page.getByRole('search').getByLabel('Status').selectOption({ label: 'Any' });
  await visitor.page
    .getByRole('list', { name: 'Discount codes' })
    .getByText('Active', { exact: true })
    .first()
    .waitFor();
  assert.equal((await get('/discount_codes?query=GYM&status=active')).count, 25);
  await visitor.close();
});
