/** Booking the same class for several weeks: what the page lists, books and refuses. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newOffering, newPlace, row, seats, type Place } from '../../../test/schedule-world.ts';
import { createUser } from '../../people/identity/index.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';

const PASSWORD = 'otter kettle midnight ferry';
/** Tuesdays; the clocks change on March 14. */
const TUESDAYS = ['2027-03-02', '2027-03-09', '2027-03-16', '2027-03-23'];

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  world.setNow(Date.parse('2027-02-01T12:00:00Z'));
  place = await newPlace(world);
});
after(() => world?.close());

const page = (event: number) => `${world.site}/events/${event}/series`;
const plain = (text: string) =>
  text
    .slice(text.indexOf('<main'), text.indexOf('</main'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#39;|’/g, "'")
    .replaceAll(/\s+/g, ' ');

let people = 0;
async function someone(): Promise<{ id: number; visitor: PageClient }> {
  const email = `person${++people}.series@example.com`;
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const visitor = new PageClient(world.url);
  visitor.headers = { 'accept-language': 'en-GB' };
  await visitor.get(`/account/${world.harbour}/log-in`);
  await visitor.post(`/account/${world.harbour}/log-in`, { email, password: PASSWORD });
  return { id: await world.newCustomer({ user_id: userId, email, first_name: 'Ada' }), visitor };
}

/** Creates an event at six in the evening on each of these days. */
async function every(days: readonly string[], at: Place, over: Record<string, unknown> = {}): Promise<number[]> {
  const ids: number[] = [];
  for (const day of days)
    ids.push((await newEvent(world, at, { starts_at: `${day}T18:00`, ends_at: `${day}T19:00`, ...over })).id);
  return ids;
}

async function sent(visitor: PageClient, event: number, customer: number, events: readonly number[], pays?: string) {
  await visitor.get(page(event));
  const body = new URLSearchParams([
    ['form_token', visitor.token!],
    ['customer', String(customer)],
    ...(pays === undefined ? [] : [['pays', pays]]),
    ...events.map((id) => ['event', String(id)]),
  ]).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await visitor.send('POST', page(event), { body, headers });
  return { status: answer.status, location: answer.headers.get('location'), text: plain(answer.text) };
}

const offered = (text: string): number[] =>
  [...text.matchAll(/name="event" value="(\d+)" checked/g)].map(([, id]) => Number(id));

test('the page lists the same class on the same weekday at the same local time, with the result of booking each', async () => {
  const there = { ...place, offering: await newOffering(world) };
  const [first, second, third, fourth] = await every(TUESDAYS, there, { max_occupancy: 1 });
  await every(['2027-03-03'], there);
  await newEvent(world, there, { starts_at: '2027-03-09T19:00', ends_at: '2027-03-09T20:00' });
  await every(['2027-03-09'], { ...place, offering: await newOffering(world) });
  await world.post(`/events/${fourth}/cancel`, { as: world.machine, body: {} });
  await book(world, second, await world.newCustomer());
  const ada = await someone();
  await book(world, third, ada.id);
  const { text } = await ada.visitor.get(page(first));
  assert.match(
    plain(text),
    /Book several dates Rowing: Tuesday, 18:00 \(.+\) Tuesday,? 2 March 2027 at 18:00 Tuesday,? 9 March 2027 at 18:00 This class is full\..* Join the waitlist Tuesday,? 16 March 2027 at 18:00 Booked Book the chosen dates Back to Rowing/,
  );
  assert.deepEqual(offered(text), [first]);
  assert.deepEqual(
    await seats(world, first),
    { attending: 0, held: 0, waiting: 0, booked: 0 },
    'looking books nothing',
  );
  assert.ok((await ada.visitor.get(`${world.site}/events/${first}`)).text.includes(`href="${page(first)}"`));
  const [alone] = await every(['2027-03-04'], { ...place, offering: await newOffering(world) });
  assert.doesNotMatch((await ada.visitor.get(`${world.site}/events/${alone}`)).text, /\/series/);
});

test('the chosen dates are booked with one form, however often it is sent, and each refusal has a reason', async () => {
  const m = await MembershipWorld.of(world);
  const ids = await every(TUESDAYS, m.place);
  const ada = await someone();
  await m.give(ada.id, await m.pack(3));
  assert.deepEqual(offered((await ada.visitor.get(page(ids[0]))).text), ids);
  for (const _ of [1, 2])
    assert.equal(
      (await sent(ada.visitor, ids[0], ada.id, ids.slice(0, 2))).location,
      `${page(ids[0])}?who=${ada.id}&booked=2`,
    );
  const done = plain((await ada.visitor.get(`${page(ids[0])}?who=${ada.id}&booked=2`)).text);
  assert.match(
    done,
    /2 dates are booked\. .*2 March 2027 at 18:00 Booked .*9 March 2027 at 18:00 Booked .*Book the chosen/,
  );
  const rest = await sent(ada.visitor, ids[0], ada.id, ids.slice(2));
  assert.equal(rest.status, 422);
  assert.match(rest.text, /There is a problem Tuesday,? 23 March 2027 at 18:00: .+ 1 date is booked\./);
  for (const [i, booked] of [1, 1, 1, 0].entries()) assert.equal((await seats(world, ids[i])).booked, booked);
});

test('the person chooses what pays for all dates, and sees what is left of it and for how many dates it is enough', async () => {
  const offering = await newOffering(world, { allows_dropins: true, dropin_price_minor: 1500 });
  const m = new MembershipWorld(
    world,
    { ...place, offering },
    await row(world, 'membership_category', { name: 'Rows' }),
  );
  const ids = await every(TUESDAYS, m.place);
  const ada = await someone();
  const [few, many] = [(await m.give(ada.id, await m.pack(3))).id, (await m.give(ada.id, await m.pack(9))).id];
  const look = async (pays: number | string) =>
    plain((await ada.visitor.get(`${page(ids[0])}?who=${ada.id}&pays=${pays}`)).text);
  assert.match(
    await look(few),
    /Pack of 3 \(3 left\) Pack of 9 \(9 left\) Single visits, \$15\.00 each Takes 3 visits; none is left after this It pays for 3 of the 4 dates/,
  );
  assert.match(await look(many), /Takes 4 visits; 5 are left after this(?! It pays)/);
  assert.match(await look('single'), /2 March 2027 at 18:00 To be paid/);
  assert.equal((await sent(ada.visitor, ids[0], ada.id, ids.slice(0, 2), String(many))).status, 303);
  assert.match(await look(many), /Pack of 9 \(7 left\)/);
  const begun = await sent(ada.visitor, ids[0], ada.id, ids.slice(2), 'single');
  assert.match(plain((await ada.visitor.get(begun.location!)).text), /\$30\.00/);
  const eve = await someone();
  const theirs = await sent(eve.visitor, ids[0], eve.id, ids.slice(0, 1), String(many));
  assert.equal(theirs.status, 422, 'a membership of somebody else pays for nothing');
});

test('several dates with a price are paid together', async () => {
  const there = {
    ...place,
    offering: await newOffering(world, { allows_dropins: true, dropin_price_minor: 1500 }),
  };
  const ids = await every(TUESDAYS, there);
  const ada = await someone();
  assert.match(plain((await ada.visitor.get(page(ids[0]))).text), /2 March 2027 at 18:00 To be paid/);
  const begun = await sent(ada.visitor, ids[0], ada.id, ids.slice(0, 3));
  assert.match(begun.location ?? '', /\/checkout\?ticket=/, begun.text);
  assert.match(plain((await ada.visitor.get(begun.location!)).text), /\$45\.00/);
});

test('nobody books dates for somebody else, of another class, or without logging in', async () => {
  const there = { ...place, offering: await newOffering(world) };
  const [ids, [other]] = [await every(TUESDAYS, there), await every(['2027-03-05'], there)];
  const [ada, eve] = [await someone(), await someone()];
  assert.equal((await sent(eve.visitor, ids[0], ada.id, ids)).status, 404);
  assert.equal((await sent(ada.visitor, ids[0], ada.id, [ids[0], other])).status, 404);
  assert.equal((await ada.visitor.get(`${page(ids[0])}?who=${eve.id}`)).status, 404);
  assert.match((await sent(ada.visitor, ids[0], ada.id, [])).text, /Choose at least one date\./);
  for (const id of [...ids, other]) assert.equal((await seats(world, id)).booked, 0);
  const nobody = await new PageClient(world.url).get(page(ids[0]));
  assert.equal(
    nobody.headers.get('location'),
    `/account/${world.harbour}/log-in?return_to=${encodeURIComponent(page(ids[0]))}`,
  );
  assert.equal((await ada.visitor.get(page(999_999))).status, 404);
});
