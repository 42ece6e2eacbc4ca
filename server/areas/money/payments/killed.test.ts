/** Tests with processes that are killed while they call the processor. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { once } from 'node:events';
import { PaymentWorld, UNWANTED } from './test/payment-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { everything } from '../../../test/rare.ts';
import { startProgram } from '../../../test/processes/programs.ts';
import { until } from '../../../test/storm.ts';

let p: PaymentWorld;
before(async () => {
  p = await PaymentWorld.start();
});
after(() => p.close());

const count = async (query: ReturnType<typeof sql>): Promise<number> => (await p.rows<{ n: number }>(query))[0].n;

// Guards against: Charging somebody twice, or keeping money for nothing
test('a process that is killed in the middle of payments charges nobody twice, loses no money, and refunds all that is owed', async () => {
  const { world, sandbox } = p;
  const payer = await world.newCustomer();
  for (let round = 1; round <= (everything ? 3 : 1); round++) {
    const child = await startProgram('paying-process', [world.harbour, sandbox, payer].map(String), {
      env: { ...process.env, DATABASE_URL: world.databaseUrl },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await until(
      'payments are made',
      async () => (await count(sql`SELECT count(*) AS n FROM sandbox_charge`)) >= round * 20,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const open = await count(sql`SELECT count(*) AS n FROM payment WHERE status IN ('started', 'pending')`);
  assert.ok(open > 0, 'the kills hit payments under way');
  world.setNow(world.now + 3_600_000);
  await p.settle();
  world.setNow(world.now + 2 * 3_600_000);
  await p.settle();
  const payments = await p.rows<{ id: number; status: string; amount: number; state: string; back: number }>(sql`
    SELECT p.id, p.status, p.amount_minor AS amount, c.state, refunded_minor AS back
    FROM payment p LEFT JOIN sandbox_charge c ON c.key = 'payment-' || p.id ORDER BY p.id`);
  for (const { id, status, state, amount, back } of payments) {
    assert.equal(status, state, `payment ${id} is as the processor has it`);
    assert.equal(back, status === 'succeeded' && amount === UNWANTED ? UNWANTED : 0);
  }
  const charged = await count(
    sql`SELECT coalesce(sum(amount_minor), 0)::bigint AS n FROM sandbox_charge WHERE state = 'succeeded'`,
  );
  const refunded = await count(
    sql`SELECT coalesce(sum(amount_minor), 0)::bigint AS n FROM sandbox_refund WHERE state = 'succeeded'`,
  );
  const balances = await p.balances(payments.map(({ id }) => id));
  assert.deepEqual(balances, { clearing: charged - refunded, revenue: refunded - charged });
  assert.ok(refunded > 0);
});
