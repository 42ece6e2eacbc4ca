/** Cancelling several events of the calendar together: a job does it, and each has its result. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newCustomers, newEvent, newPlace } from '../../../../test/schedule-world.ts';
import { DashboardWorld } from '../test/dashboard-world.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
before(async () => {
  desk = await DashboardWorld.start({ own: true, worker: true });
  ({ world } = desk);
});
after(() => desk?.close());

test('the selected events among those shown are cancelled, with a result for each, and the others stay', async () => {
  const place = await newPlace(world);
  const [first, second, third] = [
    await newEvent(world, place, { in: 24 * 30, name: 'Sculling' }),
    await newEvent(world, place, { in: 24 * 30 + 2, name: 'Coxing' }),
    await newEvent(world, place, { in: 24 * 30 + 4, name: 'Rowing' }),
  ];
  const [customer] = await newCustomers(world, 1);
  assert.equal((await book(world, first.id, customer)).status, 200);
  const statuses = async (): Promise<string[]> =>
    Promise.all(
      [first, second, third].map(
        async ({ id }) => (await world.get(`/events/${id}`, { as: world.machine })).body.status as string,
      ),
    );
  const visitor = await desk.window();
  const { page } = visitor;
  const date = (await world.get(`/events/${first.id}`, { as: world.machine })).body.starts_at.slice(0, 10);
  await desk.open(visitor, `calendar?view=list&date=${date}`);
  await page.getByRole('button', { name: 'Rowing' }).waitFor();
  await page.getByRole('button', { name: 'Cancel several' }).click();
  await page.getByLabel('All 3 that are shown').check();
  await page.getByLabel(/: Coxing$/).uncheck();
  await visitor.checkLive('calendar-several');
  await page.getByRole('button', { name: 'Continue' }).click();
  const dialog = page.getByRole('dialog').last();
  await dialog.getByText('2 classes are cancelled').waitFor();
  assert.deepEqual(await statuses(), ['active', 'active', 'active'], 'nothing happens before it is confirmed');
  await dialog.getByRole('button', { name: 'Cancel them' }).click();
  await page.getByText('2 of 2 done').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Rowing' }).getByText('Done').waitFor();
  assert.deepEqual(await statuses(), ['cancelled', 'active', 'cancelled']);
  await visitor.checkLive('calendar-several-done');
  await page.keyboard.press('Escape');
  await page.getByText('Cancelled').nth(1).waitFor();
  await visitor.close();
});

test('only events on the days that are shown can be selected, not those of the day before', async () => {
  const place = await newPlace(world);
  const { id } = await newEvent(world, place, { in: 24 * 50, name: 'Today’s rowing' });
  await newEvent(world, place, { in: 24 * 49, name: 'Yesterday’s rowing' });
  const date = (await world.get(`/events/${id}`, { as: world.machine })).body.starts_at.slice(0, 10);
  const visitor = await desk.window();
  await desk.open(visitor, `calendar?view=day&date=${date}`);
  await visitor.page.getByRole('button', { name: 'Cancel several' }).click();
  const dialog = visitor.page.getByRole('dialog').last();
  await dialog.getByLabel(/: Today’s rowing$/).waitFor();
  assert.equal(await dialog.getByLabel(/: Yesterday’s rowing$/).count(), 0);
  await visitor.close();
});

/** Formats a moment like the page. */
const shown = (moment: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'America/Toronto', dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(moment),
  );

test('the calendar shows when booking opens and closes, and until when customers can cancel in time', async () => {
  const place = await newPlace(world);
  const { id } = await newEvent(world, place, { in: 24 * 35, name: 'Lowland yoga' });
  const times = (await world.get(`/events/${id}/registration_timelines/resolved`, { as: world.machine })).body;
  const visitor = await desk.window();
  await desk.open(visitor, `calendar?event=${id}`);
  const dialog = visitor.page.getByRole('dialog');
  await dialog.getByText(`${shown(times.registrations_open_at)} to ${shown(times.registrations_close_at)}`).waitFor();
  await dialog.getByText(`until ${shown(times.late_cancels_after)}`).waitFor();
  await visitor.close();
});
