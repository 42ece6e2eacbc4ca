/** The clock of a test business in the dashboard, moved in a browser. Its new time is checked through the interface. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { arrived, nowAtHarbour } from '../../../test/worlds/test-business.ts';
import { shows } from '../../../test/pages/shows.ts';
import { DashboardWorld } from './test/dashboard-world.ts';

const DAY = 86_400_000;

let desk: DashboardWorld;
before(async () => {
  desk = await DashboardWorld.start({ worker: true, test: true });
});
after(() => desk?.close());

test('the clock of a test business advances by a week', async () => {
  const { world } = desk;
  const visitor = await desk.window();
  const { page } = visitor;
  await desk.open(visitor, 'developers?tab=clock');
  const before = await nowAtHarbour(world);
  await page.getByLabel('Advance by').selectOption({ label: 'a week' });
  await visitor.checkLive('clock');
  await page.getByRole('button', { name: 'Advance the clock' }).click();
  const shown = page.getByRole('dialog');
  await shown.getByText('Everything that is due until then happens in the background.').waitFor();
  await shown.getByRole('button', { name: 'Advance the clock' }).click();
  await page.getByText('The clock is being advanced.').waitFor();
  await arrived(world);
  assert.ok((await nowAtHarbour(world)) >= before + 7 * DAY);
  const there = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'America/Toronto' });
  await page
    .getByText(there.format(await nowAtHarbour(world)))
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Advance the clock' }).waitFor();
  await visitor.close();
});

test('a live business has no clock to move', async () => {
  const { world } = desk;
  const visitor = await desk.window(await desk.colleague({ providerId: world.meadow }));
  await desk.open(visitor, 'developers?tab=clock', world.meadow);
  await visitor.page.getByRole('link', { name: 'Webhooks' }).waitFor();
  await shows(() => visitor.page.getByRole('link', { name: 'Test clock' }).count(), 0);
  await visitor.close();
});
