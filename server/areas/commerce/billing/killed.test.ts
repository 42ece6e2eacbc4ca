/** Workers that are killed outright in the middle of billing: real processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beside, until } from '../../../test/storm.ts';
import { Endangered, fill, type Served } from '../../../test/durable.ts';

let e: Endangered;
let server: Served;
const MEMBERS = 12;
before(async () => {
  e = await Endangered.install();
  const { customers } = await fill(e.here, MEMBERS, { n: 1, places: 1 });
  server = await e.start('server');
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
    `INSERT INTO payment_method (provider_id, customer_id, payment_processor_id, type, token, brand, last_four, expiration_month, expiration_year)
     SELECT provider_id, id, $2, 'credit_card', 'sandbox_card_' || id, 'Card', '4242', 12, 2099 FROM customer WHERE provider_id = $1`,
    [e.here.harbour, sandbox],
  );
  // Sold three months ago: two periods each are due.
  await e.eye.query(
    `INSERT INTO customer_membership (provider_id, customer_id, membership_id, membership_type, payment_plan_id, bought_on, start_date,
       billed_price_minor, billing_unit, billing_length, billing_anchor, renews_on)
     SELECT $1, c, $3, 'recurring_plan', $4, s.day, s.day, 4000, 'months', 1, s.day, s.day + interval '1 month'
     FROM unnest($2::bigint[]) c, (SELECT (current_date - interval '2 months 10 days')::date AS day) s`,
    [e.here.harbour, customers, membership, plan],
  );
});
after(() => e?.remove());

async function post(path: string, body: object): Promise<number> {
  const answer = await fetch(`${server.url}/api/v2${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${e.here.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.equal(answer.status, 201, text);
  return JSON.parse(text).id;
}

const blocked = async (): Promise<boolean> =>
  (await e.count(
    `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`,
  )) > 0;

test('a worker that is killed in the middle of any step of billing bills each period once, and charges it once', async () => {
  // What a worker waits for while it is killed: each is another step.
  for (const table of ['billing_period', 'invoice', 'payment', 'sandbox_charge', 'ledger_line']) {
    const holder = await beside(e.here.url);
    await holder.query('BEGIN');
    await holder.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    const doomed = await e.start('worker');
    await until(`a worker waits for ${table}`, blocked);
    await doomed.end('SIGKILL');
    await holder.query('COMMIT');
    await holder.end();
    // A payment that was begun is gone on with a minute later.
    await e.eye.query(`UPDATE payment SET next_at = now() WHERE status NOT IN ('succeeded', 'failed')`);
  }
  const heir = await e.start('worker');
  await until('everything is paid', async () => {
    await e.eye.query(
      `UPDATE payment SET next_at = now() WHERE status = 'started' AND next_at > now() + interval '5 s'`,
    );
    return (await e.count(`invoice WHERE status = 'paid'`)) === 2 * MEMBERS;
  });
  const counts: number[] = [];
  for (const what of [
    'billing_period',
    `billing_period WHERE state = 'billed'`,
    'invoice',
    'payment',
    `payment WHERE status = 'succeeded' AND taken`,
    `sandbox_charge WHERE state = 'succeeded'`,
    'sandbox_charge',
  ])
    counts.push(await e.count(what));
  assert.deepEqual(
    counts,
    counts.map(() => 2 * MEMBERS),
  );
  assert.equal(
    await e.count(
      '(SELECT transaction_id FROM ledger_line GROUP BY provider_id, transaction_id HAVING sum(amount_minor) <> 0) x',
    ),
    0,
  );
  assert.deepEqual(await Promise.all([heir.end('SIGTERM'), server.end('SIGTERM')]), [0, 0]);
});
