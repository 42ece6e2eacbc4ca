/** Waitlist offers on the devices of customers: with their consent, to a real push service, read by the device. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newPlace, row, type Place } from '../../../test/schedule-world.ts';
import { Device } from './test/device.ts';
import { outcomeOf, pauseAfter } from './rules/outcome.ts';
import { PushService } from './test/push-service.ts';
import { randomUUID } from 'node:crypto';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';

let service: PushService;
let world: World;
let place: Place;
before(async () => {
  service = await new PushService().listen();
  world = await startWorld({ worker: true, env: { OUTBOUND_ALLOW: '127.0.0.1/32' } });
  place = await newPlace(world);
  await allow(true);
  await policy({ action: 'reserve', claim_minutes: 30 });
});
after(async () => {
  await world?.close();
  service?.close();
});

async function allow(push_notifications: boolean): Promise<void> {
  const answer = await world.patch('/communication/settings', { as: world.machine, body: { push_notifications } });
  assert.deepEqual([answer.status, answer.body.push_notifications], [200, push_notifications], answer.text);
}

async function policy(action: object): Promise<void> {
  const waitlist_settings = { waitlist_policy: [{ until_minutes_before: null, ...action }] };
  const answer = await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { waitlist_settings } });
  assert.equal(answer.status, 200, answer.text);
}

interface Phone {
  readonly token: number;
  readonly device: Device;
  readonly path: string;
}

const subscribe = (customer: number, endpoint: string, device = new Device()) =>
  world.post('/push_notification_tokens', {
    as: world.customer(customer),
    body: { endpoint, ...device.named, name: 'Chrome, Android' },
  });

/** Creates a device on which a customer turned on notifications. */
async function newPhone(customer: number): Promise<Phone> {
  const [device, path] = [new Device(), `/${randomUUID()}`];
  const answer = await subscribe(customer, service.url(path), device);
  assert.equal(answer.status, 201, answer.text);
  return { token: answer.body.id, device, path };
}

const devicesOf = async (customer: number): Promise<number[]> =>
  (await world.get('/push_notification_tokens?fields=id', { as: world.customer(customer) })).body.results.map(
    (one: any) => one.id,
  );

/** Creates a full event with these customers on its waitlist, then frees a place. */
async function offer(...waiting: number[]): Promise<{ event: number }> {
  const booked = await world.newCustomer();
  const { id: event } = await newEvent(world, place, { max_occupancy: 1, in: 100, name: 'Tidal Yoga' });
  assert.equal((await book(world, event, booked)).status, 200);
  const change = async (action: string, customer: number): Promise<void> => {
    const answer = await world.post(`/events/${event}/${action}`, { as: world.machine, body: { customer } });
    assert.equal(answer.status, 200, answer.text);
  };
  for (const customer of waiting) await change('join_waitlist', customer);
  await change('unregister', booked);
  return { event };
}

const rows = (text: ReturnType<typeof sql>) =>
  world.app.db.acrossTenants('a test looks at what is on its way', (tx) => tx.rows(text));

/** Waits until notices are written, and all that go to devices are processed. */
const quiet = () =>
  until('all is read and sent', async () => {
    const [left] = await rows(sql`SELECT (SELECT count(*) FROM feed_item WHERE seq IS NULL)
      + (SELECT count(*) FROM feed_position p WHERE coalesce((SELECT last_seq FROM feed_reader_position r
          WHERE r.provider_id = p.provider_id AND r.reader = 'notices'), 0) < p.last_seq)
      + (SELECT count(*) FROM push_message WHERE due_at <= ${new Date(world.now + 60_000).toISOString()}) AS n`);
    return left.n === 0;
  });

/** Returns the texts that a device showed, in order. */
const told = ({ device, path }: Phone): string[] =>
  service.at(path).map(({ body }) => JSON.parse(device.read(body)).body);

test('an offer from the waitlist reaches each device of the person, encrypted for that device only', async () => {
  const ada = await world.newCustomer();
  const [phone, tablet] = [await newPhone(ada), await newPhone(ada)];
  const from = world.now;
  const { event } = await offer(ada);
  await quiet();
  const { body } = await world.get('/waitlist_spots?page_size=100', { as: world.customer(ada) });
  const end = Date.parse(body.results[0].reserved_spot_expires_at);
  for (const { device, path } of [phone, tablet]) {
    const [sent, ...more] = service.at(path);
    assert.equal(more.length, 0, 'once');
    const shown = JSON.parse(device.read(sent.body));
    assert.equal(shown.title, 'Harbour');
    assert.match(shown.body, /^A spot is free: Tidal Yoga, .+\nIt's kept until .+ \d{1,2}:\d\d [ap]\.m\.$/);
    assert.equal(shown.url, `${world.url}/account/${world.harbour}/events/${event}`);
    assert.equal(sent.headers['content-encoding'], 'aes128gcm');
    const life = Number(sent.headers.ttl) * 1000;
    assert.ok(life <= end - from && life >= end - world.now - 1000, `${life}: as long as the spot is kept`);
    assert.doesNotMatch(sent.body.toString('latin1'), /Tidal|Harbour/);
    assert.match(sent.headers.authorization!, /^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]{87}$/);
  }
  assert.throws(() => tablet.device.read(service.at(phone.path)[0].body), 'meant for the other device');
});

test('if the first to book gets the spot, everybody on the waitlist is notified, children through a parent, in their languages', async () => {
  await policy({ action: 'broadcast' });
  const family = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id: family, family_role: 'manager' });
  await rows(sql`UPDATE customer SET locale = 'de-DE' WHERE id = ${parent}`);
  const child = await world.newCustomer({ family_id: family, family_role: 'child' });
  const other = await world.newCustomer();
  const [ofParent, ofOther] = [await newPhone(parent), await newPhone(other)];
  await offer(child, other);
  await quiet();
  assert.match(told(ofParent).join(), /Tidal Yoga[^]*\nIhn bekommt, wer zuerst bucht\.$/);
  assert.match(told(ofOther).join(), /Tidal Yoga[^]*\nThe first person who books it gets it\.$/);
  await policy({ action: 'reserve', claim_minutes: 30 });
});

// Guards against: Push notifications that somebody else reads, or that nobody agreed to
test('nothing is sent without consent: not if it was withdrawn or paused, nor by a business that does not allow it', async () => {
  const ada = await world.newCustomer();
  const [gone, paused] = [await newPhone(ada), await newPhone(ada)];
  await world.delete(`/push_notification_tokens/${gone.token}`, { as: world.customer(ada) });
  const path = `/push_notification_tokens/${paused.token}`;
  assert.equal((await world.patch(path, { as: world.machine, body: { enabled: false } })).status, 200);
  await offer(ada);
  await quiet();
  const again = await world.patch(path, { as: world.machine, body: { enabled: true } });
  assert.deepEqual([again.status, again.body.code], [403, 'permission_denied'], 'only the customer agrees again');
  assert.equal((await world.patch(path, { as: world.customer(ada), body: { enabled: true } })).status, 200);
  await allow(false);
  await offer(ada);
  await quiet();
  assert.deepEqual([service.at(gone.path).length, service.at(paused.path).length], [0, 0]);
  const refused = await subscribe(ada, service.url('/never'));
  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
  await allow(true);
  await offer(ada);
  await quiet();
  assert.equal(service.at(paused.path).length, 1);
});

test('a device that has ended its subscription is deleted, and after a temporary refusal the message is retried', async () => {
  // The next attempt is not due before this test says so.
  world.stopNow();
  const ada = await world.newCustomer();
  const [left, busy, full] = [await newPhone(ada), await newPhone(ada), await newPhone(ada)];
  service.answers.set(left.path, { status: 410 });
  service.answers.set(busy.path, { status: 503 });
  service.answers.set(full.path, { status: 413 });
  await offer(ada);
  await until('the device is gone', async () => !(await devicesOf(ada)).includes(left.token));
  const items = await until('the feed says so', async () => {
    const { body } = await world.get('/feed_items?types=push_notification_token.deleted&page_size=100', {
      as: world.machine,
    });
    return body.results.find((one: any) => one.payload.push_notification_token === left.token) ?? null;
  });
  assert.equal(items.payload.customer, ada);
  await until('the busy service was asked', async () => service.at(busy.path).length === 1);
  const waiting = () => rows(sql`SELECT attempts, due_at FROM push_message WHERE token_id = ${busy.token}`);
  await until('it waits for its next attempt', async () => {
    const [one] = await waiting();
    return one && one.due_at < world.now + 30_000;
  });
  service.answers.delete(busy.path);
  world.setNow(world.now + 60_000);
  await until('it was sent', async () => (await waiting()).length === 0);
  assert.equal(service.at(busy.path).length, 2);
  assert.match(JSON.parse(busy.device.read(service.at(busy.path)[1].body)).body, /Tidal Yoga/);
  await quiet();
  assert.equal(service.at(full.path).length, 1, 'what is refused for good is not tried again');
  assert.deepEqual((await devicesOf(ada)).toSorted(), [busy.token, full.token].toSorted());
});

test('outdated messages are not sent', async () => {
  const ada = await world.newCustomer();
  const phone = await newPhone(ada);
  service.answers.set(phone.path, { status: 503 });
  await offer(ada);
  await until('the service was asked', async () => service.at(phone.path).length === 1);
  service.answers.delete(phone.path);
  world.setNow(world.now + 3_600_000);
  await until(
    'it is given up',
    async () => (await rows(sql`SELECT 1 FROM push_message WHERE token_id = ${phone.token}`)).length === 0,
  );
  assert.equal(service.at(phone.path).length, 1);
});

// Guards against: Push notifications that somebody else reads, or that nobody agreed to
test('a device belongs to the person who agreed on it last, and addresses that must not be called are refused', async () => {
  const [ada, eve] = [await world.newCustomer(), await world.newCustomer()];
  const phone = await newPhone(ada);
  const answer = await subscribe(eve, service.url(phone.path));
  assert.equal(answer.status, 201);
  assert.deepEqual([await devicesOf(ada), await devicesOf(eve)], [[], [answer.body.id]]);
  assert.equal(
    (await world.get(`/push_notification_tokens/${answer.body.id}`, { as: world.customer(ada) })).status,
    404,
  );
  for (const endpoint of ['http://93.184.216.34/x', 'https://10.0.0.7/x', 'https://169.254.169.254/latest']) {
    const refused = await subscribe(ada, endpoint);
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['endpoint']], refused.text);
  }
  const wrong = await world.post('/push_notification_tokens', {
    as: world.customer(ada),
    body: { endpoint: service.url('/x'), p256dh: 'BAAA', auth: new Device().named.auth },
  });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.field_errors)], [400, ['p256dh']]);
  const stored = await rows(sql`SELECT t::text AS whole FROM push_notification_token t WHERE id = ${answer.body.id}`);
  assert.ok(!stored[0].whole.includes(phone.path), 'the address of a device is sealed');
});

test('nobody has more than twenty devices: the oldest is deleted', async () => {
  const ada = await world.newCustomer();
  const tokens: number[] = [];
  for (let n = 0; n < 21; n++) tokens.push((await newPhone(ada)).token);
  assert.deepEqual(
    (await devicesOf(ada)).toSorted((a, b) => a - b),
    tokens.slice(1),
  );
});

test('the response of a service decides what happens to a message and its device', () => {
  for (const [status, is] of [
    [200, 'sent'],
    [201, 'sent'],
    [202, 'sent'],
    [404, 'gone'],
    [410, 'gone'],
    [408, 'later'],
    [429, 'later'],
    [500, 'later'],
    [503, 'later'],
    [302, 'dropped'],
    [400, 'dropped'],
    [403, 'dropped'],
    [413, 'dropped'],
  ] as const)
    assert.equal(outcomeOf(status).is, is, String(status));
  assert.deepEqual(outcomeOf(429, '120'), { is: 'later', retryAfterMs: 120_000 });
  assert.deepEqual(outcomeOf(429, 'Fri, 31 Dec 1999 23:59:59 GMT'), { is: 'later' });
  assert.deepEqual(
    [1, 2, 3, 20].map((n) => pauseAfter(n)),
    [15_000, 30_000, 60_000, 3_600_000],
  );
  assert.equal(pauseAfter(1, 120_000), 120_000);
});
