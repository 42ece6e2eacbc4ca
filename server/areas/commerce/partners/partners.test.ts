import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  book,
  newCustomers,
  newEvent,
  newPlace,
  newVenue,
  row,
  seats,
  type Place,
} from '../../../test/schedule-world.ts';
import { entryCode } from '../../people/customers/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
after(() => world.close());

const HOUR = 3_600_000;
let ids = 0;

interface Partner {
  readonly id: number;
  readonly url: string;
  readonly secret: string;
}

async function newPartner(body: object): Promise<Partner> {
  const made = await world.post('/partners', { as: world.machine, body: { name: 'Partner', ...body } });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

const newDoor = (over: object = {}) => newPartner({ kind: 'door', venue: place.venue, ...over });

const codeFor = (customer: number): string => entryCode(world.app.installation.box, world.harbour, customer, 1);

interface Sent {
  readonly id?: string;
  readonly atMs?: number;
  readonly secret?: string;
}

/** Sends a message with a signature by code that isn't ours. */
async function send(
  to: Partner,
  message: object,
  { id = `m-${++ids}`, atMs = world.now, secret = to.secret }: Sent = {},
) {
  const body = JSON.stringify(message);
  const answer = await fetch(new URL(new URL(to.url).pathname, world.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(atMs / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, new Date(atMs), body),
    },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as any };
}

const entry = (customer: number) => ({ type: 'entry.requested', code: codeFor(customer) });
const person = (id: string) => ({ id, first_name: 'Ada', last_name: 'Byron' });
const booking = (event: number, id = `p-${++ids}`) => ({ type: 'booking.requested', event, person: person(id) });

test('a door opens for somebody with a booking, marks them as attended, and says when it is too early', async () => {
  const door = await newDoor();
  const [early, booked, nobody] = await newCustomers(world, 3);
  const soon = await newEvent(world, place, { in: 0.25 });
  const later = await newEvent(world, place, { in: 3 });
  await book(world, soon.id, booked);
  await book(world, later.id, early);

  const opened = await send(door, entry(booked));
  assert.deepEqual([opened.status, opened.body.is_accepted, opened.body.reason], [200, true, 'booking']);
  const marked = await world.get(`/attendances/${opened.body.attendance_id}?fields=status`, { as: world.machine });
  assert.equal(marked.body.status, 'attended');

  const tooEarly = await send(door, entry(early));
  assert.deepEqual([tooEarly.status, tooEarly.body.reason], [409, 'entry_refused']);
  assert.match(tooEarly.body.message, /^It’s too early: the door opens for you at \d\d:\d\d\.$/);
  assert.match((await send(door, entry(nobody))).body.message, /^You’re not booked here now/);
});

test('a door for members opens without a booking, and for nobody who is blocked', async () => {
  const door = await newDoor({ admits: 'customers' });
  const [customer, blocked] = await newCustomers(world, 2);
  await row(world, 'customer_registration_block', { customer_id: blocked, reason: 'Unpaid damage' });
  assert.equal((await send(door, entry(customer))).body.reason, 'customer');
  const refused = await send(door, entry(blocked));
  assert.deepEqual([refused.body.is_accepted, refused.body.message], [false, 'Please ask at the desk.']);
  const members = await newDoor({ admits: 'memberships' });
  assert.match((await send(members, entry(customer))).body.message, /^Nothing that you have lets you in now/);
});

test('the number of a customer, or a code that was guessed, opens nothing', async () => {
  const door = await newDoor({ admits: 'customers' });
  const [customer] = await newCustomers(world, 1);
  for (const code of [`#${customer}`, `#${customer}-AAAAAAAAAA`, codeFor(customer).replace(`#${customer}`, '#1'), '']) {
    const answer = await send(door, { type: 'entry.requested', code });
    assert.equal(answer.body.is_accepted, false, code);
  }
});

test('a code that its holder or staff replace opens nothing from then on, and the new one does', async () => {
  const door = await newDoor({ admits: 'customers' });
  const [customer, other] = await newCustomers(world, 2);
  const isOpen = async (code: string) => (await send(door, { type: 'entry.requested', code })).body.is_accepted;
  const path = `/customers/${customer}/entry_code`;
  const first = (await world.get(path, { as: world.customer(customer) })).body.code;
  assert.deepEqual([first, await isOpen(first)], [codeFor(customer), true]);
  const replaced = await world.post(`${path}/reset`, { as: world.customer(customer), body: {} });
  assert.equal(replaced.status, 200, replaced.text);
  assert.deepEqual([await isOpen(first), await isOpen(replaced.body.code)], [false, true]);
  const byStaff = await world.post(`${path}/reset`, { as: world.machine, body: {} });
  assert.deepEqual([await isOpen(replaced.body.code), await isOpen(byStaff.body.code)], [false, true]);
  for (const answer of [
    await world.get(path, { as: world.customer(other) }),
    await world.post(`${path}/reset`, { as: world.customer(other), body: {} }),
  ])
    assert.equal(answer.status, 404, answer.text);
});

test('a message is answered once: a repetition gets the same answer and changes nothing', async () => {
  const platform = await newPartner({ kind: 'booking_platform' });
  const event = await newEvent(world, place, { max_occupancy: 5 });
  const message = booking(event.id);
  const answers = await Promise.all([1, 2, 3].map(() => send(platform, message, { id: `same-${event.id}` })));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(({ body }) => body.attendance_id)).size, 1);
  assert.equal((await seats(world, event.id)).attending, 1);
});

test('the id of a message stands for that message alone', async () => {
  const door = await newDoor({ admits: 'customers' });
  const [first, second] = await newCustomers(world, 2);
  assert.equal((await send(door, entry(first), { id: 'reader-1' })).status, 200);
  const other = await send(door, entry(second), { id: 'reader-1' });
  assert.deepEqual([other.status, other.body.reason], [422, 'idempotency_key_reused']);
});

test('a booking online opens no door, and a refusal says whom it concerned', async () => {
  const door = await newDoor();
  const online = await newVenue(world, { venue_type: 'online' });
  const event = await newEvent(world, place, { in: 0.25, online_venue: online, online_max_occupancy: 3 });
  const [customer] = await newCustomers(world, 1);
  const body = { customer, place: 'online' };
  assert.equal((await world.post(`/events/${event.id}/register`, { as: world.machine, body })).status, 200);
  const refused = await send(door, entry(customer));
  assert.deepEqual([refused.body.reason, refused.body.customer_id], ['entry_refused', customer]);
});

test('a booking that the customer made again is no longer the platform’s', async () => {
  const platform = await newPartner({ kind: 'booking_platform', places_per_event: 1 });
  const event = await newEvent(world, place, { in: 30 });
  const { body } = await send(platform, booking(event.id));
  const { attendance_id: attendance, customer_id: customer } = body;
  const as = world.machine;
  assert.equal((await world.post(`/events/${event.id}/unregister`, { as, body: { customer } })).status, 200);
  world.setNow(world.now + 1000);
  assert.equal((await book(world, event.id, customer)).body.attendance, attendance);
  assert.equal((await send(platform, { type: 'booking.cancelled', attendance })).status, 404);
  assert.equal((await send(platform, booking(event.id))).status, 200, 'its share is free again');
});

test('the customer of a platform is merged into the one that they were already, although both have booked', async () => {
  const platform = await newPartner({ kind: 'booking_platform' });
  const event = await newEvent(world, place, { in: 31 });
  const [known] = await newCustomers(world, 1);
  await book(world, event.id, known);
  const { body } = await send(platform, booking(event.id, 'twice'));
  const merged = await world.post(`/customers/${known}/merge`, {
    as: world.machine,
    body: { from: body.customer_id },
  });
  assert.equal(merged.status, 200, merged.text);
  assert.equal((await seats(world, event.id)).attending, 1);
});

test('a platform never gets more places than its share, and an event is never oversold', async () => {
  const platform = await newPartner({ kind: 'booking_platform', places_per_event: 2 });
  const open = await newPartner({ kind: 'booking_platform' });
  const event = await newEvent(world, place, { max_occupancy: 5 });
  const shares = await Promise.all(Array.from({ length: 6 }, () => send(platform, booking(event.id))));
  assert.deepEqual(
    shares.map(({ body }) => body.reason).toSorted(),
    [null, null, ...Array(4).fill('places_used')].toSorted(),
  );
  const customers = await newCustomers(world, 4);
  const rest = await Promise.all([
    ...Array.from({ length: 6 }, () => send(open, booking(event.id))),
    ...customers.map((one) => book(world, event.id, one)),
  ]);
  assert.equal(rest.filter(({ status }) => status === 200).length, 3);
  assert.equal((await seats(world, event.id)).attending, 5);
});

test('a platform cancels and marks only what it booked, and a person is one customer for it', async () => {
  const platform = await newPartner({ kind: 'booking_platform' });
  const other = await newPartner({ kind: 'booking_platform' });
  const [first, second] = [await newEvent(world, place), await newEvent(world, place)];
  const one = await send(platform, booking(first.id, 'ada'));
  const two = await send(platform, booking(second.id, 'ada'));
  assert.equal(one.body.customer_id, two.body.customer_id);
  const elsewhere = await send(other, booking(second.id, 'ada'));
  assert.notEqual(elsewhere.body.customer_id, one.body.customer_id);

  const { attendance_id: attendance } = one.body;
  assert.equal((await send(other, { type: 'booking.cancelled', attendance })).status, 404);
  assert.equal((await send(platform, { type: 'booking.cancelled', attendance })).status, 200);
  assert.equal((await seats(world, first.id)).attending, 0);
  const attended = await send(platform, { type: 'booking.attended', attendance: two.body.attendance_id });
  assert.equal(attended.status, 200);
});

test('a platform books what customers can book: nothing hidden, nothing at another venue', async () => {
  const event = await newEvent(world, place);
  const elsewhere = await newPartner({ kind: 'booking_platform', venue: (await newPlace(world)).venue });
  assert.equal((await send(elsewhere, booking(event.id))).status, 404);
  const platform = await newPartner({ kind: 'booking_platform' });
  const hidden = await newPlace(world);
  await world.patch(`/offering_types/${hidden.offering}`, {
    as: world.machine,
    body: { customer_visibility: 'private' },
  });
  assert.equal((await send(platform, booking((await newEvent(world, hidden)).id))).status, 404);
  const people = await world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`SELECT FROM partner_person WHERE provider_id = ${world.harbour} AND partner_id = ${platform.id}`),
  );
  assert.equal(people.length, 0, 'a refusal leaves no customer behind');
});

// Guards against: Forged or repeated webhooks
test('a forged, old or unknown message is refused alike', async () => {
  const door = await newDoor();
  const message = entry(1);
  const wrong = [
    await send(door, message, { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }),
    await send(door, message, { atMs: world.now - HOUR }),
    await send({ ...door, url: door.url.replace(/\d+$/, '999999') }, message),
  ];
  for (const { status, body } of wrong) assert.deepEqual([status, body.reason], [401, 'authentication_failed']);
});

test('staff try a message with a dry run, a paused partner refuses, and a new secret ends the old one', async () => {
  const door = await newDoor({ admits: 'customers' });
  const [customer] = await newCustomers(world, 1);
  const path = `/partners/${door.id}`;
  const tried = await world.post(`${path}/messages?dry_run=true`, { as: world.machine, body: entry(customer) });
  assert.deepEqual([tried.status, tried.body.is_accepted, tried.body.reason], [200, true, 'customer']);
  const { body: rotated } = await world.post(`${path}/rotate_secret`, { as: world.machine, body: {} });
  assert.equal((await send(door, entry(customer))).status, 401);
  assert.equal((await send({ ...door, secret: rotated.secret }, entry(customer))).status, 200);
  await world.patch(path, { as: world.machine, body: { status: 'paused' } });
  const paused = await send({ ...door, secret: rotated.secret }, entry(customer));
  assert.deepEqual([paused.status, paused.body.reason], [409, 'partner_paused']);
  const list = await world.get(`/partner_messages?partner=${door.id}&sort=id`, { as: world.machine });
  assert.deepEqual(
    list.body.results.map((one: any) => [one.is_accepted, one.reason]),
    [
      [true, 'customer'],
      [false, 'partner_paused'],
    ],
  );
});

test('a message with a wrong property names it, and a door without a venue is refused', async () => {
  const platform = await newPartner({ kind: 'booking_platform' });
  const wrong: [object, RegExp][] = [
    [{ type: 'entry.requested', code: '#1' }, /^type: This partner sends booking\.requested/],
    [{ type: 'other' }, /^type: Must be one of/],
    [{ type: 'booking.requested', event: 'x', person: person('p') }, /^event: Must be an integer/],
    [{ type: 'booking.requested', event: 1 }, /^person: Send the person/],
    [{ type: 'booking.requested', event: 1, person: { id: 'p', first_name: ' ' } }, /^person\.first_name/],
    [{ type: 'booking.cancelled' }, /^attendance: Send the id/],
  ];
  for (const [message, expected] of wrong) {
    const { status, body } = await send(platform, message);
    assert.equal(status, 400, JSON.stringify(message));
    assert.match(body.message, expected);
  }
  const door = await world.post('/partners', { as: world.machine, body: { kind: 'door', name: 'Main door' } });
  assert.deepEqual([door.status, Object.keys(door.body.field_errors)], [400, ['venue']]);
});
