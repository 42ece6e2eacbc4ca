/** What test files take: printed, and kept in times.json, by which the next run puts them in order. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.ts';
import type { Spent } from './work.ts';

const PATH = join(import.meta.dirname, '..', 'times.json');

/** Processor time of each file, in seconds. */
export type Times = Readonly<Record<string, number>>;

export const readTimes = (): Times => JSON.parse(readFileSync(PATH, 'utf8')) as Times;

/** Small differences are of the machine: a figure stays unless it is off by more than this. */
const ALIKE = 0.25;

/** What was known, with what this run has shown, without files that are gone. */
export function mergedTimes(before: Times, spent: readonly Spent[], exists: (file: string) => boolean): Times {
  const after = new Map(Object.entries(before));
  for (const { file, cpuMs } of spent) {
    const [old, seconds] = [after.get(file), Number((cpuMs / 1000).toPrecision(2))];
    if (old === undefined || Math.abs(old - seconds) > Math.max(old, seconds) * ALIKE) after.set(file, seconds);
  }
  return Object.fromEntries([...after].filter(([file]) => exists(file)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function recordTimes(spent: readonly Spent[]): void {
  const times = mergedTimes(readTimes(), spent, (file) => existsSync(join(ROOT, file)));
  writeFileSync(PATH, `${JSON.stringify(times, null, 2)}\n`);
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(7);

/** What each file took, the longest first. */
export function timesText(spent: readonly Spent[]): string {
  const total = (what: 'wallMs' | 'cpuMs') => seconds(spent.reduce((sum, one) => sum + one[what], 0));
  return [
    `\n${'wall s'.padStart(7)} ${'CPU s'.padStart(7)}`,
    ...spent
      .toSorted((a, b) => b.cpuMs - a.cpuMs)
      .map(({ file, wallMs, cpuMs }) => `${seconds(wallMs)} ${seconds(cpuMs)}  ${file}`),
    `${total('wallMs')} ${total('cpuMs')}  ${spent.length} files\n`,
  ].join('\n');
}
