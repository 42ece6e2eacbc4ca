import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from '../../../kernel/base/db/sql.ts';
import { seed } from '../../../test/seeds.ts';
import { bodyAt, follow } from '../../../test/checks/openapi-refs.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());
beforeEach(() => world.resetNow());

const body = { url: 'https://hooks.example.com/in', feed_item_types: ['customer.created'] };
const create = (more: object = {}, ask: object = {}) =>
  world.post('/webhook_destinations', { as: world.machine, body: { ...body, ...more }, ...ask });

test('a destination can be created, read, changed in whole or in part, and deleted', async () => {
  const made = await create({
    description: 'Reports',
    feed_item_types: ['event.cancelled', 'customer.created', 'customer.created'],
  });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    { ...made.body, id: 0, secret: '', created_at: '', updated_at: '' },
    {
      object: 'webhook_destination',
      id: 0,
      url: body.url,
      description: 'Reports',
      feed_item_types: ['customer.created', 'event.cancelled'],
      status: 'active',
      status_reason: null,
      secret: '',
      created_at: '',
      updated_at: '',
    },
  );
  const path = `/webhook_destinations/${made.body.id}`;
  const patched = await world.patch(path, {
    as: world.machine,
    body: { description: null, feed_item_types: ['event.cancelled'] },
  });
  assert.deepEqual(
    [patched.status, patched.body.description, patched.body.feed_item_types, patched.body.url],
    [200, null, ['event.cancelled'], body.url],
  );
  const put = await world.put(path, { as: world.machine, body: { ...body, url: 'https://other.example.com/' } });
  assert.deepEqual([put.status, put.body.url], [200, 'https://other.example.com/']);
  assert.deepEqual(
    (
      await world.get('/webhook_destinations?feed_item_type=customer.created&sort=url', { as: world.machine })
    ).body.results.map((d: any) => d.id),
    [made.body.id],
  );
  assert.equal(
    (await world.get('/webhook_destinations?feed_item_type=event.cancelled', { as: world.machine })).body.count,
    0,
  );
  assert.equal((await world.delete(path, { as: world.machine })).status, 204);
  assert.equal((await world.get(path, { as: world.machine })).status, 404);
});

// Guards against: Forged or repeated webhooks
test('only the response that creates a secret shows it, and it is stored sealed', async () => {
  const headers = { 'idempotency-key': 'one-destination' };
  const made = await create({}, { headers });
  assert.match(made.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const again = await create({}, { headers });
  assert.deepEqual([again.body.id, again.body.secret], [made.body.id, null]);
  const path = `/webhook_destinations/${made.body.id}`;
  assert.equal((await world.get(path, { as: world.machine })).body.secret, null);
  assert.equal((await world.patch(path, { as: world.machine, body: { description: 'x' } })).body.secret, null);
  const rotated = await world.post(`${path}/rotate_secret`, { as: world.machine, body: {} });
  assert.match(rotated.body.secret, /^whsec_/);
  assert.notEqual(rotated.body.secret, made.body.secret);
  const kept = await world.app.db.acrossTenants('a test looks for secrets', (tx) =>
    tx.rows(sql`SELECT sealed FROM webhook_secret`),
  );
  assert.ok(
    kept.length >= 2 &&
      kept.every(({ sealed }) => sealed.startsWith('v1.') && !sealed.includes(made.body.secret.slice(6))),
  );
});

test('an internal address, or one that is not a plain https address, is refused under the name of its field, on creation and on change', async () => {
  const made = await create();
  const wrong = [
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost:8080/',
    'https://inside.example.com/',
    'http://hooks.example.com/',
    'https://user:word@hooks.example.com/',
    'https://hooks.example.com:5432/',
    'https://hooks.example.com/#x',
    'ftp://hooks.example.com/',
    'hooks.example.com',
    'https://10.1.2.3:8443/',
    'https://0/',
    'https://[fd00::1]/',
  ];
  for (const url of wrong) {
    for (const answer of [
      await create({ url }),
      await world.patch(`/webhook_destinations/${made.body.id}`, { as: world.machine, body: { url } }),
      await world.put(`/webhook_destinations/${made.body.id}`, { as: world.machine, body: { ...body, url } }),
    ]) {
      assert.deepEqual(
        [answer.status, answer.body.code, Object.keys(answer.body.field_errors)],
        [400, 'parameter_invalid', ['url']],
        url,
      );
    }
  }
  assert.equal((await world.get(`/webhook_destinations/${made.body.id}`, { as: world.machine })).body.url, body.url);
});

test('feed item types must be declared by the areas, and each unknown one is named', async () => {
  const answer = await create({ feed_item_types: ['customer.created', 'customer.create'] });
  assert.equal(answer.status, 400);
  assert.deepEqual(Object.keys(answer.body.field_errors), ['feed_item_types.1']);
  assert.equal((await create({ feed_item_types: [] })).status, 400);
  const document = (await world.get('/openapi.json')).body;
  const types = follow(
    document,
    follow(document, bodyAt(document, 'POST', '/webhook_destinations').properties.feed_item_types).items,
  ).enum;
  assert.deepEqual(types, [...world.app.registry.feed.keys()].toSorted());
});

test('a dry run creates nothing, and reveals no secret', async () => {
  const count = async () => (await world.get('/webhook_destinations', { as: world.machine })).body.count;
  const had = await count();
  const preview = await world.post('/webhook_destinations?dry_run=true', { as: world.machine, body });
  assert.deepEqual([preview.status, preview.body.secret], [200, null]);
  assert.equal(await count(), had);
});

test('a business never exceeds its limit of destinations, even if several are created at the same time', async () => {
  const had = (await world.get('/webhook_destinations', { as: world.meadowMachine })).body.count;
  const answers = await Promise.all(Array.from({ length: 60 - had }, () => create({}, { as: world.meadowMachine })));
  assert.equal(answers.filter((a) => a.status === 201).length, 50 - had);
  assert.deepEqual([...new Set(answers.filter((a) => a.status !== 201).map((a) => a.body.code))], ['conflict']);
});

test('only developers and super admins see destinations and deliveries, and only of their own business', async () => {
  const id = (await create()).body.id;
  const delivery = await seed(world, 'webhook_delivery');
  for (const path of [
    '/webhook_destinations',
    `/webhook_destinations/${id}`,
    '/webhook_deliveries',
    `/webhook_deliveries/${delivery}`,
  ]) {
    assert.equal((await world.get(path, { as: world.staff(['developer']) })).status, 200, path);
    assert.equal((await world.get(path, { as: world.staff(['customers', 'manage_events']) })).status, 403, path);
    const elsewhere = await world.get(path, { as: world.meadowMachine });
    if (/\d$/.test(path)) assert.equal(elsewhere.status, 404, path);
    else assert.ok(!elsewhere.body.results.some((r: any) => [id, delivery].includes(r.id)));
  }
});

test('staff who are limited to venues neither see nor create destinations, which cover the whole business', async () => {
  const [id, delivery, venue] = [
    (await create()).body.id,
    await seed(world, 'webhook_delivery'),
    await seed(world, 'venue'),
  ];
  const as = world.staff(['developer'], null, world.harbour, [venue]);
  for (const path of ['/webhook_destinations', '/webhook_deliveries'])
    assert.equal((await world.get(path, { as })).body.count, 0);
  for (const path of [`/webhook_destinations/${id}`, `/webhook_deliveries/${delivery}`])
    assert.equal((await world.get(path, { as })).status, 404);
  assert.equal((await world.post(`/webhook_destinations/${id}/rotate_secret`, { as, body: {} })).status, 404);
  assert.deepEqual(
    [(await create({}, { as })).status, (await create({}, { as })).body.code],
    [403, 'permission_denied'],
  );
});

test('pausing, resuming and testing refuse with the reason', async () => {
  const { id } = (await create()).body;
  const act = (what: string, given: object = {}) =>
    world.post(`/webhook_destinations/${id}/${what}`, { as: world.machine, body: given });
  assert.equal((await act('resume')).body.code, 'conflict');
  const paused = await act('pause', { reason: 'The receiver moves.' });
  assert.deepEqual([paused.body.status, paused.body.status_reason], ['paused', 'The receiver moves.']);
  for (const what of ['pause', 'test']) assert.equal((await act(what)).body.code, 'conflict', what);
  assert.equal((await act('replay', { after: 0 })).body.code, 'conflict');
  const resumed = await act('resume');
  assert.deepEqual([resumed.body.status, resumed.body.status_reason], ['active', null]);
});

test('the range of a replay is limited', async () => {
  const { id } = (await create()).body;
  const replay = (range: object) =>
    world.post(`/webhook_destinations/${id}/replay`, { as: world.machine, body: range });
  assert.deepEqual(Object.keys((await replay({ after: 5, before: 5 })).body.field_errors), ['before']);
  assert.equal((await replay({ after: -1 })).status, 400);
  const empty = await replay({ after: 0 });
  assert.deepEqual([empty.status, empty.body], [202, { after: 0, before: 0 }]);
});

test('deliveries are found by destination, status, type, feed item, Service-Webhook-ID and time', async () => {
  const [one, other] = [await seed(world, 'webhook_delivery'), await seed(world, 'webhook_delivery')];
  const { body: shown } = await world.get(`/webhook_deliveries/${one}`, { as: world.machine });
  assert.deepEqual(
    [shown.object, shown.status, shown.attempt_count, shown.attempts.length, shown.attempts[0].response_status],
    ['webhook_delivery', 'pending', 1, 1, 500],
  );
  const ids = async (query: string) =>
    (await world.get(`/webhook_deliveries?${query}`, { as: world.machine })).body.results.map((d: any) => d.id);
  assert.deepEqual(await ids(`destination=${shown.destination}`), [one]);
  assert.deepEqual(await ids(`webhook_id=${shown.webhook_id}`), [one]);
  assert.equal((await world.get('/webhook_deliveries?webhook_id=x', { as: world.machine })).status, 400);
  assert.deepEqual((await ids('status=pending,parked&feed_item_type=customer.created')).slice(0, 2), [other, one]);
  assert.deepEqual(await ids('status=parked'), []);
  assert.deepEqual(await ids('feed_item_type=event.cancelled'), []);
  assert.deepEqual(await ids('feed_item=7'), []);
  assert.deepEqual(await ids(`created_at_gte=${new Date(world.now + 60_000).toISOString()}`), []);
  assert.ok((await ids(`created_at_lte=${new Date(world.now + 60_000).toISOString()}`)).includes(one));
});
