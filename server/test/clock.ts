/**
 * The time in tests. The clock of a world is fixed unless its test moves it, and its database agrees: `now()` of a test
 * database reads the time from a file that the clock of its service writes. In a database without a world, and in
 * processes that a test starts there, time advances from that moment.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type pg from 'pg';

/**
 * The start of every world: a Wednesday in the middle of a month, far from a daylight saving change, 11:00 in Toronto,
 * 16:00 in London and 17:00 in Berlin.
 */
export const START = Date.parse('2026-07-15T15:00:00Z');

const folder = (): string => join(process.env.TEST_FOLDER ?? tmpdir(), 'clocks');

/**
 * Returns the path of a database's clock file: by its name, which no two databases of the PostgreSQL of all tests
 * share.
 */
export function clockFile(databaseUrl: string): string {
  const { place, name } = partsOf(databaseUrl);
  const shared = process.env.TEST_DATABASE_URL;
  const cluster = shared === undefined || place === partsOf(shared).place ? '' : `${place}_`;
  return join(folder(), `${cluster}${name}`.replaceAll(/[^\w.-]/g, '_'));
}

/** Returns the servers of a connection string, of which there may be several, and the name of the database. */
function partsOf(databaseUrl: string): { place: string; name: string } {
  const [, hosts, name, search] = /^\w+:\/\/(?:[^@/?]*@)?([^/?]*)\/([^?]*)(.*)$/.exec(databaseUrl)!;
  return { place: `${hosts}${search}`, name };
}

/** Quotes a string for SQL. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The clock of databases without a world. */
const GOES_ON = 'goes-on';

/** Starts the clock of databases without a world, in the folder `tests` of a run. */
export const startClocks = (tests: string): void =>
  new TestClock({ file: join(tests, 'clocks', GOES_ON), goesOn: true }).reset();

/**
 * Prepares the template of a run before it has tables: each database cloned from it follows a clock in the folder
 * `tests` of the run, which is next to the PostgreSQL data, wherever that was copied to.
 */
export const followClocks = (client: Queries): Promise<void> =>
  readTime(client, `'../tests/clocks/' || pg_catalog.current_database()`, `'../tests/clocks/${GOES_ON}'`);

/** Keeps ids within one month, so that a test that goes back in time still finds the rows it created. */
export const keepMonth = (client: Queries): Promise<unknown> =>
  client.query(`CREATE OR REPLACE FUNCTION id_of_this_month(n bigint) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
    RETURN first_id_of(least(month_number(${quoted(new Date(START).toISOString())}), newest_month())) + n`);

/** Makes this database follow the clock that writes to the file. */
export const followClock = (client: Queries, file: string): Promise<void> =>
  readTime(client, quoted(file), quoted(join(folder(), GOES_ON)));

type Queries = Pick<pg.ClientBase, 'query'>;

/**
 * Replaces `now()`, also in the defaults of tables and functions that are created later. PostgreSQL never looks up the
 * definition of its own `now()`, so that one is renamed. `clock_timestamp()`, by which processes see which others are
 * alive, stays on the machine's clock.
 */
async function readTime(client: Queries, file: string, otherwise: string): Promise<void> {
  const { rows } = await client.query(`SELECT FROM pg_proc WHERE proname = 'machine_now'`);
  if (rows.length === 0) await client.query('ALTER FUNCTION pg_catalog.now() RENAME TO machine_now');
  await client.query(`CREATE OR REPLACE FUNCTION pg_catalog.now() RETURNS timestamptz
    LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER AS $$
    DECLARE
      said text := coalesce(pg_catalog.pg_read_file(${file}, true), pg_catalog.pg_read_file(${otherwise}, true));
    BEGIN
      RETURN CASE WHEN said LIKE 'ahead %' THEN pg_catalog.machine_now() + pg_catalog.substr(said, 7)::interval
        ELSE coalesce(said::timestamptz, pg_catalog.machine_now()) END;
    END $$`);
}

/** The current time of a service under test, in epoch milliseconds: the start of every world, until a test moves it. */
export class TestClock {
  readonly #files = new Set<string>();
  readonly #goesOn: boolean;
  #stoppedAt: number | null = null;
  #ahead = 0;
  #text = '';

  /** `file`: see `add`. `goesOn`: time advances, for tests where jobs are retried after a while. */
  constructor({ file, goesOn = false }: { file?: string; goesOn?: boolean } = {}) {
    if (file !== undefined) this.#files.add(file);
    this.#goesOn = goesOn;
    this.reset();
  }

  get now(): number {
    return this.#stoppedAt ?? Date.now() + this.#ahead;
  }

  /** Sets the time. It stays fixed unless time advances on this clock. */
  set(epochMs: number): void {
    if (this.#goesOn) this.run(epochMs);
    else this.stop(epochMs);
  }

  /** Fixes the time: two responses that contain the time contain the same time. */
  stop(epochMs = this.now): void {
    this.#stoppedAt = epochMs;
    this.#write(new Date(epochMs).toISOString());
  }

  /** Sets the time and lets it advance from there. */
  run(epochMs = this.now): void {
    this.#stoppedAt = null;
    this.#ahead = epochMs - Date.now();
    this.#write(`ahead ${this.#ahead} ms`);
  }

  reset(): void {
    this.set(START);
  }

  /** Adds a database that reads the time from this file. */
  add(file: string): void {
    this.#files.add(file);
    write(file, this.#text);
  }

  /** Removes the file of a database that no longer belongs to a world. */
  remove(file: string): void {
    this.#files.delete(file);
    rmSync(file, { force: true });
  }

  #write(text: string): void {
    this.#text = text;
    for (const file of this.#files) write(file, text);
  }
}

/** Writes in one step, so that the database never reads half of it. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Returns the clock of a database for another process that uses it. */
export function clockOf(databaseUrl: string): () => number {
  const files = [clockFile(databaseUrl), join(folder(), GOES_ON)];
  return () => {
    const file = files.find((one) => existsSync(one));
    if (file === undefined) return Date.now();
    const said = readFileSync(file, 'utf8');
    const [, ahead] = /^ahead (.+) ms$/.exec(said) ?? [];
    return ahead === undefined ? Date.parse(said) : Date.now() + Number(ahead);
  };
}
