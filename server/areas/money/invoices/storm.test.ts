import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { billed } from './test/invoicing.ts';
import { chance, times, until } from '../../../test/storm.ts';
import { checkLedger } from '../ledger/index.ts';
import { newCustomers, row } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let desk: number;
before(async () => {
  // Its connections end before the deadlocks in its database are read.
  world = await startWorld({ own: true });
  const tax = { kind: 'tax', type: 'percent', percentage: '13', is_taxable: false, purchase_types: ['event'] };
  await row(world, 'purchase_fee', { name: 'HST', ...tax });
  desk = await row(world, 'payment_processor', { kind: 'offline', name: 'Desk' });
});
after(() => world.close());

/** Expected statuses: success, or a refusal because another request came first. */
const EXPECTED = new Set([200, 201, 409, 400]);

test('invoices that are concurrently issued, paid, credited and voided agree with the ledger, without deadlocks', async () => {
  const payers = await newCustomers(world, 3);
  const { below, of } = chance(42);
  const invoices = await times(6, (i) => billed(world, payers[i % 3], [{}, { list: 1500 }]));
  const calls = [
    () => ({ what: 'record_payment', body: { payment_processor: desk, amount: `${1 + below(9)}.00` } }),
    () => ({ what: 'credit', body: { amount: `${1 + below(6)}.00`, reason: 'A part of it.' } }),
    () => ({ what: 'credit', body: { amount: `${1 + below(6)}.00`, reason: 'A part of it.', give_back: 'refund' } }),
    () => ({ what: 'void', body: { reason: 'A mistake.' } }),
  ];
  const seen = new Map<number, number>();
  for (let round = 0; round < 6; round++)
    await times(16, async (i) => {
      if (i % 4 === 0) return void (await billed(world, of(payers)));
      const { what, body } = calls[i % 16 === 15 && round === 5 ? 3 : below(3)]();
      const answer = await world.post(`/invoices/${of(invoices).id}/${what}`, { as: world.machine, body });
      assert.ok(EXPECTED.has(answer.status), answer.text);
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    });
  assert.ok((seen.get(200) ?? 0) > 5 && (seen.get(201) ?? 0) > 5, JSON.stringify([...seen]));
  assert.deepEqual(await world.work(world.harbour, (work) => checkLedger(work)), []);
  const owner = new pg.Client({ connectionString: world.databaseUrl });
  await owner.connect();
  // The counters of sessions are only complete when the sessions have ended.
  await world.app.db.close();
  const counted = async () =>
    (await owner.query('SELECT numbackends, deadlocks::int FROM pg_stat_database WHERE datname = current_database()'))
      .rows[0];
  await until('the sessions have ended', async () => (await counted()).numbackends === 1);
  assert.equal((await counted()).deadlocks, 0);
  await owner.end();
});
