/**
 * The isolation of businesses, tested inside the database layer: state that one transaction set must not leak into a
 * later one.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Database, type Transaction } from './database.ts';
import { fill, sql, statement } from './sql.ts';
import { beside, times } from '../../../test/storm.ts';
import { RetryTransaction } from './retry-transaction.ts';
import { newVenue } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
/** one connection, so that any leftover state on it affects the next user */
let db: Database;
before(async () => {
  world = await startWorld({ own: true });
  db = new Database({ url: world.databaseUrl, size: 1 });
  await world.newCustomer();
  await world.newCustomer({}, world.meadow);
});
after(async () => {
  await db.close();
  await world.close();
});

const OWNERS = sql`SELECT DISTINCT provider_id FROM customer ORDER BY 1`;
const owners = (providerId: number) =>
  db.transaction(providerId, (tx) => tx.rows(OWNERS)).then((rows) => rows.map((r) => r.provider_id));
const readOwners = async (providerId: number) => {
  const s = statement(OWNERS);
  const [{ rows }] = await db.read(providerId, [{ statement: s, values: fill(s.holes, undefined) }]);
  return rows.map(([id]) => Number(id));
};
const eachSeesItself = async () => {
  for (const id of [world.harbour, world.meadow, world.harbour]) {
    assert.deepEqual(await owners(id), [id]);
    assert.deepEqual(await readOwners(id), [id]);
  }
};

test('a transaction without a business sees no row and writes none', async () => {
  const client = await beside(world.databaseUrl);
  await client.query('SET ROLE rollcall_app');
  assert.equal((await client.query('SELECT count(*)::int AS n FROM customer')).rows[0].n, 0);
  await assert.rejects(
    client.query(`INSERT INTO venue (provider_id, name, timezone) VALUES ($1, 'x', 'UTC')`, [world.harbour]),
    { code: '42501' },
  );
  assert.equal((await client.query(`UPDATE customer SET first_name = 'x'`)).rowCount, 0);
  assert.equal((await client.query('DELETE FROM customer')).rowCount, 0);
  await client.end();
});

test('a transaction sees only its own business, whatever ran before on the connection', async () => {
  await eachSeesItself();
  await db.acrossTenants('the test looks at all', async (tx) => assert.equal((await tx.rows(OWNERS)).length, 2));
  await eachSeesItself();
});

test('a statement that reads a whole table keeps only one processor of the database busy', async () => {
  const plan = await db.looking(world.harbour, async (tx) => {
    await tx.rows(sql`SELECT set_config(name, '0', true)
      FROM unnest(ARRAY['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size']) AS name`);
    return tx.rows(sql`EXPLAIN SELECT count(*) FROM pg_class`);
  });
  assert.doesNotMatch(JSON.stringify(plan), /Gather/);
});

test('no state of a transaction remains after a failure of any kind', async () => {
  const broken = sql`SELECT 1 / ${0}::int`;
  await assert.rejects(
    db.transaction(world.meadow, (tx) => tx.rows(broken)),
    { code: '22012' },
  );
  await eachSeesItself();
  await assert.rejects(
    db.transaction(world.meadow, async (tx) => (await tx.rows(OWNERS), Promise.reject(new Error('mine')))),
    /mine/,
  );
  await eachSeesItself();
  await assert.rejects(
    db.acrossTenants('the test fails across', (tx) => tx.rows(broken)),
    { code: '22012' },
  );
  await eachSeesItself();
  await assert.rejects(
    db.acrossTenants(
      'the test fails by itself',
      async (tx) => (await tx.rows(OWNERS), Promise.reject(new Error('mine'))),
    ),
    /mine/,
  );
  await eachSeesItself();
  const s = statement(broken);
  await assert.rejects(db.read(world.meadow, [{ statement: s, values: fill(s.holes, undefined) }]), { code: '22012' });
  await eachSeesItself();
});

test('a failure that the work swallowed is not committed as a success', async () => {
  const swallowed = db.transaction(world.harbour, (tx) => tx.rows(sql`SELECT 1 / ${0}::int`).catch(() => 'swallowed'));
  await assert.rejects(swallowed, /not committed/);
  await eachSeesItself();
});

const count = (tx: Transaction) => tx.one(sql`SELECT count(*) AS n FROM venue`).then((r) => r!.n);

test('an attempt that fails rolls back its writes, keeps the business, and lets the transaction continue', async () => {
  await db.transaction(world.harbour, async (tx) => {
    const before = await count(tx);
    const add = sql`INSERT INTO venue (provider_id, name, timezone) VALUES (${world.harbour}, 'Attempted', 'UTC')`;
    await assert.rejects(
      tx.attempt(async () => (await tx.run(add), tx.run(sql`SELECT 1 / ${0}::int`))),
      { code: '22012' },
    );
    assert.equal(await count(tx), before);
    assert.deepEqual(
      (await tx.rows(OWNERS)).map((r) => r.provider_id),
      [world.harbour],
    );
    await tx.attempt(() => tx.run(add));
    assert.equal(await count(tx), before + 1);
  });
});

test('two businesses that read concurrently through the same connections get only their own rows', async () => {
  const [harbour, meadow] = [await world.newCustomer(), await world.newCustomer({}, world.meadow)];
  const ask = (path: string, i: number) => world.get(path, { as: i % 2 ? world.machine : world.meadowMachine });
  const own = await times(200, (i) => ask(`/customers/${i % 2 ? harbour : meadow}`, i));
  assert.deepEqual([...new Set(own.map((a) => a.status))], [200]);
  const foreign = await times(200, (i) => ask(`/customers/${i % 2 ? meadow : harbour}`, i));
  assert.deepEqual([...new Set(foreign.map((a) => a.status))], [404]);
  const lists = await times(40, (i) => ask('/customers?fields=id', i));
  const [one, other] = [0, 1].map((half) => new Set(lists.filter((_, i) => i % 2 === half).map((a) => a.text)));
  assert.deepEqual([one.size, other.size], [1, 1]);
  assert.notEqual([...one][0], [...other][0]);
});

test('a connection that cannot take the role of the service is not used at all', async () => {
  const owner = await beside(world.databaseUrl);
  const name = `wide_${process.pid}`;
  await owner.query(`CREATE ROLE ${name} LOGIN BYPASSRLS; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${name}`);
  const url = new URL(world.databaseUrl);
  url.username = name;
  const wide = new Database({ url: url.href, size: 1 });
  const s = statement(OWNERS);
  await assert.rejects(wide.read(world.harbour, [{ statement: s, values: [] }]), { code: '42501' });
  await assert.rejects(
    wide.transaction(world.harbour, (tx) => tx.rows(OWNERS)),
    { code: '42501' },
  );
  await wide.close();
  await owner.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
  await owner.end();
});

test('a statement that takes too long is ended with 503, and the service continues', async () => {
  const owner = await beside(world.databaseUrl);
  await owner.query('BEGIN');
  await owner.query('LOCK TABLE venue IN ACCESS EXCLUSIVE MODE');
  const asked = world.get('/venues', { as: world.machine });
  const killer = await beside(world.databaseUrl);
  // Has the effect of statement_timeout, without the wait.
  for (let ended = 0; ended === 0;)
    ended = (
      await killer.query(
        `SELECT pg_cancel_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE NOT granted AND datname = current_database()`,
      )
    ).rowCount!;
  const answer = await asked;
  await owner.query('ROLLBACK');
  assert.equal(answer.status, 503);
  assert.equal(answer.body.code, 'unavailable');
  assert.equal(answer.body.type, 'api_error');
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.doesNotMatch(answer.text, /venue|SELECT|postgres/i);
  assert.equal((await world.get('/venues', { as: world.machine })).status, 200);
  await Promise.all([owner.end(), killer.end()]);
});

test('a migration that adds and drops columns while servers run fails no request', async () => {
  const owner = await beside(world.databaseUrl);
  const venue = await newVenue(world);
  const rename = (n: number) => world.patch(`/venues/${venue}`, { as: world.machine, body: { name: `Quay ${n}` } });
  for (let n = 0; n < 3; n++) {
    await Promise.all(Array.from({ length: 12 }, (_, i) => rename(i)));
    await owner.query(
      n % 2 ? 'ALTER TABLE venue DROP COLUMN newer' : 'ALTER TABLE venue ADD COLUMN newer int DEFAULT 3',
    );
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => rename(100 + i)));
    assert.deepEqual([...new Set(answers.map((a) => a.status))], [200]);
  }
  await owner.query('ALTER TABLE venue DROP COLUMN newer');
  assert.equal((await rename(0)).body.name, 'Quay 0');
  await owner.end();
});

test('a transaction that asks to be run again writes once, and is run at most four times', async () => {
  for (let failures = 0; failures <= 4; failures++) {
    let runs = 0;
    const name = `Again ${failures}`;
    const done = db.transaction(world.harbour, async (tx) => {
      runs += 1;
      await tx.run(sql`INSERT INTO membership_category (provider_id, name) VALUES (${world.harbour}, ${name})`);
      if (runs <= failures) throw new RetryTransaction('the decision was outdated');
    });
    if (failures < 4) await done;
    else await assert.rejects(done, RetryTransaction);
    assert.equal(runs, Math.min(failures + 1, 4));
    const rows = await db.transaction(world.harbour, (tx) =>
      tx.rows(sql`SELECT id FROM membership_category WHERE name = ${name}`),
    );
    assert.equal(rows.length, failures < 4 ? 1 : 0);
  }
});
