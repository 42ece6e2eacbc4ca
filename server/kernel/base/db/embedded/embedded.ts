import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { lockDataDir } from './data-dir-lock.ts';
import { findBinaries } from './embedded-binaries.ts';
import type { Binaries } from './embedded-binaries.ts';
import { checkSpace } from './embedded-space.ts';
import { chooseLaunch, handOver } from './embedded-launch.ts';
import type { Launch } from './embedded-launch.ts';
import { readPostmasterFile, settleOldPostmaster, shutDown, until } from './embedded-postmaster.ts';
import { embeddedSettings } from './embedded-settings.ts';

export { DataDirInUse } from './data-dir-lock.ts';

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface EmbeddedOptions {
  /** Folder for all files of the database; created if missing. */
  dataDir: string;
  log: Log;
  /** false trades safety against power loss for speed: for tests only. */
  durable?: boolean;
  /** further PostgreSQL settings, for tests that need them */
  settings?: Readonly<Record<string, string>>;
  /**
   * Creates what a new cluster begins with, given the connection string of the superuser. Nothing of it waits for the
   * disk: the cluster is put in its place when all of it is on the disk, or not at all.
   */
  fill?: (url: string) => Promise<void>;
}

export interface Embedded {
  /** Connection string of the superuser over a Unix socket, database `postgres`; stays the same across restarts. */
  readonly url: string;
  /** Process id of the postmaster; a new one after a restart. */
  readonly pid: number;
  /** Registers a listener for each time PostgreSQL exits without stop(); it is being restarted then. */
  onExit(listener: (how: string) => void): void;
  /** Stops PostgreSQL cleanly and releases the data folder. May be called twice. */
  stop(): Promise<void>;
}

interface Cluster {
  binaries: Binaries;
  launch: Launch;
  folder: string;
  socketDir: string;
  logFile: string;
  durable: boolean;
  settings: Readonly<Record<string, string>>;
  fill?: (url: string) => Promise<void>;
  log: Log;
}

const SUPERUSER = 'postgres';
const NEW_CLUSTER = [
  '--username',
  SUPERUSER,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];
const READY_MS = 120_000;
const INITDB_MS = 120_000;
const LOG_BYTES = 5_000_000;
const FIRST_DELAY_MS = 50;
const LAST_DELAY_MS = 10_000;
/** After running this long, PostgreSQL had recovered: its next crash starts again with a short delay. */
const CALM_MS = 60_000;
/** The path of a Unix socket is limited to 104 bytes on macOS and 108 on Linux, including the final NUL. */
const SOCKET_PATH_BYTES = 104;

/**
 * Starts PostgreSQL on the data folder, which is initialised on the first start, and keeps it running until stop(). It
 * ends with this process even if that is killed; if PostgreSQL dies, it is restarted under the same connection string.
 * Call it on the main thread: the kernel ties the database to the thread that started it.
 * @throws DataDirInUse if another process uses the folder; Error with the remedy if PostgreSQL cannot start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { cluster, release } = await open(options);
  try {
    return await supervise(cluster, release);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Makes the cluster of the data folder if there is none, and leaves it at rest.
 * @throws as startEmbedded() does
 */
export async function makeEmbedded(options: EmbeddedOptions): Promise<void> {
  const { release } = await open(options);
  release();
}

/** Locks the data folder and makes its cluster, if it has none. */
async function open({ dataDir, ...options }: EmbeddedOptions): Promise<{ cluster: Cluster; release: () => void }> {
  const root = resolve(dataDir);
  // Only the folder itself is private: another account that PostgreSQL may have to run under must be able to traverse
  // its parents.
  mkdirSync(dirname(root), { recursive: true });
  if (!existsSync(root)) mkdirSync(root, { mode: 0o700 });
  const lock = await lockDataDir(root);
  try {
    const cluster = await prepare(root, options);
    const release = () => {
      if (!cluster.socketDir.startsWith(root)) rmSync(cluster.socketDir, { recursive: true, force: true });
      lock.release();
    };
    return { cluster, release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Creates the database if it does not exist and returns its connection string. */
export async function ensureDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // Checking first would not help: another process may create it in between.
    const { code } = error as { code?: string };
    if (code !== '42P04' && code !== '23505') throw error;
  } finally {
    await client.end();
  }
  const target = new URL(url);
  target.pathname = `/${encodeURIComponent(name)}`;
  return target.href;
}

async function prepare(
  root: string,
  { durable = true, settings = {}, fill, log }: Omit<EmbeddedOptions, 'dataDir'>,
): Promise<Cluster> {
  const folder = join(root, 'postgres');
  const binaries = findBinaries(join(root, 'postgres-libraries'));
  const launch = chooseLaunch(folder);
  const socketDir = makeSocketDir(root);
  const logFile = join(root, 'postgres.log');
  const cluster: Cluster = { binaries, launch, folder, socketDir, logFile, durable, settings, fill, log };
  handOver(launch, root, socketDir);
  await settleOldPostmaster(folder, (message) => log.warn(message));
  if (!existsSync(folder)) {
    checkSpace(root);
    await initialise(cluster);
  }
  handOver(launch, root, folder);
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== binaries.major) {
    throw new Error(
      `The database in ${folder} was made by PostgreSQL ${version}, this release contains ${binaries.major}. Remedy: write a backup ` +
        'with the release that made it, move the folder away, and restore the backup with this one.',
    );
  }
  // Only the owner can enter the socket's folder (mode 700); nothing listens on the network.
  writeFileSync(join(folder, 'pg_hba.conf'), 'local all all trust\n');
  return cluster;
}

function makeSocketDir(root: string): string {
  const inside = join(root, 'run');
  if (Buffer.byteLength(join(inside, '.s.PGSQL.5432')) >= SOCKET_PATH_BYTES)
    return mkdtempSync(join(tmpdir(), 'rollcall-'));
  mkdirSync(inside, { recursive: true });
  chmodSync(inside, 0o700);
  return inside;
}

/**
 * Makes the cluster in a folder with another name, so that an interrupted run is never taken for a database, and moves
 * it into place when all of it is on the disk. Until then, nothing waits for the disk.
 */
async function initialise(cluster: Cluster): Promise<void> {
  const unfinished: Cluster = { ...cluster, folder: `${cluster.folder}.tmp`, durable: false };
  const { folder, launch, fill, log } = unfinished;
  await settleOldPostmaster(folder, (message) => log.warn(message));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  handOver(launch, dirname(folder), folder);
  await runInitdb(unfinished, ['--no-sync', ...NEW_CLUSTER]);
  if (fill) await whileRunning(unfinished, fill);
  // One sync of the whole file system instead of one for each of a thousand files.
  const method = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
  if (cluster.durable) await runInitdb(unfinished, ['--sync-only', ...method]);
  renameSync(folder, cluster.folder);
  if (cluster.durable) syncFolder(dirname(folder));
}

async function runInitdb(cluster: Cluster, args: readonly string[]): Promise<void> {
  const child = start(cluster, cluster.binaries.initdb, ['-D', cluster.folder, ...args]);
  const ended = watch(child);
  if (!(await until(() => ended.how !== undefined, INITDB_MS))) child.kill('SIGKILL');
  if (child.exitCode !== 0)
    throw startError('PostgreSQL could not initialise its data folder', ended.how ?? 'timed out', cluster);
}

/** Runs `work` with the cluster, which is shut down cleanly afterwards. */
async function whileRunning(cluster: Cluster, work: (url: string) => Promise<void>): Promise<void> {
  const child = start(cluster, cluster.binaries.postgres, postgresArguments(cluster));
  const ended = watch(child);
  try {
    await ready(cluster, child);
    await work(urlOf(cluster));
  } finally {
    if (ended.how === undefined && child.pid) await shutDown(child.pid, () => ended.how === undefined);
  }
  if (child.exitCode !== 0)
    throw startError('PostgreSQL could not fill its data folder', ended.how ?? 'timed out', cluster);
}

/** Makes a change of names in a folder survive a power loss. */
function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

const urlOf = ({ socketDir }: Cluster): string =>
  `postgresql://${SUPERUSER}@localhost:5432/postgres?host=${encodeURIComponent(socketDir)}`;

const postgresArguments = ({ folder, socketDir, durable, settings }: Cluster): string[] => [
  '-D',
  folder,
  ...embeddedSettings(socketDir, durable, settings),
];

async function supervise(cluster: Cluster, released: () => void): Promise<Embedded> {
  const { log } = cluster;
  const listeners: ((how: string) => void)[] = [];
  const stopping = new AbortController();
  let child!: ChildProcess;
  const launch = async () => {
    await settleOldPostmaster(cluster.folder, (message) => log.warn(message));
    if (stopping.signal.aborted) return;
    child = start(cluster, cluster.binaries.postgres, postgresArguments(cluster));
    await ready(cluster, child);
  };
  await firstLaunch(launch);

  const keepRunning = async () => {
    let delay = FIRST_DELAY_MS;
    while (!stopping.signal.aborted) {
      const began = performance.now();
      const how = await exited(child);
      if (stopping.signal.aborted) return;
      if (performance.now() - began > CALM_MS) delay = FIRST_DELAY_MS;
      log.error(`PostgreSQL ended by itself (${how}); restarting it.`);
      for (const listener of listeners) listener(how);
      for (let up = false; !up && !stopping.signal.aborted; delay = Math.min(delay * 2, LAST_DELAY_MS)) {
        await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
        up = await launch().then(
          () => true,
          (error: Error) => (log.error(error.message), false),
        );
      }
      if (!stopping.signal.aborted) log.info(`PostgreSQL runs again (process ${child.pid}).`);
    }
  };
  const kept = keepRunning();

  const stop = async () => {
    stopping.abort();
    const running = child;
    if (running.pid && !(await shutDown(running.pid, () => running.exitCode === null && running.signalCode === null)))
      running.kill('SIGKILL');
    await kept;
    released();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: urlOf(cluster),
    get pid() {
      return child.pid ?? 0;
    },
    onExit: (listener) => void listeners.push(listener),
    stop: () => (stopped ??= stop()),
  };
}

/**
 * Retries the first launch. After a postmaster was killed, its last processes hold the shared memory until they notice,
 * and a new one refuses to start next to them: that passes on its own, every other failure does not.
 */
async function firstLaunch(launch: () => Promise<void>): Promise<void> {
  for (let delay = FIRST_DELAY_MS; ; delay *= 2) {
    try {
      return await launch();
    } catch (error) {
      if (delay > LAST_DELAY_MS || !(error as Error).message.includes('shared memory block')) throw error;
      await sleep(delay);
    }
  }
}

async function ready(cluster: Cluster, child: ChildProcess): Promise<void> {
  const ended = watch(child);
  const isReady = () => {
    const file = readPostmasterFile(cluster.folder);
    return file?.pid === child.pid && file?.ready === true;
  };
  await until(() => ended.how !== undefined || isReady(), READY_MS);
  if (ended.how === undefined && isReady()) return;
  child.kill('SIGQUIT');
  throw startError('PostgreSQL could not start', ended.how ?? 'timed out', cluster);
}

function start(cluster: Cluster, program: string, args: string[]): ChildProcess {
  if ((statSync(cluster.logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES)
    renameSync(cluster.logFile, `${cluster.logFile}.1`);
  const out = openSync(cluster.logFile, 'a', 0o600);
  const { libraries } = cluster.binaries;
  const [command, ...rest] = [...cluster.launch.prefix, program, ...args];
  try {
    const child = spawn(command, rest, {
      stdio: ['ignore', out, out],
      // A process group of its own: Ctrl-C in a terminal must reach only us, or the database would end before its
      // clients.
      detached: true,
      cwd: '/',
      env: {
        PATH: process.env.PATH,
        LC_ALL: 'C',
        TZ: 'UTC',
        ...(libraries && { LD_LIBRARY_PATH: libraries }),
        ...(process.env.FAKETIME && movedClock()),
      },
      ...cluster.launch.account,
    });
    // On systems that do not tie a child to its parent, this covers at least every orderly exit of the process.
    const end = () => child.kill('SIGINT');
    process.on('exit', end);
    void exited(child).then(() => process.off('exit', end));
    return child;
  } finally {
    closeSync(out);
  }
}

/** Under libfaketime, gives PostgreSQL the clock of this process. */
const movedClock = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(LD_PRELOAD|FAKE\w+)$/.test(name)));

function watch(child: ChildProcess): { how?: string } {
  const ended: { how?: string } = {};
  void exited(child).then((how) => (ended.how = how));
  return ended;
}

function exited(child: ChildProcess): Promise<string> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(describe(child.exitCode, child.signalCode));
  return new Promise((done) => {
    child.once('exit', (code, signal) => done(describe(code, signal)));
    child.once('error', (error) => done(error.message));
  });
}

function describe(code: number | null, signal: string | null): string {
  return signal ? `signal ${signal}` : `exit code ${code}`;
}

function startError(what: string, how: string, { logFile }: Cluster): Error {
  const lastLines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  return new Error(
    `${what} (${how}). The end of ${logFile}:\n${lastLines}\nRemedy: mend what it names, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}
