/** Moving a booking from a customer's page; from the door: desk/jobs-browser.test.ts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newOffering } from '../../../../test/schedule-world.ts';
import { confirm, topDialog } from '../test/proposals.ts';
import { DashboardWorld } from '../test/dashboard-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';

let desk: DashboardWorld;
let members: MembershipWorld;
before(async () => {
  desk = await DashboardWorld.start({ own: true });
  members = await MembershipWorld.of(desk.world);
});
after(() => desk?.close());

test('a booking moves to another class, after its effects were shown; full classes can’t be chosen', async () => {
  const { world } = desk;
  const customer = await world.newCustomer({ first_name: 'Mona', last_name: 'Mover' });
  await members.give(customer, await members.pack(1));
  const today = await newEvent(world, members.place, { in: 3, name: 'Rowing' });
  const full = await newEvent(world, members.place, { in: 27, name: 'Rowing', max_occupancy: 1 });
  await world.post(`/events/${full.id}/register`, {
    as: world.machine,
    body: { customer: await world.newCustomer(), comped: true },
  });
  const offering = await newOffering(world, { name: 'Slow flow' });
  const other = await newEvent(world, { ...members.place, offering }, { in: 28, name: 'Slow flow' });
  await book(world, today.id, customer);
  const who = await desk.colleague({ permissions: ['customers', 'attendances'] });
  const visitor = await desk.window(who);
  await desk.open(visitor, `people/${customer}?tab=bookings`);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Move the booking of Rowing', exact: true }).click();
  const date = topDialog(visitor).getByRole('button', { name: /Full/ });
  await date.waitFor();
  assert.equal(await date.isDisabled(), true);
  await topDialog(visitor).getByLabel('Class', { exact: true }).selectOption({ label: 'All classes' });
  await topDialog(visitor)
    .getByRole('button', { name: /Slow flow/ })
    .click();
  await confirm(visitor, 'Move', 'One use is returned to a membership');
  await page.getByText('Slow flow').first().waitFor();
  const { results } = await desk.ask('GET', `/attendances?customer=${customer}&status=registered`);
  assert.deepEqual(
    results.map(({ event }: { event: number }) => event),
    [other.id],
  );
  visitor.check();
});
