/**
 * A whole cell on one machine, from the files of this folder: databases and the service on rollcall1 and rollcall2, the
 * proxy and the third vote on rollcall3.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CountingServer } from '../../server/test/outside/counting-server.ts';
import { fill } from '../../server/test/processes/durable.ts';
import { until } from './wait.ts';
import { ask, SUPERUSER_PASSWORD, superuserUrl } from './database-machine.ts';
import { Machine } from './machine.ts';
import { HERE, layNetwork } from './network.ts';
import { OFTEN } from './prometheus.ts';
import { sh } from './shell.ts';

export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const SECRET_KEY = Buffer.alloc(32, 'drills').toString('base64');
export const PASSWORD = 'service-of-the-drills';
const CIPHER = 'backups-of-the-drills';
/** Size of the disk of one database; it uses only the space that is written. */
const DISK = '3G';
/** Time limit for Patroni to start or copy a database, and for everything to be ready. */
export const UP_MS = 240_000;
const SIZE = { customers: 3000, events: 60 };

/**
 * Returns the text of a file of the deployment, with the values that an operator fills in. @throws Error if there is
 * nothing to fill in
 */
export function filledIn(file: string, values: readonly (readonly [RegExp, string])[]): string {
  let text = readFileSync(join(PROJECT, 'deploy', file), 'utf8');
  for (const [blank, value] of values) {
    if (!blank.test(text)) throw new Error(`deploy/${file} has nothing like ${blank}`);
    text = text.replace(blank, value);
  }
  return text;
}

/** A business that takes bookings, with a token that has every permission in it. */
export interface Business {
  readonly id: number;
  readonly token: string;
  readonly customers: readonly number[];
  readonly events: readonly number[];
}

/**
 * Runs a command of the service on a machine, with the settings that the service has there. `env`: additional settings
 */
export function rollcall(machine: Machine, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const given = '. /etc/rollcall/rollcall.env && exec node_modules/.bin/node bin/rollcall.mjs "$@"';
  const command = ['env', '--chdir=/opt/rollcall', 'sh', '-ac', given, 'rollcall', ...args];
  return machine.run('root', command, { env: { DATA_DIR: '/var/lib/rollcall/command', ...env } });
}

/**
 * Creates a business with the commands that an operator uses, and its customers and events in the simplest way.
 * `machine`: that of the primary
 */
export async function makeBusiness(machine: Machine, name: string): Promise<Business> {
  const made = await rollcall(machine, [
    'provider',
    'create',
    `--name=${name}`,
    '--timezone=America/Toronto',
    '--currency=CAD',
    '--country=CA',
  ]);
  const id = Number(/\d+/.exec(made)?.[0]);
  const token = (await rollcall(machine, ['token', 'create', `--provider=${id}`, '--name=load'])).trim();
  const { customers, events } = await fill({ url: superuserUrl(machine), harbour: id }, SIZE.customers, {
    n: SIZE.events,
    places: null,
  });
  return { id, token, customers, events };
}

export const SETTINGS = '/etc/rollcall/rollcall.env';

/** Makes all machines known to this one by name. */
export function introduce(machine: Machine, all: readonly Machine[]): void {
  const hosts = all.map(({ address, name }) => `${address} ${name}\n`);
  machine.write('/etc/hosts', `127.0.0.1 localhost\n${hosts.join('')}`);
}

export const addUser = (machine: Machine): Promise<string> =>
  machine.run('root', ['useradd', '--system', '--home-dir', '/var/lib/rollcall', 'rollcall']);

export class Cell {
  readonly machines: readonly [Machine, Machine, Machine];
  readonly mail: CountingServer;
  readonly folder: string;
  readonly #smtp: string;
  #business?: Business;

  private constructor(
    folder: string,
    machines: readonly [Machine, Machine, Machine],
    mail: CountingServer,
    smtp: string,
  ) {
    this.folder = folder;
    this.machines = machines;
    this.mail = mail;
    this.#smtp = smtp;
  }

  /** The business that every drill books at. */
  get business(): Business {
    return this.#business!;
  }

  get databases(): readonly [Machine, Machine] {
    return [this.machines[0], this.machines[1]];
  }

  get proxy(): Machine {
    return this.machines[2];
  }

  /** Address of the proxy. */
  get url(): string {
    return `http://${this.proxy.address}`;
  }

  /** Starts a cell. `say`: prints the progress */
  static async start(folder: string, say: (what: string) => void): Promise<Cell> {
    say('three machines');
    await layNetwork();
    const start = (number: number) => Machine.start(number, folder, PROJECT);
    const mail = new CountingServer();
    const smtp = await mail.listen(HERE);
    const cell = new Cell(folder, [await start(1), await start(2), await start(3)], mail, smtp);
    for (const machine of cell.machines) await cell.#furnish(machine);
    say('etcd');
    for (const machine of cell.machines) await machine.start('etcd');
    say('Patroni and PostgreSQL');
    const [first, second] = cell.databases;
    await first.start('patroni', cell.#ownEnv(first));
    await until('there is a primary', () => cell.primary().catch(() => undefined), UP_MS);
    await first.run('postgres', ['pgbackrest', '--stanza=rollcall', 'stanza-create']);
    await second.start('patroni', cell.#ownEnv(second));
    await until('there is a standby that confirms', () => cell.standbyConfirms(), UP_MS);
    say('a business');
    cell.#business = await makeBusiness(first, 'Harbour');
    say('the service and the proxy');
    for (const machine of cell.databases) {
      await machine.start('rollcall-server');
      await machine.start('rollcall-worker');
    }
    await cell.proxy.start('haproxy');
    await cell.proxy.start('prometheus');
    await cell.whole();
    return cell;
  }

  /**
   * Returns the environment of PostgreSQL. Debian's unit reads it from a file, and systemd passes nothing else on, so
   * nothing else is set here.
   */
  #ownEnv(machine: Machine): Record<string, string> {
    return { HOME: '/var/lib/postgresql', USER: 'postgres', HOSTNAME: machine.name };
  }

  async #furnish(machine: Machine): Promise<void> {
    const name = [/MACHINE/g, machine.name] as const;
    introduce(machine, this.machines);
    await addUser(machine);
    machine.write('/etc/default/etcd', filledIn('database/etcd.env', [name]));
    if (machine === this.proxy) return this.#furnishProxy(machine);
    const secrets: [RegExp, string][] = [
      [/(SUPERUSER_PASSWORD)=CHANGE_ME/, `$1=${SUPERUSER_PASSWORD}`],
      [/(REPLICATION_PASSWORD)=CHANGE_ME/, '$1=replicator-of-the-drills'],
      [/(DATABASE_PASSWORD)=CHANGE_ME/, `$1=${PASSWORD}`],
    ];
    machine.write('/etc/patroni_env.conf', filledIn('database/patroni.env', [name, ...secrets]), 0o600);
    // A watchdog here would restart the real machine.
    machine.write('/etc/patroni/config.yml', filledIn('database/patroni.yml', [[/mode: automatic/, 'mode: "off"']]));
    machine.write('/etc/patroni/create-database', filledIn('database/create-database', []), 0o755);
    await this.#giveDisk(machine);
    await this.giveRepository(machine);
    this.giveSettings(machine);
  }

  /** Writes the settings file of the service. `more`: additional settings, one per line */
  giveSettings(machine: Machine, more = ''): void {
    machine.write(
      SETTINGS,
      filledIn('rollcall.env', [
        [/rollcall:CHANGE_ME/, `rollcall:${PASSWORD}`],
        [/(SECRET_KEY)=CHANGE_ME/, `$1=${SECRET_KEY}`],
        [/^SMTP_URL=.*$/m, `SMTP_URL=${this.#smtp}`],
        [/^BUCKET_.*\n/gm, ''],
        // The load has one token and sends requests as fast as it can.
        [/$(?![^])/, `RATE_LIMIT=off\nLOG_LEVEL=warn\n${more}`],
      ]),
      0o600,
    );
  }

  async #furnishProxy(machine: Machine): Promise<void> {
    machine.write(
      '/etc/prometheus/prometheus.yml',
      filledIn('prometheus/prometheus.yml', [[/(_interval): 15s/g, `$1: ${OFTEN}`]]),
    );
    machine.write('/etc/prometheus/rules.yml', filledIn('prometheus/rules.yml', []));
    machine.write('/etc/haproxy/haproxy.cfg', filledIn('haproxy/haproxy.cfg', []));
    for (const page of ['away', 'cut'])
      machine.write(`/etc/haproxy/errors/${page}.http`, filledIn(`haproxy/${page}.http`, []));
    await machine.run('root', ['install', '--directory', '--owner=haproxy', '/run/haproxy', '/var/lib/haproxy']);
  }

  /** Gives the database a disk of its own, which can fill up, and on which commits have a realistic cost. */
  async #giveDisk(machine: Machine): Promise<void> {
    const image = join(this.folder, `${machine.name}.disk`);
    await sh('truncate', ['--size', DISK, image]);
    await sh('mkfs.ext4', ['-q', '-m', '0', image]);
    await machine.run('root', ['mount', '-o', 'loop', image, '/var/lib/postgresql']);
    await machine.run('root', [
      'install',
      '--directory',
      '--owner=postgres',
      '--group=postgres',
      '/run/postgresql',
      '/var/lib/postgresql',
      '/var/lib/postgresql/15',
    ]);
  }

  /** Mounts the network drive with the backups, which every machine can see. */
  async giveRepository(machine: Machine): Promise<void> {
    const repository = join(this.folder, 'backups');
    mkdirSync(repository, { recursive: true });
    await machine.run('root', ['mkdir', '-p', '/var/lib/pgbackrest']);
    await machine.run('root', ['mount', '--bind', repository, '/var/lib/pgbackrest']);
    await machine.run('root', ['chown', 'postgres:postgres', '/var/lib/pgbackrest']);
    machine.write(
      '/etc/pgbackrest.conf',
      filledIn('database/pgbackrest.conf', [[/(cipher-pass)=CHANGE_ME/, `$1=${CIPHER}`]]),
    );
  }

  /** Returns the machine whose database accepts writes. */
  async primary(): Promise<Machine> {
    for (const machine of this.databases) {
      const [row] = await ask<{ standby: boolean }>(
        superuserUrl(machine),
        'SELECT pg_is_in_recovery() AS standby',
      ).catch(() => []);
      if (row?.standby === false) return machine;
    }
    throw new Error('there is no primary');
  }

  async standby(): Promise<Machine> {
    const primary = await this.primary();
    return this.databases.find((machine) => machine !== primary)!;
  }

  async standbyConfirms(): Promise<boolean> {
    const primary = await this.primary().catch(() => undefined);
    if (!primary) return false;
    const rows = await ask(
      superuserUrl(primary).replace(/rollcall$/, 'postgres'),
      `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'`,
    );
    return rows.length > 0;
  }

  /** Waits until the cell is complete: one primary, one standby that confirms, and two servers behind the proxy. */
  async whole(): Promise<void> {
    await until('there is a standby that confirms', () => this.standbyConfirms().catch(() => false), UP_MS);
    for (const { address } of this.databases)
      await until(`the server at ${address} is ready`, () => answers(`http://${address}:8080/readyz`), UP_MS);
    await until('the proxy sees both servers', async () => (await this.serversUp()) === 2, UP_MS);
    await until('the proxy answers', () => answers(`${this.url}/readyz`), UP_MS);
  }

  /** Returns how many servers the proxy sends requests to. */
  async serversUp(): Promise<number> {
    const text = await fetch(`http://${this.proxy.address}:8405/metrics`)
      .then((answer) => answer.text())
      .catch(() => '');
    return Number(/^haproxy_backend_active_servers\{proxy="rollcall"\} (\d+)/m.exec(text)?.[1] ?? 0);
  }
}

export const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5000) }).then(
    async (answer) => (await answer.text(), answer.ok),
    () => false,
  );

/** Builds the dashboard once, before anything is measured; in an installation, `rollcall build` follows `npm ci`. */
export async function buildOnce(): Promise<void> {
  if (existsSync(join(PROJECT, 'build'))) return;
  await sh(process.execPath, [join(PROJECT, 'bin/rollcall.mjs'), 'build']);
}
