/**
 * Creates the demo business in a process of its own, which ends afterwards: the memory that this takes is a sixth of
 * what the service needs when it is idle.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isUntouched } from '../areas/platform/providers/index.ts';
import { Database } from '../kernel/base/db/database.ts';
import { MAKE_DEMO } from './command.ts';
import { cellFence } from '../scale/commands/database.ts';
import type { Config } from '../config.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/rollcall.mjs', import.meta.url));

/** Messages to the process: first its database, then the URL of the service once it listens. */
export interface ToMaker {
  readonly databaseUrl?: string;
  readonly base?: string;
}

/** The demo business exists. */
export const MADE = 'made';

/** Returns true if the installation never had a business. */
export async function isDemoDue(databaseUrl: string, config: Config): Promise<boolean> {
  const db = new Database({ url: databaseUrl, size: 1, fence: cellFence(config) });
  try {
    return await db.acrossTenants('a demo business is made where there never was one', isUntouched);
  } finally {
    await db.close();
  }
}

export interface DemoMaker {
  /** Resolves when the business exists, and rejects if it can't be created. */
  readonly made: Promise<void>;
  /** Gives the business a past, while the service at this URL answers. */
  bringToLife(base: string): void;
  /** Ends the process. An unfinished demo is created by the next start. */
  end(): Promise<void>;
}

export function startDemoMaker(databaseUrl: string): DemoMaker {
  const child = spawn(process.execPath, [...process.execArgv, LAUNCHER, MAKE_DEMO], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const send = (message: ToMaker): void => {
    if (child.connected) child.send(message, () => {});
  };
  const made = Promise.race([
    once(child, 'message').then(() => {}),
    ended.then((code) => {
      if (code !== 0) throw new Error(`the demo business could not be created (exit ${code})`);
    }),
  ]);
  made.catch(() => {});
  send({ databaseUrl });
  return {
    made,
    bringToLife: (base) => send({ base }),
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
