/**
 * Loads and assembles the service once without serving, in the process that bundles it, so that its compiled code is
 * there for the service: compiling and storing it takes memory that a service would keep as long as it runs.
 */
import { randomBytes } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

/** It connects to no database and writes nothing but the compiled code. */
export async function warmUp(): Promise<number> {
  await import('./main.ts');
  const config = readConfig({
    DATA_DIR: join(tmpdir(), 'rollcall-none'),
    SECRET_KEY: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'silent',
    ROLE: 'server',
  });
  const app = createApp({ config, databaseUrl: 'postgres://nobody@127.0.0.1:1/none', log: pino({ level: 'silent' }) });
  await app.http.ready();
  await app.close();
  flushCompileCache();
  return 0;
}
