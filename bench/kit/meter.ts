/**
 * The cost of an operation apart from time: processor time of the service and of PostgreSQL, log and disk. On a machine
 * that is busy with other work, only processor time is a usable figure. Linux only: it reads /proc.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** USER_HZ: the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface Spent {
  /** processor time of the processes of the service, in milliseconds */
  readonly service: number;
  /** processor time of PostgreSQL in milliseconds, including its background work */
  readonly postgres: number;
  /** write-ahead log, in bytes */
  readonly log: number;
  /** growth of the database, in bytes */
  readonly disk: number;
  readonly seconds: number;
}

/** The totals up to a moment. */
type Look = Omit<Spent, 'seconds'> & { readonly at: number };

/** Measures the consumption of these processes and of the PostgreSQL of `url`. The caller closes it at the end. */
export class Meter {
  readonly #client: pg.Client;
  readonly #service: readonly number[];
  readonly #postmaster: number;

  private constructor(client: pg.Client, postmaster: number, service: readonly number[]) {
    this.#client = client;
    this.#postmaster = postmaster;
    this.#service = service;
  }

  /** Starts measuring. `url`: connection string of a superuser, on this machine; `service`: process ids */
  static async on(url: string, service: readonly number[]): Promise<Meter> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new Meter(client, await postmasterOf(client), service);
  }

  async measure(act: () => Promise<unknown>): Promise<Spent> {
    // Flushes earlier writes to disk before the first sample.
    await this.#client.query('CHECKPOINT');
    const before = await this.#look();
    await act();
    const after = await this.#look();
    return {
      service: after.service - before.service,
      postgres: after.postgres - before.postgres,
      log: after.log - before.log,
      disk: after.disk - before.disk,
      seconds: (after.at - before.at) / 1000,
    };
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #look(): Promise<Look> {
    const { rows } = await this.#client.query<{ log: string; disk: string }>(
      `SELECT pg_current_wal_insert_lsn() - '0/0' AS log, pg_database_size(current_database()) AS disk`,
    );
    return {
      service: this.#service.reduce((sum, pid) => sum + used(pid), 0),
      postgres: usedByFamily(this.#postmaster),
      log: Number(rows[0].log),
      disk: Number(rows[0].disk),
      at: performance.now(),
    };
  }
}

/**
 * Returns the process id of the postmaster: the parent of all other processes of a PostgreSQL on this machine.
 * `client`: of a superuser
 */
export async function postmasterOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`);
  return Number(readFileSync(join(rows[0].folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Returns the fields of /proc/PID/stat after the name, which may contain spaces; null if the process has ended. */
function stat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

const PARENT = 1;
const USER = 11;
const SYSTEM = 12;
const USER_OF_ENDED = 13;
const SYSTEM_OF_ENDED = 14;

const ms = (fields: readonly string[], ...which: number[]): number =>
  which.reduce((sum, field) => sum + Number(fields[field]), 0) * (1000 / TICKS_PER_SECOND);

function used(pid: number): number {
  const fields = stat(pid);
  if (!fields) throw new Error(`process ${pid} has ended while it was measured`);
  return ms(fields, USER, SYSTEM);
}

/**
 * Returns the processor time of a process, its children, and those of its children that have ended, in milliseconds.
 */
export function usedByFamily(pid: number): number {
  const own = stat(pid);
  if (!own) throw new Error(`process ${pid} has ended while it was measured`);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => stat(Number(name)))
    .filter((fields) => fields !== null && Number(fields[PARENT]) === pid)
    .reduce((sum, fields) => sum + ms(fields!, USER, SYSTEM), ms(own, USER, SYSTEM, USER_OF_ENDED, SYSTEM_OF_ENDED));
}
