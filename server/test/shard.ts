/**
 * Runs test files one after the other in this process, until none is left: the service is loaded once, and started once
 * for all files that need none of their own (`startWorld`). Each file is a suite, so its hooks and its failures are its
 * own.
 *
 * Shards take the next file from a common list by making a file of its number, which only one can.
 */
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { env } from 'node:process';
import { after, describe } from 'node:test';
import { endAll } from './ending.ts';
import { countPages } from './looks.ts';
import { nowRuns } from './running.ts';

/** A file that takes longer hangs, also where others keep the machine busy. */
const HANGS_MS = 600_000;

/** What a failed test left open keeps nobody waiting. */
const LEFT_OPEN_MS = 2000;

/** What a file took, for `npm test -- --times`. */
export interface Spent {
  readonly file: string;
  /** of this process, which runs the tests and the service; not of PostgreSQL, nor of processes that a test starts */
  readonly cpuMs: number;
  readonly wallMs: number;
}

const root = join(import.meta.dirname, '..', '..');
const folder = env.TEST_SHARDS!;
const files: string[] = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'));

for (const [number, file] of files.entries()) if (!taken(String(number))) await runFile(file);

// Pages are looked at when all files have recorded theirs: by the shard that ends last.
appendFileSync(join(folder, 'finished'), '.');
const isLast = readFileSync(join(folder, 'finished')).length === Number(env.TEST_SHARD_COUNT) && !taken('looks');
if (isLast && countPages() > 0) await runFile(join(import.meta.dirname, 'looks-at-end.ts'));

await endAll();
setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();

async function runFile(file: string): Promise<void> {
  nowRuns(relative(root, file));
  const [began, used] = [performance.now(), process.cpuUsage()];
  await new Promise<void>((resolve) => {
    describe(relative(root, file), { timeout: HANGS_MS }, async () => {
      try {
        await import(file);
      } finally {
        after(() => resolve());
      }
    });
  });
  const { user, system } = process.cpuUsage(used);
  const spent: Spent = { file: relative(root, file), cpuMs: (user + system) / 1000, wallMs: performance.now() - began };
  appendFileSync(join(folder, 'times'), `${JSON.stringify(spent)}\n`);
}

function taken(name: string): boolean {
  try {
    closeSync(openSync(join(folder, name), 'wx'));
    return false;
  } catch {
    return true;
  }
}
