/**
 * One process of the service for tests that kill it: serves the database of DATABASE_URL in the given ROLE, and prints
 * its address. With TEST_RELEASE, it runs as that release with the migrations in TEST_MIGRATIONS, which it applies
 * first; it exits with 3 if it can no longer work with the schema.
 */
import { flushCompileCache } from 'node:module';
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { prepareDatabase } from '../../kernel/base/db/schema/prepare.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { clockOf } from '../clock.ts';

const config = readConfig({
  HOST: '127.0.0.1',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'silent',
  SECRET_KEY,
  ROLE: 'server',
  ...process.env,
});
const { TEST_RELEASE: release, TEST_MIGRATIONS: dir } = process.env;
const schema = release === undefined ? undefined : { release, dir };
if (schema) await prepareDatabase(config.databaseUrl!, undefined, schema);
const app = createApp({
  config: { ...config, port: 0 },
  databaseUrl: config.databaseUrl!,
  now: clockOf(config.databaseUrl!),
  log: pino({ level: config.logLevel }, pino.destination(2)),
  schema,
  onTooOld: () => void app.close().then(() => process.exit(3)),
});
console.log(await app.listen());
// Tests kill this process, and the next one starts faster with the cache.
flushCompileCache();
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
// The test that started this process has ended.
process.on('disconnect', () => process.exit(1));
