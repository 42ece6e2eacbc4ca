/** Servers that are killed outright in the middle of a sale: real processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beside, until } from '../../../test/storm.ts';
import { Endangered, fill, type Served } from '../../../test/durable.ts';

let e: Endangered;
let server: Served;
let drawer: number;
let events: readonly number[];
let customers: readonly number[];

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

before(async () => {
  e = await Endangered.install();
  ({ events, customers } = await fill(e.here, 20, { n: 20, places: 1 }));
  await e.eye.query('UPDATE offering_type SET dropin_price_minor = 1500');
  server = await e.start('server');
  const settings = { cash_drawer: 'yes' };
  drawer = (await ask('POST', '/payment_processors', 'drawer', { kind: 'offline', name: 'Drawer', settings })).body.id;
  await ask('POST', '/counter/cash_sessions', 'open', { payment_processor: drawer, opening_float: '0.00' });
});
after(() => e?.remove());

/** What stops a sale in the middle of a step: it waits for this table, which we hold. */
const TABLES = ['checkout', 'seat_hold', 'invoice', 'payment', 'ledger_line', 'cash_movement', 'counter_payment'];

const blocked = async (): Promise<boolean> =>
  (await e.count(
    `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`,
  )) > 0;

test('a server that is killed in the middle of any step of a sale has sold nothing, and the repeated request sells once', async () => {
  for (const [n, table] of TABLES.entries()) {
    const sell = () =>
      ask('POST', '/counter/sales', `sale-${table}`, {
        customer: customers[n],
        items: [{ event: events[n] }, { description: 'Water', unit_price: '4.00', purchase_type: 'store' }],
        payments: [{ payment_processor: drawer, tendered: '20.00' }],
      });
    const holder = await beside(e.here.url);
    await holder.query('BEGIN');
    await holder.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    const lost = sell().then(
      () => false,
      () => true,
    );
    await until(`the server waits for ${table}`, blocked);
    await server.end('SIGKILL');
    assert.ok(await lost, 'nobody was answered');
    await holder.query('COMMIT');
    await holder.end();
    assert.equal(await e.count('counter_sale'), n, table);
    server = await e.start('server');
    const again = await sell();
    assert.equal(again.status, 201, JSON.stringify(again.body));
  }
  const n = TABLES.length;
  for (const what of [
    'counter_sale',
    'counter_payment',
    'checkout',
    `payment WHERE status = 'succeeded' AND taken`,
    'payment',
    `attendance WHERE status = 'registered'`,
    `invoice WHERE status = 'paid'`,
    'event WHERE attending_count = 1',
    'cash_movement',
  ])
    assert.equal(await e.count(what), n, what);
  assert.equal(await e.count('seat_hold'), 0);
  assert.equal(await e.count(`cash_session WHERE expected_minor = ${n * 1900}`), 1);
  assert.equal(await e.count(`(SELECT FROM invoice_series WHERE series = 'invoice' AND last_number = ${n}) x`), 1);
  assert.equal(await server.end('SIGTERM'), 0);
});
