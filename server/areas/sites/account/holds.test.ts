/** Customers put memberships on hold themselves, after an exact preview of the effects. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/date.ts';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { createUser } from '../../people/identity/index.ts';
import { dateIn } from '../../../kernel/base/languages/times.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser } from '../../../test/pages/page-visitor.ts';
import { instantOfWall, wallAt } from '../../../kernel/base/values/zone.ts';

const PASSWORD = 'otter kettle midnight ferry';
/** zone of Harbour */
const ZONE = 'America/Toronto';

let world: World;
let c: CheckoutWorld;
let browser: PageBrowser;
let today: string;
before(async () => {
  world = await startWorld();
  // Days are counted from today: it is noon, so the day doesn't change.
  today = wallAt(world.now, ZONE).date;
  world.setNow(instantOfWall(`${today}T12:00:00`, ZONE));
  c = await CheckoutWorld.of(world);
  browser = new PageBrowser(world.url);
  await posted(
    `/providers/${world.harbour}`,
    { membership_settings: { bookings_without_membership: 'cancel' } },
    'PATCH',
  );
});
after(async () => {
  await c?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;

async function posted(path: string, body: object, method: 'POST' | 'PATCH' = 'POST'): Promise<any> {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

async function someone(email: string): Promise<number> {
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  return world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
}

/** Logs somebody in who reads this language. */
async function client(email: string, language = 'en'): Promise<PageClient> {
  const pages = new PageClient(world.url);
  pages.headers = { 'accept-language': language };
  await pages.get(at('log-in'));
  await pages.post(at('log-in'), { email, password: PASSWORD });
  return pages;
}

const holdsOf = async (owned: number): Promise<any[]> =>
  (await c.read(`/customer_membership_holds?customer_membership=${owned}`)).results;

/** Creates a membership with an end date that customers can put on hold. */
const club = async (customer: number, over: object = {}): Promise<number> => {
  const sold = await c.m.pack(10, { name: 'Ten visits', customers_can_hold: true, ...over });
  return (await c.m.give(customer, sold, { expiration_date: addDays(today, 100) })).id;
};

const day = (date: string): string => dateIn('en-US', date);

const hidden = (text: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)![1];

test('a customer previews a hold, creates it, and ends it', async () => {
  const ada = await someone('ada.holds@example.com');
  const owned = await club(ada);
  const event = await c.memberEvent({ name: 'Morning rowing', in: 24 * 3 });
  await posted(`/events/${event}/register`, { customer: ada });
  const visitor = await browser.visitor();
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': 'ada.holds@example.com', Password: PASSWORD });
  await visitor.follow('Memberships');
  await visitor.leave(visitor.page.getByRole('link', { name: 'Put on hold: Ten visits' }));
  await visitor.checkAccessible('hold');
  const [start, end] = [addDays(today, 1), addDays(today, 10)];
  await visitor.submit('See what changes', { 'First day': start, 'Last day': end });
  const told = await visitor.text();
  for (const line of [
    `On hold from ${day(start)} to ${day(end)} (10 days)`,
    `It then ends on ${day(addDays(today, 110))} instead of ${day(addDays(today, 100))}.`,
    'Morning rowing',
    'the booking is cancelled.',
  ])
    assert.ok(told.includes(line), `${line}: ${told}`);
  await visitor.checkAccessible('hold-proposal');
  assert.deepEqual(await holdsOf(owned), [], 'nothing is done by looking');

  await visitor.submit('Put on hold');
  assert.match(await visitor.text(), /Your hold is set\./);
  const [hold] = await holdsOf(owned);
  assert.deepEqual([hold.start_date, hold.end_date, hold.made_by], [start, end, 'customer']);
  assert.equal((await c.read(`/customer_memberships/${owned}`)).expiration_date, addDays(today, 110));
  assert.equal((await c.read(`/attendances?event=${event}&customer=${ada}&status=registered`)).count, 0);

  await visitor.submit('Remove the hold');
  assert.match(await visitor.text(), /as if it had never been made/);
  await visitor.checkAccessible('hold-removal');
  await visitor.submit('Remove the hold');
  await visitor.checkAccessible('hold-removed');
  assert.deepEqual(await holdsOf(owned), []);
  assert.equal((await c.read(`/customer_memberships/${owned}`)).expiration_date, addDays(today, 100));
  await visitor.close();
});

test('people agree only to what was shown: if it has changed, it is shown first', async () => {
  const eve = await someone('eve.holds@example.com');
  const owned = await club(eve);
  const pages = await client('eve.holds@example.com');
  const page = at(`profile/holds/${owned}`);
  await pages.get(page);
  const days = { act: 'hold', start: addDays(today, 1), end: addDays(today, 10) };
  const shown = await pages.post(page, days);
  assert.match(shown.text, /No bookings are affected/);
  const event = await c.memberEvent({ name: 'Late rowing', in: 24 * 4 });
  await posted(`/events/${event}/register`, { customer: eve });
  const again = await pages.post(page, { ...days, seen: hidden(shown.text, 'seen') });
  assert.match(again.text, /Late rowing[^]*cancelled/);
  assert.deepEqual(await holdsOf(owned), []);
  assert.equal((await pages.post(page, { ...days, seen: hidden(again.text, 'seen') })).status, 303);
  assert.equal((await holdsOf(owned)).length, 1);
  // The button is pressed twice: the second time shows a refusal.
  const twice = await pages.post(page, { ...days, seen: hidden(again.text, 'seen') });
  assert.match(twice.text, /It is already on hold from/);
  assert.equal((await holdsOf(owned)).length, 1);
});

test('errors are in the language of the person, and the number of holds is limited by the membership', async () => {
  const gil = await someone('gil.holds@example.com');
  const owned = await club(gil, { name: 'Zehn Besuche', max_hold_days_per_year: 5 });
  const pages = await client('gil.holds@example.com', 'de');
  const page = at(`profile/holds/${owned}`);
  await pages.get(page);
  const send = (start: string, end: string) => pages.post(page, { act: 'hold', start, end });
  assert.match((await send('soon', '')).text, /Geben Sie ein Datum ein/);
  assert.match((await send(addDays(today, -1), today)).text, /Muss heute, [^<]*, oder später sein/);
  assert.match((await send(addDays(today, 3), addDays(today, 2))).text, /Muss der erste Tag, [^<]*, oder später sein/);
  assert.match(
    (await send(addDays(today, 1), addDays(today, 9))).text,
    /kann in zwölf Monaten höchstens 5 Tage pausiert werden\. Wählen Sie weniger Tage/,
  );
  assert.deepEqual(await holdsOf(owned), []);
});

test("customers can't hold a membership if the business doesn't allow it, or end a hold that it made, and others see nothing of it", async () => {
  const ida = await someone('ida.holds@example.com');
  await someone('mallory.holds@example.com');
  const [owned, closed] = [await club(ida), await club(ida, { name: 'Closed', customers_can_hold: false })];
  await posted('/customer_membership_holds', { customer_membership: owned, start_date: today, days: 5 });
  const pages = await client('ida.holds@example.com');
  const { text } = await pages.get(at('profile/memberships'));
  assert.match(text, /See the hold: Ten visits/);
  assert.doesNotMatch(text, /hold: Closed/);
  const theirs = await pages.get(at(`profile/holds/${owned}`));
  assert.match(theirs.text, /Harbour made this hold/);
  assert.doesNotMatch(theirs.text, /End the hold today/);
  const [{ id: hold }] = await holdsOf(owned);
  const ended = await pages.post(at(`profile/holds/${owned}`), { act: 'end', hold: String(hold) });
  assert.equal(ended.status, 403);
  const other = await pages.get(at(`profile/holds/${closed}`));
  assert.match(other.text, /Ask Harbour/);
  const asked = { act: 'hold', start: addDays(today, 1), end: addDays(today, 2) };
  assert.equal((await pages.post(at(`profile/holds/${closed}`), asked)).status, 403);
  const mallory = await client('mallory.holds@example.com');
  await mallory.get(at('profile'));
  assert.equal((await mallory.get(at(`profile/holds/${owned}`))).status, 404);
  assert.equal((await mallory.post(at(`profile/holds/${owned}`), { act: 'end', hold: String(hold) })).status, 404);
  assert.equal((await new PageClient(world.url).get(at(`profile/holds/${owned}`))).status, 303);
  assert.deepEqual([(await holdsOf(owned)).length, (await holdsOf(closed)).length], [1, 0]);
});

test('holds can be read in every language', async () => {
  const ole = await someone('ole.holds@example.com');
  const owned = await club(ole, { name: '10' });
  await posted(`/events/${await c.memberEvent({ name: 'Rudern', in: 30 })}/register`, { customer: ole });
  const english = /\b(hold|Choose|changes|Back to|instead|ends|day|booking)\b/;
  for (const language of Object.keys(LANGUAGES).filter((one) => one !== 'en')) {
    const pages = await client('ole.holds@example.com', language);
    const page = at(`profile/holds/${owned}`);
    const texts = [
      (await pages.get(page)).text,
      (await pages.post(page, { act: 'hold', start: addDays(today, 1), end: addDays(today, 3) })).text,
    ];
    for (const text of texts)
      assert.doesNotMatch(text.slice(text.indexOf('<main')).replaceAll(/<[^>]*>/g, ' '), english, language);
  }
});
