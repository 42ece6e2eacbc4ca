/**
 * The PostgreSQL of a whole run, with the template that `freshDatabase` clones. Creating it takes seconds, so its data
 * is kept in `node_modules/.cache` under the hash of everything that it is created from, and copied by later runs.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createMigrated, startCluster, type TestCluster } from './cells/cluster.ts';
import { idsApart, restartIds, TEMPLATE } from './database.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const KEPT = join(ROOT, 'node_modules', '.cache', 'rollcall-test-cluster');
/** The lock file names PostgreSQL and the queue by version and checksum. */
const MADE_FROM = [
  'package-lock.json',
  'db/migrations/*',
  'server/kernel/base/db/{embedded,migrat}*.ts',
  'server/kernel/base/db/schema/install-queue.ts',
  'server/kernel/base/release.ts',
  'server/test/{clock,cluster-of-run,database,lock-order,cells/cluster}.ts',
];

export async function startClusterOfRun(): Promise<TestCluster> {
  const kept = join(KEPT, keyOf());
  if (existsSync(kept)) return startCluster(kept);
  const cluster = await startCluster();
  try {
    await makeTemplate(cluster.url);
    keep(await cluster.stop(), kept);
  } finally {
    await cluster.remove();
  }
  return startCluster(kept);
}

/** Computes the key before anything is created: a file that changes meanwhile results in another key. */
function keyOf(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of globSync(MADE_FROM, { cwd: ROOT }).toSorted())
    hash.update(`\n${file} `).update(
      createHash('sha256')
        .update(readFileSync(join(ROOT, file)))
        .digest(),
    );
  return hash.digest('hex').slice(0, 32);
}

/** Moves the data to its final name only once it is complete. */
function keep(data: string, kept: string): void {
  mkdirSync(KEPT, { recursive: true });
  // Another run may be copying the previous one at this moment.
  const older = readdirSync(KEPT).map((name) => join(KEPT, name));
  const newestFirst = older.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const folder of newestFirst.slice(1)) rmSync(folder, { recursive: true, force: true });
  const unfinished = `${kept}.${process.pid}`;
  cpSync(data, unfinished, { recursive: true });
  // Another run may have kept the same data meanwhile.
  if (existsSync(kept)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, kept);
}

async function makeTemplate(clusterUrl: string): Promise<void> {
  await restartIds(await createMigrated(clusterUrl, TEMPLATE), idsApart);
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  // A template with open connections cannot be cloned, so connections are no longer allowed.
  await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  await client.end();
}
