/** The kept states of releases: how one is written, and how each of its forms comes back to life. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { command } from '../desk.ts';
import { compareReleases, RELEASE } from '../../kernel/base/release.ts';
import { clockFile, followClock } from '../clock.ts';
import { countTables, readEverything, sumsAt, type Counts } from './counts.ts';
import { ensureDatabase } from '../../kernel/base/db/embedded/embedded.ts';
import { examine } from '../../commands/doctor/doctor.ts';
import { inProcess } from '../asking.ts';
import { makeState } from './state.ts';
import { MIGRATIONS_DIR, readMigrations } from '../../kernel/base/db/schema/migration-files.ts';
import { readConfig } from '../../config.ts';
import { readReleased } from './released.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { startService } from '../service.ts';
import { World } from '../world.ts';
import { writeDump } from './dump.ts';
import type { TestDatabase } from '../database.ts';

export const KEPT = fileURLToPath(new URL('./kept/', import.meta.url));
const PASSPHRASE = 'the passphrase of the kept archives';

/** Files of a kept state, besides `counts.json`. */
export const FILES = { dump: 'dump.sql.gz', backup: 'rollcall.backup', archive: 'business.tar.gz' } as const;

/** Returns the releases with a kept state, oldest first. */
export const keptReleases = (): string[] => (existsSync(KEPT) ? readdirSync(KEPT).toSorted(compareReleases) : []);

/**
 * Returns true if the state has to come back to life. Until its release is frozen, its migrations may still be edited,
 * and then the state belongs to no release: `npm run release:keep` makes a new one.
 */
export function isOfARelease(release: string): boolean {
  if (readReleased().some(({ since }) => compareReleases(since, release) >= 0)) return true;
  const files = readMigrations(MIGRATIONS_DIR).map(({ name, checksum }) => `${name} ${checksum}`);
  return countsOf(release).migrations.every((one, at) => files[at] === one);
}

export const fileOf = (release: string, file: keyof typeof FILES): string => join(KEPT, release, FILES[file]);

export const countsOf = (release: string): Counts =>
  JSON.parse(readFileSync(join(KEPT, release, 'counts.json'), 'utf8'));

/** Runs a command on a database, as an operator would. */
export async function operate(url: string, dataDir: string, args: readonly string[]): Promise<string> {
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, SECRET_KEY, ARCHIVE_PASSPHRASE: PASSPHRASE };
  const { code, out, err } = await command(args, env);
  assert.equal(code, 0, `${args.join(' ')}: ${out}${err}`);
  return out;
}

/** Returns the differences of the ledger of a business, without the last line, which sums up. */
export async function differencesAt(url: string, dataDir: string, business: number): Promise<string[]> {
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, SECRET_KEY };
  const { out } = await command(['ledger', 'check', '--provider', String(business)], env);
  return out.trim().split('\n').slice(0, -1);
}

/** Returns the problems that the doctor finds, each without its remedy. */
export const findingsAt = async (url: string): Promise<string[]> =>
  (await examine(url, Date.now, readConfig({ SECRET_KEY, DATABASE_URL: url }))).map(({ wrong }) => wrong);

async function onDatabase(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

/** Creates an empty database, without tables, that follows the clock of the tests. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const cluster = process.env.TEST_DATABASE_URL!;
  const name = `kept_${process.pid}_${randomUUID().slice(0, 8)}`;
  const url = await ensureDatabase(cluster, name);
  await onDatabase(url, (client) => followClock(client, clockFile(url)));
  const drop = () => onDatabase(cluster, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return { url, drop };
}

/** Serves a database that exists, to read it over the interface. */
export async function serveKept(url: string, dataDir: string, { studio, filled, tokens }: Kept): Promise<World> {
  // An installation does it by itself, after a while.
  await onDatabase(url, (client) => client.query('ANALYZE'));
  const service = await startService({ database: { url, drop: async () => {} }, env: { DATA_DIR: dataDir } });
  return new World({
    ...service,
    harbour: studio,
    meadow: filled,
    machine: tokens[studio],
    meadowMachine: tokens[filled],
    asking: inProcess(service.app.http, []),
    end: () => service.close(),
  });
}

type Kept = Pick<Counts, 'studio' | 'filled' | 'tokens'>;

/** Returns everything that is compared between releases. */
export async function look(
  url: string,
  dataDir: string,
  kept: Kept,
): Promise<Omit<Counts, keyof Kept | 'release' | 'migrations'>> {
  const businesses = [kept.studio, kept.filled];
  const of = async <T>(read: (business: number) => Promise<T>): Promise<Record<string, T>> =>
    Object.fromEntries(
      await Array.fromAsync(businesses, async (business) => [business, await read(business)] as const),
    );
  // Before anything is read over the interface: it records when a token was used.
  const tables = await countTables(url);
  const findings = await findingsAt(url);
  const world = await serveKept(url, dataDir, kept);
  try {
    const shown = await of((business) => readEverything(world, kept.tokens[business]));
    const sums = await of((business) => sumsAt(url, business));
    const differences = await of((business) => differencesAt(url, dataDir, business));
    return { tables, sums, shown, differences, findings };
  } finally {
    await world.close();
  }
}

/** Makes the state of this release, and writes all of its forms into the folder. */
export async function keepState(
  database: TestDatabase,
  dataDir: string,
  folder: string,
): Promise<{ counts: Counts; files: readonly string[] }> {
  const { studio, filled, studioToken, filledToken } = await makeState(database, dataDir);
  const [dump, backup, archive] = Object.values(FILES).map((name) => join(folder, name));
  await writeDump(database.url, dump);
  await operate(database.url, dataDir, ['backup', backup]);
  await operate(database.url, dataDir, ['export', 'business', String(studio), archive]);
  const kept = { studio, filled, tokens: { [studio]: studioToken, [filled]: filledToken } };
  const seen = await look(database.url, dataDir, kept);
  const migrations = readMigrations(MIGRATIONS_DIR).map(({ name, checksum }) => `${name} ${checksum}`);
  return { counts: { release: RELEASE, migrations, ...kept, ...seen }, files: [dump, backup, archive] };
}
