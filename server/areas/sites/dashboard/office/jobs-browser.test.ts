/**
 * The jobs of owners, managers and instructors: each journey counts its taps and fails over its budget. `docs/jobs.md`
 * lists them with their budgets and today's figures.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { book, newEvent } from '../../../../test/schedule-world.ts';
import { Job } from '../test/job.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { noonTomorrow, type Colleague } from '../test/dashboard-world.ts';
import type { World } from '../../../../test/world.ts';

const HOUR = 3_600_000;
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

const around = (hours: number): number => (noon - world.now) / HOUR + hours;

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

test('a colleague for the front desk is invited from the set-up', async () => {
  const job = await begin('start');
  await job.tap(job.button('Invite someone'));
  const form = job.page.getByRole('dialog');
  await form.getByLabel('First name').fill('Pia');
  await form.getByLabel('Last name').fill('Desk');
  await form.getByLabel('Email address').fill('pia.office@example.com');
  await job.choose(form.getByLabel('What they do'), 'Work at the front desk');
  await job.tap(job.button('Continue'));
  await job.confirm('Invite Pia Desk', 'One person is invited to work here');
  const { results } = await get('/staff?page_size=100');
  const { permissions } = results.find(({ email }: any) => email === 'pia.office@example.com');
  assert.deepEqual([permissions.pos, permissions.super_admin], [true, false]);
  await job.end('Invite a colleague for the front desk');
});

test('a class is cancelled: everyone is notified, and bookings move to another date', async () => {
  const members = await MembershipWorld.of(world);
  const customers = await Promise.all(
    ['Ana', 'Ben'].map((first_name) => world.newCustomer({ first_name, email: `${first_name}.office@example.com` })),
  );
  for (const one of customers) await members.give(one, await members.pack(1));
  const today = await newEvent(world, members.place, { in: around(3), name: 'Slow flow', max_occupancy: 8 });
  const next = await newEvent(world, members.place, { in: around(51), name: 'Slow flow', max_occupancy: 8 });
  for (const one of customers) await book(world, today.id, one);
  const job = await begin(`calendar?event=${today.id}`);
  await job.tap(job.button('Cancel event'));
  const form = job.page.getByRole('dialog').last();
  assert.equal(await form.getByLabel(/^Notify everyone/).isChecked(), true);
  await job.picture('cancel-form');
  await job.choose(form.getByLabel('Move bookings to another date'), 1);
  await job.tap(job.button('Continue'));
  await job.confirm('Cancel event', '2 bookings move to another date');
  await job.page.getByText('Slow flow has been cancelled.').waitFor();
  const { results } = await get(`/attendances?event=${next.id}&status=registered`);
  assert.equal(results.length, 2);
  await job.end('Cancel a class and notify everyone');
});
