/** Durations of test files: printed, and stored in times.json, which orders the files of the next run. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.ts';
import type { Spent } from './work.ts';

const PATH = join(import.meta.dirname, '..', 'times.json');

/** Times of a test file, in seconds. */
export interface Took {
  /** processor time, including that of PostgreSQL */
  readonly cpu: number;
  /** remaining time if it is long, spent waiting for something other than a processor; otherwise 0 */
  readonly waits: number;
}

export type Times = Readonly<Record<string, Took>>;

/** The stored form: [cpu, waits], or only `cpu` for the many files that don't wait. */
type Kept = Readonly<Record<string, number | readonly [number, number]>>;

export function readTimes(): Times {
  const kept = JSON.parse(readFileSync(PATH, 'utf8')) as Kept;
  return Object.fromEntries(
    Object.entries(kept).map(([file, one]) => {
      const [cpu, waits] = typeof one === 'number' ? [one, 0] : one;
      return [file, { cpu, waits }];
    }),
  );
}

/** Small differences come from the machine: a stored value is kept unless it differs by more than this fraction. */
const ALIKE = 0.25;

/** Waiting below this many seconds comes from two processes sharing one core. */
const NO_WAIT = 3;

const merged = (old: number | undefined, value: number): number =>
  old === undefined || Math.abs(old - value) > Math.max(old, value) * ALIKE ? value : old;

/** Returns the known times, updated with those of this run, without deleted files. */
export function mergedTimes(before: Times, spent: readonly Spent[], exists: (file: string) => boolean): Times {
  const after = new Map(Object.entries(before));
  for (const { file, wallMs, cpuMs, databaseMs } of spent) {
    const old = after.get(file);
    const busy = (cpuMs + databaseMs) / 1000;
    const waits = wallMs / 1000 - busy;
    after.set(file, {
      cpu: merged(old?.cpu, Number(busy.toPrecision(2))),
      waits: merged(old?.waits, waits < NO_WAIT ? 0 : Math.round(waits)),
    });
  }
  return Object.fromEntries([...after].filter(([file]) => exists(file)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function recordTimes(spent: readonly Spent[]): void {
  const times = mergedTimes(readTimes(), spent, (file) => existsSync(join(ROOT, file)));
  const lines = Object.entries(times).map(
    ([file, { cpu, waits }]) => `  ${JSON.stringify(file)}: ${waits === 0 ? cpu : `[${cpu}, ${waits}]`}`,
  );
  writeFileSync(PATH, `{\n${lines.join(',\n')}\n}\n`);
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(7);
const row = (...columns: string[]): string => columns.map((column) => column.padStart(7)).join(' ');

/**
 * Prints the time of each file, the longest first. `postgresMs`: total processor time of the PostgreSQL that they
 * share.
 */
export function timesText(spent: readonly Spent[], postgresMs?: number): string {
  const total = (what: 'wallMs' | 'cpuMs' | 'databaseMs') => seconds(spent.reduce((sum, one) => sum + one[what], 0));
  return [
    `\n${row('wall s', 'CPU s', 'SQL s')}`,
    ...spent
      .toSorted((a, b) => b.cpuMs + b.databaseMs - a.cpuMs - a.databaseMs)
      .map((one) => `${row(seconds(one.wallMs), seconds(one.cpuMs), seconds(one.databaseMs))}  ${one.file}`),
    `${row(total('wallMs'), total('cpuMs'), total('databaseMs'))}  ${spent.length} files`,
    ...(postgresMs === undefined ? [] : [`${row('', '', seconds(postgresMs))}  their PostgreSQL as a whole`]),
    '',
  ].join('\n');
}
