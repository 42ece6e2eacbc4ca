/** Customers end a recurring plan in their account, after an exact preview, and keep it if they change their minds. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/date.ts';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { createUser } from '../../people/identity/index.ts';
import { dateIn } from '../../../kernel/base/languages/times.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { PageBrowser } from '../../../test/pages/page-visitor.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { instantOfWall, wallAt } from '../../../kernel/base/values/zone.ts';

const PASSWORD = 'otter kettle midnight ferry';
/** zone of Harbour */
const ZONE = 'America/Toronto';

let world: World;
let c: CheckoutWorld;
let today: string;
before(async () => {
  world = await startWorld();
  // Days are counted from today: it is noon, so the day doesn't change.
  today = wallAt(world.now, ZONE).date;
  world.setNow(instantOfWall(`${today}T12:00:00`, ZONE));
  c = await CheckoutWorld.of(world);
  const body = { membership_settings: { bookings_without_membership: 'cancel' } };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as: world.machine, body })).status, 200);
});
after(async () => {
  await c?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;

const day = (date: string): string => dateIn('en-US', date);

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

/** Creates a plan that is paid every week from today on. */
async function weekly(customer: number, plan: object = {}, over: object = {}): Promise<number> {
  const terms = { billing_period_length: 1, billing_period_unit: 'weeks', ...plan };
  const { membership } = await c.m.recurring([], terms, { name: 'Rowing club', ...over });
  return (await c.m.give(customer, membership, { start_date: today })).id;
}

async function booked(customer: number, name: string, days: number): Promise<number> {
  const event = await c.memberEvent({ name, in: 24 * days });
  const answer = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer } });
  assert.equal(answer.status, 200, answer.text);
  return event;
}

const stateOf = async (id: number): Promise<unknown[]> => {
  const one = await c.read(`/customer_memberships/${id}`);
  return [one.expiration_date, one.is_set_for_cancellation];
};

const seenIn = (text: string): string => /name="seen" value="([^"]*)"/.exec(text)![1];

test('a customer reads what ending a plan means, ends it, and keeps it after all', async () => {
  const email = 'ada.ends@example.com';
  const ada = await someone(email);
  const owned = await weekly(
    ada,
    { committed_billing_periods: 2, cancellation_notice_days: 10 },
    { customers_can_hold: true },
  );
  const event = await booked(ada, 'Morning rowing', 16);
  const visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  await visitor.follow('Memberships');
  await visitor.leave(visitor.page.getByRole('link', { name: 'End: Rowing club' }));
  await visitor.checkAccessible('end');
  const last = addDays(today, 13);
  const told = await visitor.text();
  for (const line of [
    `You can use it until the end of ${day(last)}.`,
    `You agreed to keep it until ${day(last)}.`,
    'It can be ended with 10 days’ notice.',
    `One more payment is due: $40.00 on ${day(addDays(today, 7))}.`,
    'Morning rowing',
    'the booking is cancelled.',
    'Until then, you can undo this.',
    'cancelled bookings don’t come back.',
    'Put it on hold instead',
  ])
    assert.ok(told.includes(line), `${line}: ${told}`);
  assert.deepEqual(await stateOf(owned), [null, false], 'nothing is done by looking');

  await visitor.submit(`End it on ${day(last)}`);
  await visitor.checkAccessible('ended');
  assert.match(await visitor.text(), /You ended your membership\./);
  assert.ok((await visitor.text()).includes(`The next payment is due on ${day(addDays(today, 7))}.`));
  assert.deepEqual(await stateOf(owned), [last, true]);
  assert.equal((await c.read(`/attendances?event=${event}&customer=${ada}&status=registered`)).count, 0);
  await visitor.open(at('profile/memberships'));
  await visitor.leave(visitor.page.getByRole('link', { name: 'See the end or undo: Rowing club' }));
  await visitor.submit('Keep it');
  assert.match(await visitor.text(), /You keep your membership\./);
  assert.deepEqual(await stateOf(owned), [null, false]);
  await visitor.close();
});

test('people agree only to the end that they saw, and the second press of a button changes nothing', async () => {
  const eve = await someone('eve.ends@example.com');
  const owned = await weekly(eve);
  const pages = await client('eve.ends@example.com');
  const page = at(`profile/memberships/${owned}/end`);
  const shown = await pages.get(page);
  assert.match(shown.text, /No further payments will become due\.[^]*No bookings are affected\./);
  await booked(eve, 'Late rowing', 9);
  const again = await pages.post(page, { act: 'end', seen: seenIn(shown.text) });
  assert.equal(again.status, 409);
  assert.match(again.text, /has changed in the meantime[^]*Late rowing/);
  assert.deepEqual(await stateOf(owned), [null, false]);
  const ended = await pages.post(page, { act: 'end', seen: seenIn(again.text) });
  assert.match(ended.headers.get('location')!, /done=membership-ended/);
  const twice = await pages.post(page, { act: 'end', seen: seenIn(again.text) });
  assert.equal(twice.status, 303);
  assert.deepEqual(await stateOf(owned), [addDays(today, 6), true]);
  await pages.post(page, { act: 'keep' });
  assert.equal((await pages.post(page, { act: 'keep' })).status, 303);
  assert.deepEqual(await stateOf(owned), [null, false]);
});

// Guards against: A customer reads or acts for somebody else
test('customers see no end of a pack or of anybody else’s plan, and can’t undo an end by the business', async () => {
  const ida = await someone('ida.ends@example.com');
  await someone('mallory.ends@example.com');
  const owned = await weekly(ida);
  const pack = (await c.m.give(ida, await c.m.pack(5, { name: 'Five visits' }))).id;
  const pages = await client('ida.ends@example.com');
  assert.doesNotMatch((await pages.get(at('profile/memberships'))).text, /End: Five visits/);
  assert.match((await pages.get(at(`profile/memberships/${pack}/end`))).text, /doesn’t renew/);
  const mallory = await client('mallory.ends@example.com');
  await mallory.get(at('profile'));
  const page = at(`profile/memberships/${owned}/end`);
  assert.equal((await mallory.get(page)).status, 404);
  assert.equal((await mallory.post(page, { act: 'end', seen: 'x' })).status, 404);
  assert.equal((await new PageClient(world.url).get(page)).status, 303);
  const body = { forced_expiration_date: addDays(today, 2) };
  await world.post(`/customer_memberships/${owned}/cancel`, { as: world.machine, body });
  const theirs = await pages.get(page);
  assert.match(theirs.text, /Harbour set this end/);
  assert.doesNotMatch(theirs.text, /Keep it</);
  assert.equal((await pages.post(page, { act: 'keep' })).status, 403);
  assert.deepEqual(await stateOf(owned), [addDays(today, 2), true]);
  await world.post(`/customer_memberships/${owned}/cancel`, {
    as: world.machine,
    body: { cancellation_reason: 'mistake' },
  });
  assert.match((await pages.get(page)).text, /It ended on/);
});

test('the end of a plan can be read in every language', async () => {
  const ole = await someone('ole.ends@example.com');
  const terms = { committed_billing_periods: 2, cancellation_notice_days: 10 };
  const owned = await weekly(ole, terms, { name: '10', customers_can_hold: true });
  const english = /\b(end|ends|until|payment|undo|Keep|agreed|notice|hold|last)\b/;
  const page = at(`profile/memberships/${owned}/end`);
  for (const language of Object.keys(LANGUAGES).filter((one) => one !== 'en')) {
    const pages = await client('ole.ends@example.com', language);
    const shown = await pages.get(page);
    await pages.post(page, { act: 'end', seen: seenIn(shown.text) });
    const ended = await pages.get(page);
    assert.equal((await pages.post(page, { act: 'keep' })).status, 303);
    for (const { text } of [shown, ended])
      assert.doesNotMatch(text.slice(text.indexOf('<main')).replaceAll(/<[^>]*>/g, ' '), english, language);
  }
});
