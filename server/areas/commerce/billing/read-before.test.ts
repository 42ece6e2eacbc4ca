/** The data that a batch of periods is billed with may change before its transaction begins. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BillingWorld } from './test/world.ts';
import { billAlone, billPeriod, readDue } from './bill.ts';
import { ownContext } from '../../../test/own-context.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { renewDue } from '../../memberships/customer-memberships/renewals/renew.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld } from '../../../test/world.ts';

let b: BillingWorld;
before(async () => {
  b = await BillingWorld.of(await startWorld());
});
after(() => b.close());

test('a saved card that was removed after it was read is not charged, and the invoice stays open', async () => {
  b.world.setNow(Date.parse('2030-03-10T14:00Z'));
  const { customer } = await b.member();
  const { rows } = await b.c.owner.query(
    `INSERT INTO payment_method (provider_id, customer_id, payment_processor_id, type, token, last_four)
     VALUES ($1, $2::bigint, $3, 'credit_card', 'sandbox_card_' || $2::bigint, '4242') RETURNING id`,
    [b.world.harbour, customer, b.c.sandbox],
  );
  b.world.setNow(Date.parse('2030-04-10T14:00Z'));
  const own = ownContext(b.world);
  await backgroundWork(own, b.world.harbour, 'test', renewDue);
  const { due, plans } = await b.world.work(b.world.harbour, (work) =>
    readDue(work, sql`p.state = 'due' AND p.period_start = '2030-04-10'`, 10),
  );
  assert.deepEqual([due.length, plans.methods.size], [1, 1]);
  await b.c.owner.query(`UPDATE payment_method SET removed_at = now() WHERE id = $1`, [rows[0].id]);
  const inOne = (act: Parameters<typeof backgroundWork>[3]) => backgroundWork(own, b.world.harbour, 'test', act);
  await assert.rejects(
    inOne((work) => billPeriod(work, due[0], plans)),
    /has changed/,
  );
  assert.equal(await inOne((work) => billAlone(work, due[0].id)), null);
  const { results } = await b.read(`/invoices?customer=${customer}&sort=-id`);
  assert.equal(results[0].status, 'open');
});
