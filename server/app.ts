/** The composition root: the one list of areas, and how the parts of a running service are put together. */
import { pino, type Logger } from 'pino';
import { createHttp } from './kernel/api/http.ts';
import { Credentials } from './kernel/access/credentials.ts';
import { Database, type Observer } from './kernel/db/database.ts';
import { Limits } from './kernel/limits.ts';
import { Metrics } from './kernel/metrics.ts';
import { Registry } from './kernel/api/registry.ts';
import { Tenants } from './kernel/access/tenants.ts';
import { Worker } from './kernel/jobs/worker.ts';
import { operations } from './kernel/api/operations.ts';
import { applications } from './areas/applications/index.ts';
import { customers } from './areas/customers/index.ts';
import { identity, machineTokens, operatorTokens } from './areas/identity/index.ts';
import { providers } from './areas/providers/index.ts';
import { venues } from './areas/venues/index.ts';
import { staff } from './areas/staff/index.ts';
import { offerings } from './areas/offerings/index.ts';
import { bulk } from './areas/bulk/index.ts';
import { schedule } from './areas/schedule/index.ts';
import type { Authenticator } from './kernel/access/grant.ts';
import type { Config } from './config.ts';

/** In the order in which they may import each other: a later one may use an earlier one's face. */
export const AREAS = [identity, providers, venues, customers, staff, offerings, bulk, schedule, applications];

export const registry = (): Registry => new Registry(AREAS);

export interface App {
  readonly db: Database;
  readonly registry: Registry;
  /** starts serving; resolves to the address that answers */
  listen(): Promise<string>;
  /** ends without losing an accepted request or a running job; may be called twice */
  close(): Promise<void>;
}

export interface AppOptions {
  config: Config;
  databaseUrl: string;
  log?: Logger;
  now?: () => number;
  /** further ways to tell who calls */
  authenticators?: readonly Authenticator[];
  /** sees what is sent to the database */
  observe?: Observer;
  /** how long open connections may still bring a request when the service ends, ms */
  drainMs?: number;
}

/** Longer than a request is on its way to us, shorter than anybody waits for an end. */
const DRAIN_MS = 500;


export function createApp({ config, databaseUrl, log = pino({ level: config.logLevel }), now = Date.now, authenticators = [], observe, drainMs = DRAIN_MS }: AppOptions): App {
  const db = new Database({ url: databaseUrl, size: config.connections, observe, onError: (err) => log.warn({ err }, 'a database connection failed') });
  const declared = registry();
  const tenants = new Tenants(db);
  const metrics = new Metrics(db);
  const limits = new Limits(config.rateLimit, now);
  const http = createHttp({
    registry: declared,
    db,
    tenants,
    metrics,
    log,
    now,
    credentials: new Credentials(db, [machineTokens(db, now), operatorTokens(db, now), ...authenticators], now),
    limit: limits.take,
    trustProxy: config.trustProxy,
    drainMs,
    aliases: config.aliases,
  });
  operations(http, { db, metrics, registry: declared });
  const worker = config.role === 'server' ? null : new Worker({ url: databaseUrl, db, registry: declared, tenants, metrics, log, now });
  const close = async (): Promise<void> => {
    await http.close();
    await worker?.stop();
    await db.close();
  };
  let closed: Promise<void> | undefined;
  return {
    db,
    registry: declared,
    async listen() {
      if (config.role !== 'worker') await http.listen({ host: config.host, port: config.port });
      await worker?.start();
      const address = http.server.address();
      const port = typeof address === 'object' && address ? address.port : config.port;
      return config.publicUrl ?? `http://${config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host}:${port}`;
    },
    close: () => (closed ??= close()),
  };
}
