/**
 * Runs test files one after the other in this process, until none is left: what a file costs besides its tests is to
 * load the service, and that is loaded once. Each file is a suite, so its hooks and its failures are its own; it has
 * the databases and services that it starts, and nothing is shared but the code.
 *
 * Shards take the next file from a common list by making a file of its number, which only one can.
 */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { env } from 'node:process';
import { after, describe } from 'node:test';

/** A test that takes longer hangs. */
const HANGS_MS = 300_000;

const root = join(import.meta.dirname, '..', '..');
const folder = env.TEST_SHARDS!;
const files: string[] = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'));

for (const [number, file] of files.entries()) {
  if (taken(number)) continue;
  await new Promise<void>((resolve) => {
    describe(relative(root, file), { timeout: HANGS_MS }, async () => {
      try {
        await import(file);
      } finally {
        after(() => resolve());
      }
    });
  });
}

function taken(number: number): boolean {
  try {
    closeSync(openSync(join(folder, String(number)), 'wx'));
    return false;
  } catch {
    return true;
  }
}
