/** All bookings of a customer: what is coming up, what is past, and the way to book it again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { createUser } from '../../people/identity/index.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PageBrowser } from '../../../test/pages/page-visitor.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { row } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';

const PASSWORD = 'otter kettle midnight ferry';
const HOUR = 3_600_000;

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(async () => {
  await c?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;

async function someone(email: string, over: object = {}): Promise<number> {
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  return world.newCustomer({ user_id: userId, email, first_name: 'Ada', ...over });
}

async function booked(customer: number, name: string, hours: number): Promise<number> {
  const event = await c.memberEvent({ name, in: hours });
  const answer = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer } });
  assert.equal(answer.status, 200, answer.text);
  return event;
}

const later = (hours: number): void => world.setNow(world.now + hours * HOUR);

async function client(email: string, language = 'en'): Promise<PageClient> {
  const pages = new PageClient(world.url);
  pages.headers = { 'accept-language': language };
  await pages.get(at('log-in'));
  await pages.post(at('log-in'), { email, password: PASSWORD });
  return pages;
}

test('each booking is one tap from the account, and a past class leads to the same class in the timetable', async () => {
  const family_id = await row(world, 'family', {});
  const email = 'ada.bookings@example.com';
  const ada = await someone(email, { family_id, family_role: 'manager' });
  const kid = await world.newCustomer({ family_id, family_role: 'child', first_name: 'Kit' });
  await booked(ada, 'Past rowing', 2);
  const missed = await booked(kid, 'Missed rowing', 4);
  later(8);
  const attendance = (await c.read(`/attendances?event=${missed}&customer=${kid}`)).results[0].id;
  const marked = await world.patch(`/attendances/${attendance}`, { as: world.machine, body: { status: 'no_show' } });
  assert.equal(marked.status, 200, marked.text);
  for (const n of [1, 2, 3, 4, 5, 6, 7]) await booked(ada, `Rowing ${n}`, n * 24);

  const visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  assert.doesNotMatch(await visitor.text(), /Rowing 7/, 'the account shows only the next ones');
  await visitor.leave(visitor.page.getByRole('link', { name: 'All bookings' }));
  await visitor.checkAccessible('bookings');
  assert.match(await visitor.text(), /Rowing 1[^]*Rowing 7/);
  assert.doesNotMatch(await visitor.text(), /Past rowing/);

  await visitor.open(at('profile'));
  await visitor.leave(visitor.page.getByRole('link', { name: 'Past bookings' }));
  await visitor.checkAccessible('past-bookings');
  assert.match(await visitor.text(), /Missed rowing for Kit[^]*Missed[^]*Past rowing/);
  assert.doesNotMatch(await visitor.text(), /Rowing 1/);
  await visitor.leave(visitor.page.getByRole('link', { name: 'Book again: Past rowing' }));
  assert.equal(visitor.url.searchParams.get('what'), String(c.m.offering));
  assert.match(await visitor.text(), /Rowing 1/);
  await visitor.close();
});

test('long lists are shown a page at a time', async () => {
  const eve = await someone('eve.bookings@example.com');
  for (let n = 1; n <= 31; n++) await booked(eve, `Class ${n}.`, n);
  const pages = await client('eve.bookings@example.com');
  const [first, second] = [await pages.get(at('profile/bookings')), await pages.get(at('profile/bookings?page=2'))];
  assert.match(first.text, /Class 30\.[^]*page=2/);
  assert.match(second.text, /Class 31\.[^]*page=1/);
  later(40);
  const past = await pages.get(at('profile/bookings/past'));
  assert.match(past.text, /Class 31\.[^]*Class 2\.[^]*page=2/, 'the latest comes first');
  assert.match((await pages.get(at('profile/bookings?page=x'))).text, /You haven.{1,6}t booked anything/);
});

// Guards against: A customer reads or acts for somebody else
test('nobody sees bookings of others, and somebody without a record is led to their account', async () => {
  const mallory = await client((await someone('mallory.bookings@example.com'), 'mallory.bookings@example.com'));
  assert.match((await mallory.get(at('profile/bookings'))).text, /You haven.{1,6}t booked anything/);
  assert.match((await mallory.get(at('profile/bookings/past'))).text, /Nothing yet/);
  assert.match((await new PageClient(world.url).get(at('profile/bookings'))).headers.get('location')!, /log-in/);
});

test('visits at the former product are a list of their own, after the last past booking', async () => {
  const ivy = await someone('ivy.bookings@example.com');
  const other = await someone('joe.bookings@example.com');
  const visit = { date: '2025-05-06', source: 'file' };
  await row(world, 'past_visit', { ...visit, customer_id: ivy, name: 'Barre', status: 'no_show', source_key: 'ivy 1' });
  const known = { start_time: '18:30', instructor_name: 'Mia <Voss>', status: 'attended' };
  await row(world, 'past_visit', { ...visit, ...known, customer_id: ivy, name: null, source_key: 'ivy 2' });
  await row(world, 'past_visit', {
    ...visit,
    customer_id: other,
    name: 'Aerial',
    status: 'attended',
    source_key: 'joe',
  });
  const pages = await client('ivy.bookings@example.com');
  assert.match((await pages.get(at('profile/bookings/past'))).text, /bookings\/earlier[^]*Earlier visits/);
  const { status, text } = await pages.get(at('profile/bookings/earlier'));
  assert.equal(status, 200);
  assert.match(text, /Barre[^]*Missed[^]*6 May 2025|Barre[^]*Missed[^]*May 6, 2025/);
  assert.match(text, /18:30 · Mia &lt;Voss&gt;|6:30.p\.?m\.? · Mia &lt;Voss&gt;/i);
  assert.doesNotMatch(text, /Aerial/);
  const mallory = await client((await someone('kim.bookings@example.com'), 'kim.bookings@example.com'));
  assert.doesNotMatch((await mallory.get(at('profile/bookings/past'))).text, /bookings\/earlier/);
  assert.match((await mallory.get(at('profile/bookings/earlier'))).text, /There are no earlier visits/);
});

test('bookings can be read in every language', async () => {
  const ole = await someone('ole.bookings@example.com');
  await booked(ole, '1', 2);
  later(4);
  await booked(ole, '2', 2);
  const english = /\b(booking|bookings|again|Past|Coming|See|cancel|Back to)\b/i;
  for (const language of Object.keys(LANGUAGES).filter((one) => one !== 'en')) {
    const pages = await client('ole.bookings@example.com', language);
    for (const page of ['profile/bookings', 'profile/bookings/past', 'profile/bookings/earlier']) {
      const { text } = await pages.get(at(page));
      assert.doesNotMatch(text.slice(text.indexOf('<main')).replaceAll(/<[^>]*>/g, ' '), english, language);
    }
  }
});
