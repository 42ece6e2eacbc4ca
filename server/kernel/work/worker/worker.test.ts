import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../base/db/sql.ts';
import { startReaders } from '../../../test/worlds/feed-readers.ts';
import { startWorld } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';
import type { Area } from '../../api/area.ts';

test('an area whose sweep fails does not stop the sweeps of others, and the failure is logged', async (t) => {
  const world = await startWorld({ own: true });
  const swept = { after: false };
  const failing: Area = {
    name: 'broken',
    description: 'Fails.',
    sweep: async (tx) => void (await tx.run(sql`SELECT 1 / 0`)),
  };
  const following: Area = {
    name: 'following',
    description: 'Comes after.',
    sweep: async (tx) => void (swept.after = (await tx.one(sql`SELECT 1 AS one`)) !== undefined),
  };
  const worker = await startReaders(world.databaseUrl, [], { areas: [failing, following] });
  t.after(async () => {
    await worker.stop();
    await world.close();
  });
  await until('the area behind has swept', async () => swept.after);
  assert.equal(worker.told.filter((line) => line.includes('"area":"broken"')).length, 1);
});
