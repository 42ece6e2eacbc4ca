/**
 * Runs test files one after the other in this process, as the runner names them: the service is loaded once, and
 * started once for all files that don't need their own (`startWorld`). Each file is a suite, so its hooks and failures
 * are separate.
 */
import { join } from 'node:path';
import { describe } from 'node:test';
import { inspect } from 'node:util';
import { endAll } from '../ending.ts';
import { nowRuns } from '../running.ts';
import type { FromShard, ToShard } from './messages.ts';
import { hasBegun, hasEnded } from './shard-reporter.ts';
import { ROOT } from './sources.ts';

/** Limit on waiting for resources that a failed test left open. */
const LEFT_OPEN_MS = 2000;

const tell = (message: FromShard): void => void process.send!(message);

process.on('message', ({ run }: ToShard) => void (run === null ? end() : runFile(run)));
// Node's runner reports these only at its end, which a test that left something open never reaches.
for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection'] as const)
  process.on(event, (error) => tell({ type: 'said', text: `thrown outside of what a test awaits: ${inspect(error)}` }));
// The process that named the files is gone, however it ended: nobody reads the results.
process.on('disconnect', () => process.exit(1));
tell({ type: 'ready' });

async function runFile(file: string): Promise<void> {
  nowRuns(file);
  // Resolves when all tests are registered; the reporter receives the end.
  await describe(file, async () => {
    await import(join(ROOT, file));
  });
  if (await hasBegun(file)) await hasEnded(file);
  tell({ type: 'done', cpuMs: ownCpuMs() });
}

async function end(): Promise<void> {
  await endAll();
  // No longer keeps the process alive, and the last reports still get through.
  process.channel!.unref();
  setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
