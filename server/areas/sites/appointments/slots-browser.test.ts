/** From the day to the receipt: free times as people experience them, without JavaScript and once with it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/date.ts';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { dayIn } from '../../../kernel/base/languages/times.ts';
import { createUser } from '../../people/identity/index.ts';
import { newPractice, slotsOf, timesOf, type Practice } from '../../../test/worlds/slot-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { TestBrowser } from '../../../test/pages/browser.ts';

const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let c: CheckoutWorld;
let browser: PageBrowser;
let slug: string;
before(async () => {
  world = await startWorld({ worker: true });
  c = await CheckoutWorld.of(world);
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
  browser = new PageBrowser(world.url);
});
after(async () => {
  await c?.close();
});

/** Creates a customer with an account. */
async function someone(email: string): Promise<number> {
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  return world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
}

/** Formats a date as a page does for this browser. */
const dayOf = (date: string): string => dayIn('en-CA', Date.parse(`${date}T12:00Z`), 'UTC');

const pageOf = ({ offering, date }: Practice, day = date) =>
  `/account/${world.harbour}/slots?offering_type=${offering}&day=${day}`;
const logIn = (visitor: Pick<PageVisitor, 'submit'>, email: string) =>
  visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });

test('people choose a day and a time, log in, pay, and are booked; then they move the booking and cancel it', async () => {
  const practice = await newPractice(world, { dropin_price_minor: 6000 });
  const customer = await someone('ada.slots@example.com');
  const visitor = await browser.visitor();
  await visitor.open(pageOf(practice));
  assert.equal(visitor.path, `/${slug}/book/${practice.offering}`);
  assert.match(await visitor.text(), /Massage[^]*60 minutes · \$60\.00[^]*9:00\sa\.m\.[^]*4:00\sp\.m\./);
  await visitor.checkAccessible('slots-day');
  await visitor.follow('10:00 a.m.');
  assert.match(await visitor.text(), /10:00–11:00\sa\.m\.[^]*Want this time\?/);
  await visitor.checkAccessible('slots-visitor');
  await visitor.follow('Log in');
  await logIn(visitor, 'ada.slots@example.com');
  assert.match(await visitor.text(), /Book this time[^]*It costs \$60\.00/);
  await visitor.checkAccessible('slots-confirm');
  await visitor.submit('Continue to pay: $60.00');
  assert.match(visitor.path, /\/checkout/);
  assert.match(await visitor.text(), /Massage[^]*10:00–11:00[^]*60\.00/);
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
  await visitor.follow('2:00 p.m.');
  await visitor.checkAccessible('slots-move');
  await visitor.submit('Move to this time');
  assert.match(await visitor.text(), /Moved to the new time\.[^]*2:00–3:00\sp\.m\./);
  assert.ok(timesOf(await slotsOf(world, practice)).includes('10:00'));
  await visitor.submit('Cancel booking');
  assert.ok(timesOf(await slotsOf(world, practice)).includes('14:00'));
});

test('a free time without a price is booked immediately, and one that is gone says so and leads to others', async (t) => {
  const practice = await newPractice(world);
  await someone('bea.slots@example.com');
  const withScripts = await TestBrowser.start(world.url);
  t.after(() => withScripts.close());
  const visitor = await withScripts.visitor(undefined, { scripts: true });
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
  await visitor.follow('11:00 a.m.');
  await visitor.submit('Book');
  assert.match(await visitor.text(), /Booked\.[^]*11:00\sa\.m\.–12:00\sp\.m\./);
});

test('if no time is free, the next day with free times is shown', async () => {
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
  assert.ok(text.includes(`Nothing is free on ${dayOf(practice.date)}`), text);
  assert.ok(text.includes(dayOf(next)));
  await visitor.checkAccessible('slots-next-day');
});

test('another kind of offering and an invalid id show the page for a missing one', async () => {
  const visitor = await browser.visitor();
  for (const path of ['slots?offering_type=999999999', 'slots/none']) {
    await visitor.open(`/account/${world.harbour}/${path}`);
    assert.match(await visitor.text(), /Page not found/);
  }
  await visitor.follow('Everything that can be booked');
  assert.match(await visitor.text(), /Book a time/);
});

test('people choose what, with whom and when in three steps, in their language', async () => {
  const practice = await newPractice(world, {
    instructors: 2,
    name: 'Physiotherapy after an operation or an injury',
    description: 'An hour for what hurts.\n\nBring your papers.',
    dropin_price_minor: 8500,
  });
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}`);
  await visitor.follow('See the next free times');
  assert.match(await visitor.text(), /Physiotherapy[^]*Next free time: \w+, \w+ \d+, \d+:00\s[ap]\.m\./);
  await visitor.checkAccessible('book');
  await visitor.leave(visitor.page.getByRole('link', { name: 'Choose a time: Physiotherapy' }));
  const all = await visitor.page.locator('.times a').count();
  await visitor.checkAccessible('book-times');
  const [teacher] = practice.instructors;
  await visitor.page.locator('summary').click();
  await visitor.page.getByLabel('With').selectOption(String(teacher));
  await visitor.leave(visitor.page.getByRole('button', { name: 'Show free times' }));
  const shown = await visitor.page.locator('.times a').count();
  assert.ok(shown > 0 && shown < all, `${shown} of ${all}`);
  await visitor.follow('Deutsch');
  assert.match(await visitor.text(), /60 Minuten · 85,00\s[^]*Freie Termine zeigen/);
  await visitor.checkAccessible('book-german');
  await visitor.leave(visitor.page.locator('.times a').first());
  assert.match(await visitor.text(), /Möchten Sie diesen Termin\?/);
  await visitor.follow('Polski');
  assert.match(await visitor.text(), /Chcesz ten termin\?/);
  await visitor.checkAccessible('book-polish');
  await visitor.close();
});
