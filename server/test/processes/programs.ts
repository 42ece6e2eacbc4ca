/**
 * Programs that tests start as separate processes, in one bundle, which starts serving within a second. It is rebuilt
 * only when a source has changed.
 */
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { join } from 'node:path';
import { currentBundle } from '../../../bin/bundled.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const INTO = join(ROOT, 'node_modules', '.cache', 'rollcall-programs');

const PROGRAMS = {
  serve: 'server/test/processes/serve.ts',
  'feed-worker': 'server/test/processes/feed-worker.ts',
  'paying-process': 'server/areas/money/payments/test/paying-process.ts',
  'serve-shop': 'server/areas/money/payments/stripe/test/serve-shop.ts',
};

export type Program = keyof typeof PROGRAMS;

let making: Promise<string> | undefined;

async function make(): Promise<string> {
  const { bundle } = await import('../../bundle.ts');
  return bundle(Object.fromEntries(Object.entries(PROGRAMS).map(([name, file]) => [name, join(ROOT, file)])), INTO);
}

/** Starts a program in its own process. */
export async function startProgram(
  name: Program,
  args: readonly string[],
  options: ForkOptions,
): Promise<ChildProcess> {
  const folder = await (making ??= Promise.resolve(currentBundle(ROOT, INTO) ?? make()));
  return fork(join(folder, `${name}.mjs`), args, options);
}
