/**
 * The jobs of the front desk, on a tablet: each journey counts its taps and fails over its budget, no screen shows a
 * word of the interface, and no window covers another one. `docs/jobs.md` lists the journeys with their budgets and
 * today's figures.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newOffering } from '../../../../test/schedule-world.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { Job } from '../test/job.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { noonTomorrow, type Colleague } from '../test/dashboard-world.ts';
import type { World } from '../../../../test/world.ts';

const TABLET = { width: 1024, height: 768 };
const HOUR = 3_600_000;

let desk: DashboardBrowser;
let world: World;
let members: MembershipWorld;
let clerk: Colleague;
let noon: number;
let drawer: number;

const get = (path: string): Promise<any> => desk.ask('GET', path);

before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
  members = await MembershipWorld.of(world);
  // Only super admins can create customers.
  clerk = await desk.colleague();
  noon = noonTomorrow(world);
  const cash = { kind: 'offline', name: 'Cash', settings: { cash_drawer: 'yes' } };
  drawer = (await desk.ask('POST', '/payment_processors', cash)).id;
  await desk.ask('POST', '/payment_processors', { kind: 'offline', name: 'Card terminal' });
  await desk.ask('POST', '/counter/cash_sessions', { payment_processor: drawer, opening_float: '50.00' });
});
after(() => desk?.close());

const begin = (screen: string): Promise<Job> => Job.begin({ desk, who: clerk, now: noon, size: TABLET }, screen);

const around = (hours: number): number => (noon - world.now) / HOUR + hours;
const named = (first_name: string, last_name: string): Promise<number> => world.newCustomer({ first_name, last_name });

const FIRST_NAMES = ['Ana', 'Ben', 'Cleo', 'Dag', 'Eli'];
const LAST_NAMES = ['Ito', 'Okafor', 'Park', 'Quist'];

test('a full class is checked in with one tap for each person', async () => {
  const event = await newEvent(world, members.place, { in: around(0.25), max_occupancy: 20 });
  const names = FIRST_NAMES.flatMap((first) => LAST_NAMES.map((last) => `${first} ${last}`));
  for (const name of names) {
    const [first, last] = name.split(' ');
    const body = { customer: await named(first, last), comped: true };
    await desk.ask('POST', `/events/${event.id}/register`, body);
  }
  const job = await begin(`door/${event.id}`);
  for (const name of names) await job.tap(job.button(`Present: ${name}`));
  await job.page.getByText('20 of 20 here').waitFor();
  await job.page.waitForFunction(
    () => !Object.keys((globalThis as any).localStorage).some((name: string) => name.startsWith('rollcall.door.')),
  );
  assert.equal((await get(`/attendances?event=${event.id}&status=attended`)).count, 20);
  await job.end('Check in a full class of 20');
});

test('somebody new pays for a single class by card, and is booked', async () => {
  const offering = await newOffering(world, { name: 'Rowing', dropin_price_minor: 1500 });
  const event = await newEvent(world, { ...members.place, offering }, { in: around(0.5) });
  const job = await begin(`door/${event.id}`);
  await job.tap(job.button('Book someone'));
  await job.tap(job.button('New customer'));
  await job.page.getByLabel('First name').fill('Walter');
  await job.page.getByLabel('Last name').fill('Inman');
  await job.tap(job.button('Add and book'));
  await job.page.getByText('Total: $15.00').waitFor();
  await job.picture('walk-in');
  await job.tap(job.page.getByRole('radio', { name: 'Card terminal' }));
  await job.page.getByText('Total: $15.00').waitFor();
  await job.tap(job.button('Sell'));
  await job.confirm('Sell to Walter Inman', 'One place is booked');
  await job.button('Present: Walter Inman').waitFor();
  const [sale] = (await get('/counter/sales?page_size=1')).results;
  assert.notEqual(sale.payments[0].payment_processor, drawer);
  assert.equal(sale.total_amount.string, '15.00');
  await job.end('Walk-in: add a customer, sell a class, book it');
});

test('a booking moves from today to the next date, with its visit and one message', async () => {
  const customer = await named('Mona', 'Mover');
  // No other class has the same offering type.
  const own = await MembershipWorld.of(world);
  await own.give(customer, await own.pack(1));
  const today = await newEvent(world, own.place, { in: around(0.75), name: 'Slow flow' });
  const tomorrow = await newEvent(world, own.place, { in: around(2), name: 'Slow flow' });
  await newEvent(world, own.place, { in: around(50), name: 'Slow flow' });
  await book(world, today.id, customer);
  const job = await begin(`door/${today.id}`);
  await job.tap(job.button('More about Mona Mover'));
  await job.page.getByRole('heading', { name: 'Move to' }).waitFor();
  await job.picture('move');
  const dates = job.page.getByRole('dialog').getByRole('listitem').getByRole('button');
  await job.tap(dates.first());
  await job.confirm('Move', 'One use is returned to a membership');
  await job.button('More about Mona Mover').waitFor({ state: 'detached' });
  const { results } = await get(`/attendances?customer=${customer}&status=registered`);
  assert.deepEqual(
    results.map(({ event }: { event: number }) => event),
    [tomorrow.id],
  );
  await job.end('Move a person from today’s class to its next date');
});

test('a monthly membership is sold to a member at the counter, for cash', async () => {
  await members.recurring([], {}, { name: 'Monthly' });
  const customer = await named('Carla', 'Club');
  const job = await begin('counter');
  await job.page.getByRole('combobox', { name: 'Product, membership or class' }).fill('monthly');
  await job.tap(job.page.getByRole('option', { name: /Monthly/ }).first());
  await job.page.getByRole('combobox', { name: 'Customer' }).fill('Carla');
  await job.tap(job.page.getByRole('option', { name: /Carla Club/ }));
  await job.picture('membership');
  await job.tap(job.page.getByRole('button', { name: /^Sell for / }));
  await job.confirm('Sell for $40.00', 'One membership is sold');
  await job.page.getByText('To Carla Club').first().waitFor();
  assert.equal((await get(`/customer_memberships?customer=${customer}`)).count, 1);
  await job.end('Sell a monthly membership at the counter');
});

test('water is sold for cash, for the exact amount', async () => {
  const { variants } = await desk.ask('POST', '/store/products', { name: 'Water', price: '2.50' });
  const received = { store_product_variant: variants[0], quantity: 20, reason: 'received' };
  await desk.ask('POST', '/store/inventory_adjustments', received);
  const job = await begin('counter');
  await job.tap(job.page.getByRole('group', { name: 'Quick items' }).getByRole('button', { name: /Water/ }));
  await job.tap(job.page.getByRole('button', { name: 'Sell for $2.50', exact: true }));
  await job.confirm('Sell for $2.50', 'One payment is taken');
  await job.page.getByText('No change due').waitFor();
  const [sale] = (await get('/counter/sales?page_size=1')).results;
  assert.deepEqual([sale.payments[0].payment_processor, sale.total_amount.string], [drawer, '2.50']);
  await job.end('Sell water for cash');
});

test('a part of a sale is refunded from the sale', async () => {
  const sale = await desk.ask('POST', '/counter/sales', {
    items: [
      { description: 'Mat rental', unit_price: '5.00', purchase_type: 'store' },
      { description: 'Towel rental', unit_price: '3.00', purchase_type: 'store' },
    ],
    payments: [{ payment_processor: drawer }],
  });
  const job = await begin(`counter?tab=sales&sale=${sale.id}`);
  await job.tap(job.button('Refund'));
  await job.tap(job.page.getByLabel('Some of the lines'));
  await job.tap(job.page.getByLabel(/Towel rental/));
  await job.page.getByLabel('Reason').fill('It was wet.');
  await job.tap(job.button('Continue'));
  await job.confirm('Refund', 'One refund is made');
  await job.page.getByText('−$3.00').first().waitFor();
  assert.equal((await get(`/counter/sales/${sale.id}`)).refunded_amount.string, '3.00');
  await job.end('Refund a part of a sale');
});

test('one look at a person says whether they may come in, why not, and what to do', async () => {
  const customer = await named('Nora', 'Notyet');
  const job = await begin('people?query=notyet');
  await job.tap(job.page.getByRole('link', { name: 'Nora Notyet' }));
  const card = job.page.getByRole('dialog', { name: 'Nora Notyet' });
  await card.getByText('Not booked today, and nothing pays for a class').waitFor();
  await card.getByText('They have no membership.').waitFor();
  const sell = card.getByRole('link', { name: 'Sell', exact: true });
  assert.match((await sell.getAttribute('href'))!, new RegExp(`counter\\?customer=${customer}$`));
  await job.end('See whether a person may come in');
});
