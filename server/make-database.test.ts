import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openEmbedded } from './commands/installation.ts';
import { connectTo } from './kernel/base/db/connections/connect.ts';
import { pendingMigrations } from './kernel/base/db/schema/migrate.ts';

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-make-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

function make(dataDir: string, databaseUrl: string): void {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'make-database.ts')], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
}

test('the database that is made while the service is bundled has every table, and the service only opens it', async () => {
  const dataDir = join(scratch, 'own');
  make(dataDir, '');
  const filled: string[] = [];
  const { embedded, url } = await openEmbedded(dataDir, { info() {}, warn() {}, error() {} }, async (cluster) => {
    filled.push(cluster);
  });
  try {
    const client = await connectTo(url);
    assert.deepEqual(await pendingMigrations(client), []);
    await client.end();
    assert.deepEqual(filled, []);
  } finally {
    await embedded.stop();
  }
});

test('with an external database, nothing is made', () => {
  const dataDir = join(scratch, 'external');
  make(dataDir, 'postgresql://nobody@localhost:1/none');
  assert.equal(existsSync(dataDir), false);
});
