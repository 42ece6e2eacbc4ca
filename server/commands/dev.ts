import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serve } from '../main.ts';
import { configured } from './installation.ts';
import { say, type Command } from './command.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/rollcall.mjs', import.meta.url));

/** Distinguishes the watched process from the watching one. */
const WATCHED = 'ROLLCALL_WATCHED';

export const dev: Command = {
  name: 'dev',
  summary: 'Start with detailed logs, and restart whenever a source file changes',
  options: { 'no-demo': { type: 'boolean', description: 'do not create a demo business' } },
  details: 'Shows emails that are not sent at /dev/mail, only on this machine.',
  async run({ options }) {
    if (process.env[WATCHED]) return serve(configured(), { demo: !options['no-demo'], development: true });
    say('Watching the source files. Press Ctrl-C to stop.');
    const child = spawn(
      process.execPath,
      ['--watch', '--watch-preserve-output', LAUNCHER, 'dev', ...(options['no-demo'] ? ['--no-demo'] : [])],
      {
        stdio: 'inherit',
        env: { LOG_LEVEL: 'debug', ...process.env, [WATCHED]: 'yes' },
      },
    );
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
    process.on('exit', () => child.kill());
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 0;
  },
};
