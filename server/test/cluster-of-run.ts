/**
 * The PostgreSQL of a whole run, with the template that `freshDatabase` clones. Making one takes seconds, so its data is
 * kept in `node_modules/.cache` and copied by later runs, under the hash of everything that it is made from.
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
import { createMigrated, startCluster, type TestCluster } from './cluster.ts';
import { idsApart, restartIds, TEMPLATE } from './database.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const KEPT = join(ROOT, 'node_modules', '.cache', 'rollcall-test-cluster');
/** The lock names PostgreSQL and the queue by version and checksum. */
const MADE_FROM = [
  'package-lock.json',
  'db/migrations/*',
  'server/kernel/base/db/{embedded,migrat}*.ts',
  'server/kernel/base/db/install-queue.ts',
  'server/kernel/base/release.ts',
  'server/test/{clock,cluster,cluster-of-run,database}.ts',
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

/** Read before anything is made: what changes meanwhile has another key. */
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

/** Under its name only once it is whole. */
function keep(data: string, kept: string): void {
  mkdirSync(KEPT, { recursive: true });
  // Another run may copy the one before at this moment.
  const older = readdirSync(KEPT).map((name) => join(KEPT, name));
  const newestFirst = older.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const folder of newestFirst.slice(1)) rmSync(folder, { recursive: true, force: true });
  const unfinished = `${kept}.${process.pid}`;
  cpSync(data, unfinished, { recursive: true });
  // The same may have been kept by another run meanwhile.
  if (existsSync(kept)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, kept);
}

async function makeTemplate(clusterUrl: string): Promise<void> {
  await restartIds(await createMigrated(clusterUrl, TEMPLATE), idsApart);
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  // A template somebody is connected to cannot be cloned: so nobody can connect any more.
  await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  await client.end();
}
