/** Classes without an instructor, on Today and in the calendar, in a browser window. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardWorld, noonTomorrow } from '../test/dashboard-world.ts';
import { newEvent, newInstructor, newOffering, newPlace, type Place } from '../../../../test/schedule-world.ts';
import { shows } from '../../../../test/pages/shows.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
let place: Place;
let noon: number;
before(async () => {
  desk = await DashboardWorld.start();
  ({ world } = desk);
  place = await newPlace(world);
  noon = noonTomorrow(world);
});
after(() => desk?.close());

test('Today counts the classes of the next 14 days that have no instructor, and links to their list', async () => {
  const { instructor } = await newInstructor(world);
  const on = (days: number): number => (noon - world.now) / 3_600_000 + days * 24;
  const rentals = { ...place, offering: await newOffering(world, { schedule_type: 'room_rental' }) };
  await newEvent(world, place, { in: on(1), name: 'Taught', instructors: [instructor] });
  const visitor = await desk.window();
  const { page } = visitor;
  await page.clock.setFixedTime(noon);
  await desk.open(visitor, 'today');
  await page.getByText('Every class of the next 14 days has an instructor.').waitFor();

  await newEvent(world, place, { in: on(2), name: 'Sculling', instructors: [] });
  await newEvent(world, place, { in: on(14), name: 'Coxing', instructors: [] });
  await newEvent(world, place, { in: on(15), name: 'Too late', instructors: [] });
  await newEvent(world, rentals, { in: on(3), name: 'A rental', instructors: [] });
  const cancelled = await newEvent(world, place, { in: on(4), name: 'Called off', instructors: [] });
  assert.equal((await world.post(`/events/${cancelled.id}/cancel`, { as: world.machine, body: {} })).status, 200);
  await desk.open(visitor, 'today');
  await page.getByText('2 classes have no instructor in the next 14 days.').waitFor();
  await visitor.checkLive('today-untaught');
  await page.getByRole('link', { name: 'Show them' }).click();
  const main = page.locator('main');
  await shows(() => main.innerText(), /Sculling[^]*Coxing/);
  assert.doesNotMatch(await main.innerText(), /Taught|Too late|A rental|Called off/);
  await visitor.checkLive('calendar-untaught');
  await page.getByLabel('Instructors').selectOption({ label: 'All' });
  await shows(() => main.innerText(), /Taught/);
  await visitor.close();
});
