/**
 * The service in this process on any database, for processes next to one that a test kills: a fraction of the cost of a
 * separate process.
 */
import { pino } from 'pino';
import { createApp, type App, type AppOptions } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { clockOf } from '../clock.ts';
import { PATIENT } from '../patient.ts';
import { SECRET_KEY } from '../secret-key.ts';

export interface ServedHere {
  readonly app: App;
  readonly url: string;
  /** ends like a process after a signal: without losing anything that it accepted */
  close(): Promise<void>;
}

export async function serveHere(
  databaseUrl: string,
  env: Record<string, string> = {},
  more: Pick<AppOptions, 'arriveMs' | 'drainMs' | 'schema' | 'now'> = {},
): Promise<ServedHere> {
  const config = readConfig({
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    SECRET_KEY,
    ROLE: 'server',
    DATABASE_URL: databaseUrl,
    ...env,
  });
  const app = createApp({
    config: { ...config, port: 0 },
    databaseUrl,
    patience: PATIENT,
    log: pino({ level: 'silent' }),
    now: clockOf(databaseUrl),
    drainMs: 0,
    ...more,
  });
  return { app, url: await app.listen(), close: () => app.close() };
}
