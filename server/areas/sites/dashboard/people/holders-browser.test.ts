/** Memberships of customers, as staff manage them in a browser. The results are checked through the interface. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { bill } from '../../../../test/worlds/billed.ts';
import { button, confirm, field, goOn, noteRefusals, saying } from '../test/membership-steps.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { look } from '../test/dashboard-world.ts';
import { Keyboard } from '../test/hands.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { shows } from '../../../../test/pages/shows.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { Visitor } from '../../../../test/pages/browser.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
let m: MembershipWorld;
let visitor: Visitor;
const forbidden: string[] = [];

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;

before(async () => {
  desk = await DashboardBrowser.start({ worker: true });
  ({ world } = desk);
  m = await MembershipWorld.of(world);
  visitor = await desk.visitor(await desk.colleague({ permissions: ['customers'] }));
  noteRefusals(visitor, forbidden);
});
after(() => desk?.close());
afterEach(() => assert.deepEqual(forbidden, []));

const customer = (first_name: string, last_name: string) => world.newCustomer({ first_name, last_name });
const today = () => wallAt(world.now, 'America/Toronto').date;

test('a price change for all holders of a membership shows each old and new price, and commits exactly these', async () => {
  const { membership } = await m.recurring([], {}, { name: 'Climbing club' });
  const [ada, ben] = [await customer('Ada', 'Lane'), await customer('Ben', 'Okafor')];
  const first = await m.give(ada, membership);
  const second = await m.give(ben, membership, { billed_price: '30.00' });
  await desk.open(visitor, `memberships?membership=${membership}`);
  const { page } = visitor;
  await button(visitor, 'Change prices').click();
  await field(visitor, 'From').fill('');
  await field(visitor, 'Percent').fill('12,5');
  await button(visitor, 'Continue').click();
  const rowOf = (name: string) => page.getByRole('dialog').last().getByRole('row', { name });
  await rowOf('Ada Lane').getByText('$45.00').waitFor();
  await rowOf('Ada Lane').getByText('$40.00').waitFor();
  await rowOf('Ben Okafor').getByText('$33.75').waitFor();
  await saying(visitor, '2 of 2 prices change: from $70.00 to $78.75 in total');
  await look(visitor, 'holders-prices');
  await confirm(visitor, 'Change the prices');
  // A job does the work, one membership after another.
  const results = page.getByRole('list', { name: 'Result for each' }).getByRole('listitem');
  await shows(
    async () => (await results.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')).toSorted(),
    ['Ada Lane Done', 'Ben Okafor Done'],
  );
  await saying(visitor, '2 of 2 done');
  await button(visitor, 'Export the results (CSV)').waitFor();
  await look(visitor, 'holders-results');
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('list', { name: 'Who holds it' }).getByText('$33.75').waitFor();
  const prices = await Promise.all([first, second].map(({ id }) => get(`/customer_memberships/${id}`)));
  assert.deepEqual(
    prices.map(({ billed_price }) => billed_price.string),
    ['45.00', '33.75'],
  );
});

test('in a list of holders that is too long to read, those whose price stays come first, with the reason', async () => {
  const { membership } = await m.recurring([], {}, { name: 'Judo club' });
  const more = 3;
  const owned: number[] = [];
  for (let n = 0; n < 100 + more; n++)
    owned.push((await m.give(await customer(`Nia ${n}`, 'Rossi'), membership, { billed_price: '20.00' })).id);
  const cheap = await m.give(await customer('Zoe', 'Little'), membership, { billed_price: '5.00' });
  await desk.open(visitor, `memberships?membership=${membership}`);
  const { page } = visitor;
  await button(visitor, 'Change prices').click();
  await field(visitor, 'From').fill('');
  await field(visitor, 'How the price changes').selectOption({ label: 'By an amount' });
  await field(visitor, 'Difference in CAD').fill('-8');
  await button(visitor, 'Continue').click();
  await confirm(visitor, 'Change the prices');
  await saying(visitor, `${owned.length + 1} of ${owned.length + 1} done`);
  const results = page.getByRole('list', { name: 'Result for each' }).getByRole('listitem');
  await shows(() => results.first().innerText(), /Zoe Little.*-3\.00/s);
  await shows(() => results.count(), 100);
  await saying(visitor, `${more + 1} more results aren’t listed here. The file has all of them.`);
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
  assert.equal((await get(`/customer_memberships/${owned[0]}`)).billed_price.string, '12.00');
  assert.equal((await get(`/customer_memberships/${cheap.id}`)).billed_price.string, '5.00');
});

test('a price that would be negative stays, with the reason', async () => {
  const { membership } = await m.recurring([], {}, { name: 'Rowing club' });
  const owned = await m.give(await customer('Efua', 'Mensah'), membership, { billed_price: '5.00' });
  await desk.open(visitor, `memberships?membership=${membership}`);
  await button(visitor, 'Change prices').click();
  await field(visitor, 'From').fill('');
  await field(visitor, 'How the price changes').selectOption({ label: 'By an amount' });
  await field(visitor, 'Difference in CAD').fill('-8');
  await button(visitor, 'Continue').click();
  await saying(visitor, /would become -3\.00/);
  await visitor.page.getByRole('dialog').last().getByRole('button', { name: 'Back' }).last().click();
  assert.equal((await get(`/customer_memberships/${owned.id}`)).billed_price.string, '5.00');
});

test('by keyboard, holds are changed one by one and together, each with its result, and ended', async () => {
  const { membership } = await m.recurring([], {}, { name: 'Yoga club' });
  const holds: number[] = [];
  const start_date = addDays(today(), 3);
  for (const name of ['Gita', 'Hugo']) {
    const owned = await m.give(await customer(name, 'Brandt'), membership);
    const made = await world.post('/customer_membership_holds', {
      as: world.machine,
      body: { customer_membership: owned.id, start_date, end_date: addDays(start_date, 6) },
    });
    assert.equal(made.status, 201, made.text);
    holds.push(made.body.id);
  }
  await desk.open(visitor, 'memberships?tab=holds');
  const { page } = visitor;
  const hands = new Keyboard(page);
  await hands.press(button(visitor, 'Edit: Gita Brandt: Yoga club'));
  await hands.date(field(visitor, 'Last day'), addDays(start_date, 9));
  await goOn(visitor, 'Save', hands);
  await hands.press(button(visitor, 'Money: Gita Brandt: Yoga club'));
  await page.getByRole('dialog').getByRole('heading', { name: 'The billing period in which it begins' }).waitFor();
  await page.keyboard.press('Escape');
  for (const name of ['Gita', 'Hugo']) {
    const box = page.getByRole('checkbox', { name: `Choose the hold of ${name} Brandt: Yoga club` });
    await box.focus();
    await page.keyboard.press('Space');
  }
  await hands.press(button(visitor, 'Change 2 holds'));
  await hands.choose(field(visitor, 'What changes'), 'Some days longer');
  await hands.type(field(visitor, 'How many days longer'), '3');
  await goOn(visitor, 'Change 2 holds', hands);
  await saying(visitor, 'Done');
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last());
  const ends = await Promise.all(holds.map((id) => get(`/customer_membership_holds/${id}`)));
  assert.deepEqual(
    ends.map(({ end_date }) => end_date),
    [addDays(start_date, 12), addDays(start_date, 9)],
  );
  await look(visitor, 'holders-holds');
  await hands.press(button(visitor, 'End: Hugo Brandt: Yoga club'));
  await confirm(visitor, 'End', hands);
  await button(visitor, 'End: Hugo Brandt: Yoga club').waitFor({ state: 'detached' });
  const gone = await world.get(`/customer_membership_holds/${holds[1]}`, { as: world.machine });
  assert.equal(gone.status, 404, 'not a day of it had passed');
});

test('on the page of a person, a membership is given, shared with the family, replaced, cancelled and reactivated', async () => {
  const small = await m.pack(5, { name: 'Five visits', one_time_fee: '50.00' });
  await m.pack(20, { name: 'Twenty visits', one_time_fee: '180.00' });
  const person = await customer('Ines', 'Costa');
  await desk.open(visitor, `people/${person}?tab=memberships`);
  const { page } = visitor;
  await button(visitor, 'Give a membership').click();
  await field(visitor, 'Membership').selectOption(String(small));
  await goOn(visitor, 'Give a membership');
  const five = page.getByRole('group', { name: 'Five visits' });
  await five.getByRole('button', { name: 'Share' }).click();
  await button(visitor, 'Share with the whole family').click();
  await confirm(visitor, 'Share with the whole family');
  await saying(visitor, 'Shared with the whole family');
  await page.keyboard.press('Escape');
  const [owned] = (await get(`/customer_memberships?customer=${person}`)).results;
  assert.equal((await get(`/customer_memberships/${owned.id}/share_status`)).family, true);
  await bill(desk.world, owned.id);

  await five.getByRole('button', { name: 'Upgrade' }).click();
  await field(visitor, 'Membership').selectOption({ label: 'Twenty visits · $180.00' });
  await button(visitor, 'Continue').click();
  await saying(visitor, '$50.00 is credited for the unused part.');
  await look(visitor, 'holders-upgrade');
  await confirm(visitor, 'Upgrade');
  const twenty = page.getByRole('group', { name: 'Twenty visits' });
  await twenty.getByText('Active', { exact: true }).waitFor();
  const [now] = (await get(`/customer_memberships?customer=${person}&status=active`)).results;
  assert.equal(now.name, 'Twenty visits');

  await twenty.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('radio', { name: 'On a day that you choose' }).check();
  await field(visitor, 'Last day').fill(addDays(today(), 5));
  await goOn(visitor, 'Cancel membership');
  await twenty.getByRole('button', { name: 'Reactivate' }).click();
  await goOn(visitor, 'Reactivate');
  await twenty.getByRole('button', { name: 'Cancel' }).waitFor();
  const after = await get(`/customer_memberships/${now.id}`);
  assert.deepEqual([after.status, after.is_set_for_cancellation], ['active', false]);
  await look(visitor, 'holders-person');
});

test('a plan is replaced by another at its end, and the next one is already there', async () => {
  const { membership } = await m.recurring([], {}, { name: 'Gold' });
  const { membership: silver } = await m.recurring([], { price: '20.00' }, { name: 'Silver' });
  const person = await customer('Jan', 'Visser');
  const owned = await m.give(person, membership);
  await desk.open(visitor, `people/${person}?tab=memberships`);
  await visitor.page.getByRole('group', { name: 'Gold' }).getByRole('button', { name: 'Change at the end' }).click();
  await field(visitor, 'Membership').selectOption(String(silver));
  await goOn(visitor, 'Change at the end');
  await visitor.page.getByRole('group', { name: 'Silver' }).waitFor();
  const [before, next] = await Promise.all([
    get(`/customer_memberships/${owned.id}`),
    get(`/customer_memberships?customer=${person}&membership=${silver}`),
  ]);
  assert.deepEqual([before.is_set_for_cancellation, before.cancellation_reason], [true, 'downgraded']);
  assert.equal(next.results[0].start_date, addDays(before.expiration_date, 1));
});
