/** From the day to the receipt: free times as people meet them, in a real browser, with and without JavaScript. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../kernel/values/date.ts';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { createUser } from '../../people/identity/index.ts';
import { newPractice, slotsOf, timesOf, type Practice } from '../../../test/slot-world.ts';
import { spokenDate } from '../../../kernel/values/spoken-time.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { TestBrowser, type Visitor } from '../../../test/browser.ts';

const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let c: CheckoutWorld;
let browser: TestBrowser;
before(async () => {
  world = await startWorld({ worker: true });
  c = await CheckoutWorld.of(world);
  browser = await TestBrowser.start(world.url);
});
after(async () => {
  await browser?.close();
  await c?.close();
});

/** A customer with an account, and a browser in which they are logged in. */
async function someone(email: string, scripts = false): Promise<{ customer: number; visitor: Visitor }> {
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const customer = await world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
  const visitor = await browser.visitor(undefined, { scripts });
  return { customer, visitor };
}

const pageOf = ({ offering, date }: Practice, day = date) =>
  `/account/${world.harbour}/slots?offering_type=${offering}&day=${day}`;
const logIn = (visitor: Visitor, email: string) =>
  visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });

test('people choose a day and a time, log in, pay, and are booked; then they move it and cancel it', async () => {
  const practice = await newPractice(world, { dropin_price_minor: 6000 });
  const { customer, visitor } = await someone('ada.slots@example.com');
  await visitor.open(pageOf(practice));
  assert.match(await visitor.text(), /Massage[^]*09:00[^]*16:00/);
  await visitor.checkAccessible('slots-day');
  await visitor.follow('10:00');
  assert.match(await visitor.text(), /10:00 to 11:00[^]*Want this time\?/);
  await visitor.checkAccessible('slots-visitor');
  await visitor.follow('Log in');
  await logIn(visitor, 'ada.slots@example.com');
  assert.match(await visitor.text(), /Book this time[^]*It costs \$60\.00/);
  await visitor.checkAccessible('slots-confirm');
  await visitor.submit('Continue to pay: $60.00');
  assert.match(visitor.path, /\/checkout/);
  assert.match(await visitor.text(), /Massage[^]*10:00 to 11:00[^]*60\.00/);
  await visitor.checkAccessible('slots-checkout');
  assert.ok(!timesOf(await slotsOf(world, practice)).includes('10:00'));
  const { body } = await world.get(`/checkouts?customer=${customer}`, { as: world.machine });
  await c.pay(body.results[0].id, { payment_processor: c.sandbox });
  const { body: booked } = await world.get(`/attendances?customer=${customer}&status=registered`, {
    as: world.machine,
  });
  const event = booked.results[0].event;
  await visitor.open(`/account/${world.harbour}/events/${event}`);
  assert.match(await visitor.text(), /You.re booked[^]*Choose another time/);
  await visitor.checkAccessible('slots-booked');
  await visitor.follow('Choose another time');
  await visitor.open(`${pageOf(practice)}&move=${event}`);
  assert.match(await visitor.text(), /Choose another time: Massage[^]*Keep the time as it is/);
  await visitor.follow('14:00');
  await visitor.checkAccessible('slots-move');
  await visitor.submit('Move to this time');
  assert.match(await visitor.text(), /Moved to the new time\.[^]*2:00–3:00\sp\.m\./);
  assert.ok(timesOf(await slotsOf(world, practice)).includes('10:00'));
  await visitor.submit('Cancel booking');
  assert.ok(timesOf(await slotsOf(world, practice)).includes('14:00'));
});

test('a time that is free of charge is booked immediately, and one that is gone says so and leads to others', async () => {
  const practice = await newPractice(world);
  const { visitor } = await someone('bea.slots@example.com', true);
  const [slot] = await slotsOf(world, practice);
  await visitor.open(`/account/${world.harbour}/slots/${slot.id}`);
  await visitor.follow('Log in');
  await logIn(visitor, 'bea.slots@example.com');
  await world.post(`/slots/${slot.id}/register`, {
    as: world.machine,
    body: { customer: await world.newCustomer() },
  });
  await visitor.submit('Book');
  assert.match(await visitor.text(), /no longer free/);
  await visitor.checkAccessible('slots-gone');
  await visitor.follow('See free times');
  await visitor.follow('11:00');
  await visitor.submit('Book');
  assert.match(await visitor.text(), /Booked\.[^]*11:00\sa\.m\.–12:00\sp\.m\./);
});

test('where nothing is free, the next day that has free times is shown', async () => {
  const practice = await newPractice(world);
  const next = addDays(practice.date, 1);
  const slots = await slotsOf(world, practice);
  for (const slot of slots)
    await world.post(`/slots/${slot.id}/register`, {
      as: world.machine,
      body: { customer: await world.newCustomer() },
    });
  const visitor = await browser.visitor();
  await visitor.open(pageOf(practice));
  const text = await visitor.text();
  assert.ok(text.includes(`Nothing is free on ${spokenDate(practice.date)}`), text);
  assert.ok(text.includes(spokenDate(next)));
  await visitor.checkAccessible('slots-next-day');
});

test('what is no offering of this kind, and an id that is none, are a page that is not there', async () => {
  const visitor = await browser.visitor();
  for (const path of ['slots?offering_type=1', 'slots', 'slots/none']) {
    await visitor.open(`/account/${world.harbour}/${path}`);
    assert.match(await visitor.text(), /Page not found/);
  }
});
