/** A durable embedded PostgreSQL with one business of a given size, and server processes on it. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { pino } from 'pino';
import { createApp } from '../server/app.ts';
import { createMachineToken } from '../server/areas/identity/index.ts';
import { createProvider } from '../server/areas/providers/index.ts';
import { Database } from '../server/kernel/db/database.ts';
import { ensureDatabase, startEmbedded } from '../server/kernel/db/embedded.ts';
import { prepareDatabase } from '../server/kernel/db/prepare.ts';
import { raw, sql } from '../server/kernel/db/sql.ts';
import { readConfig } from '../server/config.ts';
import type { Command } from '../server/kernel/db/batch.ts';

export interface Installation {
  url: string;
  db: Database;
  provider: number;
  token: string;
  /** ids are from first to first + n - 1 */
  customers: { first: number; n: number };
  events: { first: number; n: number };
  remove(): Promise<void>;
}

export interface Size {
  customers: number;
  events: number;
  attendances: number;
}

const quiet = { info() {}, warn() {}, error: (m: string) => console.error(m) };

export async function install(size: Size): Promise<Installation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  const postgres = await startEmbedded({ dataDir, log: quiet });
  const url = await ensureDatabase(postgres.url, 'rollcall');
  await prepareDatabase(url);
  const db = new Database({ url, size: 4 });
  const provider = await db.acrossTenants('the benchmark makes its business', (tx) =>
    createProvider(tx, { name: 'Bench', timezone: 'America/Toronto', currency: 'CAD', country: 'CA' }),
  );
  const { token } = await db.transaction(provider, (tx) => createMachineToken(tx, provider, { name: 'bench' }));
  const made = await fill(db, provider, size);
  await attend({ db, url, provider, ...made }, size.attendances);
  const remove = async () => {
    await db.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url, db, provider, token, ...made, remove };
}

async function fill(db: Database, provider: number, size: Size) {
  const p = raw(String(provider));
  await db.transaction(provider, async (tx) => {
    await tx.run(sql`INSERT INTO venue (provider_id, name, timezone) VALUES (${p}, 'Hall', 'America/Toronto')`);
    await tx.run(sql`INSERT INTO offering_type (provider_id, name) VALUES (${p}, 'Class')`);
    await tx.run(sql`INSERT INTO customer (provider_id, first_name, last_name, email)
      SELECT ${p}, 'First' || n, 'Last' || n, 'person' || n || '@example.com' FROM generate_series(1, ${raw(String(size.customers))}) n`);
    await tx.run(sql`INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, starts_at, ends_at, local_starts_at, local_ends_at)
      SELECT ${p}, o.id, v.id, 'Class ' || n, 'America/Toronto', s.at, s.at + interval '1 hour', s.at AT TIME ZONE 'America/Toronto', (s.at + interval '1 hour') AT TIME ZONE 'America/Toronto'
      FROM offering_type o, venue v, generate_series(1, ${raw(String(size.events))}) n, LATERAL (SELECT date_trunc('hour', now()) + interval '1 day' + n * interval '1 hour' AS at) s
      WHERE o.provider_id = ${p} AND v.provider_id = ${p} ORDER BY n`);
  });
  const range = async (table: string) =>
    (await db.transaction(provider, (tx) => tx.one<{ first: number; n: number }>(sql`SELECT min(id)::bigint AS first, count(*)::int AS n FROM ${raw(table)} WHERE provider_id = ${p}`)))!;
  return { customers: await range('customer'), events: await range('event') };
}

/** Adds past bookings, spread evenly: customer n books event n, n+1, … */
export async function attend({ db, url, provider, customers, events }: Omit<Installation, 'token' | 'remove'>, n: number, from = 0): Promise<void> {
  const portion = 50_000;
  for (let at = from; at < from + n; at += portion) {
    const to = Math.min(at + portion, from + n) - 1;
    await db.transaction(provider, (tx) =>
      tx.run(sql`INSERT INTO attendance (provider_id, event_id, customer_id, status, registered_at)
        SELECT ${provider}, ${events.first}::bigint + (i + i / ${customers.n}::bigint) % ${events.n}::bigint, ${customers.first}::bigint + i % ${customers.n}::bigint, 'registered', now()
        FROM generate_series(${at}::bigint, ${to}::bigint) i ON CONFLICT DO NOTHING`),
    );
  }
  // As the autovacuum of a living installation would have done.
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query('VACUUM ANALYZE');
  await owner.end();
}

/** A server process of its own; resolves when it answers. */
export async function serve(url: string, env: Record<string, string> = {}): Promise<{ url: string; stop(): Promise<void> }> {
  const file = fileURLToPath(new URL('serve.ts', import.meta.url));
  const child: ChildProcess = fork(file, { env: { ...process.env, DATABASE_URL: url, ...env }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (d: Buffer) => resolve(d.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return {
    url: address,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** What a request sends to the database, one entry for each write to the connection. */
export async function statementsOf(installation: Installation, request: (base: string, headers: Record<string, string>) => Promise<Response>): Promise<Command[][]> {
  const seen: Command[][] = [];
  const config = readConfig({ HOST: '127.0.0.1', RATE_LIMIT: 'off', LOG_LEVEL: 'silent', ROLE: 'server' });
  const app = createApp({ config: { ...config, port: 0 }, databaseUrl: installation.url, log: pino({ level: 'silent' }), observe: (commands) => seen.push([...commands]) });
  const base = await app.listen();
  const headers = { authorization: `Bearer ${installation.token}`, 'content-type': 'application/json' };
  // The first call looks up token and business; the second is what every later one is.
  await (await request(base, headers)).text();
  seen.length = 0;
  const answer = await request(base, headers);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the request to be measured answers ${answer.status}: ${text}`);
  await app.close();
  return seen;
}
