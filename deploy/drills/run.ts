// Starts a whole cell on this machine and breaks parts of it while customers book.
//
// node bin/rollcall.mjs run deploy/drills/run.ts [--install] [--keep] [DRILL…]
//
// Needs Debian 12 as root. `--install` installs missing packages; `--keep` keeps the logs even if everything passes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildOnce, Cell } from './cell.ts';
import { exercise, HEADING } from './exercise.ts';
import { DRILLS } from './list.ts';
import { providePackages } from './packages.ts';

const INSIDE = 'ROLLCALL_DRILLS_INSIDE';
const say = (text: string): void => console.log(text);

const { values, positionals } = parseArgs({
  options: { install: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !DRILLS.some((drill) => drill.name === name));
if (unknown.length > 0) {
  console.error(`There is no drill ${unknown.join(', ')}. There are: ${DRILLS.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 2;
} else {
  process.exitCode = process.env[INSIDE] ? await inside() : await outside();
}

/**
 * Runs everything in separate namespaces. The drills and the machine can't reach each other, and nothing outlives this
 * process: the kernel ends a PID namespace with its first process.
 */
async function outside(): Promise<number> {
  if (process.getuid?.() !== 0) {
    console.error(
      'The drills need root: they make networks, mounts and users of their own. Remedy: run them with sudo.',
    );
    return 1;
  }
  await providePackages(values.install);
  await buildOnce();
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-drills-'));
  const again = [process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(
    'unshare',
    // The shell adopts orphaned processes, as an init does.
    [
      '--net',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      'sh',
      '-c',
      '"$@"; exit $?',
      'sh',
      ...again,
    ],
    { stdio: 'inherit', env: { ...process.env, [INSIDE]: folder } },
  );
  // unshare itself ignores gentler signals while it waits.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => child.kill('SIGKILL'));
  process.on('exit', () => child.kill('SIGKILL'));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code === 0 && !values.keep) rmSync(folder, { recursive: true, force: true });
  else say(`The logs of all processes are in ${folder}.`);
  return code ?? 1;
}

async function inside(): Promise<number> {
  const folder = process.env[INSIDE]!;
  const began = performance.now();
  const cell = await Cell.start(folder, (what) => say(`… ${what}`));
  say(`The cell is up after ${Math.round((performance.now() - began) / 1000)} s.\n`);
  const wanted = DRILLS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  say(HEADING);
  const failed = await exercise(cell, wanted, say);
  say(failed.length === 0 ? '\nEverything held.' : `\n${failed.length} failed:\n${failed.join('\n')}`);
  // No process is asked to end: the namespaces end, and everything in them.
  process.exit(failed.length > 0 ? 1 : 0);
}
