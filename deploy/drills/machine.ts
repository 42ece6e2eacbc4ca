/**
 * One of the three machines of a cell, simulated on this one: a network of its own, and its own /etc, /var, /opt and
 * /run over those of the real machine, which never sees those writes. Files have the same paths as in production.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sh, type RunOptions } from './shell.ts';
import { addressOf, connect } from './network.ts';
import { Supervised } from './supervised.ts';
import { readText, readUnit } from './unit.ts';

const OWN = ['etc', 'var', 'opt'];
const UNITS = ['/lib/systemd/system', '/usr/lib/systemd/system'];

const SETUP = (root: string, name: string, project: string): string =>
  [
    'set -e',
    `hostname ${name}`,
    ...OWN.map(
      (dir) =>
        `mount -t overlay overlay -o lowerdir=/${dir},upperdir=${root}/${dir},workdir=${root}/work-${dir} /${dir}`,
    ),
    'mount -t tmpfs -o mode=755 tmpfs /run',
    'mount -t tmpfs -o mode=1777 tmpfs /dev/shm',
    `mkdir -p /opt/rollcall && mount --bind ${project} /opt/rollcall`,
    'echo up',
    'exec sleep infinity',
  ].join('\n');

export class Machine {
  readonly number: number;
  readonly name: string;
  readonly address: string;
  readonly #root: string;
  readonly #holder: ChildProcess;
  readonly #running = new Map<string, Supervised>();

  private constructor(number: number, root: string, holder: ChildProcess) {
    this.number = number;
    this.name = `rollcall${number}`;
    this.address = addressOf(number);
    this.#root = root;
    this.#holder = holder;
  }

  /**
   * Starts a machine. `folder`: for the files that the machine writes; `project`: the project to install in
   * /opt/rollcall
   */
  static async start(number: number, folder: string, project: string): Promise<Machine> {
    const name = `rollcall${number}`;
    const root = join(folder, name);
    for (const dir of OWN) for (const path of [dir, `work-${dir}`]) mkdirSync(join(root, path), { recursive: true });
    const holder = spawn(
      'unshare',
      ['--net', '--mount', '--uts', '--ipc', '--propagation', 'private', 'sh', '-c', SETUP(root, name, project)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const up = await Promise.race([
      once(holder.stdout!, 'data').then(() => true),
      once(holder, 'exit').then(() => false),
    ]);
    if (!up) throw new Error(`${name} could not be set up: this needs root, namespaces and overlay file systems`);
    const machine = new Machine(number, root, holder);
    await connect(number, holder.pid!);
    return machine;
  }

  /** Returns the path at which this process finds a file of the machine. */
  path(path: string): string {
    return `/proc/${this.#holder.pid}/root${path}`;
  }

  read(path: string): string | undefined {
    return readText(this.path(path));
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text, { mode });
  }

  #enter(user: string): string[] {
    const inside = ['--target', String(this.#holder.pid), '--net', '--mount', '--uts', '--ipc'];
    return user === 'root'
      ? ['nsenter', ...inside]
      : ['nsenter', ...inside, 'setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--'];
  }

  /** Runs a program on the machine until it ends, and returns its output. */
  run(user: string, command: readonly string[], options: RunOptions = {}): Promise<string> {
    const [first, ...rest] = [...this.#enter(user), ...command];
    return sh(first, rest, options);
  }

  /**
   * Starts a unit, and restarts it whenever it ends, as systemd would. `env`: in addition to the environment of the
   * unit
   */
  async start(name: string, env: Record<string, string> = {}): Promise<Supervised> {
    const text = ['/opt/rollcall/deploy/systemd', ...UNITS]
      .map((folder) => this.read(`${folder}/${name}.service`))
      .find((found) => found !== undefined);
    if (text === undefined) throw new Error(`there is no unit ${name}`);
    const read = () => readUnit(name, text, this.name, (path) => this.read(path));
    const { folders, user } = read();
    for (const folder of folders)
      await this.run('root', ['install', '--directory', `--owner=${user}`, `--group=${user}`, '--mode=0755', folder]);
    const log = openSync(join(this.#root, `${name}.log`), 'a');
    const supervised = new Supervised(() => {
      const unit = read();
      // Set at the last step: libraries that `env` preloads for the unit must not be preloaded into the programs that
      // start it.
      const more = Object.entries(env).map(([key, value]) => `${key}=${value}`);
      const [command, ...args] = [...this.#enter(unit.user), 'env', '--chdir', unit.folder, ...more, ...unit.command];
      const child = spawn(command, args, {
        stdio: ['ignore', log, log],
        env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...unit.env },
      });
      return { child, restartMs: unit.restartMs };
    });
    this.#running.set(name, supervised);
    return supervised;
  }

  unit(name: string): Supervised {
    const unit = this.#running.get(name);
    if (!unit) throw new Error(`${name} does not run on ${this.name}`);
    return unit;
  }

  /** Ends everything at the same moment; nothing restarts. */
  powerOff(): void {
    for (const unit of this.#running.values()) unit.leave();
    for (const pid of this.#pids()) signal(pid, 'SIGKILL');
  }

  /** Boots the machine: starts every unit, in the order in which they were first started. */
  powerOn(): void {
    for (const unit of this.#running.values()) unit.start();
  }

  /** Returns every process on the machine, except the one that keeps it alive. */
  #pids(): number[] {
    const own = networkOf(this.#holder.pid!);
    return readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== this.#holder.pid && networkOf(pid) === own)
      .map(Number);
  }

  /** Returns the processes whose command line matches. */
  find(what: RegExp): number[] {
    return this.#pids().filter((pid) => what.test((readText(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ')));
  }
}

/** Returns the network namespace of a process; undefined if it has ended. */
function networkOf(pid: number | string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined;
  }
}

/** Sends a signal to a process. A process that has already ended is fine too. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
