/** A primary, a standby that follows it, and two processes of the service that read from both. */
import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import type pg from 'pg';
import { createApp, type App } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { createMachineToken } from '../../areas/people/identity/index.ts';
import { createProvider } from '../../areas/platform/providers/index.ts';
import { replicaFindings } from '../../scale/doctor/replicas.ts';
import { PATIENCE } from '../../kernel/base/db/connections/patience.ts';
import { replicaAddresses } from '../../scale/replicas/addresses.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { beside, times, until } from '../storm.ts';
import { fill, makeBusiness } from './durable.ts';
import { Pair } from './pair.ts';
import type { ReadCounts } from '../../kernel/base/db/sharing/spot.ts';

let pair: Pair;
let harbour: number;
let token: string;
/** connects to the primary */
let owner: pg.Client;
let apps: { app: App; url: string }[];

before(async () => {
  pair = await Pair.start(
    async (url) => {
      const business = await makeBusiness(url);
      ({ harbour, token } = business);
      await fill({ url, harbour }, 500, { n: 10, places: null });
    },
    { confirms: false },
  );
  owner = await beside(pair.primaryUrl);
  apps = await times(2, () => start(pair.standbyUrl));
  await Promise.all(apps.map(({ app }) => untilReplica(app)));
});
after(async () => {
  await Promise.all(apps.map(({ app }) => app.close()));
  await owner.end();
  await pair.remove();
});

/** Starts the service like a separate process: it shares only the database with the others. */
async function start(replica: string): Promise<{ app: App; url: string }> {
  const config = readConfig({
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    SECRET_KEY,
    ROLE: 'server',
    DATABASE_URL: pair.primaryUrl,
    REPLICA_URL: replica,
  });
  const app = createApp({
    config: { ...config, port: 0 },
    databaseUrl: pair.primaryUrl,
    log: pino({ level: 'silent' }),
    drainMs: 0,
    keepsPages: false,
    // The operator is warned about a replica soon.
    patience: { ...PATIENCE, tellMs: 500 },
  });
  return { app, url: await app.listen() };
}

const counts = (app: App): ReadCounts => ({ ...app.db.replicas!.counts });

/** Returns the server that handles a read that may go to either. */
const placeOf = (app: App): Promise<'replica' | 'primary'> =>
  app.db.lookingAnywhere(harbour, async (tx) => {
    const row = await tx.one<{ replica: boolean }>(sql`SELECT pg_is_in_recovery() AS replica`);
    return row!.replica ? 'replica' : 'primary';
  });

const untilReplica = (app: App) => until('the standby answers', async () => (await placeOf(app)) === 'replica');

const ask = async (
  { url }: { url: string },
  path: string,
  { method = 'GET', body, as = token }: { method?: string; body?: object; as?: string } = {},
): Promise<{ status: number; body: any }> => {
  const answer = await fetch(`${url}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
};

let created = 0;
/** Creates a customer. */
async function create(at: { url: string }): Promise<number> {
  const n = ++created;
  const answer = await ask(at, '/customers', {
    method: 'POST',
    body: { first_name: 'New', last_name: `Person ${n}`, email: `new-${n}@example.org` },
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

/** Returns how often the list contains this customer: 1 or 0. */
const found = async (at: { url: string }, customer: number, as = token): Promise<number> =>
  (await ask(at, `/customers?ids=${customer}`, { as })).body.count;

/** Runs `act` while the standby receives changes without replaying them. */
async function frozen<T>(act: () => Promise<T>): Promise<T> {
  const standby = await beside(pair.standbyUrl);
  try {
    await standby.query('SELECT pg_wal_replay_pause()');
    await until(
      'replay is paused',
      async () => (await standby.query(`SELECT 1 WHERE pg_get_wal_replay_pause_state() = 'paused'`)).rowCount,
    );
    return await act();
  } finally {
    await standby.query('SELECT pg_wal_replay_resume()');
    await standby.end();
  }
}

const newToken = (app: App): Promise<{ id: number; token: string }> =>
  app.db.transaction(harbour, (tx) => createMachineToken(tx, harbour, { name: 'short-lived' }));

test('lists come from the standby, single objects from the primary', async () => {
  const [one] = apps;
  const standby = await beside(pair.standbyUrl);
  await until('a list is answered by the standby', async () => {
    const before = counts(one.app).replica;
    assert.equal((await ask(one, '/customers?page_size=7')).body.results.length, 7);
    return counts(one.app).replica > before;
  });
  const seen = await standby.query(
    `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%customer%' AND pid <> pg_backend_pid()`,
  );
  assert.ok(seen.rowCount! > 0, 'the standby itself says that it was asked');
  await standby.end();
  const { id } = (await ask(one, '/customers?page_size=1')).body.results[0];
  const before = counts(one.app);
  assert.equal((await ask(one, `/customers/${id}`)).status, 200);
  assert.equal((await ask(one, '/customers/count_nothing')).status, 404);
  assert.deepEqual(counts(one.app), before);
});

test('everything that may be read from a standby works there: lists, reports, the feed and public pages', async () => {
  const [one] = apps;
  const { slug } = (await owner.query('SELECT slug FROM provider WHERE provider_id = $1', [harbour])).rows[0];
  const atReplica = one.app.registry.endpoints.filter(
    (e) => !e.path.includes('{') && ((e.acts === 'list' && !e.everywhere) || (e.acts === 'read' && e.replica)),
  );
  const answered: string[] = [];
  const look = (path: string) =>
    until(`the standby answers ${path}`, async () => {
      const before = counts(one.app);
      const { status } = await fetch(one.url + path, { headers: { authorization: `Bearer ${token}` } });
      assert.ok(status < 500, `${path}: ${status}`);
      assert.equal(counts(one.app).failed, before.failed, path);
      if (status !== 200) return 'it lacks what it must be asked with';
      if (counts(one.app).replica === before.replica) return false;
      answered.push(path);
      return true;
    });
  for (const { path } of atReplica) await look(`/api/v2${path}`);
  for (const path of [`/${slug}/timetable`, `/${slug}/sitemap.xml`]) await look(path);
  const reports = answered.filter((path) => path.includes('/reports/'));
  assert.ok(reports.length > 10 && answered.length - reports.length > 50, answered.join(' '));
  for (const path of ['/api/v2/events', '/api/v2/feed_items', '/api/v2/reports/attendances/data', `/${slug}/timetable`])
    assert.ok(answered.includes(path), path);
});

test('while the standby is behind, callers see every write through every process, without doing anything for it', async () => {
  const [one, other] = apps;
  await frozen(async () => {
    const customer = await create(one);
    const another = await newToken(other.app);
    const before = counts(other.app).replica;
    assert.equal(await found(one, customer), 1);
    assert.equal(await found(other, customer), 1);
    assert.equal(await found(other, customer, another.token), 1);
    assert.equal(counts(other.app).replica, before, 'the standby answered none of it');
    await until('the lag is known', async () => other.app.db.replicas!.states[0].lagMs! > 0);
  });
  await Promise.all(apps.map(({ app }) => untilReplica(app)));
});

test('a read is never older than a write acknowledged before it, while the standby follows a storm of writes', async () => {
  const before = counts(apps[1].app).replica;
  const rounds = async (n: number): Promise<void> => {
    for (let i = 0; i < n; i++) {
      const customer = await create(apps[i % 2]);
      assert.equal(await found(apps[(i + 1) % 2], customer), 1);
    }
  };
  await until('the standby answered some', async () => {
    await times(4, () => rounds(15));
    return counts(apps[1].app).replica > before;
  });
});

// Guards against: A replica that shows what is no longer allowed, or more than the primary
test('a revoked token is refused with the next request, even while the standby has not received the change', async () => {
  const [one, other] = apps;
  const revoke = async (id: number) =>
    assert.equal((await ask(one, `/machine_tokens/${id}/revoke`, { method: 'POST' })).status, 200);
  const first = await newToken(one.app);
  assert.equal((await ask(other, '/customers', { as: first.token })).status, 200);
  await frozen(async () => {
    await revoke(first.id);
    assert.equal((await ask(other, '/customers', { as: first.token })).status, 401);
  });
  await untilReplica(other.app);
  for (let i = 0; i < 10; i++) {
    const { id, token: as } = await newToken(one.app);
    assert.equal((await ask(other, '/customers', { as })).status, 200);
    await revoke(id);
    assert.equal((await ask(other, '/customers', { as })).status, 401);
  }
});

// Guards against: A replica that shows what is no longer allowed, or more than the primary
test('businesses are isolated on the standby too, and nothing can be written there', async () => {
  const [{ app }] = apps;
  const meadow = await app.db.acrossTenants('a test has two businesses', (tx) =>
    createProvider(tx, { name: 'Meadow', timezone: 'Europe/London', currency: 'GBP', country: 'GB' }),
  );
  const foreign = await until('the standby is asked', () =>
    app.db.lookingAnywhere(meadow, async (tx) => {
      const row = await tx.one<{ replica: boolean; role: string; n: number }>(
        sql`SELECT pg_is_in_recovery() AS replica, current_user::text AS role, (SELECT count(*) FROM customer) AS n`,
      );
      return row!.replica && row;
    }),
  );
  assert.deepEqual({ ...foreign }, { replica: true, role: 'rollcall_app', n: 0 });
  const ran: boolean[] = [];
  await assert.rejects(
    app.db.lookingAnywhere(harbour, async (tx) => {
      ran.push((await tx.one<{ replica: boolean }>(sql`SELECT pg_is_in_recovery() AS replica`))!.replica);
      await tx.run(sql`DELETE FROM customer WHERE provider_id = ${harbour}`);
    }),
    { code: '25006' },
  );
  assert.equal(ran.at(-1), false, 'the primary refuses it too');
  await untilReplica(app);
});

test('a read that the standby cancels is retried on the primary', async () => {
  const [{ app }] = apps;
  await until('a read begins at the standby', async () => {
    const places: boolean[] = [];
    const before = counts(app).failed;
    const n = await app.db.lookingAnywhere(harbour, async (tx) => {
      const row = await tx.one<{ replica: boolean }>(
        sql`SELECT pg_is_in_recovery() AS replica, count(*) FROM customer`,
      );
      places.push(row!.replica);
      // Replaying the lock on the standby cancels queries that read the table there.
      if (row!.replica) await owner.query('BEGIN; LOCK TABLE customer IN ACCESS EXCLUSIVE MODE; COMMIT');
      if (row!.replica) await ended();
      return (await tx.one<{ n: number }>(sql`SELECT count(*) AS n FROM customer`))!.n;
    });
    assert.ok(n > 0);
    if (places.length === 1) return false;
    assert.deepEqual(places, [true, false]);
    assert.equal(counts(app).failed, before + 1);
    return true;
  });
  await untilReplica(app);
});

/** Waits until the standby has replayed all writes of the primary. */
async function ended(): Promise<void> {
  const standby = await beside(pair.standbyUrl);
  const { at } = (await owner.query('SELECT pg_current_wal_flush_lsn()::text AS at')).rows[0];
  await until(
    'the standby has replayed it',
    async () => (await standby.query('SELECT 1 WHERE pg_last_wal_replay_lsn() >= $1::pg_lsn', [at])).rowCount,
  );
  await standby.end();
}

test('when the standby is killed, every read is answered, /readyz and the metrics report it, and the standby is used again once it is back', async () => {
  const [one] = apps;
  const statuses: number[] = [];
  const end = new AbortController();
  const readers = times(8, async () => {
    while (!end.signal.aborted) statuses.push((await ask(one, '/customers?page_size=50&sort=-created_at')).status);
  });
  await until('reads are under way', async () => statuses.length > 40);
  await pair.standby.end('SIGKILL');
  const sofar = statuses.length;
  await until('reads go on', async () => statuses.length > sofar + 40);
  const ready = await until('/readyz says so', async () => {
    const said = (await (await fetch(`${one.url}/readyz`)).json()) as { status: string; warnings?: string[] };
    assert.equal(said.status, 'ready');
    return said.warnings;
  });
  assert.equal(ready.length, 1);
  assert.match(ready[0], new RegExp(`^the replica 127.0.0.1:${pair.standby.port} is not read from: `));
  const { app } = one;
  const metrics = async () => (await fetch(`${one.url}/metrics`)).text();
  assert.match(await metrics(), /^rollcall_replica_lag_seconds\{replica="127.0.0.1:\d+"\} Nan$/im);
  const [finding] = await replicaFindings(pair.primaryUrl, replicaAddresses(pair.standbyUrl));
  assert.match(finding.wrong, /can’t be read from/);
  await pair.startStandby();
  await untilReplica(app);
  end.abort();
  await readers;
  assert.deepEqual([...new Set(statuses)], [200]);
  assert.match(await metrics(), /^rollcall_replica_reads_total\{outcome="replica"\} [1-9]/m);
  await until(
    'the warning goes',
    async () => (await (await fetch(`${one.url}/readyz`)).text()) === '{"status":"ready"}',
  );
  assert.deepEqual(await replicaFindings(pair.primaryUrl, replicaAddresses(pair.standbyUrl)), []);
});

const troubleOf = (app: App): Promise<string> =>
  until('the trouble is known', async () => app.db.replicas!.states[0].trouble);

/**
 * Starts a load balancer, one name for several servers: each connection goes to the current target when it is opened,
 * until traffic is stopped.
 */
async function balancer() {
  const wires = new Set<Socket>();
  let { port } = pair.standby;
  const server = createServer((service) => {
    const database = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [service, database],
      [database, service],
    ]) {
      wires.add(from.on('error', () => {}).on('close', () => to.destroy()));
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgresql://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/rollcall`,
    leadTo: (other: number) => void (port = other),
    freeze: () => wires.forEach((wire) => wire.unpipe().pause()),
    close: () => {
      server.close();
      for (const wire of wires) wire.destroy();
    },
  };
}

test('a session itself proves how far its server has replayed, so one name may stand for several servers', async () => {
  const between = await balancer();
  const { app } = await start(between.url);
  await until('the standby is known to follow', async () => app.db.replicas!.states[0].lagMs !== null);
  between.leadTo(pair.primary.port);
  await until('a read came to a server that has replayed nothing', async () => {
    assert.equal(await placeOf(app), 'primary');
    return counts(app).behind > 0;
  });
  assert.equal(counts(app).replica, 0);
  await app.close();
  between.close();
});

test('a standby that stops responding in the middle of a read does not block it', async () => {
  const between = await balancer();
  const { app } = await start(between.url);
  await untilReplica(app);
  await until('a read begins at the standby', async () => {
    const places: boolean[] = [];
    await app.db.lookingAnywhere(harbour, async (tx) => {
      const where = () => tx.one<{ replica: boolean }>(sql`SELECT pg_is_in_recovery() AS replica`);
      const { replica } = (await where())!;
      places.push(replica);
      if (replica) between.freeze();
      await where();
    });
    assert.equal(places.at(-1), false);
    return places.length > 1;
  });
  await app.close();
  between.close();
});

test("a database user without permission to check the standby's progress reads nothing from it until the permission is granted", async () => {
  await owner.query('CREATE ROLE reader LOGIN NOSUPERUSER; GRANT rollcall_app TO reader');
  const url = pair.standbyUrl.replace('postgres@', 'reader@');
  await ended();
  const { app } = await start(url);
  assert.match(await troubleOf(app), /GRANT pg_read_all_stats/);
  assert.equal(await placeOf(app), 'primary');
  assert.match((await replicaFindings(pair.primaryUrl, replicaAddresses(url)))[0].remedy, /GRANT pg_read_all_stats/);
  await owner.query('GRANT pg_read_all_stats TO reader');
  await untilReplica(app);
  await app.close();
});

test('a server that is not a standby of this database is never read from', async () => {
  const strangers: [string, RegExp][] = [
    [pair.primaryUrl, /takes writes/],
    [pair.standby.url, /standby of another database/],
  ];
  const examine = async ([url, said]: [string, RegExp]) => {
    const { app } = await start(url);
    assert.match(await troubleOf(app), said);
    assert.equal(await placeOf(app), 'primary');
    assert.equal(counts(app).replica, 0);
    await app.close();
    const [finding] = await replicaFindings(pair.primaryUrl, replicaAddresses(url));
    assert.match(finding.wrong, said);
  };
  await Promise.all(strangers.map(examine));
});

test('doctor reports that DATABASE_URL names a standby, without failing', async () => {
  const [finding] = await replicaFindings(pair.standbyUrl, replicaAddresses(pair.standbyUrl));
  assert.match(finding.wrong, /^The server of DATABASE_URL does not say how far its log is, .*recovery is in progress/);
  assert.match(finding.remedy, /takes writes/);
});

// The last test, because afterwards there is no standby.
test('a promoted standby is no longer read from', async () => {
  const [{ app }] = apps;
  await untilReplica(app);
  await pair.promote();
  const port = () =>
    app.db.lookingAnywhere(harbour, (tx) => tx.one<{ port: string }>(sql`SELECT current_setting('port') AS port`));
  // Before it takes writes, it stops following the primary, which is reported first.
  await until('the service has seen it', async () => /takes writes/.test(await troubleOf(app)));
  const before = counts(app).replica;
  for (let i = 0; i < 20; i++) assert.deepEqual({ ...(await port()) }, { port: String(pair.primary.port) });
  assert.equal(counts(app).replica, before);
});

test('/readyz lists every warning if there are several', async () => {
  const { app, url } = await start('postgresql://postgres@127.0.0.1:1,127.0.0.1:2/rollcall');
  const warnings = await until('both are known to be away', async () => {
    const said = (await (await fetch(`${url}/readyz`)).json()) as { warnings?: string[] };
    return said.warnings?.length === 2 ? said.warnings : undefined;
  });
  for (const [i, warning] of warnings.entries())
    assert.match(warning, new RegExp(`^the replica 127.0.0.1:${i + 1} is not read from: `));
  await app.close();
});

const named = (text: string) => readConfig({ DATABASE_URL: 'postgresql://db1/x', REPLICA_URL: text }).replicas;

test('replicas are configured in the same way as the primary, and an invalid one is refused at startup', () => {
  assert.deepEqual(named('postgresql://u:p@db2,[::1]:6000/x?target_session_attrs=standby&sslmode=require'), [
    { name: 'db2:5432', url: 'postgresql://u:p@db2/x?sslmode=require' },
    { name: '::1:6000', url: 'postgresql://u:p@[::1]:6000/x?sslmode=require' },
  ]);
  assert.throws(() => named('db2'), /REPLICA_URL must be/);
  assert.throws(() => named('postgresql://db2:x/y'), /REPLICA_URL names the host "db2:x"/);
  assert.throws(() => named('postgresql://db2/x?target_session_attrs=read-write'), /REPLICA_URL.*Remedy/);
  assert.throws(() => readConfig({ REPLICA_URL: 'postgresql://db2/x' }), /DATABASE_URL must be set/);
  assert.deepEqual(readConfig({}).replicas, []);
});
