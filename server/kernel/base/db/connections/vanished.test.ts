/** The service while its database is lost, frozen or down, through a connection that the test can cut. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, afterEach, before, test } from 'node:test';
import type pg from 'pg';
import { Database } from '../database.ts';
import { beside, times, until } from '../../../../test/storm.ts';
import { fill, sql, statement } from '../sql.ts';
import { HASTY } from '../../../../test/hasty.ts';
import { Proxy } from '../../../../test/outside/proxy.ts';
import { startWorld, type ApiAnswer, type World } from '../../../../test/world.ts';

let proxy: Proxy;
let world: World;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ patience: HASTY, through: async (url) => (proxy = await Proxy.to(url)).url });
  owner = await beside(world.databaseUrl);
});
afterEach(() => {
  proxy.pass();
  proxy.thaw();
});
after(async () => {
  await owner.end();
  await world.close();
  await proxy.close();
});

const venues = () => world.get('/venues', { as: world.machine });
const ready = async (): Promise<any> => (await fetch(`${world.url}/readyz`)).json();
const answers = async () => until('the service answers again', async () => (await venues()).status === 200);
/** Asserts 200, or 503 with a time to retry: never another error, and never no response. */
const orUnavailable = (given: readonly ApiAnswer[]): void => {
  for (const { status, headers, text } of given) {
    assert.ok(status === 200 || (status === 503 && Number(headers.get('retry-after')) > 0), text);
  }
};
/** Uses and opens every connection of the pool. */
const warm = () => times(8, (i) => world.get(`/venues?fields=id&page=${i + 1}`, { as: world.machine }));

// Guards against: A failing network or database takes the service down with it
test('dead connections are dropped, together with the idle ones, and new ones are opened', async () => {
  await warm();
  proxy.vanish();
  const given = await times(16, venues);
  orUnavailable(given);
  assert.ok(
    given.some((a) => a.status === 503),
    'those that were in use are lost',
  );
  await answers();
  assert.deepEqual([...new Set((await times(16, venues)).map((a) => a.status))], [200]);
});

test('a long query is not mistaken for a dead connection', async () => {
  const s = statement(sql`SELECT pg_sleep(${(HASTY.silentMs * 5) / 1000}::float8), 7 AS n`);
  const [{ rows }] = await world.app.db.read(world.harbour, [{ statement: s, values: fill(s.holes, undefined) }]);
  assert.equal(rows[0][1], '7');
});

test('a query beyond its time limit is ended on the clock of the service', async () => {
  const db = new Database({ url: proxy.url, size: 1, patience: { ...HASTY, answerMs: 1000 } });
  await assert.rejects(
    db.transaction(world.harbour, (tx) => tx.rows(sql`SELECT pg_sleep(60)`)),
    { code: 'ETIMEDOUT' },
  );
  assert.deepEqual(await db.transaction(world.harbour, (tx) => tx.rows(sql`SELECT 1 AS n`)), [{ n: 1 }]);
  await db.close();
});

test('a frozen database is unavailable within the time limit, and serves again as soon as it continues', async () => {
  await warm();
  proxy.freeze();
  orUnavailable(await times(24, venues));
  assert.equal((await venues()).status, 503);
  assert.deepEqual(await ready(), { status: 'the database does not answer' });
  proxy.thaw();
  await answers();
  assert.deepEqual(await ready(), { status: 'ready' });
});

test('a database that ends every connection is unavailable, and serves again as soon as it accepts them', async () => {
  await warm();
  proxy.reset();
  orUnavailable(await times(16, venues));
  assert.equal((await venues()).status, 503);
  assert.deepEqual(await ready(), { status: 'the database does not answer' });
  proxy.pass();
  await answers();
});

test('a connection that falls silent before its session is set up is dropped like one that never opened', async () => {
  const held = await beside(world.databaseUrl);
  await held.query('BEGIN; LOCK TABLE pg_catalog.pg_db_role_setting, pg_catalog.pg_authid IN ACCESS EXCLUSIVE MODE');
  const db = new Database({ url: proxy.url, size: 1, patience: HASTY });
  await assert.rejects(
    db.transaction(world.harbour, (tx) => tx.rows(sql`SELECT 1 AS n`)),
    { code: 'ETIMEDOUT' },
  );
  await held.query('ROLLBACK');
  assert.deepEqual(await db.transaction(world.harbour, (tx) => tx.rows(sql`SELECT 1 AS n`)), [{ n: 1 }]);
  await Promise.all([db.close(), held.end()]);
});

const named = async (name: string): Promise<number> =>
  (await owner.query('SELECT count(*)::int AS n FROM offering_type WHERE name = $1', [name])).rows[0].n;
const addOffering = (name: string) =>
  sql`INSERT INTO offering_type (provider_id, name) VALUES (${world.harbour}, ${name})`;

// Guards against: A change that is reported as saved and then lost, or saved twice, because the database went away
test('a change whose confirmation was lost is not a success, and the service does not repeat it', async () => {
  let runs = 0;
  const observe = (commands: readonly { statement: { text: string } }[]) =>
    void (commands.at(-1)!.statement.text === 'COMMIT' && proxy.loseAnswers());
  const db = new Database({ url: proxy.url, size: 1, patience: HASTY, observe });
  const made = db.transaction(world.harbour, async (tx) => {
    runs++;
    await tx.run(addOffering('Perhaps'));
  });
  await assert.rejects(made, { code: '08007' });
  assert.equal(runs, 1);
  await until('the database has done it', async () => (await named('Perhaps')) === 1);
  await db.close();
});

test('a change is kept if the process stood still while it was confirmed', async () => {
  const db = new Database({
    url: world.databaseUrl,
    size: 1,
    patience: { ...HASTY, commitMs: 1 },
    observe: (commands) => {
      if (commands.at(-1)!.statement.text === 'COMMIT') process.nextTick(standStillUntilKept);
    },
  });
  await db.transaction(world.harbour, (tx) => tx.run(addOffering('Meanwhile')));
  await db.close();
});

test('a process that stood still for longer than the time limit reads the response first', async () => {
  const answerMs = HASTY.connectMs;
  const still = new Int32Array(new SharedArrayBuffer(4));
  const db = new Database({
    url: world.databaseUrl,
    size: 1,
    patience: { ...HASTY, answerMs },
    observe: (commands) => {
      if (commands.at(-1)!.statement.text.includes('after a while'))
        process.nextTick(() => Atomics.wait(still, 0, 0, answerMs + 200));
    },
  });
  const asked = db.transaction(world.harbour, (tx) => tx.rows(sql`SELECT 'after a while' AS said`));
  assert.deepEqual(await asked, [{ said: 'after a while' }]);
  await db.close();
});

/** Blocks this process completely while another one checks. */
function standStillUntilKept(): void {
  const look = `import pg from 'pg';
    const client = new pg.Client({ connectionString: process.argv[1] });
    await client.connect();
    while (!(await client.query("SELECT FROM offering_type WHERE name = 'Meanwhile'")).rowCount);
    await client.end();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', look, world.databaseUrl]);
}

const postOnce = () =>
  world.post('/offering_types', { as: world.machine, body: { name: 'Once' }, headers: { 'idempotency-key': 'once' } });

// Guards against: A change that is reported as saved and then lost, or saved twice, because the database went away
test('a request whose change may have been committed says so, and a retry with the same key makes it only once', async () => {
  await warm();
  // Fires within the COMMIT, when everything else is done: its response is lost.
  await owner.query(
    `CREATE FUNCTION hold_on() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(99); RETURN NULL; END $$`,
  );
  await owner.query(
    `CREATE CONSTRAINT TRIGGER hold_on AFTER INSERT ON offering_type DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold_on()`,
  );
  await owner.query('SELECT pg_advisory_lock(99)');
  const asked = postOnce();
  await until(
    'the change is being kept',
    async () =>
      (await owner.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 99 AND NOT granted`)).rowCount,
  );
  proxy.loseAnswers();
  await owner.query('SELECT pg_advisory_unlock(99)');
  const answer = await asked;
  assert.equal(answer.status, 503, answer.text);
  assert.match(answer.body.message, /may or may not have been saved.*Idempotency-Key/);
  const again = await until('the same is answered', async () => {
    const given = await postOnce();
    return given.status === 201 ? given : null;
  });
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(await named('Once'), 1);
  await owner.query('DROP TRIGGER hold_on ON offering_type');
});

// Guards against: A failing network or database takes the service down with it
test('while commits wait for a lost standby, reads continue and writes are unavailable; both recover when it is back', async () => {
  const database = new URL(world.databaseUrl).pathname.slice(1);
  // Other databases of this cluster do not wait for their commits, and so not for a standby either.
  await owner.query(`ALTER DATABASE ${database} SET synchronous_commit = 'on'`);
  await owner.query(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
  await owner.query('SELECT pg_reload_conf()');
  proxy.reset();
  proxy.pass();
  await answers();
  const post = (name: string) => world.post('/offering_types', { as: world.machine, body: { name } });
  try {
    const writes = times(12, (i) => post(`Waiting ${i}`));
    await until(
      'commits wait',
      async () => (await owner.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)).rowCount! >= 6,
    );
    assert.deepEqual([...new Set((await times(12, venues)).map((a) => a.status))], [200]);
    const given = await writes;
    assert.deepEqual([...new Set(given.map((a) => a.status))], [503]);
    assert.match(given.map((a) => a.text).join(), /may or may not have been saved/);
    assert.equal((await venues()).status, 200);
    assert.deepEqual(await ready(), { status: 'ready', warnings: ['the database does not confirm changes'] });
  } finally {
    await owner.query('ALTER SYSTEM RESET synchronous_standby_names');
    await owner.query('SELECT pg_reload_conf()');
  }
  await until('writing goes on', async () => (await post('After')).status === 201);
  assert.equal(
    (await owner.query(`SELECT count(*)::int AS n FROM offering_type WHERE name LIKE 'Waiting%'`)).rows[0].n,
    6,
    'those that had come to their commit were kept',
  );
  await until('nothing waits any more', async () => (await ready()).warnings === undefined);
});
