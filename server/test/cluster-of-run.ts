/** The PostgreSQL of a whole run, with the template that `freshDatabase` clones. */
import pg from 'pg';
import { createMigrated, startCluster, type TestCluster } from './cluster.ts';
import { idsApart, restartIds, TEMPLATE } from './database.ts';

export async function startClusterOfRun(): Promise<TestCluster> {
  const cluster = await startCluster();
  try {
    await makeTemplate(cluster);
    return cluster;
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

async function makeTemplate({ url: clusterUrl, folder }: TestCluster): Promise<void> {
  await restartIds(await createMigrated(clusterUrl, TEMPLATE, folder), idsApart);
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  // A template somebody is connected to cannot be cloned: so nobody can connect any more.
  await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  await client.end();
}
