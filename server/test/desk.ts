/**
 * The command line for operators, without a process for each command: each still has its own arguments and output.
 * installation.test.ts shows that it works as a process.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clockOf } from './clock.ts';
import { main } from '../cli.ts';
import { setCommandTime } from '../commands/command-time.ts';
import type { Ended } from './installation.ts';

interface Printed {
  out: string;
  err: string;
}

const printing = new AsyncLocalStorage<Printed>();

/** Collects the output of a command for its caller; other output is passed through. */
function listen(stream: NodeJS.WriteStream, to: keyof Printed): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = ((piece: string | Uint8Array, ...rest: unknown[]) => {
    const printed = printing.getStore();
    if (!printed) return write(piece, ...rest);
    printed[to] += String(piece);
    return true;
  }) as typeof stream.write;
}

let listening = false;
/** One command at a time: the environment belongs to the one that runs. */
let turn: Promise<unknown> = Promise.resolve();

/** Runs a command to completion, with these settings in addition to those of the test, at the time of its database. */
export function command(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  if (!listening) {
    listening = true;
    listen(process.stdout, 'out');
    listen(process.stderr, 'err');
  }
  const ran = turn.then(() => runWith({ LOG_LEVEL: 'warn', ...env }, args));
  turn = ran.catch(() => {});
  return ran;
}

async function runWith(env: Record<string, string>, args: readonly string[]): Promise<Ended> {
  const printed: Printed = { out: '', err: '' };
  const before = process.env;
  const { DATABASE_URL: _, ...inherited } = before;
  process.env = { ...inherited, ...env };
  if (env.DATABASE_URL !== undefined) setCommandTime(clockOf(env.DATABASE_URL));
  try {
    const code = await printing.run(printed, () => main(args));
    return { code, ...printed };
  } finally {
    process.env = before;
    setCommandTime();
  }
}

/** Commands on the database of a world. */
export class Desk {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'rollcall-desk-'));
  readonly #databaseUrl: string;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  run(args: readonly string[]): Promise<Ended> {
    return command(args, { DATABASE_URL: this.#databaseUrl, DATA_DIR: this.#dataDir });
  }

  remove(): void {
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}
