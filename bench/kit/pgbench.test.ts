import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { libpqEnvironment } from './libpq-environment.ts';
import { findPgbench, parseReport } from './pgbench.ts';

const URLS: [string, Record<string, string>][] = [
  ['postgres:///db?host=/run/pg&user=me', { PGHOST: '/run/pg', PGUSER: 'me', PGDATABASE: 'db' }],
  ['postgres://me@/db?host=/run/pg&port=5433', { PGHOST: '/run/pg', PGUSER: 'me', PGDATABASE: 'db', PGPORT: '5433' }],
  ['postgres://me@%2Frun%2Fpg:5433/db', { PGHOST: '/run/pg', PGUSER: 'me', PGDATABASE: 'db', PGPORT: '5433' }],
  [
    'postgresql://me:p%40s:s+@[::1]:5432/my%20db',
    { PGHOST: '::1', PGPORT: '5432', PGUSER: 'me', PGPASSWORD: 'p@s:s+', PGDATABASE: 'my db' },
  ],
  ['postgres://a@h/x?user=b&sslmode=require', { PGHOST: 'h', PGUSER: 'b', PGDATABASE: 'x', PGSSLMODE: 'require' }],
  ['postgres://h', { PGHOST: 'h' }],
];
for (const [url, environment] of URLS) {
  test(`libpq programs are pointed where ${url} points`, () => assert.deepEqual(libpqEnvironment(url), environment));
}

test('a URL of another kind or with an unknown parameter is refused without revealing its password', () => {
  for (const url of ['mysql://me:secret@h/db', 'postgres://me:secret@h:port/db', 'me:secret@h']) {
    assert.throws(
      () => libpqEnvironment(url),
      (error: Error) => /not a postgres/.test(error.message) && !error.message.includes('secret'),
    );
  }
  assert.throws(() => libpqEnvironment('postgres://h/db?colour=red'), /colour/);
});

const REPORT = `pgbench (18.1)
transaction type: script.sql
number of transactions actually processed: 120411
number of failed transactions: 0 (0.000%)
latency average = 0.199 ms
initial connection time = 8.102 ms
tps = 40157.102030 (without initial connection time)
`;

test('the figures exclude the time spent connecting', () => {
  assert.deepEqual(parseReport(REPORT), { tps: 40157.10203, latencyMs: 0.199, transactions: 120411 });
});

test('a run with failed transactions or without figures has no result', () => {
  assert.throws(() => parseReport(REPORT.replace('transactions: 0', 'transactions: 3')), /3 transactions/);
  assert.throws(() => parseReport('pgbench (18.1)\n'), /no figures/);
});

test('pgbench is found on PATH first, then as the newest installed version, and otherwise not at all', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'find-'));
  t.after(() => rm(root, { recursive: true }));
  const put = async (folder: string): Promise<string> => {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, 'pgbench'), '');
    await chmod(join(root, folder, 'pgbench'), 0o755);
    return join(root, folder, 'pgbench');
  };
  const lib = join(root, 'lib');
  assert.equal(await findPgbench('', lib), null);
  await put('lib/9/bin');
  const newest = await put('lib/18/bin');
  assert.equal(await findPgbench(join(root, 'path'), lib), newest);
  const onPath = await put('path');
  assert.equal(await findPgbench(join(root, 'path'), lib), onPath);
});
