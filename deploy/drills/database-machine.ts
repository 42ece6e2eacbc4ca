/** Operations of the drills on the PostgreSQL of a machine. */
import pg from 'pg';
import { until } from './wait.ts';
import { signal, type Machine } from './machine.ts';

export const BIN = '/usr/lib/postgresql/15/bin';
export const DATA = '/var/lib/postgresql/15/rollcall';
export const SUPERUSER_PASSWORD = 'superuser-of-the-drills';
const CONNECT_MS = 2000;
const PG_CTL = `${BIN}/pg_ctl`;
/** Polling interval, and so the precision of the time of a promotion. */
const PROMOTION_MS = 20;

/** Returns the connection string of the superuser, who sees every business. */
export const superuserUrl = ({ address }: Machine): string =>
  `postgresql://postgres:${SUPERUSER_PASSWORD}@${address}:5432/rollcall`;

/** Opens a connection, which the caller closes. If it is lost in the meantime, the next query fails. */
export async function openDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = await openDatabase(url);
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Returns the time of the database's clock. */
export async function timeOf(machine: Machine): Promise<string> {
  const [{ time }] = await ask<{ time: string }>(superuserUrl(machine), 'SELECT clock_timestamp()::text AS time');
  return time;
}

/** Creates the data folder of a database that only `startPostgres` starts. */
export async function makeDataFolder(machine: Machine): Promise<void> {
  const own = ['install', '--directory', '--owner=postgres', '--group=postgres', '--mode=0700'];
  await machine.run('root', [...own, '/run/postgresql', '/var/lib/postgresql/15', DATA]);
}

/** Starts PostgreSQL without Patroni. `settings`: in addition to those in its folder, such as `-c wal_level=logical` */
export async function startPostgres(machine: Machine, settings: string): Promise<void> {
  const log = '/var/lib/postgresql/15/postgres.log';
  const options = `${settings} -c listen_addresses=* -c unix_socket_directories=/run/postgresql`;
  await machine.run('postgres', [PG_CTL, 'start', '-w', '-t', '120', '-D', DATA, '-l', log, '-o', options]);
}

/** Stops PostgreSQL. `fast`: everything that was committed is archived; `immediate`: like a crash */
export const stopPostgres = (machine: Machine, mode: 'fast' | 'immediate'): Promise<string> =>
  machine.run('postgres', [PG_CTL, 'stop', '-m', mode, '-D', DATA]);

/** Signals the postmaster first: otherwise it would restart its processes. */
export function signalPostgres(machine: Machine, name: NodeJS.Signals): void {
  const postmaster = Number(machine.read(`${DATA}/postmaster.pid`)?.split('\n')[0]);
  if (postmaster) signal(postmaster, name);
  for (const pid of machine.find(/^postgres: rollcall: |^\S*\/postgres /)) signal(pid, name);
}

/** Returns when the database of a machine began to accept writes, in the time of performance.now(). */
export async function whenPromoted(machine: Machine, ms: number): Promise<number> {
  const client = await openDatabase(superuserUrl(machine));
  try {
    await until(
      `${machine.name} is promoted`,
      async () => !(await client.query('SELECT pg_is_in_recovery() AS standby')).rows[0].standby,
      ms,
      PROMOTION_MS,
    );
    return performance.now();
  } finally {
    await client.end();
  }
}
