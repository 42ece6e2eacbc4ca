/** Payments by card while the processor fails, and the judge of what came of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contradictions, type Purchase } from './model/till.ts';
import { everything } from '../rare.ts';
import { planOf, runPlan, scenesFor } from './history.ts';
import { Stage } from './scene.ts';
import { startFaulty } from './faults.ts';

const charge = { state: 'succeeded', amount: 1000, returned: 0 } as const;
const sold: Purchase = {
  price: 1000,
  status: 'completed',
  invoices: [{ total: 1000, due: 0 }],
  refunded: 0,
  wasSold: true,
  charges: [charge],
};
const unsold: Purchase = { ...sold, status: 'open', invoices: [], wasSold: false, charges: [] };

const judged = (one: Purchase, after: number) => contradictions([one], { before: 1, after });

test('a charge that is taken twice, kept for nothing or lost contradicts the books, and a right one does not', () => {
  const failed = { ...charge, state: 'failed' } as const;
  assert.deepEqual(judged({ ...sold, charges: [failed, charge] }, 0), []);
  assert.deepEqual(judged({ ...sold, refunded: 300, charges: [{ ...charge, returned: 300 }] }, 0), []);
  assert.deepEqual(judged({ ...unsold, charges: [{ ...charge, returned: 1000 }] }, 1), []);
  const wrong: readonly [string, Purchase, number][] = [
    ['doubled: the bank', { ...sold, charges: [charge, charge] }, 0],
    ['doubled: the bank', { ...unsold, charges: [charge] }, 1],
    ['lost: the bank', { ...sold, charges: [failed] }, 0],
    ['lost: the bank', { ...sold, charges: [{ ...charge, returned: 300 }] }, 0],
    ['lost: an answer said that it is sold', { ...unsold, wasSold: true }, 1],
    ['doubled: the bank', { ...sold, refunded: 300 }, 0],
    ['wrong: a sale has one invoice', { ...sold, invoices: [...sold.invoices, ...sold.invoices] }, 0],
    ['wrong: a sale is paid', { ...sold, invoices: [{ total: 1000, due: 1000 }] }, 0],
    ['undone: the bank has decided', { ...unsold, status: 'pending' }, 1],
    ['wrong: 1 of 1 are sold, 1 are left', sold, 1],
  ];
  for (const [what, one, after] of wrong) {
    const found = judged(one, after);
    assert.equal(found.length, 1, what);
    assert.ok(found[0].includes(what), found[0]);
  }
});

// Guards against: Charging somebody twice, or keeping money for nothing
test('while the processor fails and its messages are lost, nobody is charged twice and no charge is lost', async () => {
  const faulty = await startFaulty('payments', 1);
  const { world, servers, counts } = faulty;
  try {
    const stage = await Stage.of(world, servers);
    const histories = everything ? 20 : 2;
    for (let seed = 1; seed <= histories; seed++) {
      const result = await runPlan(stage, planOf(seed, scenesFor('payments')));
      assert.equal(
        result.is,
        'right',
        `npm run prove -- --histories 1 --seed ${seed} --faults payments\n${'why' in result ? result.why : ''}`,
      );
    }
    const { repeated: _, ...faults } = counts;
    assert.ok(Object.values(faults).reduce((sum, n) => sum + n, 0) > histories);
  } finally {
    await world.close();
  }
});
