/** Processes that are killed outright between any two steps of a checkout: real processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beside, until } from '../../../test/storm.ts';
import { Endangered, fill, type Served } from '../../../test/durable.ts';

let e: Endangered;
let server: Served;
let sandbox: number;
let events: readonly number[];
let customers: readonly number[];
before(async () => {
  e = await Endangered.install();
  ({ events, customers } = await fill(e.here, 20, { n: 20, places: 1 }));
  await e.eye.query('UPDATE offering_type SET dropin_price_minor = 1500');
  server = await e.start('server');
  sandbox = (await ask('POST', '/payment_processors', 'processor', { kind: 'sandbox', name: 'Card' })).body.id;
});
after(() => e?.remove());

/** With an idempotency key: a caller who got no answer asks again. */
async function ask(method: string, path: string, key: string, body?: object): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${server.url}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${e.here.token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : null };
}

/** What stops a process in the middle of a step: it waits for this table, which we hold. */
const STEPS = [
  { step: 'create', table: 'checkout' },
  { step: 'add', table: 'seat_hold' },
  { step: 'add', table: 'checkout_item' },
  { step: 'pay', table: 'payment' },
  // The payment has begun here, and the sandbox has not heard of it.
  { step: 'pay', table: 'sandbox_charge' },
  // The sandbox has charged, and nobody has written it down.
  { step: 'pay', table: 'attendance' },
  { step: 'pay', table: 'invoice' },
  { step: 'pay', table: 'ledger_line' },
] as const;

async function blocked(): Promise<boolean> {
  const waiting = await e.count(
    `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`,
  );
  return waiting > 0;
}

/** Does one step; if it is the one, the server is killed in the middle of it, and the step is asked for again. */
async function doing<T>(here: boolean, table: string, act: () => Promise<T>): Promise<T> {
  if (!here) return act();
  const holder = await beside(e.here.url);
  await holder.query('BEGIN');
  await holder.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  const lost = act().then(
    () => false,
    () => true,
  );
  await until(`the server waits for ${table}`, blocked);
  await server.end('SIGKILL');
  assert.ok(await lost, 'nobody was answered');
  await holder.query('COMMIT');
  await holder.end();
  server = await e.start('server');
  return act();
}

test('a server that is killed in the middle of any step of a checkout charges once, books once, and loses nothing', async () => {
  for (const [n, { step, table }] of STEPS.entries()) {
    const [event, customer] = [events[n], customers[n]];
    const key = `${step}-${table}`;
    const opened = await doing(step === 'create', table, () =>
      ask('POST', '/checkouts', `${key}-create`, { customer }),
    );
    assert.equal(opened.status, 201, JSON.stringify(opened.body));
    const { id } = opened.body;
    const added = await doing(step === 'add', table, () =>
      ask('POST', `/checkouts/${id}/add_item`, `${key}-add`, { item_type: 'CLASS_DRP', event }),
    );
    assert.equal(added.status, 200, JSON.stringify(added.body));
    const paid = await doing(step === 'pay', table, () =>
      ask('POST', `/checkouts/${id}/pay`, `${key}-pay`, { payment_processor: sandbox }),
    );
    assert.equal(paid.status, 200, JSON.stringify(paid.body));
    assert.ok(['completed', 'pending'].includes(paid.body.status), key);
  }
  // What the killed server had begun is finished by a worker, which is killed in the middle too.
  await e.eye.query(`UPDATE payment SET next_at = now() WHERE status NOT IN ('succeeded', 'failed')`);
  const holder = await beside(e.here.url);
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE invoice IN EXCLUSIVE MODE');
  const doomed = await e.start('worker');
  await until('the worker is in the middle of it', blocked);
  await doomed.end('SIGKILL');
  await holder.query('COMMIT');
  await holder.end();
  await e.eye.query(`UPDATE payment SET next_at = now() WHERE status NOT IN ('succeeded', 'failed')`);
  const heir = await e.start('worker');
  await until(
    'everything is paid',
    async () => (await e.count(`checkout WHERE status = 'completed'`)) === STEPS.length,
  );
  const counts: number[] = [];
  for (const what of [
    `checkout`,
    `payment WHERE status = 'succeeded' AND taken`,
    `payment`,
    `sandbox_charge WHERE state = 'succeeded'`,
    `attendance WHERE status = 'registered'`,
    `invoice WHERE status = 'paid'`,
    `event WHERE attending_count = 1`,
  ])
    counts.push(await e.count(what));
  assert.deepEqual(
    counts,
    counts.map(() => STEPS.length),
  );
  assert.equal(await e.count('seat_hold'), 0);
  assert.equal(
    await e.count(
      '(SELECT transaction_id FROM ledger_line GROUP BY provider_id, transaction_id HAVING sum(amount_minor) <> 0) x',
    ),
    0,
  );
  assert.deepEqual(await Promise.all([heir.end('SIGTERM'), server.end('SIGTERM')]), [0, 0]);
});
