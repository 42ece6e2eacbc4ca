/** Processes killed between any two steps of a checkout: real processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fill } from '../../../../test/processes/durable.ts';
import { KillableInstallation, lockTable, type Moment } from '../../../../test/processes/killed.ts';
import type { ServedHere } from '../../../../test/processes/serve-here.ts';
import { until } from '../../../../test/storm.ts';

let e: KillableInstallation;
/** The server that takes the requests around the kill, and the repeated ones. */
let server: ServedHere;
let sandbox: number;
let events: readonly number[];
let customers: readonly number[];
before(async () => {
  e = await KillableInstallation.install();
  ({ events, customers } = await fill(e.here, 20, { n: 20, places: 1 }));
  await e.eye.query('UPDATE offering_type SET dropin_price_minor = 1500');
  server = await e.alongside('server');
  sandbox = (await e.make(server, '/payment_processors', { kind: 'sandbox', name: 'Card' })).id;
});
after(() => e?.remove());

interface At {
  readonly url: string;
}

/** Tables that stop a process in the middle of a step: it waits for a table that the test locks. */
const STEPS = [
  { step: 'create', table: 'checkout' },
  { step: 'add', table: 'seat_hold' },
  { step: 'add', table: 'checkout_item' },
  { step: 'pay', table: 'payment' },
  // The payment has begun here, but the sandbox doesn't know about it.
  { step: 'pay', table: 'sandbox_charge' },
  // The sandbox has charged, but nothing is recorded here.
  { step: 'pay', table: 'attendance' },
  { step: 'pay', table: 'invoice' },
  { step: 'pay', table: 'ledger_line' },
] as const;

type Step = (typeof STEPS)[number];

/** Returns a checkout that is killed at this step, and continues at the surviving server when the step is repeated. */
function killedAt({ step, table }: Step, n: number): Moment {
  const key = `${n}-${step}-${table}`;
  const post = (at: At, what: string, path: string, body: object) =>
    e.ask(at, 'POST', path, { key: `${key}-${what}`, body });
  let id: number;
  const doing = {
    create: (at: At) => post(at, 'create', '/checkouts', { customer: customers[n] }),
    add: (at: At) => post(at, 'add', `/checkouts/${id}/add_item`, { item_type: 'CLASS_DRP', event: events[n] }),
    pay: (at: At) => post(at, 'pay', `/checkouts/${id}/pay`, { payment_processor: sandbox }),
  };
  const done = async (what: Step['step'], status: number): Promise<any> => {
    const answer = await doing[what](server);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    return answer.body;
  };
  const opened = async () => void ({ id } = await done('create', 201));
  return {
    held: lockTable(table),
    victim: () => e.start('server'),
    before: async () => {
      if (step !== 'create') await opened();
      if (step === 'pay') await done('add', 200);
    },
    call: doing[step],
    afterwards: async () => {
      if (step === 'create') await opened();
      if (step !== 'pay') await done('add', 200);
      const { status } = await done('pay', 200);
      assert.ok(['completed', 'pending'].includes(status), key);
    },
  };
}

/** A payment that has begun continues a minute later. */
const due = () => e.eye.query(`UPDATE payment SET next_at = now() WHERE status NOT IN ('succeeded', 'failed')`);

/** Asserts that each of these checkouts is eventually paid and booked once. */
async function checkDone(sales: number): Promise<void> {
  await until('everything is paid', async () => (await e.count(`checkout WHERE status = 'completed'`)) === sales);
  const counts = await e.counts([
    `checkout`,
    `payment WHERE status = 'succeeded' AND taken`,
    `payment`,
    `sandbox_charge WHERE state = 'succeeded'`,
    `attendance WHERE status = 'registered'`,
    `invoice WHERE status = 'paid'`,
    `event WHERE attending_count = 1`,
  ]);
  for (const [what, n] of Object.entries(counts)) assert.equal(n, sales, what);
  assert.equal(await e.count('seat_hold'), 0);
  assert.equal(
    await e.count(
      '(SELECT transaction_id FROM ledger_line GROUP BY provider_id, transaction_id HAVING sum(amount_minor) <> 0) x',
    ),
    0,
  );
}

test('after a server and then a worker are killed during a payment, the next worker finishes it, and the customer is charged once', async () => {
  // The sandbox has charged, but nothing is recorded here.
  await e.kill(killedAt({ step: 'pay', table: 'attendance' }, 0));
  await due();
  await e.kill({ held: lockTable('invoice'), victim: () => e.start('worker') });
  await due();
  const heir = await e.alongside('worker');
  await checkDone(1);
  await heir.close();
});

test('a server that is killed during any step of a checkout charges once, books once, and loses nothing', async () => {
  const sales = await e.killAtEach(STEPS, (step, n) => killedAt(step, n + 1));
  await due();
  await e.alongside('worker');
  await checkDone(1 + sales);
});
