import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../../cli.ts';

const LAUNCHER = join(import.meta.dirname, '..', '..', '..', 'bin', 'rollcall.mjs');
const TOLD =
  'data:text/javascript,process.on("exit",()=>console.log("arenas",process.env.MALLOC_ARENA_MAX,process.pid))';

function arenasOf(command: string, env: NodeJS.ProcessEnv = {}): { said: string | undefined; isSame: boolean } {
  const { MALLOC_ARENA_MAX: _, ...inherited } = process.env;
  const { stdout, pid } = spawnSync(process.execPath, ['--import', TOLD, LAUNCHER, command, '--help'], {
    env: { ...inherited, ...env },
    encoding: 'utf8',
  });
  const [, said, at] = /^arenas (\S+) (\d+)$/m.exec(stdout) ?? [];
  return { said, isSame: Number(at) === pid };
}

test('the service returns freed memory to the system, and runs in the process that was started', (t) => {
  if (process.platform !== 'linux') return t.skip('what is set is of the C library of Linux');
  assert.deepEqual(arenasOf('start'), { said: '2', isSame: true });
  assert.deepEqual(arenasOf('start', { MALLOC_ARENA_MAX: '3' }), { said: '3', isSame: true });
  assert.deepEqual(arenasOf('doctor'), { said: 'undefined', isSame: true });
});

test('the bundled command line lists every command', () => {
  // This command builds the bundle if the sources have changed.
  const { stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, '--help'], { encoding: 'utf8' });
  assert.equal(stderr, '');
  for (const { name } of COMMANDS) assert.match(stdout, new RegExp(`^  rollcall ${name}\\b`, 'm'));
});
