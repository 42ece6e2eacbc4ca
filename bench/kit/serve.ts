/** One server process for the benchmark: serves the database of DATABASE_URL and prints its address. */
import { pino } from 'pino';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { SECRET_KEY } from '../../server/test/secret-key.ts';

const config = readConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'error',
  SECRET_KEY,
  ROLE: 'server',
  ...process.env,
});
/** BENCH_NOW: epoch milliseconds that the service takes for the time of its start, for schedules of another year. */
const offset = process.env.BENCH_NOW ? Number(process.env.BENCH_NOW) - Date.now() : 0;
if (!Number.isFinite(offset)) throw new Error(`BENCH_NOW must be epoch milliseconds, not "${process.env.BENCH_NOW}"`);
const app = createApp({
  config,
  databaseUrl: config.databaseUrl!,
  log: pino({ level: config.logLevel }, pino.destination(2)),
  now: () => Date.now() + offset,
});
console.log(await app.listen());
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
process.on('disconnect', () => process.exit(0));
