/** Sales to people at the desk: memberships that renew, sold at the counter and at the door of a class. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardWorld } from '../test/dashboard-world.ts';
import { confirm, proceed } from '../test/proposals.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { book, newEvent, newOffering } from '../../../../test/schedule-world.ts';
import { shows } from '../../../../test/pages/shows.ts';
import type { Visit } from '../test/window/visit.ts';

let desk: DashboardWorld;
let members: MembershipWorld;
/** the membership for sale: 40.00 a month or 400.00 a year, with a joining fee of 25.00 for the year */
let club: { membership: number; month: number; year: number };
let seller: Visit;

const make = async (path: string, body: object) => {
  const answer = await desk.world.post(path, { as: desk.world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

before(async () => {
  desk = await DashboardWorld.start({ own: true });
  await make('/payment_processors', { kind: 'offline', name: 'Card terminal' });
  members = await MembershipWorld.of(desk.world);
  const { membership, plan: month } = await members.recurring([], {}, { name: 'Rowing Club' });
  const { id: year } = await make('/membership_payment_plans', {
    membership,
    price: '400.00',
    billing_period_length: 12,
    billing_period_unit: 'months',
  });
  await make('/joining_fees', { name: 'Welcome kit', amount: '25.00', plans: [year] });
  club = { membership, month, year };
  seller = await desk.window(await desk.colleague({ permissions: ['pos', 'attendances'] }));
});
after(() => desk?.close());

const held = async (customer: number): Promise<any[]> =>
  (
    await desk.world.get(`/customer_memberships?customer=${customer}&fields=membership,payment_plan,status`, {
      as: desk.world.machine,
    })
  ).body.results;

test('the counter sells a membership that renews, with a choice of payment', async () => {
  const customer = await desk.world.newCustomer({ first_name: 'Beatrix', last_name: 'Nguyen' });
  await desk.open(seller, 'counter');
  const { page } = seller;
  await page.getByRole('combobox', { name: 'Product, membership or class' }).fill('rowing club');
  await page.getByRole('option', { name: /Rowing Club.*40\.00 every month/ }).waitFor();
  await page.getByRole('option', { name: /Rowing Club.*400\.00 every 12 months/ }).click();
  await page.getByRole('combobox', { name: 'Customer' }).fill('Beatrix');
  await page.getByRole('option', { name: /Beatrix Nguyen/ }).click();
  await page.getByText('Total: $425.00').first().waitFor();
  await seller.checkLive('counter-recurring');
  await page.getByRole('button', { name: 'Sell for $425.00', exact: true }).click();
  await confirm(seller, 'Sell for $425.00');
  await page.getByText('To Beatrix Nguyen').first().waitFor();
  const [one] = await held(customer);
  assert.deepEqual([one.membership, one.payment_plan, one.status], [club.membership, club.year, 'active']);
});

test('the overview shows the day up to which every class has an instructor', async () => {
  const owner = await desk.window();
  await newEvent(desk.world, members.place, { in: 24 * 20, name: 'Untaught' });
  await desk.open(owner, 'today');
  await owner.page.getByText('Every class of this day has an instructor').first().waitFor();
});

test('the door sells a membership to a person who can’t be booked without one', async () => {
  const event = await newEvent(desk.world, members.place, { in: 0.25, name: 'Power Yoga' });
  const customer = await desk.world.newCustomer({ first_name: 'Benjamin', last_name: 'Walsh' });
  await desk.open(seller, `door/${event.id}`);
  const { page } = seller;
  await page.getByRole('button', { name: 'Book someone' }).click();
  await page.getByRole('combobox', { name: 'Name of the customer' }).fill('Benjamin');
  await page.getByRole('option', { name: 'Benjamin' }).click();
  await page.getByText('Benjamin Walsh can’t be booked:').waitFor();
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  const what = page.getByLabel('What', { exact: true });
  await shows(
    () => what.locator('option').allInnerTexts(),
    ['Rowing Club – $40.00 every month', 'Rowing Club – $400.00 every 12 months'],
  );
  await what.selectOption({ label: 'Rowing Club – $40.00 every month' });
  await page.getByText('Total: $40.00').first().waitFor();
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  await confirm(seller, 'Sell to Benjamin Walsh');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await confirm(seller, 'Book Benjamin Walsh');
  await page.getByRole('button', { name: 'Present: Benjamin Walsh', exact: true }).waitFor();
  const [one] = await held(customer);
  assert.deepEqual([one.membership, one.payment_plan], [club.membership, club.month]);
});

test('the door says that no membership pays for a booking, not that the person has none', async () => {
  const customer = await desk.world.newCustomer({ first_name: 'Carla', last_name: 'Nilsson' });
  await members.give(customer, club.membership, { payment_plan: club.month });
  const event = await newEvent(desk.world, { ...members.place, offering: await newOffering(desk.world) }, { in: 0.25 });
  assert.equal((await book(desk.world, event.id, customer)).status, 200);
  await desk.open(seller, `door/${event.id}`);
  await seller.page.getByText('Not booked with a membership').first().waitFor();
});

/** Creates a class that costs 22.00 and opens its door with a person of this name about to be booked. */
async function atPricedClass(visitor: Visit, name: string): Promise<{ event: number; customer: number }> {
  const [first_name, last_name] = name.split(' ');
  const customer = await desk.world.newCustomer({ first_name, last_name });
  const offering = await newOffering(desk.world, { dropin_price_minor: 2200 });
  const event = await newEvent(desk.world, { ...members.place, offering }, { in: 0.25, name: 'Power Yoga' });
  await desk.open(visitor, `door/${event.id}`);
  await visitor.page.getByRole('button', { name: 'Book someone' }).click();
  await visitor.page.getByRole('combobox', { name: 'Name of the customer' }).fill(first_name);
  await visitor.page.getByRole('option', { name: first_name }).click();
  await visitor.page
    .getByText(`${name} can be booked. This class costs $22.00, and nothing pays for it yet.`)
    .waitFor();
  return { event: event.id, customer };
}

/** Returns the charges to a customer's account, in order. */
const charges = async (customer: number): Promise<string[]> =>
  (
    await desk.world.get(`/account_entries?customer=${customer}&fields=status,amount&sort=id`, {
      as: desk.world.machine,
    })
  ).body.results.map(({ status, amount }: any) => `${status} ${amount.string}`);

test('the door charges the price of a class to the account, shows who owes it, and takes the payment later', async () => {
  const { page } = seller;
  const { customer } = await atPricedClass(seller, 'Dorothea Lindqvist');
  await page.getByRole('button', { name: 'Add to account', exact: true }).click();
  await confirm(
    seller,
    'Book Dorothea Lindqvist and add the price to their account',
    'The price of the booking is added to the account',
  );
  await page.getByRole('button', { name: 'Present: Dorothea Lindqvist', exact: true }).waitFor();
  assert.deepEqual(await charges(customer), ['open 22.00']);
  // Staff who may not see amounts only see that it isn't paid.
  await page.getByText('Not paid').first().waitFor();
  await page.getByRole('button', { name: 'More about Dorothea Lindqvist' }).click();
  await page.getByRole('button', { name: 'Take payment', exact: true }).click();
  await page.getByText('Total: $22.00').first().waitFor();
  await page.getByRole('button', { name: 'Take payment', exact: true }).click();
  await confirm(seller, 'Take the payment of Dorothea Lindqvist');
  await page.getByText('Not paid').first().waitFor({ state: 'detached' });
  assert.deepEqual(await charges(customer), ['invoiced 22.00']);
});

test('the door takes the payment immediately, or books for free', async () => {
  const { page } = seller;
  const paid = await atPricedClass(seller, 'Emil Sandoval');
  await page.getByRole('button', { name: 'Take payment', exact: true }).click();
  await page.getByText('Total: $22.00').first().waitFor();
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  await confirm(seller, 'Sell to Emil Sandoval');
  await page.getByRole('button', { name: 'Present: Emil Sandoval', exact: true }).waitFor();
  const free = await atPricedClass(seller, 'Fatima Moreau');
  await page.getByRole('button', { name: 'Free', exact: true }).click();
  await confirm(seller, 'Book Fatima Moreau without charge');
  await page.getByRole('button', { name: 'Present: Fatima Moreau', exact: true }).waitFor();
  assert.deepEqual([await charges(paid.customer), await charges(free.customer)], [[], []]);
});

test('staff who may waive charges see the amount owed and waive it with a reason; the counter and the person’s page take the payment', async () => {
  const manager = await desk.window();
  const { page } = manager;
  const { event, customer } = await atPricedClass(manager, 'Gustav Petrov');
  await page.getByRole('button', { name: 'Add to account', exact: true }).click();
  await confirm(manager, 'Book Gustav Petrov and add the price to their account');
  await page.getByText('Owes $22.00').first().waitFor();
  await manager.checkLive('door-owes');
  await page.getByRole('button', { name: 'More about Gustav Petrov' }).click();
  await page.getByRole('button', { name: 'Waive', exact: true }).click();
  await page.getByLabel('Reason', { exact: true }).fill('First visit');
  await proceed(manager, 'Waive');
  await page.getByText('Owes $22.00').first().waitFor({ state: 'detached' });
  assert.deepEqual(await charges(customer), ['voided 22.00']);
  // After cancelling and booking again, the price is owed again.
  for (const action of ['unregister', 'register']) await make(`/events/${event}/${action}`, { customer });
  await desk.open(manager, `people/${customer}?tab=account`);
  await page.getByRole('button', { name: /^Take payment: / }).waitFor();
  await desk.open(manager, 'counter');
  await page.getByRole('combobox', { name: 'Customer' }).fill('Gustav');
  await page.getByRole('option', { name: /Gustav Petrov/ }).click();
  await page.getByRole('button', { name: /^Add: Power Yoga/ }).click();
  await page.getByText('Total: $22.00').first().waitFor();
  await page.getByRole('button', { name: 'Sell for $22.00', exact: true }).click();
  await confirm(manager, 'Sell for $22.00');
  await page.getByText('To Gustav Petrov').first().waitFor();
  assert.deepEqual(await charges(customer), ['voided 22.00', 'invoiced 22.00']);
});
