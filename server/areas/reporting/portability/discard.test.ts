import assert from 'node:assert/strict';
import pg from 'pg';
import { after, before, test } from 'node:test';
import { makeCustomer, makeStaff, newMember } from '../../../test/worlds/direct-auth-world.ts';
import { foldChanged } from '../reports/stored/engine.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { idle, until } from '../../../test/storm.ts';

let world: World;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ own: true, worker: true, test: true });
  owner = new pg.Client({ connectionString: world.databaseUrl });
  await owner.connect();
});
after(async () => {
  await owner?.end();
  await world?.close();
});

const path = (id: number) => `/providers/${id}/discard`;
const counts = async (id: number): Promise<Record<string, number>> => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 1 AND a.attname = 'provider_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  );
  const found = await owner.query(
    rows
      .map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS n FROM ${name} WHERE provider_id = ${id}`)
      .join(' UNION ALL '),
  );
  return Object.fromEntries(found.rows.filter((row) => row.n > 0).map((row) => [row.name, row.n]));
};

test('a test business is deleted with everything in it, and nothing of any other business', async () => {
  // Only the owner may access a month that waits for its archive.
  await owner.query('CREATE TABLE audit_entry_2020_01 (LIKE audit_entry)');
  const [member, both] = [await newMember(world), await newMember(world)];
  await makeCustomer(world, member);
  await makeStaff(world, both);
  await makeCustomer(world, both, world.meadow);
  for (const resource of world.app.registry.resources.keys()) {
    await seed(world, resource);
    await seed(world, resource, world.meadow);
  }
  const preview = await world.post(`${path(world.harbour)}?dry_run=true`, {
    as: world.machine,
    body: { name: 'Harbour' },
  });
  assert.equal(preview.status, 200, preview.text);
  const before = await counts(world.harbour);
  assert.ok(Object.keys(before).length > 100, `${Object.keys(before).length} tables have rows`);
  assert.ok(
    preview.body.effects.some((one: any) => one.effect === 'deleted' && one.detail.what === 'customer'),
    preview.text,
  );

  const wrong = await world.post(path(world.harbour), { as: world.machine, body: { name: 'harbour' } });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.field_errors)], [400, ['name']]);
  assert.equal((await world.post(path(world.meadow), { as: world.machine, body: { name: 'Meadow' } })).status, 404);
  // The worker's rows and the stored sums of the seeds exist before they are counted.
  await idle(owner);
  await foldChanged(world.app);
  const others = await counts(world.meadow);

  const done = await world.post(path(world.harbour), { as: world.machine, body: { name: 'Harbour' } });
  assert.equal(done.status, 200, done.text);
  const said = Object.fromEntries(done.body.deletes.map((one: any) => [one.object, one.count]));
  assert.equal(said.customer, before.customer);
  await until('the business is gone', async () => Object.keys(await counts(world.harbour)).length === 0);
  assert.notEqual((await world.get('/customers', { as: world.machine })).status, 200);
  assert.equal((await world.get('/events')).status, 403, 'it is as unknown as one that never was');

  const rest = await counts(world.meadow);
  for (const table of [
    'feed_item',
    'feed_position',
    'feed_reader_position',
    'job_effect',
    'row_count',
    'webhook_attempt',
  ]) {
    delete others[table];
    delete rest[table];
  }
  assert.deepEqual(rest, others);
  const { rows } = await owner.query('SELECT id::int FROM user_account WHERE id = ANY($1) ORDER BY id', [
    [member.userId, both.userId],
  ]);
  assert.deepEqual(rows, [{ id: both.userId }], 'people who are at no other business lose their log-in');
});

test('a live business can’t be deleted, not even by the database', async () => {
  const refused = await world.post(path(world.meadow), { as: world.meadowMachine, body: { name: 'Meadow' } });
  assert.deepEqual([refused.status, refused.body.code], [409, 'not_a_test_business']);
  await owner.query('BEGIN');
  await owner.query(`SELECT set_config('rollcall.discarding', $1, true)`, [String(world.meadow)]);
  await assert.rejects(
    owner.query('DELETE FROM ledger_transaction WHERE provider_id = $1', [world.meadow]),
    /the ledger stays/,
  );
  await owner.query('ROLLBACK');
  await assert.rejects(
    owner.query('DELETE FROM provider WHERE provider_id = $1', [world.meadow]),
    /only a test business/,
  );
});
