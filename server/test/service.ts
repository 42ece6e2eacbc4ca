/**
 * The service for tests: in their own process, on its own database and port. Most files share one (`sharedService`),
 * because businesses are isolated from each other; see `startWorld`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { becomeCell } from '../scale/cells/become.ts';
import { createApp, namesOf, type App } from '../app.ts';
import { readConfig } from '../config.ts';
import { connectTo } from '../kernel/base/db/connections/connect.ts';
import { freshDatabase, type TestDatabase } from './database.ts';
import { atEnd } from './ending.ts';
import { PATIENT } from './patient.ts';
import { SECRET_KEY } from './secret-key.ts';
import { clockFile, followClock, TestClock } from './clock.ts';
import type { Grant } from '../kernel/work/access/grant.ts';
import type { Patience } from '../kernel/base/db/connections/patience.ts';
import type { Resolve, ResolveTexts } from '../kernel/base/http-out/resolve.ts';

export interface Service {
  readonly app: App;
  readonly url: string;
  /** connects as the owner of the database */
  readonly databaseUrl: string;
  /** folder for files outside of the database, shared by every process on it */
  readonly dataDir: string;
  /** grants of the tests' tokens */
  readonly grants: Map<string, Grant>;
  readonly clock: TestClock;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** resolves host names to addresses */
  resolve?: Resolve;
  /** resolves names to their TXT records */
  resolveTexts?: ResolveTexts;
  /** runs jobs too */
  worker?: boolean;
  env?: Record<string, string>;
  /** an empty, migrated database; by default, a new one in the PostgreSQL of all tests */
  database?: TestDatabase;
  /** reroutes the connection to the database, for example through a proxy: maps its connection string to another */
  through?: (databaseUrl: string) => Promise<string>;
  /** puts a front before the service: maps the address that it listens on to the one that tests call */
  front?: (url: string) => string;
  /** waits for the database; by default, longer than in production */
  patience?: Patience;
  /** with the part for several processes, which worlds run without; with cells, it is always there */
  scale?: boolean;
  /** caches public pages briefly, as in production */
  keepsPages?: boolean;
  /** a clock shared by several services; by default, each has its own */
  clock?: TestClock;
}

/**
 * Resolves host names in tests to a public address, so that none is looked up; a name with `inside` resolves to a
 * private one.
 */
const testNames = async (name: string): Promise<string[]> => [/inside/.test(name) ? '10.0.0.7' : '93.184.216.34'];

export async function startService({
  worker = false,
  env = {},
  resolve = testNames,
  resolveTexts = async () => [],
  through,
  front,
  patience = PATIENT,
  keepsPages = false,
  scale = false,
  database: given,
  // A failed job is retried after a while, so time must advance.
  clock = new TestClock({ goesOn: worker }),
}: ServiceOptions = {}): Promise<Service> {
  const database = given ?? (await freshDatabase());
  const grants = new Map<string, Grant>();
  const file = clockFile(database.url);
  if (given) await following(given.url, file);
  clock.add(file);
  // Ids are the same in different services, so files stored under an id must not be found by another one.
  const parent = process.env.TEST_FOLDER ?? tmpdir();
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'world-'));
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    SECRET_KEY,
    DATA_DIR: folder,
    ROLE: worker ? 'all' : 'server',
    ...env,
  });
  if (config.cells) await becomeCell(database.url, config.cells, namesOf());
  const app = createApp({
    config: { ...config, port: 0 },
    databaseUrl: through ? await through(database.url) : database.url,
    patience,
    ...(!scale && config.cells === null && { scale: null }),
    keepsPages,
    log: pino({ level: config.logLevel }),
    now: () => clock.now,
    resolve,
    resolveTexts,
    drainMs: 0,
    authenticators: [
      async (token) => (grants.has(token) ? { grant: grants.get(token)!, subjects: [], until: Infinity } : null),
    ],
  });
  const url = await app.listen();
  return {
    app,
    url: front ? front(app.listeningAt) : url,
    databaseUrl: database.url,
    dataDir: config.dataDir,
    grants,
    clock,
    async close() {
      await app.close();
      await database.drop();
      clock.remove(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a database from elsewhere follow the clock of its service. */
async function following(databaseUrl: string, file: string): Promise<void> {
  // The connection string may name several servers, one of which accepts writes.
  const client = await connectTo(databaseUrl);
  try {
    await followClock(client, file);
  } finally {
    await client.end();
  }
}

let shared: Promise<Service> | undefined;

/** Returns the one service of this process that files share; it ends after the last of them. */
export function sharedService(): Promise<Service> {
  if (!shared) {
    shared = startService();
    atEnd(async () => (await shared)?.close());
  }
  return shared;
}
