import { spawn } from 'node:child_process';
import { access, constants, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { libpqEnvironment } from './libpq-environment.ts';

export interface PgbenchOptions {
  /** `postgres://user:password@host:port/db`, or over a unix socket `postgres:///db?host=/path&user=name`. */
  url: string;
  /** A custom pgbench script: SQL and meta-commands such as `\set id random(1, :rows)`. */
  script: string;
  clients: number;
  seconds: number;
  /** values of `:name` in the script */
  vars?: Readonly<Record<string, string | number>>;
  /** Prepared statements, as the server uses them; true by default. False measures the simple protocol. */
  prepared?: boolean;
  /** Sends the whole script in one pipeline. */
  pipeline?: boolean;
}

export interface PgbenchResult {
  /** Runs of the script per second, without the time spent connecting. */
  tps: number;
  /** Average milliseconds of one run of the script. */
  latencyMs: number;
  /** Total runs of the script. */
  transactions: number;
}

export const PGBENCH_MISSING =
  'pgbench was not found on PATH nor below /usr/lib/postgresql. On Debian and Ubuntu: apt-get install postgresql-client (or postgresql)';
/** Time beyond `seconds` for connecting and for the last transactions. */
const GRACE_SECONDS = 30;

/**
 * Runs the system's pgbench and parses its report. Throws if pgbench is not installed, if the script or a transaction
 * fails, or if the run does not end.
 */
export async function pgbench(options: PgbenchOptions): Promise<PgbenchResult> {
  const program = await findPgbench();
  if (!program) throw new Error(PGBENCH_MISSING);
  const folder = await mkdtemp(join(tmpdir(), 'pgbench-'));
  try {
    const file = join(folder, 'script.sql');
    await writeFile(file, options.pipeline ? pipelined(options.script) : options.script);
    return parseReport(
      await run(program, pgbenchArguments(options, file), libpqEnvironment(options.url), options.seconds),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the path of pgbench: the one on PATH, else the newest below /usr/lib/postgresql; null if there is none. */
export async function findPgbench(
  path = process.env.PATH ?? '',
  installed = '/usr/lib/postgresql',
): Promise<string | null> {
  const versions = await readdir(installed).catch(() => []);
  const newestFirst = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(installed, version, 'bin'));
  for (const folder of [...path.split(delimiter).filter(Boolean), ...newestFirst]) {
    const program = join(folder, 'pgbench');
    if (
      await access(program, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return program;
  }
  return null;
}

function pipelined(script: string): string {
  return `\\startpipeline\n${script.trimEnd()}\n\\endpipeline\n`;
}

function pgbenchArguments(options: PgbenchOptions, file: string): string[] {
  const { clients, seconds, vars = {}, prepared = true, pipeline = false } = options;
  if (!Number.isInteger(clients) || clients < 1)
    throw new RangeError(`clients must be a positive whole number, not ${clients}`);
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new RangeError(`seconds must be a positive whole number, not ${seconds}`);
  // The simple protocol has no pipeline mode; the extended one without prepared statements is the closest.
  const mode = prepared ? 'prepared' : pipeline ? 'extended' : 'simple';
  const values = Object.entries(vars).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
  return [
    '-n',
    '-M',
    mode,
    '-c',
    String(clients),
    '-j',
    String(Math.min(clients, 2)),
    '-T',
    String(seconds),
    ...values,
    '-f',
    file,
  ];
}

function run(program: string, args: string[], env: Record<string, string>, seconds: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: (seconds + GRACE_SECONDS) * 1000,
      killSignal: 'SIGKILL',
    });
    let out = '';
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-4000)));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(out);
      else if (signal) reject(new Error(`pgbench did not end within ${seconds + GRACE_SECONDS} s`));
      else reject(new Error(`pgbench failed (${code}): ${complaints.trim()}`));
    });
  });
}

/** Parses pgbench's final report. Throws if a figure is missing or a transaction failed. */
export function parseReport(report: string): PgbenchResult {
  const failed = /^number of failed transactions: (\d+)/m.exec(report);
  if (failed && failed[1] !== '0') throw new Error(`${failed[1]} transactions of pgbench failed`);
  const tps = /^tps = ([\d.]+) \(without initial connection time\)/m.exec(report);
  const latency = /^latency average = ([\d.]+) ms/m.exec(report);
  const transactions = /^number of transactions actually processed: (\d+)/m.exec(report);
  if (!tps || !latency || !transactions) throw new Error(`pgbench reported no figures:\n${report}`);
  return { tps: Number(tps[1]), latencyMs: Number(latency[1]), transactions: Number(transactions[1]) };
}
