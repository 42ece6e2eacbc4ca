import assert from 'node:assert/strict';
import { lstatSync, renameSync, symlinkSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, until } from '../../../../test/storm.ts';
import { HASTY } from '../../../../test/hasty.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ patience: HASTY });
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

const post = () => world.post('/offering_types', { as: world.machine, body: { name: 'Rowing' } });
const ready = async (): Promise<{ code: number; body: any }> => {
  const answer = await fetch(`${world.url}/readyz`);
  return { code: answer.status, body: await answer.json() };
};

test('a full disk is a 503 with a time to retry, /readyz reports it, and both end when there is space', async () => {
  // The file of this table's rows is replaced by the device that is always full: the kernel itself refuses, as on any
  // full disk.
  await owner.query('VACUUM offering_type');
  const {
    rows: [{ file }],
  } = await owner.query(
    `SELECT current_setting('data_directory') || '/' || pg_relation_filepath('offering_type') AS file`,
  );
  assert.ok(lstatSync(file).size === 0, 'no row lies there yet');
  renameSync(file, `${file}.aside`);
  symlinkSync('/dev/full', file);
  const refused = await post();
  assert.equal(refused.status, 503, refused.text);
  assert.equal(refused.body.code, 'unavailable');
  assert.match(refused.body.message, /database’s disk is full.*Nothing was changed/);
  assert.equal(refused.headers.get('retry-after'), '30');
  assert.equal((await world.get('/venues', { as: world.machine })).status, 200, 'reading goes on');
  await until('/readyz says so', async () => {
    assert.equal((await post()).status, 503);
    const { code, body } = await ready();
    return code === 503 && body.status === 'the disk of the database is full';
  });
  renameSync(`${file}.aside`, file);
  // The database processes keep the original file open.
  await owner.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
      AND pid <> pg_backend_pid()`,
  );
  await until('there is room', async () => (await post()).status === 201);
  await until('it is ready', async () => (await ready()).code === 200);
});
