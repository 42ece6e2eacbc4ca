/** Tests with a real worker process that is killed while it changes prices. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { fill } from '../../../../test/processes/durable.ts';
import { KillableInstallation } from '../../../../test/processes/killed.ts';
import { until } from '../../../../test/storm.ts';
import { inTurn } from '../../../../test/rare.ts';

const HOLDERS = 1200;

let e: KillableInstallation;
before(async () => {
  e = await KillableInstallation.install();
});
after(() => e?.remove());

/** Gives the membership to all customers, and returns the ids in order. */
async function owned(customers: readonly number[]): Promise<number[]> {
  const id = async (text: string, values: unknown[]): Promise<number> =>
    Number((await e.eye.query(`${text} RETURNING id`, values)).rows[0].id);
  const category = await id(`INSERT INTO membership_category (provider_id, name) VALUES ($1, 'Plans')`, [
    e.here.harbour,
  ]);
  const membership = await id(
    `INSERT INTO membership (provider_id, type, name, category_id, visible_to_customers, purchasable_only_by_provider,
      new_customers_only, allow_repeat_purchases) VALUES ($1, 'recurring_plan', 'Club', $2, true, false, false, true)`,
    [e.here.harbour, category],
  );
  const plan = await id(
    `INSERT INTO membership_payment_plan (provider_id, membership_id, price_minor, billing_period_length,
      billing_period_unit) VALUES ($1, $2, 4000, 1, 'months')`,
    [e.here.harbour, membership],
  );
  const { rows } = await e.eye.query(
    `INSERT INTO customer_membership (provider_id, customer_id, membership_id, membership_type, payment_plan_id,
      bought_on, start_date, billed_price_minor, billing_unit, billing_length, billing_anchor)
     SELECT $1, c, $2, 'recurring_plan', $3, now()::date, now()::date, 4000, 'months', 1, now()::date
     FROM unnest($4::bigint[]) c ORDER BY c RETURNING id`,
    [e.here.harbour, membership, plan, customers],
  );
  return rows.map((row) => Number(row.id)).toSorted((a, b) => a - b);
}

inTurn(2, 4)(
  'after a worker is killed in the middle of changing prices, every membership is changed exactly once and has its result',
  async () => {
    const { customers } = await fill(e.here, HOLDERS, { n: 1, places: null });
    const ids = await owned(customers);
    const server = await e.alongside('server');
    const answer = await e.ask(server, 'POST', '/customer_memberships/bulk_edit_prices', {
      body: { customermembership_ids: ids, change: { percent: 50 } },
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { price_edit: action } = answer.body;
    const changed = () => e.count(`bulk_action_result WHERE bulk_action_id = $1 AND status = 'success'`, [action]);
    await e.kill({
      // The second batch stops half-way.
      held: 'SELECT 1 FROM customer_membership WHERE id = $1 FOR UPDATE',
      values: [ids[700]],
      victim: () => e.start('worker'),
      meanwhile: async () => {
        assert.equal(await changed(), 500);
        await e.alongside('worker');
      },
    });
    await until('all have their result', async () => (await changed()) === HOLDERS);

    assert.equal(await e.count('customer_membership WHERE billed_price_minor = 6000'), HOLDERS);
    for (const [what, from] of [
      ['told', `feed_item WHERE kind = 'customer_membership.price_changed'`],
      ['audited', `audit_entry WHERE object = 'customermembership'`],
    ]) {
      assert.deepEqual(
        (await e.eye.query(`SELECT count(*)::int AS n, count(DISTINCT object_id)::int AS of FROM ${from}`)).rows[0],
        { n: HOLDERS, of: HOLDERS },
        what,
      );
    }
    assert.deepEqual((await e.eye.query('SELECT complete_items, total_items FROM job')).rows, [
      { complete_items: HOLDERS, total_items: HOLDERS },
    ]);
    assert.equal(await e.count(`feed_item WHERE kind = 'bulk_action.finished'`), 1);
  },
);
