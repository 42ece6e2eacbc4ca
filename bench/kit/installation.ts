/** A durable embedded PostgreSQL with one business of a given size, and server processes on it. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { pino } from 'pino';
import { createApp } from '../../server/app.ts';
import { createMachineToken } from '../../server/areas/people/identity/index.ts';
import { createProvider } from '../../server/areas/platform/providers/index.ts';
import { Database } from '../../server/kernel/base/db/database.ts';
import { ensureDatabase, startEmbedded } from '../../server/kernel/base/db/embedded/embedded.ts';
import { prepareDatabase } from '../../server/kernel/base/db/schema/prepare.ts';
import { raw, sql } from '../../server/kernel/base/db/sql.ts';
import { readConfig } from '../../server/config.ts';
import { SECRET_KEY } from '../../server/test/secret-key.ts';
import type { Answer, Command } from '../../server/kernel/base/db/sharing/batch.ts';

export interface Cluster {
  /** connection string of the superuser, database `postgres` */
  readonly url: string;
  remove(): Promise<void>;
}

export interface Range {
  /** ids are from first to first + n - 1 */
  readonly first: number;
  readonly n: number;
}

export interface Installation {
  url: string;
  db: Database;
  provider: number;
  token: string;
  customers: Range;
  events: Range;
  remove(): Promise<void>;
}

/**
 * For bookings that never repeat, the number of customers has to be a multiple of the number of events; see
 * bookings.ts.
 */
export interface Size {
  customers: number;
  events: number;
  attendances: number;
}

const quiet = { info() {}, warn() {}, error: (m: string) => console.error(m) };

/**
 * Starts a durable embedded PostgreSQL in a temporary folder (set by TMPDIR: a folder in memory makes every commit
 * free).
 */
export async function startCluster(): Promise<Cluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const postgres = await startEmbedded({ dataDir, log: quiet });
    return { url: postgres.url, remove: () => postgres.stop().finally(removeFolder) };
  } catch (error) {
    removeFolder();
    throw error;
  }
}

/** Creates a separate database with one business of this size. */
export async function install(cluster: Cluster, name: string, size: Size): Promise<Installation> {
  const url = await ensureDatabase(cluster.url, name);
  await prepareDatabase(url);
  return furnish(url, size);
}

/** Creates one business of this size in a database that has no other. */
export async function furnish(url: string, size: Size): Promise<Installation> {
  const db = new Database({ url, size: 4 });
  const provider = await db.acrossTenants('the benchmark makes its business', (tx) =>
    createProvider(tx, { name: 'Bench', timezone: 'America/Toronto', currency: 'CAD', country: 'CA' }),
  );
  const { token } = await db.transaction(provider, (tx) => createMachineToken(tx, provider, { name: 'bench' }));
  const made = await fill(db, provider, size);
  await attend({ db, url, provider, ...made }, size.attendances);
  return { url, db, provider, token, ...made, remove: () => db.close() };
}

async function fill(db: Database, provider: number, size: Size) {
  const p = raw(String(provider));
  await db.transaction(provider, async (tx) => {
    await tx.run(sql`INSERT INTO venue (provider_id, name, timezone) VALUES (${p}, 'Hall', 'America/Toronto')`);
    await tx.run(sql`INSERT INTO offering_type (provider_id, name) VALUES (${p}, 'Class')`);
    await tx.run(sql`INSERT INTO customer (provider_id, first_name, last_name, email)
      SELECT ${p}, 'First' || n, 'Last' || n, 'person' || n || '@example.com'
      FROM generate_series(1, ${raw(String(size.customers))}) n`);
    await tx.run(sql`
      INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, starts_at, ends_at, local_starts_at,
        local_ends_at)
      SELECT ${p}, o.id, v.id, 'Class ' || n, 'America/Toronto', s.at, s.at + interval '1 hour',
        s.at AT TIME ZONE 'America/Toronto', (s.at + interval '1 hour') AT TIME ZONE 'America/Toronto'
      FROM offering_type o, venue v, generate_series(1, ${raw(String(size.events))}) n,
      LATERAL (SELECT date_trunc('hour', now()) + interval '1 day' + n * interval '1 hour' AS at) s
      WHERE o.provider_id = ${p} AND v.provider_id = ${p} ORDER BY n`);
  });
  const range = async (table: string) =>
    (await db.transaction(provider, (tx) =>
      tx.one<{ first: number; n: number }>(
        sql`SELECT min(id)::bigint AS first, count(*)::int AS n FROM ${raw(table)} WHERE provider_id = ${p}`,
      ),
    ))!;
  return { customers: await range('customer'), events: await range('event') };
}

/** Inserts bookings number 0 to n - 1 in the order of `pairs.ts`: spread evenly over customers and events. */
async function attend(
  { db, url, provider, customers, events }: Omit<Installation, 'token' | 'remove'>,
  n: number,
): Promise<void> {
  const portion = 50_000;
  for (let at = 0; at < n; at += portion) {
    const to = Math.min(at + portion, n) - 1;
    await db.transaction(provider, (tx) =>
      tx.run(sql`INSERT INTO attendance (provider_id, event_id, customer_id, status, registered_at)
        SELECT ${provider}, ${events.first}::bigint + (i + i / ${customers.n}::bigint) % ${events.n}::bigint,
          ${customers.first}::bigint + i % ${customers.n}::bigint, 'registered', now()
        FROM generate_series(${at}::bigint, ${to}::bigint) i`),
    );
  }
  await vacuum(url);
}

/** Vacuums, as autovacuum would have done in a running installation. */
export async function vacuum(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query('VACUUM ANALYZE');
  await owner.end();
}

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** A server in a separate process. */
export interface ServerProcess extends Server {
  readonly pid: number;
}

/** Starts a server in a separate process; resolves when it responds. */
export async function serve(url: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const file = fileURLToPath(new URL('serve.ts', import.meta.url));
  const child: ChildProcess = fork(file, {
    env: { ...process.env, DATABASE_URL: url, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (d: Buffer) => resolve(d.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return {
    url: address,
    pid: child.pid!,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** A write to the database connection, and its response. */
export interface Exchange {
  readonly commands: readonly Command[];
  readonly answers: readonly Answer[];
}

/**
 * Returns the statements of a request once token and business are cached, one entry for each write to the connection.
 * `request` is called several times: it must make a new booking each time.
 */
export const statementsOf = async (
  installation: Installation,
  request: (base: string, headers: Record<string, string>) => Promise<Response>,
): Promise<Command[][]> =>
  (
    await recordExchanges(installation, async (base, headers) => {
      const answer = await request(base, headers);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`the request to be measured answers ${answer.status}: ${text}`);
    })
  ).map(({ commands }) => [...commands]);

/** Returns the statements of several consecutive requests, with the responses of the database. */
export async function recordExchanges(
  installation: Installation,
  act: (base: string, headers: Record<string, string>) => Promise<void>,
): Promise<Exchange[]> {
  const seen: { commands: readonly Command[]; answers: Promise<readonly Answer[]> }[] = [];
  const config = readConfig({ HOST: '127.0.0.1', RATE_LIMIT: 'off', LOG_LEVEL: 'silent', SECRET_KEY, ROLE: 'server' });
  const app = createApp({
    config: { ...config, port: 0 },
    databaseUrl: installation.url,
    log: pino({ level: 'silent' }),
    // Responses are kept unparsed: the caller parses them.
    observe: (commands, answers) => seen.push({ commands: [...commands], answers: answers.then((all) => [...all]) }),
  });
  try {
    const base = await app.listen();
    const headers = { authorization: `Bearer ${installation.token}`, 'content-type': 'application/json' };
    for (let attempt = 0; attempt < 50; attempt++) {
      seen.length = 0;
      await act(base, headers);
      // Token and business are cached for a second or two; a request that had to look them up is not measured.
      if (
        !seen
          .flatMap(({ commands }) => commands)
          .some(({ statement }) => /\bmachine_token\b|SELECT timezone, currency FROM provider/.test(statement.text))
      )
        return Promise.all(seen.map(async ({ commands, answers }) => ({ commands, answers: await answers })));
    }
    throw new Error('every request looked up its token');
  } finally {
    await app.close();
  }
}
