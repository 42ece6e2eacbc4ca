/**
 * The jobs of owners, managers and instructors: each journey counts its taps and fails over its budget. `docs/jobs.md`
 * lists them with their budgets and today's figures.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { Job } from '../test/job.ts';
import { noonTomorrow, type Colleague } from '../test/dashboard-world.ts';
import type { World } from '../../../../test/world.ts';

const DESKTOP = { width: 1280, height: 800 };

let desk: DashboardBrowser;
let world: World;
let owner: Colleague;
let noon: number;

const get = (path: string): Promise<any> => desk.ask('GET', path);

before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
  owner = await desk.colleague();
  noon = noonTomorrow(world);
});
after(() => desk?.close());

const begin = (screen: string): Promise<Job> => Job.begin({ desk, who: owner, now: noon, size: DESKTOP }, screen);

test('the first weekly class of a new business is one form', async () => {
  await desk.ask('POST', '/venues', { name: 'Studio', venue_type: 'physical', timezone: 'UTC' });
  const job = await begin('calendar');
  await job.tap(job.button('New class'));
  const form = job.page.getByRole('dialog');
  await form.getByLabel('Name', { exact: true }).fill('Evening flow');
  for (const day of ['Mon', 'Wed', 'Fri']) await job.tap(form.getByLabel(day, { exact: true }));
  await form.getByLabel('Places', { exact: true }).fill('12');
  await job.picture('weekly-class');
  await job.tap(job.button('Add class'));
  await job.page.getByText('Evening flow has been created.').waitFor();
  const [kind] = (await get('/offering_types?name_contains=Evening')).results;
  const { results, count } = await get(`/events?offering_type=${kind.id}&sort=start&page_size=3`);
  assert.ok(count > 100);
  assert.deepEqual(new Set(results.map((event: any) => new Date(event.starts_at).getUTCDay())), new Set([1, 3, 5]));
  assert.ok(results.every((event: any) => event.max_occupancy === 12 && event.starts_at.slice(11, 16) === '18:00'));
  await job.end('Schedule a weekly class on three days');
});
