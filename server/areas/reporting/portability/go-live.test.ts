import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { advance, startTestBusiness } from '../../../test/worlds/test-business.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { until } from '../../../test/storm.ts';
import type { World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startTestBusiness();
});
after(() => world?.close());

const goLive = (as = world.machine, id = world.harbour, query = '') =>
  world.post(`/providers/${id}/go_live${query}`, { as, body: {} });
const isTest = async (): Promise<unknown> =>
  (await world.get(`/providers/${world.harbour}?fields=is_test`, { as: world.machine })).body.is_test;
const processor = (kind: string) =>
  world.post('/payment_processors', { as: world.machine, body: { kind, name: kind } });

test('a test business goes live once, with everything in it: its sandbox is disabled, and it may take money', async () => {
  const sandbox = (await processor('sandbox')).body;
  const desk = (await processor('offline')).body;
  const customer = await world.newCustomer({});
  const preview = await goLive(world.machine, world.harbour, '?dry_run=true');
  assert.deepEqual(
    preview.body.effects.map(({ effect }: { effect: string }) => effect),
    ['went_live', 'disabled'],
    preview.text,
  );
  assert.equal(await isTest(), true, 'a dry run changes nothing');

  for (const as of [world.staff(['customers']), world.customer(customer)]) assert.equal((await goLive(as)).status, 403);
  const done = await goLive();
  assert.deepEqual(
    [done.status, done.body.is_test, done.body.disabled_payment_processors],
    [200, false, [sandbox.id]],
    done.text,
  );
  assert.equal(await isTest(), false);
  assert.equal((await world.get('/test_clock', { as: world.machine })).body.is_test, false);
  const enabled = async (id: number) =>
    (await world.get(`/payment_processors/${id}`, { as: world.machine })).body.is_enabled;
  assert.deepEqual([await enabled(sandbox.id), await enabled(desk.id)], [false, true]);
  assert.equal((await world.get(`/customers/${customer}`, { as: world.machine })).status, 200, 'everything stays');

  const again = await goLive();
  assert.deepEqual([again.status, again.body.code], [409, 'not_a_test_business']);
  const name = (await world.get(`/providers/${world.harbour}`)).body.name;
  const discarded = await world.post(`/providers/${world.harbour}/discard`, { as: world.machine, body: { name } });
  assert.deepEqual([discarded.status, discarded.body.code], [409, 'not_a_test_business']);
  const audited = await world.app.db.transaction(world.harbour, (tx) =>
    tx.rows(
      sql`SELECT FROM audit_entry WHERE provider_id = ${world.harbour} AND action = 'POST /providers/{id}/go_live'`,
    ),
  );
  assert.equal(audited.length, 1);
});

test('a business whose clock was advanced stays a test business, and can be deleted', async (t) => {
  const other = await startTestBusiness();
  t.after(() => other.close());
  await advance(other, { by: 'P1D' });
  const refused = await other.post(`/providers/${other.harbour}/go_live`, { as: other.machine, body: {} });
  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'], refused.text);
  assert.match(refused.body.message, /can’t go back/);
  const meadow = await other.post(`/providers/${other.meadow}/go_live`, { as: other.machine, body: {} });
  assert.equal(meadow.status, 404, 'nobody decides about another business');
  const { name } = (await other.get(`/providers/${other.harbour}`)).body;
  const discarded = await other.post(`/providers/${other.harbour}/discard`, { as: other.machine, body: { name } });
  assert.equal(discarded.status, 200, discarded.text);
  await until('the business is gone', async () => (await other.get('/events')).status === 403);
});
