/**
 * A primary and a standby, on ports of this machine: for tests that kill one of them. The standby confirms every
 * commit, or follows as fast as it can.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseLaunch, handOver, type Launch } from '../../kernel/base/db/embedded/embedded-launch.ts';
import { ensureDatabase } from '../../kernel/base/db/embedded/embedded.ts';
import { prepareDatabase } from '../../kernel/base/db/schema/prepare.ts';
import { findBinaries, type Binaries } from '../../kernel/base/db/embedded/embedded-binaries.ts';
import { beside, until } from '../storm.ts';

const HBA = 'local all all trust\nhost all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  max_connections: '60',
  wal_keep_size: '64MB',
  fsync: 'off',
  // Required where businesses move between cells.
  wal_level: 'logical',
  // In the folder, which is removed: a killed server leaves its shared memory behind.
  dynamic_shared_memory_type: 'mmap',
};

/** The data folder that the files of a run start from, once the first of them has created it. */
const TEMPLATE = process.env.TEST_FOLDER === undefined ? null : join(process.env.TEST_FOLDER, 'pair');

/** Copies to a temporary name and renames, so the template is either complete or absent. */
function keepTemplate(folder: string, template: string): void {
  const aside = `${template}.${process.pid}`;
  cpSync(folder, aside, { recursive: true });
  try {
    renameSync(aside, template);
  } catch {
    // Another process was faster.
    rmSync(aside, { recursive: true, force: true });
  }
}

class Server {
  readonly port: number;
  readonly folder: string;
  readonly #launch: Launch;
  readonly #binaries: Binaries;
  readonly #root: string;
  #process?: ChildProcess;

  constructor(root: string, name: string, port: number) {
    this.#root = root;
    this.folder = join(root, name);
    this.port = port;
    this.#launch = chooseLaunch(this.folder);
    this.#binaries = findBinaries(join(root, 'libraries'));
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/postgres`;
  }

  #spawn(program: 'initdb' | 'postgres', args: readonly string[]): ChildProcess {
    const log = openSync(join(this.#root, 'log'), 'a');
    const [command, ...rest] = [...this.#launch.prefix, this.#binaries[program], ...args];
    const { libraries } = this.#binaries;
    const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...(libraries && { LD_LIBRARY_PATH: libraries }) };
    return spawn(command, rest, { stdio: ['ignore', log, log], cwd: '/', env, ...this.#launch.account });
  }

  /** Creates the data folder, with the tables of an empty installation. */
  async initialise(): Promise<void> {
    if (TEMPLATE !== null && existsSync(TEMPLATE)) {
      cpSync(TEMPLATE, this.folder, { recursive: true });
      this.own();
      return;
    }
    mkdirSync(this.folder, { mode: 0o700 });
    this.own();
    const made = this.#spawn('initdb', [
      '-D',
      this.folder,
      '--username',
      'postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    await once(made, 'exit');
    writeFileSync(join(this.folder, 'pg_hba.conf'), HBA);
    await this.start();
    await prepareDatabase(await ensureDatabase(this.url, 'rollcall'));
    await this.end('SIGINT');
    if (TEMPLATE !== null) keepTemplate(this.folder, TEMPLATE);
  }

  /** Changes the owner of the folder to the account that PostgreSQL runs under. */
  own(): void {
    handOver(this.#launch, this.#root, this.folder);
  }

  async start(settings: Record<string, string> = {}): Promise<void> {
    const all = { ...SETTINGS, ...settings, port: String(this.port) };
    this.#process = this.#spawn('postgres', [
      '-D',
      this.folder,
      ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    const ended = once(this.#process, 'exit').then(() => {
      throw new Error(
        `the server at port ${this.port} ended: ${readFileSync(join(this.#root, 'log'), 'utf8').slice(-500)}`,
      );
    });
    const answers = until('the server answers', () =>
      beside(this.url).then(
        (c) => c.end().then(() => true),
        () => false,
      ),
    );
    // The process does end when its test is over.
    ended.catch(() => undefined);
    await Promise.race([answers, ended]);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill(signal);
    await once(running, 'exit');
  }
}

/**
 * Returns a port that nobody listens on. Not one of those that the system assigns: a connection may occupy such a port
 * before it is needed.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const server = createServer();
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

export class Pair {
  readonly primary: Server;
  readonly standby: Server;
  /** connection string of a database on both servers, as the service gets it */
  readonly url: string;
  /** connection string of the same database on one server */
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  readonly #root: string;

  private constructor(root: string, primary: Server, standby: Server) {
    this.#root = root;
    this.primary = primary;
    this.standby = standby;
    [this.primaryUrl, this.standbyUrl] = [primary, standby].map(({ url }) => url.replace(/postgres$/, 'rollcall'));
    // The standby comes first, so that the order of the list proves nothing.
    this.url = `postgresql://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/rollcall?target_session_attrs=read-write`;
  }

  /** Starts both servers. `furnish` creates additional initial content besides the tables, on the primary only. */
  static async start(furnish?: (url: string) => Promise<void>, { confirms = true } = {}): Promise<Pair> {
    const root = mkdtempSync(join(tmpdir(), 'rollcall-pair-'));
    const [primary, standby] = [
      new Server(root, 'primary', await freePort()),
      new Server(root, 'standby', await freePort()),
    ];
    await primary.initialise();
    if (furnish) {
      await primary.start();
      await furnish(primary.url.replace(/postgres$/, 'rollcall'));
      await primary.end('SIGINT');
    }
    cpSync(primary.folder, standby.folder, { recursive: true });
    writeFileSync(join(standby.folder, 'standby.signal'), '');
    standby.own();
    await primary.start({ synchronous_standby_names: confirms ? '*' : '' });
    const pair = new Pair(root, primary, standby);
    await pair.startStandby();
    const eye = await beside(primary.url);
    await until(
      'the standby follows',
      async () =>
        (
          await eye.query(`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = $1`, [
            confirms ? 'sync' : 'async',
          ])
        ).rowCount,
    );
    await eye.end();
    return pair;
  }

  /** Starts a standby that replays immediately, even if that ends a query that needs the removed rows. */
  async startStandby(): Promise<void> {
    await this.standby.start({
      primary_conninfo: `host=127.0.0.1 port=${this.primary.port} user=postgres`,
      synchronous_standby_names: '',
      max_standby_streaming_delay: '0',
    });
  }

  /** Promotes the standby to primary. */
  async promote(): Promise<void> {
    const client = await beside(this.standby.url);
    await client.query('SELECT pg_promote(true, 30)');
    await client.end();
  }

  async remove(): Promise<void> {
    await Promise.all([this.primary.end('SIGQUIT'), this.standby.end('SIGQUIT')]);
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
