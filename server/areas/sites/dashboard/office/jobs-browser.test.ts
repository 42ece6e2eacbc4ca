/**
 * The jobs of owners, managers and instructors: each journey counts its taps and fails over its budget. `docs/jobs.md`
 * lists them with their budgets and today's figures.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { book, newEvent } from '../../../../test/schedule-world.ts';
import { BillingWorld } from '../../../commerce/billing/test/world.ts';
import { Job } from '../test/job.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { noonTomorrow, type Colleague } from '../test/dashboard-world.ts';
import { pngOf } from '../../../platform/images/test/pictures.ts';
import type { World } from '../../../../test/world.ts';

const HOUR = 3_600_000;
const PHONE = { width: 390, height: 844 };
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

/** Begins on a phone, as an instructor. */
const onPhone = (who: Colleague, screen: string): Promise<Job> =>
  Job.begin({ desk, who, now: noon, size: PHONE }, screen);

const begin = (screen: string): Promise<Job> => Job.begin({ desk, who: owner, now: noon, size: DESKTOP }, screen);

test('a new business is ready to sell: a template, a place, a weekly class, payments, a logo, and its link', async () => {
  const at = world.meadow;
  const who = await desk.colleague({ providerId: at });
  const job = await Job.begin({ desk, who, now: noon, size: DESKTOP, at }, 'start');
  const { page } = job;
  const dialog = page.getByRole('dialog').last();
  const back = (): Promise<void> => job.tap(page.getByRole('navigation').getByRole('link', { name: 'Set-up' }).first());
  await job.tap(job.button('Choose a template'));
  await job.picture('new-template');
  await job.tap(job.button('Create all of it'));
  await page.getByText('Your classes and memberships are ready to edit.').waitFor();
  await job.reach('Start from a template');

  await job.tap(job.button('Add a place'));
  await dialog.getByLabel('Name', { exact: true }).fill('Boat house');
  await job.tap(dialog.getByRole('button', { name: 'Add a place' }));
  await page.getByText('“Boat house” is added.').waitFor();

  await job.tap(page.getByRole('link', { name: 'Schedule it' }));
  await job.choose(dialog.getByLabel('Class', { exact: true }), 2);
  await job.tap(dialog.getByLabel('Mon', { exact: true }));
  await job.picture('new-class');
  await job.tap(job.button('Add class'));
  await page.getByText(/has been created\.$/).waitFor();

  await back();
  await job.tap(page.getByRole('link', { name: 'Add a way to pay' }));
  await dialog.getByLabel('Name', { exact: true }).fill('Cash');
  await job.tap(dialog.locator('button[type=submit]'));
  await dialog.waitFor({ state: 'detached' });

  await back();
  await job.tap(page.getByRole('link', { name: 'Choose them' }));
  const branding = page.getByRole('region', { name: 'Logo, colors and fonts', exact: true });
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer: await pngOf() };
  await job.drop(branding.getByLabel('Logo', { exact: true }), logo);
  await branding.getByRole('button', { name: 'Remove “Logo”' }).waitFor();
  await job.tap(branding.getByRole('button', { name: 'Save', exact: true }));
  await page.getByText('“Logo, colors and fonts” is saved.').waitFor();

  await back();
  await job.tap(job.button('Share your site'));
  await job.picture('new-share');
  await job.tap(job.button('Copy Link to your site'));
  await page.getByText('The link is copied').waitFor();

  const machine = world.staff(['super_admin'], undefined, at);
  const read = async (path: string) => (await world.get(path, { as: machine })).body;
  const { results, count } = await read('/events?sort=start&page_size=2&expand=offering_type');
  assert.ok(count > 20, 'it takes place every week');
  assert.equal(results[0].offering_type.customer_visibility, 'public');
  const sold = (await read('/memberships?for_sale=true')).results.map(({ name }: any) => name);
  for (const name of ['10 visits', 'Monthly membership']) assert.ok(sold.includes(name), name);
  assert.equal((await read('/payment_processors')).results[0].name, 'Cash');
  assert.equal((await read(`/providers/${at}?fields=logo`)).logo.original_width, 40);
  await job.end('Make a new business ready to sell');
});

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

test('failed payments are one list: each is one tap, and so are several', async () => {
  const billing = await BillingWorld.of(world);
  const day = 24 * HOUR;
  world.setNow(noon - 70 * day);
  for (const first_name of ['Olga', 'Pablo']) {
    const email = `${first_name}.fails@example.com`;
    const customer = await world.newCustomer({ first_name, last_name: 'Owes', email });
    await billing.member({ customer });
    await billing.card(customer, 'declined_later');
  }
  world.setNow(noon - 35 * day);
  await billing.bill();
  await billing.dun();
  world.resetNow();
  const begun = await begin('sales?tab=invoices&status=failed');
  const row = begun.page.getByRole('listitem').filter({ hasText: 'Olga Owes' });
  await begun.picture('failed');
  await begun.tap(row.getByRole('button', { name: /^Remind by email/ }));
  await begun.page.getByText('Olga Owes gets a reminder.').waitFor();
  await begun.end('Remind of a failed payment');

  const next = await begin('sales?tab=invoices&status=failed');
  await next.tap(next.page.getByRole('button', { name: /^Email a link for a new card: Olga/ }));
  await next.page.getByText('Olga Owes gets a link').waitFor();
  await next.end('Send a link for a new card');

  const retried = await begin('sales?tab=invoices&status=failed');
  await retried.tap(retried.page.getByRole('button', { name: /^Charge .40.00 again: Olga/ }));
  await retried.page.getByText('The payment of Olga Owes is tried again.').waitFor();
  await retried.end('Try a failed payment again');

  const several = await begin('sales?tab=invoices&status=failed');
  await several.tap(several.button(/^Choose all/));
  await several.tap(several.button('Remind 2 people'));
  await several.picture('failed-several');
  await several.tap(several.page.getByRole('dialog').getByRole('button', { name: /2/ }));
  await several.page.getByRole('dialog').getByText('Done').first().waitFor();
  await several.end('Remind of all failed payments');
});

test('a mail to people who have not come for 14 days is ready to switch on', async () => {
  const job = await begin('workflows');
  await job.picture('workflows');
  await job.tap(job.button(/^No visit for 14 days/));
  const form = job.page.getByRole('dialog');
  assert.match(await form.getByLabel('Message', { exact: true }).inputValue(), /two weeks/);
  await form.getByLabel('Subject', { exact: true }).fill('Come back');
  await job.picture('workflow-ready');
  await job.tap(job.button('Add workflow'));
  await job.page.getByRole('heading', { level: 1, name: 'No visit for 14 days' }).waitFor();
  await job.page.getByText('Email the customer: Come back').first().waitFor();
  await job.picture('workflow');
  const [{ trigger, is_enabled }] = (await get('/crm/workflows')).results;
  assert.deepEqual([trigger, is_enabled], ['customer.inactive', true]);
  await job.end('Email people who haven’t come for 14 days');
});

test('everyone who holds a membership is notified of a higher price that applies in a month', async () => {
  const members = await MembershipWorld.of(world);
  const { membership } = await members.recurring([], {}, { name: 'Gold' });
  for (const first_name of ['Gus', 'Gia']) {
    const customer = await world.newCustomer({ first_name, email: `${first_name}.office@example.com` });
    await members.give(customer, membership);
  }
  const job = await begin(`memberships?tab=plans&membership=${membership}`);
  await job.tap(job.button('Change prices'));
  const form = job.page.getByRole('dialog');
  await form.getByLabel('Percent', { exact: true }).fill('10');
  await job.tap(job.button('Continue'));
  const shown = job.page.getByRole('dialog').filter({ hasText: 'If you continue:' });
  await shown.getByText('2 people are notified by email.').waitFor();
  await job.picture('prices');
  await job.tap(shown.getByRole('button', { name: 'Notify and schedule' }));
  await job.page.getByText(/^New price from .*: \+10 %/).waitFor();
  await job.picture('prices-ahead');
  const { results } = await get(`/membership_price_changes?membership=${membership}`);
  assert.deepEqual([results[0].status, results[0].percent], ['scheduled', 10]);
  await job.end('Raise the price of all holders, with notice');
});

test('the journal of the last month is one file for the accountant', async () => {
  const job = await begin('sales');
  await job.tap(job.page.getByRole('link', { name: 'Books', exact: true }));
  const journal = job.page.waitForEvent('download');
  await job.tap(job.button('Export journal (CSV)'));
  assert.match((await journal).suggestedFilename(), /^journal-2026-06-01-2026-06-30\.csv$/);
  await job.end('Get the accountant’s month');
});

test('an instructor sees on a phone who comes, marks them, asks for a substitute, and sees their pay', async () => {
  const who = await desk.colleague({ permissions: ['instructor_attendances', 'instructor_manage_events'] });
  const { id } = await desk.ask('POST', '/instructors', { staff: who.staffId, name: 'Kim Reyes' });
  const members = await MembershipWorld.of(world);
  const event = await newEvent(world, members.place, { in: around(0.4), name: 'Noon flow', instructors: [id] });
  const customer = await world.newCustomer({ first_name: 'Tia', last_name: 'Taught' });
  await desk.ask('POST', `/events/${event.id}/register`, { customer, comped: true });

  const marking = await onPhone(who, 'mine');
  await marking.tap(marking.page.getByRole('link', { name: /^Roster of Noon flow/ }));
  await marking.tap(marking.button('Present: Tia Taught'));
  await marking.page.getByText('1 of 1 here').waitFor();
  await marking.picture('phone-roster');
  await marking.page.waitForFunction(
    () => !Object.keys((globalThis as any).localStorage).some((name: string) => name.startsWith('rollcall.door.')),
  );
  await marking.end('See who comes to my class, and mark them');

  const asking = await onPhone(who, 'mine');
  await asking.page.getByRole('heading', { name: 'Your pay' }).waitFor();
  await asking.picture('phone-mine');
  await asking.tap(asking.page.getByRole('button', { name: /^Ask for a substitute/ }).first());
  await asking.picture('phone-ask');
  await asking.tap(asking.button('Continue'));
  await asking.confirm('Ask for a substitute', 'One substitute is asked for');
  await asking.page.getByText('You’ve asked for a substitute.').waitFor();
  await asking.end('Ask for a substitute');
});
