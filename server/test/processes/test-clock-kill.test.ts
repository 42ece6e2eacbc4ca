/** Clocks whose workers are killed during an advance: real processes of the service on one database. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { until } from '../storm.ts';
import { createMachineToken } from '../../areas/people/identity/index.ts';
import { createProvider } from '../../areas/platform/providers/index.ts';
import { Database } from '../../kernel/base/db/database.ts';
import { KillableInstallation } from './killed.ts';
import { rare } from '../rare.ts';

const MEMBERS = 4;
const [KILLS, MONTHS] = [2, 6];

let e: KillableInstallation;
let trial: { id: number; token: string };
before(async () => {
  e = await KillableInstallation.install();
  const db = new Database({ url: e.here.url, size: 1 });
  const id = await db.acrossTenants('the installation of a test has a test business', (tx) =>
    createProvider(tx, { name: 'Trial', timezone: 'America/Toronto', currency: 'CAD', country: 'CA', test: true }),
  );
  const { token } = await db.transaction(id, (tx) => createMachineToken(tx, id, { name: 'tests' }));
  trial = { id, token };
  await db.close();
});
after(() => e?.remove());

rare('a clock whose workers are killed continues where it was, and nothing happens twice or out of order', async () => {
  const server = await e.alongside('server');
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(`${server.url}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${trial.token}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    assert.ok(answer.status < 300, `${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  const clock = () => ask('GET', '/test_clock');
  const row = async (table: string) =>
    Number(
      (await e.eye.query(`INSERT INTO ${table} (provider_id, name) VALUES ($1, 'Any') RETURNING id`, [trial.id]))
        .rows[0].id,
    );
  const membership = await ask('POST', '/memberships', {
    type: 'recurring_plan',
    name: 'Club',
    category: await row('membership_category'),
    visible_to_customers: true,
    purchasable_only_by_provider: false,
    new_customers_only: false,
    allow_repeat_purchases: true,
  });
  await ask('PUT', `/memberships/${membership.id}/allotment`, { types: ['event'], period_limits: [] });
  await ask('POST', '/membership_registration_grants', {
    membership: membership.id,
    registration_option: await row('offering_type'),
    on_allotment_price: '0.00',
  });
  const plan = await ask('POST', '/membership_payment_plans', {
    membership: membership.id,
    price: '40.00',
    billing_period_length: 1,
    billing_period_unit: 'months',
  });
  for (let n = 0; n < MEMBERS; n++) {
    const customer = await ask('POST', '/customers', { first_name: 'Member', last_name: String(n) });
    await ask('POST', '/customer_memberships', { customer: customer.id, membership: membership.id, plan: plan.id });
  }

  let worker = await e.start('worker');
  await ask('POST', '/test_clock/advance', { by: `P${MONTHS}M` });
  for (let kill = 1; kill <= KILLS; kill++) {
    const share = Math.floor((kill * 100) / (KILLS + 1));
    const seen = await until(`the clock has come ${share} %`, async () => {
      const { advance } = await clock();
      assert.ok(advance, 'it is killed before it is there');
      return advance.progress >= share;
    });
    assert.ok(seen);
    await worker.end('SIGKILL');
    if (kill < KILLS) worker = await e.start('worker');
    else await e.alongside('worker');
  }
  await until('the clock is there', async () => (await clock()).advance === null);
  assert.equal((await clock()).failure, null);

  const found = await e.eye.query<{ object_id: string; start: string; at: Date }>(
    `SELECT object_id, payload->>'period_start_date' AS start, occurred_at AS at FROM feed_item
     WHERE provider_id = $1 AND kind = 'customer_membership.renewed' ORDER BY seq`,
    [trial.id],
  );
  const periods = found.rows.map(({ object_id, start }) => `${object_id} ${start}`);
  assert.equal(periods.length, MEMBERS * MONTHS);
  assert.equal(new Set(periods).size, periods.length, 'a period began twice');
  const all = await e.eye.query<{ at: Date }>(
    `SELECT occurred_at AS at FROM feed_item WHERE provider_id = $1 ORDER BY seq`,
    [trial.id],
  );
  const minutes = all.rows.map(({ at }) => Math.floor(at.getTime() / 60_000));
  assert.deepEqual(
    minutes,
    minutes.toSorted((a, b) => a - b),
  );
  const feedItems = await e.eye.query(`SELECT count(*)::int AS n FROM feed_item WHERE provider_id = $1 AND kind = $2`, [
    trial.id,
    'test_clock.advanced',
  ]);
  assert.equal(feedItems.rows[0].n, 1);
});
