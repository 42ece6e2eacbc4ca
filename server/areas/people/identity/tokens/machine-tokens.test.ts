import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beside } from '../../../../test/storm.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startBeside, startWorld, type World } from '../../../../test/world.ts';

let world: World;
let other: World;
before(async () => {
  world = await startWorld();
  other = await startBeside(world);
});
after(async () => {
  await other.close();
  await world.close();
});

const make = async (body: object = {}, headers: Record<string, string> = {}) => {
  const { status, body: made } = await world.post('/machine_tokens', {
    as: world.machine,
    body: { name: 'Door', ...body },
    headers,
  });
  assert.equal(status, 201, JSON.stringify(made));
  return made as { id: number; token: string };
};

test('a token is shown by the response that creates it, and never again', async () => {
  const headers = { 'idempotency-key': 'door-1' };
  const made = await make({}, headers);
  assert.match(made.token, /^rcm_[A-Za-z0-9_-]{49}$/);
  assert.equal((await world.get('/customers', { as: made.token })).status, 200);

  const again = await world.post('/machine_tokens', { as: world.machine, body: { name: 'Door' }, headers });
  assert.deepEqual(
    [again.status, again.body.id, again.body.token, again.headers.get('idempotent-replayed')],
    [201, made.id, null, 'true'],
  );
  for (const path of [`/machine_tokens/${made.id}`, '/machine_tokens']) {
    const { text } = await world.get(path, { as: world.machine });
    assert.ok(!text.includes(made.token) && text.includes(made.token.slice(0, 8)), path);
  }
  // Searched in the database: the files of a whole run may not fit into one string.
  const stored = await world.app.db.acrossTenants('nothing of the secret is kept', (tx) =>
    tx.one<{ named: boolean; kept: boolean }>(
      sql`SELECT bool_or(position('Door' IN t) > 0) AS named, bool_or(position(${made.token} IN t) > 0) AS kept
        FROM (SELECT to_json(a)::text FROM audit_entry a UNION ALL SELECT to_json(k)::text FROM idempotency_key k
          UNION ALL SELECT to_json(m)::text FROM machine_token m UNION ALL SELECT to_json(f)::text FROM feed_item f) AS kept (t)`,
    ),
  );
  assert.deepEqual(stored, { named: true, kept: false });
});

test('a response that shows a token must not be cached, and has no version', async () => {
  const { headers } = await world.post('/machine_tokens', { as: world.machine, body: { name: 'Door' } });
  assert.deepEqual([headers.get('cache-control'), headers.get('etag')], ['no-store', null]);
});

// Guards against: Guessing or reusing credentials
test('a revoked token is refused from the very next request on, in every process', async () => {
  for (let i = 0; i < 25; i++) {
    const { id, token } = await make();
    assert.equal((await other.get('/customers', { as: token })).status, 200);
    assert.equal((await world.get('/customers', { as: token })).status, 200);
    assert.equal((await world.post(`/machine_tokens/${id}/revoke`, { as: world.machine })).status, 200);
    const refused =
      i % 2 === 0
        ? await other.get('/customers', { as: token })
        : await other.post('/venues', { as: token, body: { name: 'Late', timezone: 'UTC', venue_type: 'physical' } });
    assert.deepEqual([refused.status, refused.body.message], [401, 'The token you provided is expired or invalid.']);
    assert.equal((await world.get('/customers', { as: token })).status, 401);
  }
  assert.equal((await world.get('/venues?fields=name', { as: world.machine })).text.includes('Late'), false);
});

test('a revoked token always gets the same refusal, even if nothing is read from the database', async () => {
  const asks: [path: string, method: string, ask: Parameters<World['ask']>[2]][] = [
    ['/venues', 'POST', { body: { name: 7 } }],
    ['/venues', 'GET', { headers: { 'service-provider-id': 'none' } }],
    ['/venues', 'GET', { mode: 'customer' }],
    ['/customers?page=x', 'GET', {}],
  ];
  for (const [path, method, ask] of asks) {
    const { id, token } = await make();
    assert.notEqual((await other.ask(method, path, { ...ask, as: token })).status, 401);
    await world.post(`/machine_tokens/${id}/revoke`, { as: world.machine });
    assert.equal((await other.ask(method, path, { ...ask, as: token })).status, 401, path);
  }
});

// Guards against: Guessing or reusing credentials
test('no write of a revoked token is committed, though many are in progress', async () => {
  const { id, token } = await make();
  const { body: venue } = await world.post('/venues', {
    as: world.machine,
    body: { name: 'Pier', timezone: 'UTC', venue_type: 'online' },
  });
  assert.ok(venue.id);
  let refused = 0;
  let revoked = false;
  const late: number[] = [];
  const write = async (n: number) => {
    while (refused < 8) {
      const after = revoked;
      const { status } = await other.patch(`/venues/${venue.id}`, { as: token, body: { description: `${n}` } });
      if (status === 401) refused++;
      else if (after) late.push(status);
    }
  };
  const writers = Array.from({ length: 8 }, (_, n) => write(n));
  await world.get('/customers', { as: world.machine });
  await world.post(`/machine_tokens/${id}/revoke`, { as: world.machine });
  revoked = true;
  await Promise.all(writers);
  assert.deepEqual(late, []);
});

// Guards against: Slowing others down by many changes of one's own
test('changes of other callers’ access delay nobody, however many there are', async () => {
  const { id } = await make();
  const clock = { over: false };
  const storm = (async () => {
    const others = await beside(world.databaseUrl);
    for (let n = 0; !clock.over; n++)
      await others.query(
        `UPDATE machine_token SET expires_at = now() + make_interval(days => 1, secs => $1) WHERE id = $2`,
        [n, id],
      );
    await others.end();
  })();
  const ask = (n: number) =>
    n % 2 === 0
      ? other.get('/customers', { as: world.machine })
      : other.patch(`/machine_tokens/${id}`, { as: world.machine, body: { name: `Door ${n}` } });
  const statuses: number[] = [];
  for (let n = 0; n < 40; n++) statuses.push((await ask(n)).status);
  clock.over = true;
  await storm;
  assert.deepEqual(
    statuses.filter((status) => status !== 200),
    [],
  );
});

test('a process that missed a change clears its whole cache', async () => {
  const { id, token } = await make();
  assert.equal((await other.get('/customers', { as: token })).status, 200);
  await world.app.db.acrossTenants('the changes are swept before the other process read them', async (tx) => {
    await tx.run(sql`UPDATE machine_token SET revoked_at = now() WHERE id = ${id}`);
    await tx.run(sql`SET CONSTRAINTS ALL IMMEDIATE`);
    await tx.run(sql`DELETE FROM access_change`);
  });
  assert.equal((await other.get('/customers', { as: token })).status, 401);
});

test('a token expires at its time, which can be changed, but not after it is revoked', async () => {
  const { id, token } = await make({ expires_at: new Date(world.now + 3_600_000).toISOString() });
  assert.equal((await world.get('/customers', { as: token })).status, 200);
  const start = world.now;
  world.setNow(start + 3_601_000);
  assert.equal((await world.get('/customers', { as: token })).status, 401);
  assert.equal(
    (await world.patch(`/machine_tokens/${id}`, { as: world.machine, body: { expires_at: null } })).status,
    200,
  );
  assert.equal((await world.get('/customers', { as: token })).status, 200);
  world.setNow(start);
  assert.equal((await world.post(`/machine_tokens/${id}/revoke`, { as: world.machine })).status, 200);
  for (const [method, path] of [
    ['PATCH', ''],
    ['POST', '/revoke'],
  ]) {
    const { status, body } = await world.ask(method, `/machine_tokens/${id}${path}`, { as: world.machine, body: {} });
    assert.deepEqual([status, body.code], [409, 'already_ended']);
  }
});

test('an expiry in the past is refused', async () => {
  const { status, body } = await world.post('/machine_tokens', {
    as: world.machine,
    body: { name: 'Old', expires_at: '2020-01-01T00:00:00Z' },
  });
  assert.deepEqual([status, Object.keys(body.field_errors)], [400, ['expires_at']]);
});

test('its last use is recorded, and recording it triggers no new check', async () => {
  const { id, token } = await make();
  const epoch = async () =>
    (await world.app.db.acrossTenants('the epoch of now', (tx) =>
      tx.one<{ value: number }>(sql`SELECT value FROM access_epoch`),
    ))!.value;
  const before = await epoch();
  await world.get('/customers', { as: token });
  for (;;) {
    const { body } = await world.get(`/machine_tokens/${id}`, { as: world.machine });
    if (body.last_used_at !== null) break;
  }
  assert.equal(await epoch(), before);
});

test('only super admins manage tokens', async () => {
  assert.equal((await world.get('/machine_tokens', { as: world.staff(['developer', 'customers']) })).status, 403);
  assert.equal((await world.get('/machine_tokens?status=active', { as: world.staff(['super_admin']) })).status, 200);
});
