/** One business that sends as many requests as it can, and another that only wants to continue. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PATIENCE } from '../connections/patience.ts';
import { PATIENT } from '../../../../test/patient.ts';
import { beside, times, until } from '../../../../test/storm.ts';
import { Busy, Gate } from './gate.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import type { Transaction } from '../database.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true, patience: { ...PATIENT, listMs: PATIENCE.listMs } });
});
after(() => world.close());

// Guards against: One business uses up what all of them share
test('however many lists of one business hang, another one reads, writes and logs in', async () => {
  const owner = await beside(world.databaseUrl);
  await world.get('/venues', { as: world.meadowMachine });
  await owner.query('BEGIN');
  await owner.query('LOCK TABLE customer_label IN ACCESS EXCLUSIVE MODE');
  const hanging = times(50, () => world.get('/customer_labels', { as: world.machine }));
  await until(
    'lists hang',
    async () =>
      (await owner.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'customer_label'::regclass`))
        .rowCount,
  );
  const answers = await times(4, async (i) => [
    await world.get('/venues', { as: world.meadowMachine }),
    await world.post('/customers', {
      as: world.meadowMachine,
      body: { first_name: 'Calm', last_name: `No${i}`, email: `calm${i}@example.com` },
    }),
    await world.get('/venues', { as: 'rcm_nobody' }),
    // The business itself continues too, with everything but its lists.
    await world.post('/customers', {
      as: world.machine,
      body: { first_name: 'Own', last_name: `No${i}`, email: `own${i}@example.com` },
    }),
  ]);
  assert.deepEqual([...new Set(answers.map((row) => row.map((a) => a.status).join()))], ['200,201,401,201']);
  assert.ok(
    ((await owner.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'customer_label'::regclass`))
      .rowCount ?? 0) > 0,
    'they still hang',
  );
  await owner.query('COMMIT');
  assert.ok((await hanging).every((a) => a.status === 200 || a.status === 503));
  await owner.end();
});

test('the service is ready even while every connection is busy', async () => {
  const { db } = world.app;
  let letGo!: () => void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let inside = 0;
  const hold = async (tx: Transaction) => {
    await tx.send([]);
    inside++;
    await held;
  };
  // Writes alone never take all connections.
  const busy = times(20, (i) => {
    const business = i % 2 ? world.harbour : world.meadow;
    return i % 4 < 2 ? db.transaction(business, hold) : db.looking(business, hold);
  });
  try {
    await until('the connections are taken', async () => inside === 8);
    assert.equal((await fetch(`${world.url}/readyz`)).status, 200);
    assert.equal(inside, 8);
  } finally {
    letGo();
    await busy;
  }
});

test('a list that takes longer than five seconds is ended, and the refusal says what to do', async () => {
  const owner = await beside(world.databaseUrl);
  await owner.query('BEGIN');
  await owner.query('LOCK TABLE customer_label IN ACCESS EXCLUSIVE MODE');
  const answer = await world.get('/customer_labels', { as: world.machine });
  await owner.query('COMMIT');
  await owner.end();
  assert.deepEqual([answer.status, answer.body.code, answer.headers.get('retry-after')], [503, 'unavailable', '1']);
  assert.match(answer.body.message, /filters/);
});

test('a request that waits too long for a connection is refused, and takes none afterwards', async () => {
  const gate = new Gate(1, 20);
  assert.equal(gate.enter(1, 'any'), undefined);
  await assert.rejects(gate.enter(2, 'any')!, Busy);
  assert.equal(gate.waiting, 0);
  gate.leave(1, 'any');
  assert.equal(gate.enter(3, 'any'), undefined);
});
