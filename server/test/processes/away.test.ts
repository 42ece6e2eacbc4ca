/** A service whose database is unreachable at startup or shutdown: the real command on a connection that can be cut. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freshDatabase } from '../database.ts';
import { Installation } from '../installation.ts';
import { Pooler } from '../outside/pooler.ts';
import { Proxy } from '../outside/proxy.ts';
import { rare } from '../rare.ts';
import { until } from '../storm.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let proxy: Proxy;
let one: Installation;
before(async () => {
  database = await freshDatabase();
  proxy = await Proxy.to(database.url);
  one = new Installation({ DATABASE_URL: proxy.url });
});
after(async () => {
  await one.remove();
  await proxy.close();
  await database.drop();
});

const waits = (lines: readonly string[]) =>
  until('it says that it waits', async () => lines.some((line) => line.startsWith('Waiting for the database: ')));

test('a start without a reachable database says so, waits, and serves once the database is back', async () => {
  proxy.reset();
  const { child, ended, ready, lines } = one.launch(['--no-demo']);
  await waits(lines);
  proxy.pass();
  const base = await ready;
  assert.equal((await fetch(`${base}/readyz`)).status, 200);
  child.kill('SIGTERM');
  const { code, err } = await ended;
  assert.equal(code, 0, err);
});

rare('a service that is stopped while its database does not respond ends within its time limit', async () => {
  const { child, ended, base } = await one.start(['--no-demo']);
  proxy.freeze();
  const asked = fetch(`${base}/api/v2/providers`, {
    headers: { authorization: `Bearer rc_${'x'.repeat(43)}` },
  }).then(
    (r) => r.status,
    () => null,
  );
  child.kill('SIGTERM');
  const { code, err } = await ended;
  assert.equal(code, 0, err);
  assert.doesNotMatch(err, /could not end in 30 seconds/);
  await asked;
  proxy.thaw();
});

test('a start that waits for its database ends when it is stopped', async () => {
  proxy.reset();
  const { lines, child, ended } = one.launch(['--no-demo']);
  await waits(lines);
  child.kill('SIGTERM');
  const { code, err } = await ended;
  assert.equal(code, 0, err);
  proxy.pass();
});

test('a command on a database that does not respond ends in time and says so', async () => {
  proxy.freeze();
  const { code, err } = await one.command(['token', 'list']);
  assert.equal(code, 1);
  assert.match(err, /database cannot be reached: The database does not answer.*Remedy/);
  assert.doesNotMatch(err, /\n\s+at /);
  proxy.thaw();
});

test('a start through a pooler that shares sessions is refused with the setting to change', async () => {
  const pooler = await Pooler.to(database.url, 'transaction');
  const { code, err } = await one.command(['start', '--no-demo'], { DATABASE_URL: pooler.url });
  assert.equal(code, 1);
  assert.match(err, /pool_mode = transaction.*Remedy: set pool_mode = session/);
  await pooler.close();
});
