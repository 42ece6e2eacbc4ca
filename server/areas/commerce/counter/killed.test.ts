/** Servers killed in the middle of a sale: real processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fill } from '../../../test/processes/durable.ts';
import { KillableInstallation, lockTable } from '../../../test/processes/killed.ts';
import type { ServedHere } from '../../../test/processes/serve-here.ts';

let e: KillableInstallation;
/** The server that takes the repeated requests. */
let server: ServedHere;
let drawer: number;
let events: readonly number[];
let customers: readonly number[];

before(async () => {
  e = await KillableInstallation.install();
  ({ events, customers } = await fill(e.here, 20, { n: 20, places: 1 }));
  await e.eye.query('UPDATE offering_type SET dropin_price_minor = 1500');
  server = await e.alongside('server');
  const settings = { cash_drawer: 'yes' };
  drawer = (await e.make(server, '/payment_processors', { kind: 'offline', name: 'Drawer', settings })).id;
  await e.make(server, '/counter/cash_sessions', { payment_processor: drawer, opening_float: '0.00' });
});
after(() => e?.remove());

/** Tables that stop a sale in the middle of a step: it waits for a table that the test locks. */
const TABLES = ['checkout', 'seat_hold', 'invoice', 'payment', 'ledger_line', 'cash_movement', 'counter_payment'];

test('a server that is killed during any step of a sale has sold nothing, and the repeated request sells once', async () => {
  const sell = (at: { url: string }, table: string, n: number) =>
    e.ask(at, 'POST', '/counter/sales', {
      key: `sale-${table}`,
      body: {
        customer: customers[n],
        items: [{ event: events[n] }, { description: 'Water', unit_price: '4.00', purchase_type: 'store' }],
        payments: [{ payment_processor: drawer, tendered: '20.00' }],
      },
    });
  const n = await e.killAtEach(TABLES, (table, at) => ({
    held: lockTable(table),
    victim: () => e.start('server'),
    call: (victim) => sell(victim, table, at),
    afterwards: async () => {
      assert.equal(await e.count('counter_sale'), at, table);
      const again = await sell(server, table, at);
      assert.equal(again.status, 201, JSON.stringify(again.body));
    },
  }));
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
});
