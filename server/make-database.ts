/**
 * Makes the embedded database that a first start needs: `node server/make-database.ts`. A separate process, because the
 * launcher bundles the service meanwhile. If it fails, the service does the same and says why.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fillCluster } from './commands/new-database.ts';
import { readConfig } from './config.ts';
import { makeEmbedded } from './kernel/base/db/embedded/embedded.ts';

// Nobody waits for it any more. PostgreSQL ends with this process, and what is unfinished is made again.
process.once('disconnect', () => process.exit());
const { databaseUrl, dataDir } = readConfig(process.env);
if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres')))
  await makeEmbedded({ dataDir, log: { info() {}, warn() {}, error() {} }, fill: fillCluster() });
process.disconnect?.();
