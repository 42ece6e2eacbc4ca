/** A separate installation for a test: the real command line as child processes, in a temporary folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { command } from './desk.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/rollcall.mjs', import.meta.url));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** address from the line `ready …` */
  readonly base: string;
  /** lines of standard output so far */
  readonly lines: string[];
  readonly ended: Promise<Ended>;
}

export class Installation {
  readonly dataDir: string;
  readonly #children = new Set<ChildProcess>();
  readonly #env: Record<string, string>;

  /** `env`: settings for every command, for example DATABASE_URL to act on the database of a world. */
  constructor(env: Record<string, string> = {}) {
    this.#env = env;
    // Not the prefix of the clusters: other runs remove folders with that prefix that nobody has locked, and an
    // installation is stopped between its starts.
    this.dataDir = mkdtempSync(join(tmpdir(), 'rollcall-installation-'));
  }

  #spawn(args: readonly string[], env: Record<string, string>): { child: ChildProcess; ended: Promise<Ended> } {
    const { DATABASE_URL: _, TEST_DATABASE_URL: __, NODE_OPTIONS: ___, ...inherited } = process.env;
    const child = spawn(process.execPath, [LAUNCHER, ...args], {
      env: {
        ...inherited,
        DATA_DIR: this.dataDir,
        PORT: '0',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'warn',
        ...this.#env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    const text = { out: '', err: '' };
    child.stdout!.on('data', (piece) => (text.out += piece));
    child.stderr!.on('data', (piece) => (text.err += piece));
    const ended = once(child, 'close').then(([code]) => {
      this.#children.delete(child);
      return { code: code as number | null, ...text };
    });
    return { child, ended };
  }

  /** Runs a command to completion in this process. */
  command(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return command(args, { DATA_DIR: this.dataDir, ...this.#env, ...env });
  }

  /** Runs a command to completion in its own process. */
  run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return this.#spawn(args, env).ended;
  }

  /** Starts the service and waits for its `ready` line. */
  async start(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Running> {
    const { ready, ...launched } = this.launch(args, env);
    return { ...launched, base: await ready };
  }

  /** Starts the service; `ready` resolves to its address once it is ready. */
  launch(
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ): Omit<Running, 'base'> & { readonly ready: Promise<string> } {
    const { child, ended } = this.#spawn(['start', ...args], env);
    const lines: string[] = [];
    const ready = new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout! }).on('line', (line) => {
        lines.push(line);
        if (line.startsWith('ready ')) resolve(line.slice('ready '.length));
      });
      void ended.then(({ err }) => reject(new Error(`it ended before it was ready: ${err}`)));
    });
    ready.catch(() => {});
    return { child, ready, lines, ended };
  }

  credentials(): any {
    return JSON.parse(readFileSync(join(this.dataDir, 'demo-credentials.json'), 'utf8'));
  }

  async remove(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

export async function stop({ child, ended }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
  child.kill(signal);
  return ended;
}
