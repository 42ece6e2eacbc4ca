/** A database with one business, and processes of the service on it: for tests that kill them. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createMachineToken } from '../../areas/people/identity/index.ts';
import { createProvider } from '../../areas/platform/providers/index.ts';
import { Database } from '../../kernel/base/db/database.ts';
import { ensureDatabase, startEmbedded, type Embedded } from '../../kernel/base/db/embedded/embedded.ts';
import { freshDatabase } from '../database.ts';
import { startProgram, type Program } from './programs.ts';
import { prepareDatabase } from '../../kernel/base/db/schema/prepare.ts';

/** A database with one business that processes of the service can use. */
export interface Installed {
  readonly url: string;
  readonly harbour: number;
  readonly token: string;
  remove(): Promise<void>;
}

/** Installs on the PostgreSQL of all tests, for tests that kill processes of the service. */
export async function install(): Promise<Installed> {
  const { url, drop } = await freshDatabase();
  return { url, ...(await addBusiness(url)), remove: drop };
}

export interface Durable extends Installed {
  readonly postgres: Embedded;
}

/** Installs on a durable PostgreSQL of its own, for tests that kill PostgreSQL too. */
export async function installDurable(): Promise<Durable> {
  // Not the prefix of the throw-away clusters: other runs remove folders with that prefix if nobody has locked them
  // yet.
  const dataDir = mkdtempSync(join(tmpdir(), 'rollcall-durable-'));
  const postgres = await startEmbedded({ dataDir, log: { info() {}, warn() {}, error() {} } });
  const url = await ensureDatabase(postgres.url, 'rollcall');
  const business = await makeBusiness(url);
  const remove = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { postgres, url, ...business, remove };
}

interface Business {
  readonly harbour: number;
  readonly token: string;
}

/** Creates the minimum that an empty database needs for serving: tables, one business, and a token. */
export async function makeBusiness(url: string): Promise<Business> {
  await prepareDatabase(url);
  return addBusiness(url);
}

async function addBusiness(url: string): Promise<Business> {
  const db = new Database({ url, size: 1 });
  const harbour = await db.acrossTenants('the installation of a test has one business', (tx) =>
    createProvider(tx, { name: 'Harbour', timezone: 'America/Toronto', currency: 'CAD', country: 'CA' }),
  );
  const { token } = await db.transaction(harbour, (tx) => createMachineToken(tx, harbour, { name: 'tests' }));
  await db.close();
  return { harbour, token };
}

/** Inserts customers and events in the simplest way, with consecutive ids. */
export async function fill(
  { url, harbour }: Pick<Installed, 'url' | 'harbour'>,
  customers: number,
  events: { n: number; places: number | null },
): Promise<{ customers: number[]; events: number[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ids = async (text: string, values: unknown[]) =>
    (await client.query(text, values)).rows.map((r) => Number(r.id));
  const [venue] = await ids(`INSERT INTO venue (provider_id, name, timezone) VALUES ($1, 'Hall', 'UTC') RETURNING id`, [
    harbour,
  ]);
  const [offering] = await ids(`INSERT INTO offering_type (provider_id, name) VALUES ($1, 'Class') RETURNING id`, [
    harbour,
  ]);
  const made = {
    customers: await ids(
      `INSERT INTO customer (provider_id, first_name, last_name, email)
        SELECT $1, 'C', n::text, gen_random_uuid() || '@example.com' FROM generate_series(1, $2::int) n RETURNING id`,
      [harbour, customers],
    ),
    events: await ids(
      `INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, starts_at, ends_at, local_starts_at,
        local_ends_at, max_occupancy)
       SELECT $1, $2, $3, 'Class', 'UTC', s.at, s.at + interval '1 hour', s.at AT TIME ZONE 'UTC',
         s.at AT TIME ZONE 'UTC' + interval '1 hour', $5
       FROM generate_series(1, $4::int) n,
         LATERAL (SELECT date_trunc('second', now()) + interval '2 days' + n * interval '1 hour' AS at) s RETURNING id`,
      [harbour, offering, venue, events.n, events.places],
    ),
  };
  await client.end();
  return made;
}

export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  /** sends the signal and waits for the end; returns the exit code, or null after a kill */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a process of the service; resolves when it responds. `program`: the program to run, if it is not the service
 * alone.
 */
export async function serve(
  databaseUrl: string,
  env: Record<string, string> = {},
  program: Program = 'serve',
): Promise<Served> {
  const child = await startProgram(program, [], {
    env: { ...process.env, DATABASE_URL: databaseUrl, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = await Promise.race([
    once(child.stdout!, 'data').then(([d]) => String(d).trim()),
    exited.then(([code]) => Promise.reject(new Error(`the service ended with ${code}`))),
  ]);
  return {
    url,
    process: child,
    end: async (signal) => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}
