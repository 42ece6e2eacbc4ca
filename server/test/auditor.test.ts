import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Auditor } from './auditor.ts';
import { connectTo } from '../kernel/base/db/connections/connect.ts';
import { seed } from './seeds.ts';
import { startWorld } from './world.ts';

test('an auditor finds a row that broke after its statement was prepared, and notices a lost connection', async () => {
  const world = await startWorld({ own: true });
  world.skipsAudit('a count of places is wrong on purpose');
  const auditor = await Auditor.of(world.databaseUrl);
  const owner = await connectTo(world.databaseUrl);
  try {
    await seed(world, 'event');
    assert.deepEqual(await auditor.broken(world.harbour), []);
    await owner.query('SET session_replication_role = replica');
    await owner.query(
      `UPDATE event SET waiting_count = waiting_count + 1
       WHERE id = (SELECT min(id) FROM event WHERE provider_id = $1)`,
      [world.harbour],
    );
    const [found, ...others] = await auditor.broken(world.harbour);
    assert.match(found!, /^places_waited_for: /);
    assert.deepEqual(others, []);
    assert.deepEqual(await auditor.broken(world.meadow), []);

    assert.equal(auditor.usable, true);
    await owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE '(SELECT ''places_booked''%' AND pid <> pg_backend_pid()`,
    );
    await assert.rejects(auditor.broken(world.harbour));
    assert.equal(auditor.usable, false);
  } finally {
    await auditor.end();
    await owner.end();
    await world.close();
  }
});
