import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { say, type Command } from './command.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/rollcall.mjs', import.meta.url));

export const dev: Command = {
  name: 'dev',
  summary: 'Start, log everything, and start again whenever a source file changes',
  options: { 'no-demo': { type: 'boolean', description: 'make no demo business' } },
  async run({ options }) {
    say('Watching the source files; Ctrl-C ends.');
    const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', LAUNCHER, 'start', ...(options['no-demo'] ? ['--no-demo'] : [])], {
      stdio: 'inherit',
      env: { LOG_LEVEL: 'debug', ...process.env },
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
    process.on('exit', () => child.kill());
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 0;
  },
};
