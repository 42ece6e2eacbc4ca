/**
 * The service as tests run it: in their own process, on a database and a port of its own. Most files share one
 * (`sharedService`), because businesses see nothing of each other; see `startWorld`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { becomeCell } from '../scale/cells/become.ts';
import { createApp, namesOf, type App } from '../app.ts';
import { readConfig } from '../config.ts';
import { connectTo } from '../kernel/base/db/connect.ts';
import { freshDatabase, type TestDatabase } from './database.ts';
import { atEnd } from './ending.ts';
import { SECRET_KEY } from './secret-key.ts';
import { clockFile, followClock, TestClock } from './clock.ts';
import type { Grant } from '../kernel/work/access/grant.ts';
import type { Patience } from '../kernel/base/db/patience.ts';
import type { Resolve, ResolveTexts } from '../kernel/base/http-out/resolve.ts';

export interface Service {
  readonly app: App;
  readonly url: string;
  /** connects as the owner of the database */
  readonly databaseUrl: string;
  /** what it keeps beside the database, for every process on it */
  readonly dataDir: string;
  /** what the tokens of tests reach */
  readonly grants: Map<string, Grant>;
  readonly clock: TestClock;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** from names to addresses */
  resolve?: Resolve;
  /** from names to their TXT records */
  resolveTexts?: ResolveTexts;
  /** jobs run too */
  worker?: boolean;
  env?: Record<string, string>;
  /** an empty, migrated database; unless it is given, one of the PostgreSQL of all tests */
  database?: TestDatabase;
  /** the way to the database, as a wire that can be cut: from its connection string to another */
  through?: (databaseUrl: string) => Promise<string>;
  /** the way to the service: from the address that it listens at to the one that tests call */
  front?: (url: string) => string;
  patience?: Patience;
  /** with the part for several processes, which worlds run without; with cells, it is always there */
  scale?: boolean;
  /** public pages are kept for a moment, as in a running service */
  keepsPages?: boolean;
  /** that of several services; one of its own unless given */
  clock?: TestClock;
}

/**
 * Names of tests mean an address of the internet, so that none is looked up; `inside` in a name means one that is not.
 */
const testNames = async (name: string): Promise<string[]> => [/inside/.test(name) ? '10.0.0.7' : '93.184.216.34'];

export async function startService({
  worker = false,
  env = {},
  resolve = testNames,
  resolveTexts = async () => [],
  through,
  front,
  patience,
  keepsPages = false,
  scale = false,
  database: given,
  // A job that fails is tried again after a while.
  clock = new TestClock({ goesOn: worker }),
}: ServiceOptions = {}): Promise<Service> {
  const database = given ?? (await freshDatabase());
  const grants = new Map<string, Grant>();
  const file = clockFile(database.url);
  if (given) await following(given.url, file);
  clock.add(file);
  // Ids of other services are the same: what one keeps under such a name must not be found by another.
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

/** A database from elsewhere goes by the clock of the service on it. */
async function following(databaseUrl: string, file: string): Promise<void> {
  // Which may be several servers, of which one takes writes.
  const client = await connectTo(databaseUrl);
  try {
    await followClock(client, file);
  } finally {
    await client.end();
  }
}

let shared: Promise<Service> | undefined;

/** The one service of this process that files share; it ends after the last of them. */
export function sharedService(): Promise<Service> {
  if (!shared) {
    shared = startService();
    atEnd(async () => (await shared)?.close());
  }
  return shared;
}
