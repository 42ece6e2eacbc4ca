/** Customers compare the memberships for sale by their own visits, only when they ask for it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book } from '../../../test/schedule-world.ts';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
let visitor: PageVisitor;
let customer: number;
let path: string;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  const { slug } = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site;
  path = `/${slug}/memberships`;
  const person = await newMember(world);
  customer = await makeCustomer(world, person);
  visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': person.email, Password: PASSWORD });
});
after(async () => {
  await visitor.close();
  await c.close();
});

const text = async () => (await visitor.text()).replaceAll(/\s+/g, ' ');

test('a customer compares the memberships with their own visits and reads how each amount is made up', async () => {
  const pack = await c.m.pack(10, { name: 'Ten visits', one_time_fee: '150.00' });
  await c.m.recurring([], { price: '49.00' }, { name: 'Club' });
  const twice = { period: 'week', type: 'limited', max_uses: 2, offering_type_limits: [] };
  await c.m.recurring([twice], { price: '39.00' }, { name: 'Twice a week' });
  await visitor.open(path);
  assert.doesNotMatch(await text(), /the least/);
  await visitor.follow('Compare with my visits');
  assert.match(await text(), /You didn’t come in the last three months, so there is nothing to compare yet\./);
  await c.m.give(customer, pack);
  const [other, ...events] = await Promise.all([1, 2, 3].map((hours) => c.memberEvent({ in: hours * 2 })));
  for (const event of events) assert.equal((await book(world, event, customer)).status, 200);
  const stranger = await world.newCustomer();
  await c.m.give(stranger, pack);
  assert.equal((await book(world, other, stranger)).status, 200);
  world.setNow(world.now + 24 * 3_600_000);
  await visitor.open(`${path}?best=1`);
  assert.match(
    await text(),
    /Ten visits would have cost you the least: \$30\.00 You came 2 times in the last three months\. Ten visits: 2 × \$15\.00 = \$30\.00 in all\. Club: \$147\.00 for three months\. Not compared, because more than the number of visits matters: Twice a week\. See Ten visits/,
  );
  await visitor.checkAccessible('memberships-compared');
});

test('visitors who are not logged in are not asked, whatever the address says', async () => {
  const stranger = await new PageBrowser(world.url).visitor();
  await stranger.open(`${path}?best=1`);
  assert.doesNotMatch(await stranger.text(), /Compare with my visits|last three months/);
  await stranger.close();
});
