import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { createApp } from '../../../app.ts';
import { createUser } from '../../people/identity/index.ts';
import { PERMISSIONS } from '../staff/index.ts';
import { IDS_OF_A_MONTH } from '../../../kernel/base/db/schema/months.ts';
import { iso, row } from '../../../test/schedule-world.ts';
import { parseXml } from '../../../test/matrix/parse-xml.ts';
import { readConfig } from '../../../config.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';

let world: World;
before(async () => {
  // A separate worker processes the queue and the stored entries.
  world = await startWorld({ own: true });
});
after(() => world.close());

const list = async (query: string, as = world.machine): Promise<any[]> => {
  const answer = await world.get(`/audit_entries?${query}`, { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.results;
};

/** Returns an entry as it is stored. */
const entry = (over: Record<string, unknown> = {}, providerId = world.harbour) =>
  row(
    world,
    'audit_entry',
    {
      at: iso(world.now),
      request_id: 'r',
      actor: 'machine_token:1',
      mode: 'provider',
      action: 'PATCH /venues/{id}',
      object: 'venue',
      object_id: 1,
      ...over,
    },
    providerId,
  );

const ids = (entries: any[]): number[] => entries.map((e) => e.id);

test('a change is recorded with who made it, how, and what differs', async () => {
  const customer = await world.newCustomer({ first_name: 'Mo' });
  const began = world.now;
  const answer = await world.patch(`/customers/${customer}`, { as: world.machine, body: { first_name: 'Bo' } });
  const [told] = await list(`object=customer&object_id=${customer}`);
  assert.deepEqual(
    [told.object, told.mode, told.action, told.request_id],
    ['audit_entry', 'provider', 'PATCH /customers/{id}', answer.headers.get('request-id')],
  );
  assert.deepEqual(told.subject, { object: 'customer', id: customer });
  assert.deepEqual([told.actor.kind, told.actor.name], ['machine_token', 'tests']);
  assert.deepEqual([told.before.first_name, told.after.first_name], ['Mo', 'Bo']);
  assert.deepEqual(
    told.changes.find((c: any) => c.name === 'first_name'),
    { name: 'first_name', old: 'Mo', new: 'Bo' },
  );
  assert.ok(!told.changes.some((c: any) => c.name === 'last_name'));
  const at = Date.parse(told.timestamp);
  assert.ok(at > began - 1000 && at <= world.now, told.timestamp);
  assert.deepEqual((await world.get(`/audit_entries/${told.id}`, { as: world.machine })).body, told);
});

test('an actor is named as the business knows it: token, staff, customer, person, job, or nobody', async () => {
  const [customer, user] = [
    await world.newCustomer({ first_name: 'Mo', last_name: 'Lind' }),
    await world.app.db.acrossTenants('a person of a test has an account', (tx) =>
      createUser(tx, { email: 'kim@example.com', password: 'correct horse battery' }),
    ),
  ];
  const staff = await row(world, 'staff', {
    first_name: 'Kim',
    last_name: 'Reyes',
    email: 'kim@example.com',
    user_id: user,
  });
  const told = async (actor: string, over = {}) => {
    const { body } = await world.get(`/audit_entries/${await entry({ actor, ...over })}`, { as: world.machine });
    return [body.actor.kind, body.actor.id, body.actor.name, body.user];
  };
  assert.deepEqual(await told(`staff:${staff}`), ['staff', staff, 'Kim Reyes', null]);
  assert.deepEqual(await told(`customer:${customer}`), ['customer', customer, 'Mo Lind', null]);
  assert.deepEqual(await told(`user:${user}`, { user_id: user }), ['user', user, 'Kim Reyes', user]);
  assert.deepEqual(await told('authorization:5', { user_id: user, application_id: 9 }), [
    'authorization',
    5,
    'Kim Reyes',
    user,
  ]);
  assert.deepEqual(await told('job:bulk_cancel_events'), ['job', null, 'bulk_cancel_events', null]);
  assert.deepEqual(await told('anonymous'), ['anonymous', null, null, null]);
  assert.deepEqual(await told('staff:987654'), ['staff', 987_654, null, null]);
  // No id that an account could have: it must neither be looked up nor break the lookup.
  assert.deepEqual(await told('staff:1e5'), ['staff', null, '1e5', null]);
  assert.deepEqual(await told('staff:99999999999999999999'), ['staff', null, '99999999999999999999', null]);
});

test('each filter finds what it should and nothing else, alone and combined', async () => {
  const at = world.now - 40 * 86_400_000;
  const base = {
    actor: 'user:41',
    action: 'POST /somewhere',
    object: 'thing',
    object_id: 41,
    request_id: 'request-41',
    user_id: 41,
    application_id: 41,
    at: iso(at),
  };
  const wanted = await entry(base);
  const others: Record<string, unknown> = {
    actor: 'user:42',
    action: 'POST /elsewhere',
    object: 'thong',
    object_id: 42,
    request_id: 'request-42',
    user_id: 42,
    application_id: 42,
    at: iso(at - 3_600_000),
  };
  const near = new Map<string, number>();
  for (const [name, value] of Object.entries(others)) near.set(name, await entry({ ...base, [name]: value }));
  const all = [wanted, ...near.values()].toReversed();
  const queries: [string, string][] = [
    ['actor', 'actor=user:41'],
    ['action', `action=${encodeURIComponent('POST /somewhere')}`],
    ['object', 'object=thing'],
    ['object_id', 'object=thing,thong&object_id=41'],
    ['request_id', 'request_id=request-41'],
    ['user_id', 'user=41'],
    ['application_id', 'application=41'],
    ['at', `at_gte=${encodeURIComponent(iso(at - 60_000))}&at_lte=${encodeURIComponent(iso(at + 60_000))}`],
  ];
  assert.deepEqual(queries.map(([name]) => name).toSorted(), Object.keys(others).toSorted());
  for (const [name, query] of queries)
    assert.deepEqual(
      ids(await list(query)),
      all.filter((id) => id !== near.get(name)),
      query,
    );
  const together = queries
    .filter(([name]) => name !== 'object_id')
    .map(([, query]) => query)
    .join('&');
  assert.deepEqual(ids(await list(`${together}&object_id=41,43`)), [wanted]);
});

test('the newest comes first, or last if requested, pages do not overlap, and the count is exact', async () => {
  const made = [];
  for (let i = 0; i < 5; i++) made.push(await entry({ request_id: 'paged' }));
  assert.deepEqual(ids(await list('request_id=paged')), made.toReversed());
  assert.deepEqual(ids(await list('request_id=paged&sort=id')), made);
  assert.deepEqual(ids(await list('request_id=paged&sort=-id&page_size=2&page=2')), made.toReversed().slice(2, 4));
  assert.equal((await world.get('/audit_entries?request_id=paged&page_size=2', { as: world.machine })).body.count, 5);
});

// Guards against: A change that cannot be traced to anybody
test('only super admins read the audit, each that of their own business', async () => {
  const id = await entry();
  const others = [
    world.staff(PERMISSIONS.filter((p) => p !== 'super_admin')),
    world.staff([]),
    world.customer(await world.newCustomer()),
    undefined,
  ];
  for (const as of others) {
    for (const path of ['/audit_entries', `/audit_entries/${id}`])
      assert.ok([401, 403].includes((await world.get(path, { as })).status));
  }
  assert.equal((await world.get(`/audit_entries/${id}`, { as: world.staff(['super_admin']) })).status, 200);
  assert.equal((await world.get(`/audit_entries/${id}`, { as: world.meadowMachine })).status, 404);
  assert.deepEqual(ids(await list('', world.meadowMachine)).includes(id), false);
});

// Guards against: A change that cannot be traced to anybody
test('the audit is read-only: no request changes an entry', async () => {
  const id = await entry();
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    assert.equal((await world.ask(method, `/audit_entries/${id}`, { as: world.machine, body: {} })).status, 405);
  assert.equal((await world.post('/audit_entries', { as: world.machine, body: {} })).status, 405);
});

test('XML has the same content as JSON', async () => {
  const id = await entry({
    before: { name: 'Pier', tags: ['a'], 'odd name': null },
    after: { name: 'Quay & Co', tags: [], 'odd name': 1 },
  });
  const json = (await world.get(`/audit_entries/${id}`, { as: world.machine })).body;
  assert.deepEqual(json.changes.map((c: any) => c.name).toSorted(), ['name', 'odd name', 'tags']);
  const xml = await world.get(`/audit_entries/${id}?format=xml`, { as: world.machine });
  // In XML everything is text; only the document says which texts are numbers.
  assert.deepEqual(
    parseXml(xml.text),
    JSON.parse(JSON.stringify(json), (_name, value) => (typeof value === 'number' ? String(value) : value)),
  );
});

test('entries beyond the operator’s retention move from the database to a file, and no newer one does', async () => {
  const month = new Date(world.now).getUTCFullYear() * 12 + new Date(world.now).getUTCMonth() - 24_000;
  const of = (back: number, providerId = world.harbour) =>
    entry({ id: (month - back) * IDS_OF_A_MONTH + 1, at: iso(world.now - back * 30 * 86_400_000) }, providerId);
  const [old, young, foreign] = [await of(25), await entry(), await of(40, world.meadow)];
  const dataDir = mkdtempSync(join(tmpdir(), 'rollcall-audit-'));
  const worker = async (env: Record<string, string>) => {
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      ROLE: 'worker',
      DATA_DIR: dataDir,
      ...env,
    });
    const app = createApp({ config, databaseUrl: world.databaseUrl, log: pino({ level: 'silent' }), drainMs: 0 });
    await app.listen();
    return app;
  };
  const left = async (): Promise<number[]> =>
    (
      await world.app.db.acrossTenants('a test looks at the entries of two businesses', (tx) =>
        tx.rows<{ id: number }>(
          sql`SELECT id FROM audit_entry
            WHERE (provider_id, id) IN ((${world.harbour}, ${old}), (${world.harbour}, ${young}),
              (${world.meadow}, ${foreign})) ORDER BY id DESC`,
        ),
      )
    ).map((r) => r.id);
  try {
    const keeps = await worker({ AUDIT_RETENTION_MONTHS: 'never' });
    await keeps.close();
    assert.deepEqual(await left(), [young, old, foreign]);
    const forgets = await worker({});
    await until('the old entries are gone', async () => (await left()).length === 1);
    await forgets.close();
    assert.deepEqual(await left(), [young]);
    assert.equal((await world.get(`/audit_entries/${old}`, { as: world.machine })).status, 404);
    assert.equal(readdirSync(join(dataDir, 'archives', 'audit_entry')).length, 2);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('a retention that is no number of months is refused at startup', () => {
  for (const wrong of ['0', '-1', 'ever', '1.5'])
    assert.throws(
      () => readConfig({ AUDIT_RETENTION_MONTHS: wrong }),
      /AUDIT_RETENTION_MONTHS must be a whole number of months from 1 to 1200, or never/,
    );
});
