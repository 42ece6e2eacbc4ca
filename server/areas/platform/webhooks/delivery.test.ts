import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { connect } from 'node:net';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createCustomer } from '../../people/customers/index.ts';
import { isSignedWith, Receiver, verify } from '../../../test/outside/webhook-receiver.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { beside, times, until } from '../../../test/storm.ts';
import { WAITS_MS } from './rules/retries.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: World;
let receiver: Receiver;
/** addresses of host names, for tests that change them */
const names: Record<string, string> = {};
before(async () => {
  receiver = await new Receiver().listen();
  world = await startWorld({
    worker: true,
    env: { OUTBOUND_ALLOW: '127.0.0.1/32', HEADER_ALIASES: 'Acme' },
    resolve: async (name) => [names[name] ?? '127.0.0.1'],
  });
  const owner = await world.post('/staff', {
    as: world.machine,
    body: { first_name: 'Kim', last_name: 'Lee', email: 'kim@example.com', permissions: { super_admin: true } },
  });
  assert.equal(owner.status, 201, owner.text);
});
after(async () => {
  receiver.close();
  await world.close();
});
beforeEach(async () => {
  receiver.answer = () => ({ status: 204 });
  // Each test has only the destinations that it creates.
  for (const as of [world.machine, world.meadowMachine]) {
    for (const { id } of (await world.get('/webhook_destinations', { as })).body.results)
      await world.delete(`/webhook_destinations/${id}`, { as });
  }
  world.resetNow();
});

let paths = 0;

interface Made {
  readonly id: number;
  readonly secret: string;
  readonly path: string;
  /** its name in emails */
  readonly name: string;
  readonly received: () => ReturnType<Receiver['at']>;
  readonly act: (what: string, body?: object) => Promise<any>;
  readonly deliveries: () => Promise<any[]>;
}

async function newDestination(over: Record<string, unknown> = {}, as = world.machine): Promise<Made> {
  const path = `/${++paths}`;
  const name = `Receiver ${paths}`;
  const { status, body, text } = await world.post('/webhook_destinations', {
    as,
    body: { url: receiver.url(path), description: name, feed_item_types: ['customer.created'], ...over },
  });
  assert.equal(status, 201, text);
  return {
    id: body.id,
    secret: body.secret,
    path,
    name,
    received: () => receiver.at(path),
    act: async (what, given = {}) => {
      const answer = await world.post(`/webhook_destinations/${body.id}/${what}`, { as, body: given });
      assert.ok(answer.status < 300, answer.text);
      return answer.body;
    },
    deliveries: async () =>
      (await world.get(`/webhook_deliveries?destination=${body.id}&page_size=100&sort=id`, { as })).body.results,
  };
}

const happens = (n = 1, providerId = world.harbour): Promise<number[]> =>
  world.work(providerId, async (work) => {
    const made: number[] = [];
    for (let i = 0; i < n; i++)
      made.push(
        await createCustomer(work, { first_name: 'Mo', last_name: `Lind ${i}`, email: `${randomUUID()}@example.com` }),
      );
    return made;
  });

const received = (of: Made, n: number) =>
  until(`${n} arrive at ${of.path}`, async () => (of.received().length >= n ? of.received() : null));
const withStatus = (of: Made, status: string, n = 1) =>
  until(`${n} are ${status}`, async () => {
    const found = (await of.deliveries()).filter((d) => d.status === status);
    return found.length >= n ? found : null;
  });
/** Returns the first delivery once this many attempts are recorded. */
const attempted = (of: Made, n: number) =>
  until(`${n} attempts are written`, async () => {
    const [first] = await of.deliveries();
    return first?.attempt_count >= n && first;
  });
/** Returns the emails to the people who run the business, by destination. */
const mailed = (kind: string, of: Made) =>
  until(`a mail of ${kind}`, () =>
    world
      .work(world.harbour, ({ tx }) =>
        tx.rows<{ subject: string; text_part: string; permissions: string[] }>(
          sql`SELECT m.subject, m.text_part, s.permissions FROM message m
            JOIN staff s ON s.provider_id = m.provider_id AND s.id = m.staff_id
            WHERE m.kind = ${kind} AND m.text_part LIKE ${`%${of.name}%`} ORDER BY m.id`,
        ),
      )
      .then((rows) => (rows.length > 0 ? rows : null)),
  );
const destination = async (of: Made) =>
  (await world.get(`/webhook_destinations/${of.id}?expand=failing_since,not_before`, { as: world.machine })).body;
const told = async (kind: string, object: number) =>
  (
    await world.work(world.harbour, ({ tx }) =>
      tx.rows(
        sql`SELECT payload FROM feed_item WHERE provider_id = ${world.harbour} AND kind = ${kind}
          AND object_id = ${object}`,
      ),
    )
  ).map((r) => r.payload);
const later = (ms: number) => world.setNow(world.now + ms);

// Guards against: Forged or repeated webhooks
test('an event arrives once, as one feed item, with a signature that independent code verifies', async () => {
  const to = await newDestination();
  const [customer] = await happens();
  const [one] = await received(to, 1);
  verify(to.secret, one, world.now);
  assert.throws(
    () => verify(to.secret, { ...one, text: one.text.replace('customer', 'custom3r') }, world.now),
    /No matching signature/,
  );
  const [item] = one.items;
  assert.deepEqual(
    [one.items.length, item.object, item.type, item.resources],
    [1, 'feed_item', 'customer.created', { customer }],
  );
  assert.ok(Number.isInteger(item.id) && !Number.isNaN(Date.parse(item.timestamp)));
  assert.equal(one.headers['content-type'], 'application/json');
  assert.deepEqual(
    [one.headers['service-webhook-id'], one.headers['acme-webhook-id'], one.headers['webhook-id']],
    [one.id, one.id, one.id],
  );
  const [delivered] = await withStatus(to, 'delivered');
  assert.deepEqual(
    [
      delivered.webhook_id,
      delivered.feed_item,
      delivered.feed_item_type,
      delivered.request_body,
      delivered.attempt_count,
    ],
    [one.id, item.id, 'customer.created', one.text, 1],
  );
  const [{ response_status, error, duration_ms }] = delivered.attempts;
  assert.deepEqual([response_status, error, duration_ms >= 0], [204, null, true]);
  assert.equal(to.received().length, 1);
});

test('a destination gets only the types that it subscribed to, at its own business', async () => {
  const [mine, others, theirs] = [
    await newDestination(),
    await newDestination({ feed_item_types: ['customer.updated'] }),
    await newDestination({}, world.meadowMachine),
  ];
  await happens(2, world.meadow);
  await happens(1);
  await received(theirs, 2);
  await received(mine, 1);
  assert.deepEqual([mine.received().length, others.received().length, theirs.received().length], [1, 0, 2]);
});

test('a failed delivery is retried on schedule with one id, is finally parked and reported, and can be sent again manually', async () => {
  receiver.answer = () => ({ status: 500, headers: { 'x-reason': 'down' }, body: 'try later' });
  const to = await newDestination();
  const mayNot = await newDestination({ feed_item_types: ['webhook_delivery.parked'] });
  await happens();
  for (const [i, wait] of WAITS_MS.entries()) {
    const failed = await attempted(to, i + 1);
    const until_ = Date.parse(failed.next_attempt_at) - world.now;
    assert.ok(Math.abs(until_ - wait) <= wait * 0.1 + 15_000, `attempt ${i + 1} waits ${until_} of ${wait}`);
    assert.equal(failed.status, 'pending');
    assert.equal(to.received().length, i + 1, 'nothing was sent before its time');
    later(Math.max(until_, 5 * MINUTE) + 2000);
    // So that no further one becomes due while this one is checked.
    world.stopNow();
  }
  const [parked] = await withStatus(to, 'parked');
  assert.equal(to.received().length, 10);
  assert.equal(new Set(to.received().map((r) => r.id)).size, 1);
  assert.equal(new Set(to.received().map((r) => r.text)).size, 1);
  assert.ok(
    to.received().every((r) => isSignedWith(to.secret, r)),
    'each attempt is signed at its own moment',
  );
  assert.deepEqual(
    [
      parked.attempts.length,
      parked.attempts[9].response_status,
      parked.attempts[9].response_headers['x-reason'],
      parked.attempts[9].response_body,
    ],
    [10, 500, 'down', 'try later'],
  );
  assert.deepEqual(await told('webhook_delivery.parked', parked.id), [
    { webhook_delivery: parked.id, webhook_destination: to.id },
  ]);
  assert.ok((await destination(to)).failing_since, 'it is told since when it fails');
  const mails = await mailed('webhook_parked', to);
  assert.ok(
    mails.every(
      ({ permissions, text_part }) =>
        permissions.includes('super_admin') &&
        text_part.includes(`webhook=${to.id}&status=parked`) &&
        !text_part.includes(to.path),
    ),
  );
  receiver.answer = () => ({ status: 200 });
  later(6 * MINUTE);
  await world.post(`/webhook_deliveries/${parked.id}/resend`, { as: world.machine, body: {} });
  const [again] = await withStatus(to, 'delivered');
  assert.deepEqual([again.id, again.webhook_id, again.attempt_count], [parked.id, parked.webhook_id, 11]);
  assert.equal(await until('it does well again', async () => (await destination(to)).failing_since === null), true);
  await received(mayNot, 1);
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  const counted = (outcome: string) =>
    Number(new RegExp(`^rollcall_webhook_attempts_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(metrics)?.[1]);
  assert.deepEqual([counted('failed') >= 9, counted('parked'), counted('delivered') >= 2], [true, 1, true]);
});

test('a report of a parked delivery that is parked itself is not reported, so that it ends', async () => {
  receiver.answer = () => ({ status: 500 });
  const to = await newDestination({ feed_item_types: ['webhook_delivery.parked'] });
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`INSERT INTO webhook_delivery (provider_id, destination_id, seq, kind, failures, next_attempt_at)
        SELECT ${world.harbour}, ${to.id}, 1, 'webhook_delivery.parked', 9, now()`,
    ),
  );
  const [parked] = await withStatus(to, 'parked');
  assert.deepEqual(await told('webhook_delivery.parked', parked.id), []);
});

test('during a rotation both secrets sign, and afterwards only the new one', async () => {
  const to = await newDestination();
  const { secret } = await to.act('rotate_secret', { overlap_hours: 2 });
  await happens();
  const [both] = await received(to, 1);
  verify(to.secret, both, world.now);
  verify(secret, both, world.now);
  later(2 * HOUR + MINUTE);
  await happens();
  const [, one] = await received(to, 2);
  assert.deepEqual([isSignedWith(secret, one), isSignedWith(to.secret, one)], [true, false]);
  const { secret: third } = await to.act('rotate_secret', { overlap_hours: 0 });
  await happens();
  const [, , last] = await received(to, 3);
  assert.deepEqual([isSignedWith(third, last), isSignedWith(secret, last)], [true, false]);
});

test('a receiver that responds with 410 gets nothing more until it is resumed', async () => {
  receiver.answer = () => ({ status: 410 });
  const to = await newDestination();
  await happens(3);
  await until('it is disabled', async () => (await destination(to)).status === 'disabled');
  assert.match((await destination(to)).status_reason, /410/);
  assert.deepEqual(await told('webhook_destination.disabled', to.id), [{ webhook_destination: to.id }]);
  assert.match((await mailed('webhook_disabled', to))[0].text_part, /410/);
  const cancelled = await withStatus(to, 'cancelled', 3);
  assert.ok(cancelled.every((d) => d.ended_at !== null && d.next_attempt_at === null));
  const had = to.received().length;
  const from = Math.max(...cancelled.map((d) => d.feed_item));
  receiver.answer = () => ({ status: 200 });
  await happens(2);
  const other = await newDestination();
  await happens(1);
  await received(other, 1);
  assert.equal((await to.deliveries()).length, 3, 'nothing waits for it');
  assert.equal(to.received().length, had);
  await to.act('resume');
  await to.act('replay', { after: from });
  await withStatus(to, 'delivered', 3);
});

test('a redirect is a failure and is not followed', async () => {
  receiver.answer = ({ path }) =>
    path === '/elsewhere' ? { status: 200 } : { status: 302, headers: { location: receiver.url('/elsewhere') } };
  const to = await newDestination();
  await happens();
  const failed = await attempted(to, 1);
  assert.deepEqual([failed.status, failed.attempts[0].response_status], ['pending', 302]);
  assert.equal(receiver.at('/elsewhere').length, 0);
});

test('a receiver that asks for a delay gets it for all of its deliveries, up to a day', async () => {
  let asked = '3600';
  receiver.answer = () => ({ status: 503, headers: { 'retry-after': asked } });
  const to = await newDestination();
  await happens();
  const wait = async (n: number) => Date.parse((await attempted(to, n)).next_attempt_at) - world.now;
  assert.ok(Math.abs((await wait(1)) - HOUR) < 15_000);
  await until('the destination is let be', async () => (await destination(to)).not_before);
  await happens(3);
  const other = await newDestination();
  receiver.answer = ({ path }) =>
    path === other.path ? { status: 200 } : { status: 503, headers: { 'retry-after': asked } };
  await happens(1);
  await received(other, 1);
  assert.equal(to.received().length, 1, 'nothing else is sent there either');
  asked = String(90 * 86_400);
  later(HOUR + 2000);
  const rest = await until('it is let be for longer', async () => {
    const { not_before } = await destination(to);
    return not_before && Date.parse(not_before) > world.now ? Date.parse(not_before) - world.now : null;
  });
  assert.ok(Math.abs(rest - DAY) < 15_000, `${rest}`);
  assert.equal(to.received().length, 2, 'one at a time finds out whether it does well again');
});

test('a missing response is a failure with a text, and other deliveries continue', async (t) => {
  // The local port of an open connection: nothing listens there, and no other process can get the port meanwhile.
  const taken = connect(Number(new URL(receiver.url()).port), '127.0.0.1');
  t.after(() => taken.destroy());
  await once(taken, 'connect');
  const nowhere = `http://127.0.0.1:${taken.localPort}/nowhere`;
  const [dead, well] = [await newDestination({ url: nowhere }), await newDestination()];
  await happens(2);
  await received(well, 2);
  const {
    attempts: [{ response_status, error }],
  } = await attempted(dead, 1);
  assert.deepEqual([response_status, error], [null, 'The connection was refused.']);
});

// Guards against: A receiver that is slow, endless or hostile
test('destinations that never respond, however many, delay no others', async () => {
  const silent = await times(24, () => newDestination({}, world.meadowMachine));
  const hanging = new Set(silent.map((d) => d.path));
  const open: (() => void)[] = [];
  receiver.answer = ({ path }) =>
    hanging.has(path) ? new Promise((resolve) => open.push(() => resolve({ status: 200 }))) : { status: 200 };
  await happens(8, world.meadow);
  await until('they hang', async () => open.length >= 48);
  const well = await newDestination();
  await happens(100);
  await received(well, 100);
  assert.ok(open.length <= 24 * 4, 'each has only a few requests under way');
  receiver.answer = () => ({ status: 200 });
  for (const let_go of open) let_go();
  for (const each of silent) await received(each, 8);
});

test('deliveries to one destination are in feed order, as far as limited concurrency allows', async () => {
  const to = await newDestination();
  for (let i = 0; i < 5; i++) await happens(60);
  const ids = (await received(to, 300)).map((r) => r.items[0].id);
  const sorted = ids.toSorted((a, b) => a - b);
  assert.equal(new Set(ids).size, 300);
  const furthest = Math.max(...ids.map((id, at) => Math.abs(sorted.indexOf(id) - at)));
  assert.ok(furthest <= 16, `one was ${furthest} places from its own`);
});

test('deliveries wait while a destination is paused, and arrive in order when it is resumed', async () => {
  const to = await newDestination();
  await happens();
  await received(to, 1);
  await to.act('pause');
  // Loaded deliveries are trusted for a second, and no longer.
  later(2000);
  await until(
    'the engine has let go of it',
    async () =>
      (await world.app.db.acrossTenants('a test looks who has what', (tx) =>
        tx.one(sql`SELECT leased_by FROM webhook_lane WHERE destination_id = ${to.id}`),
      ))!.leased_by === null,
  );
  await happens(5);
  const other = await newDestination();
  await happens(1);
  await received(other, 1);
  assert.equal((await withStatus(to, 'pending', 6)).length, 6);
  assert.equal(to.received().length, 1);
  await to.act('resume');
  await received(to, 7);
  assert.equal(await told('webhook_destination.resumed', to.id).then((all) => all.length), 1);
});

test('a destination without a successful delivery for five days is paused with a reason, and nothing is lost', async () => {
  receiver.answer = () => ({ status: 500 });
  const to = await newDestination();
  await happens();
  await attempted(to, 1);
  later(5 * DAY + HOUR);
  await until('it is paused', async () => (await destination(to)).status === 'paused');
  assert.match((await destination(to)).status_reason, /five days/);
  assert.deepEqual(await told('webhook_destination.paused', to.id), [{ webhook_destination: to.id, cause: 'failing' }]);
  assert.match((await mailed('webhook_paused', to))[0].text_part, /five days/);
  receiver.answer = () => ({ status: 200 });
  await to.act('resume');
  await withStatus(to, 'delivered');
});

test('a range of the feed is sent again under the same ids, together with what was not sent before', async () => {
  await happens(3);
  const to = await newDestination();
  await happens(4);
  const first = (await received(to, 4)).map((r) => [r.items[0].id, r.id] as const);
  await withStatus(to, 'delivered', 4);
  const from = Math.min(...first.map(([seq]) => seq));
  const last = Math.max(...first.map(([seq]) => seq));
  const range = await to.act('replay', { after: 0, before: last - 1 });
  assert.deepEqual(range, { after: 0, before: last - 1 });
  const again = (
    await until('everything of the range came', async () => {
      const since = to.received().slice(4);
      return since.filter((r) => r.items[0].id >= from).length >= 3 &&
        since.filter((r) => r.items[0].id < from).length >= 3
        ? since
        : null;
    })
  ).map((r) => [r.items[0].id, r.id] as const);
  const known = new Map(first);
  for (const [seq, id] of again) {
    assert.ok(seq < last);
    if (known.has(seq)) assert.equal(id, known.get(seq));
  }
});

test('a test goes only to its destination, whatever types it has', async () => {
  const [to, other] = [await newDestination({ feed_item_types: ['event.cancelled'] }), await newDestination()];
  const made = await to.act('test');
  assert.deepEqual(
    [made.object, made.status, made.feed_item, made.feed_item_type],
    ['webhook_delivery', 'pending', null, 'webhook_destination.test'],
  );
  const [one] = await received(to, 1);
  verify(to.secret, one, world.now);
  assert.deepEqual(
    { ...one.items[0], timestamp: '' },
    {
      object: 'feed_item',
      id: 0,
      timestamp: '',
      type: 'webhook_destination.test',
      resources: { webhook_destination: to.id },
      payload: { webhook_destination: to.id },
    },
  );
  assert.equal((await withStatus(to, 'delivered'))[0].webhook_id, one.id);
  assert.equal(other.received().length, 0);
});

// Guards against: A business makes the service call addresses inside the network
test('a name that resolves to an internal address is refused when sending, whatever it resolved to when it was entered', async () => {
  const to = await newDestination({ url: receiver.url('/named').replace('127.0.0.1', 'hooks.example.com') });
  names['hooks.example.com'] = '10.0.0.7';
  await happens();
  const {
    attempts: [{ response_status, error }],
  } = await attempted(to, 1);
  assert.deepEqual([response_status, /not on the public internet/.test(error)], [null, true]);
  assert.equal(receiver.at('/named').length, 0);
  names['hooks.example.com'] = '127.0.0.1';
  later(MINUTE);
  await withStatus(to, 'delivered');
  assert.equal(receiver.at('/named').length, 1);
});

test('a new address and new types apply to later deliveries', async () => {
  const [to, other] = [await newDestination(), await newDestination({ feed_item_types: ['customer.updated'] })];
  receiver.answer = ({ path }) => ({ status: path === to.path ? 500 : 200 });
  await happens();
  await attempted(to, 1);
  await world.patch(`/webhook_destinations/${to.id}`, { as: world.machine, body: { url: receiver.url('/moved') } });
  await world.patch(`/webhook_destinations/${other.id}`, {
    as: world.machine,
    body: { feed_item_types: ['customer.created'] },
  });
  await happens();
  later(MINUTE);
  await until('both came to the new address', async () => receiver.at('/moved').length === 2);
  await received(other, 1);
});

test('a destination whose secret can no longer be read is paused, and continues with a new one', async () => {
  const to = await newDestination();
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE webhook_secret SET sealed = 'v1.another.key'
        WHERE provider_id = ${world.harbour} AND destination_id = ${to.id}`,
    ),
  );
  await happens();
  await until('it is paused', async () => (await destination(to)).status === 'paused');
  assert.deepEqual(await told('webhook_destination.paused', to.id), [{ webhook_destination: to.id, cause: 'secret' }]);
  const { secret } = await to.act('rotate_secret', { overlap_hours: 0 });
  await to.act('resume');
  verify(secret, (await received(to, 1))[0], world.now);
});

const sweep = () =>
  world.app.db.acrossTenants('a test sweeps', (tx) =>
    world.app.registry.areas.find((a) => a.name === 'webhooks')!.sweep!(tx, world.now, world.app.installation),
  );

test('a delivery whose feed item left retention before it was sent is cancelled, and says why', async () => {
  const to = await newDestination();
  await to.act('pause');
  await happens(2);
  const [gone, kept] = (await withStatus(to, 'pending', 2)).toSorted((a, b) => a.id - b.id);
  world.skipsAudit('a feed item is deleted');
  const owner = await beside(world.databaseUrl);
  await owner.query('DELETE FROM feed_item WHERE provider_id = $1 AND seq = $2', [world.harbour, gone.feed_item]);
  await owner.end();
  await to.act('resume');
  await withStatus(to, 'delivered');
  const [cancelled] = await withStatus(to, 'cancelled');
  assert.deepEqual(
    [cancelled.id, cancelled.request_body, cancelled.attempts.map((a: any) => [a.response_status, a.error])],
    [gone.id, null, [[null, 'Not sent: the feed item is no longer kept.']]],
  );
  assert.deepEqual(
    to.received().map((r) => r.items[0].id),
    [kept.feed_item],
  );
});

test('a repeated delivery waits for a paused destination for 30 days from then on, however old it is', async () => {
  const to = await newDestination();
  await happens();
  const [{ id }] = await withStatus(to, 'delivered');
  later(60 * DAY);
  receiver.answer = () => ({ status: 503 });
  await world.post(`/webhook_deliveries/${id}/resend`, { as: world.machine, body: {} });
  await attempted(to, 2);
  await to.act('pause');
  later(29 * DAY);
  await sweep();
  assert.equal((await to.deliveries())[0].status, 'pending');
  later(2 * DAY);
  await sweep();
  assert.equal((await to.deliveries())[0].status, 'cancelled');
});

test('bodies and responses are deleted after 30 days, deliveries after 90, and those waiting for a paused destination are cancelled after 30', async () => {
  const [to, paused] = [await newDestination(), await newDestination()];
  receiver.answer = () => ({ status: 200, body: 'thanks' });
  await paused.act('pause');
  await happens();
  await withStatus(to, 'delivered');
  await withStatus(paused, 'pending');
  later(29 * DAY);
  await sweep();
  assert.deepEqual(
    [(await to.deliveries())[0].attempts[0].response_body, (await paused.deliveries())[0].status],
    ['thanks', 'pending'],
  );
  later(2 * DAY);
  await sweep();
  const [
    {
      request_body,
      attempts: [{ response_body, response_status }],
    },
  ] = await to.deliveries();
  assert.deepEqual(
    [request_body, response_body, response_status, (await paused.deliveries())[0].status],
    [null, null, 200, 'cancelled'],
  );
  const [{ id }] = await to.deliveries();
  await world.post(`/webhook_deliveries/${id}/resend`, { as: world.machine, body: {} });
  const [first, again] = await received(to, 2);
  assert.deepEqual([again.id, again.text], [first.id, first.text]);
  await withStatus(to, 'delivered');
  later(31 * DAY);
  await sweep();
  later(60 * DAY);
  await sweep();
  assert.deepEqual(await to.deliveries(), []);
});
