/** Workers killed in the middle of an export: real processes. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { beside, until } from '../../../../test/storm.ts';
import { KillableInstallation } from '../../../../test/processes/killed.ts';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { inTurn } from '../../../../test/rare.ts';

/** More than two batches. */
const CUSTOMERS = 2500;

let e: KillableInstallation;
const folder = mkdtempSync(join(tmpdir(), 'rollcall-exports-'));
before(async () => {
  e = await KillableInstallation.install();
});
after(async () => {
  await e?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns how many statements that begin like this wait for a lock. */
const waiting = (begins: string): Promise<number> =>
  e.count(`pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`, [
    `${begins}%`,
  ]);

/** Returns the files of exports: complete ones, and unfinished ones. */
function files(): { whole: string[]; partial: string[] } {
  const ofBusiness = join(folder, 'exports', String(e.here.harbour));
  const names = existsSync(ofBusiness) ? readdirSync(ofBusiness) : [];
  const [partial, whole] = [true, false].map((hidden) => names.filter((name) => name.startsWith('.') === hidden));
  return { whole, partial };
}

inTurn(1, 4)('a worker is killed during an export, and another one writes the file with every row once', async () => {
  const env = { DATA_DIR: folder };
  const server = await e.alongside('server', env);
  await e.eye.query(
    `INSERT INTO customer (provider_id, first_name, last_name)
     SELECT $1, 'Person', 'No ' || n FROM generate_series(1, ${CUSTOMERS}) n`,
    [e.here.harbour],
  );
  const ask = (path: string, init?: RequestInit) =>
    fetch(`${server.url}/api/v2${path}`, {
      headers: { authorization: `Bearer ${e.here.token}`, 'content-type': 'application/json' },
      ...init,
    });
  const asked = await ask('/reports/customers/export', { method: 'POST', body: JSON.stringify({ format: 'jsonl' }) });
  const { job } = (await asked.json()) as { job: number };
  const status = async (): Promise<any> => (await ask(`/jobs/${job}`)).json();

  // Batches read the venues, the count doesn't. A lock on that table is granted between two batches.
  const [first, second] = [await beside(e.here.url), await beside(e.here.url)];
  const take = 'LOCK TABLE venue IN ACCESS EXCLUSIVE MODE';
  await first.query('BEGIN');
  await first.query(take);
  const doomed = await e.start('worker', env);
  await until('the first portion waits', async () => (await waiting('SELECT c.id')) === 1);
  await second.query('BEGIN');
  const taken = second.query(take);
  await until('the lock is wanted by two', async () => (await waiting('LOCK')) === 1);
  await first.query('ROLLBACK');
  await taken;
  await until('the second portion waits', async () => (await waiting('SELECT c.id')) === 1);
  await until('a part is written', async () => files().partial.length === 1);
  await doomed.end('SIGKILL');
  assert.deepEqual(files().whole, [], 'a part of a file is no file');
  assert.equal((await status()).status, 'running');
  await second.query('ROLLBACK');

  await e.alongside('worker', env);
  // The minute in which a silent process may still be working has passed.
  await e.eye.query(`UPDATE report_export SET next_at = now() WHERE job_id = $1`, [job]);
  const done = await until('the export is complete', async () => {
    const found = await status();
    return found.status === 'complete' && found;
  });
  assert.equal(done.complete_items, CUSTOMERS);
  const file = await ask(done.result_url.slice(done.result_url.indexOf('/report_exports')));
  const lines = (await file.text()).trimEnd().split('\n');
  assert.equal(new Set(lines.map((line) => JSON.parse(line).id)).size, CUSTOMERS);
  assert.equal(lines.length, CUSTOMERS);
  assert.equal(files().whole.length, 1);
  assert.equal(await e.count(`feed_item WHERE kind = 'report_export.finished'`), 1);
  await Promise.all([first.end(), second.end()]);
});
