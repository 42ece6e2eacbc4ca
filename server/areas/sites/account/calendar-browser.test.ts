/** A customer subscribes to their bookings, and gets a new address, without scripts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../people/identity/index.ts';
import { row } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { randomUUID } from 'node:crypto';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';

const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let browser: PageBrowser;
before(async () => {
  world = await startWorld();
  browser = new PageBrowser(world.url);
  const settings = { name: 'Harbour', branding: { color: '#0f766e' } };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: settings })).status, 200);
});
after(async () => {
  await world.close();
});

let people = 0;
async function someone(family: number | null = null): Promise<{ id: number; visitor: PageVisitor }> {
  const email = `subscriber-${randomUUID()}-${++people}@example.com`;
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const as = family === null ? {} : ({ family_id: family, family_role: 'manager' } as const);
  const id = await world.newCustomer({ user_id: userId, email, first_name: 'Ada', ...as });
  const visitor = await browser.visitor();
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  return { id, visitor };
}

const addresses = async (visitor: PageVisitor): Promise<string[]> =>
  (await visitor.text()).match(/http[^ \n]*\/calendars\/[^ \n]*\.ics/g) ?? [];

const statusOf = async (address: string): Promise<number> =>
  (await fetch(world.url + new URL(address).pathname)).status;

test('a customer finds the address of their calendar on their account page, and resets it', async () => {
  const { visitor } = await someone();
  await visitor.open(`/account/${world.harbour}/profile`);
  await visitor.follow('Add to your calendar');
  assert.equal(await visitor.heading(), 'Add to your calendar');
  await visitor.checkAccessible('calendar');
  const [first, ...more] = await addresses(visitor);
  assert.deepEqual(more, []);
  assert.equal(await statusOf(first), 200);
  await visitor.page.locator('summary').click();
  await visitor.submit('Get a new address', {});
  assert.match(await visitor.text(), /Your calendar has a new address/);
  const [second] = await addresses(visitor);
  assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200]);
});

test('the manager of a family also finds the calendar of the family', async () => {
  const family = await row(world, 'family', {});
  const { visitor } = await someone(family);
  await world.newCustomer({ first_name: 'Kit', family_id: family, family_role: 'child' });
  await visitor.open(`/account/${world.harbour}/profile/calendar`);
  await visitor.checkAccessible('calendar-family');
  const [own, ofFamily, ...more] = await addresses(visitor);
  assert.deepEqual([more.length, await statusOf(own), await statusOf(ofFamily)], [0, 200, 200]);
  assert.notEqual(own, ofFamily);
});
