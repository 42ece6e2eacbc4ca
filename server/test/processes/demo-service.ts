/**
 * The demo business in a service of its own: the real command line in a process, for screenshots and measurements of
 * pages.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const LAUNCHER = fileURLToPath(new URL('../../../bin/rollcall.mjs', import.meta.url));

/** The path of its booking site. */
export const DEMO_SITE = '/harbour-lane-studio';

/** Starts the demo with its data in `folder`. Resolves to its address as soon as it responds. */
export async function startDemo(folder: string): Promise<{ url: string; end: () => Promise<void> }> {
  const child = spawn(process.execPath, [LAUNCHER, 'start'], {
    env: { ...process.env, DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^ready (\S+)/.exec(line) ?? [];
    if (url) return { url, end };
  }
  throw new Error('the demo did not start');
}
