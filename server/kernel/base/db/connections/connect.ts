/** Connections of the owner of the database, for code that cannot use `database.ts`: the queue, listeners, commands. */
import pg from 'pg';
import { Connection, type ConnectionOptions } from './connection.ts';
import { Hosts } from './hosts.ts';
import { PATIENCE, UNHURRIED, type Patience } from './patience.ts';

/** Returns an open connection. Its end is reported by `end` and `error`; without a listener nothing happens. */
export async function connectTo(url: string, patience: Patience = UNHURRIED): Promise<Connection> {
  const connection = new Connection({ hosts: Hosts.of(url), patience });
  await connection.connect();
  return connection;
}

export interface PoolOptions {
  url: string;
  size: number;
  patience?: Patience;
  session?: string;
  onError: (error: Error) => void;
}

export interface Pool extends pg.Pool {
  /** closes every connection immediately, used or not */
  abandon(): void;
}

type Release = (error?: Error | boolean) => void;
type Lent = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;

function once(release: Release): Release {
  let done = false;
  return (error) => {
    if (done) return;
    done = true;
    release(error);
  };
}

/** Opens a pool. Connections that end while unused are reported to `onError`. */
export function openPool({ url, size, patience = PATIENCE, session, onError }: PoolOptions): Pool {
  const hosts = Hosts.of(url);
  const open = new Map<Connection, { lent: boolean }>();
  // If one has vanished, the idle ones may have too, and the next user of one would wait as long.
  const onVanished = () => {
    for (const [connection, { lent }] of open)
      if (!lent) connection.abandon('The database stopped answering on another connection');
  };
  const own: ConnectionOptions = { hosts, patience, session, onVanished };
  class Pooled extends Connection {
    constructor() {
      super(own);
      this.on('error', onError);
    }
  }
  const pool = new pg.Pool({
    max: size,
    connectionTimeoutMillis: patience.acquireMs,
    idleTimeoutMillis: 60_000,
    Client: Pooled as never,
  } as pg.PoolConfig);
  pool.on('connect', (client) => {
    open.set(client as unknown as Connection, { lent: true });
    client.on('end', () => open.delete(client as unknown as Connection));
  });
  const lend = (client: pg.PoolClient, lent: boolean) => {
    const known = open.get(client as unknown as Connection);
    if (known) known.lent = lent;
  };
  pool.on('acquire', (client) => lend(client, true));
  pool.on('release', (_error, client) => lend(client, false));
  // Already reported by the connection.
  pool.on('error', () => {});
  // The queue's library releases the connection of its listener twice if it fails in two ways at the same time, and the
  // second release would end the process.
  const connect = pool.connect.bind(pool) as (callback?: Lent) => Promise<pg.PoolClient>;
  const connectOnce = (callback?: Lent) =>
    callback ? connect((error, client, release) => callback(error, client, once(release))) : connect();
  const abandon = () => {
    for (const connection of open.keys()) connection.abandon('The service ends');
  };
  return Object.assign(pool, { abandon, connect: connectOnce as pg.Pool['connect'] });
}
