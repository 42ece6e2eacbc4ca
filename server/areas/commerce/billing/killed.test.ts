/** Workers killed in the middle of billing: real processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fill } from '../../../test/processes/durable.ts';
import { KillableInstallation, lockTable } from '../../../test/processes/killed.ts';
import { until } from '../../../test/storm.ts';

let e: KillableInstallation;
const MEMBERS = 12;
before(async () => {
  e = await KillableInstallation.install();
  const { customers } = await fill(e.here, MEMBERS, { n: 1, places: 1 });
  const server = await e.alongside('server');
  const post = async (path: string, body: object): Promise<number> => (await e.make(server, path, body)).id;
  const sandbox = await post('/payment_processors', { kind: 'sandbox', name: 'Card' });
  const category = await post('/membership_categories', { name: 'Plans' });
  const membership = await post('/memberships', {
    type: 'recurring_plan',
    name: 'Club',
    category,
    visible_to_customers: true,
    purchasable_only_by_provider: false,
    new_customers_only: false,
    allow_repeat_purchases: true,
  });
  const plan = await post('/membership_payment_plans', {
    membership,
    price: '40.00',
    billing_period_length: 1,
    billing_period_unit: 'months',
  });
  await e.eye.query(
    `INSERT INTO payment_method (provider_id, customer_id, payment_processor_id, type, token, brand, last_four,
      expiration_month, expiration_year)
     SELECT provider_id, id, $2, 'credit_card', 'sandbox_card_' || id, 'Card', '4242', 12, 2099 FROM customer
     WHERE provider_id = $1`,
    [e.here.harbour, sandbox],
  );
  // Sold three months ago: two periods of each are due.
  await e.eye.query(
    `INSERT INTO customer_membership (provider_id, customer_id, membership_id, membership_type, payment_plan_id,
      bought_on, start_date,
       billed_price_minor, billing_unit, billing_length, billing_anchor, renews_on)
     SELECT $1, c, $3, 'recurring_plan', $4, s.day, s.day, 4000, 'months', 1, s.day, s.day + interval '1 month'
     FROM unnest($2::bigint[]) c, (SELECT (now() - interval '2 months 10 days')::date AS day) s`,
    [e.here.harbour, customers, membership, plan],
  );
});
after(() => e?.remove());

test('a worker that is killed during any step of billing bills each period once, and charges it once', async () => {
  // A payment that has begun continues a minute later.
  const due = () => e.eye.query(`UPDATE payment SET next_at = now() WHERE status NOT IN ('succeeded', 'failed')`);
  // Tables that a worker waits for: each stops a different step.
  await e.killAtEach(['billing_period', 'invoice', 'payment', 'sandbox_charge', 'ledger_line'], (table) => ({
    held: lockTable(table),
    victim: () => e.start('worker'),
    afterwards: due,
  }));
  await e.alongside('worker');
  await until('everything is paid', async () => {
    await e.eye.query(
      `UPDATE payment SET next_at = now() WHERE status = 'started' AND next_at > now() + interval '5 s'`,
    );
    return (await e.count(`invoice WHERE status = 'paid'`)) === 2 * MEMBERS;
  });
  const counts = await e.counts([
    'billing_period',
    `billing_period WHERE state = 'billed'`,
    'invoice',
    'payment',
    `payment WHERE status = 'succeeded' AND taken`,
    `sandbox_charge WHERE state = 'succeeded'`,
    'sandbox_charge',
  ]);
  for (const [what, n] of Object.entries(counts)) assert.equal(n, 2 * MEMBERS, what);
  assert.equal(
    await e.count(
      '(SELECT transaction_id FROM ledger_line GROUP BY provider_id, transaction_id HAVING sum(amount_minor) <> 0) x',
    ),
    0,
  );
});
