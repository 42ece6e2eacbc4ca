import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anotherServer, chance, insisting, times } from '../../../../test/storm.ts';
import { CheckoutWorld } from '../test/world.ts';
import { driveAll } from '../../../money/payments/engine.ts';
import { expireCheckout } from '../expire.ts';
import { newCustomers } from '../../../../test/schedule-world.ts';
import { inTurns } from '../../../../test/rare.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

test('if 200 buyers pay at the same time for the last 10 places, 10 get one, and nobody else is charged', async () => {
  const [event, customers] = [await c.event({ max_occupancy: 10 }), await newCustomers(world, 200)];
  const other = await anotherServer(world);
  const ask = insisting([world.url, other.url], world.machine);
  const outcomes = await times(200, async (i) => {
    const { body: opened } = await ask(i, 'POST', '/checkouts', { customer: customers[i] });
    const added = await ask(i, 'POST', `/checkouts/${opened.id}/add_item`, { item_type: 'CLASS_DRP', event });
    if (added.status !== 200) return added.body.code;
    const paid = await ask(i, 'POST', `/checkouts/${opened.id}/pay`, { payment_processor: c.sandbox });
    return c.outcome(opened.id, paid.body);
  });
  await other.close();
  const tally = Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([what, all]) => [what, all.length]));
  assert.deepEqual(tally, { completed: 10, event_full: 190 });
  assert.deepEqual(await c.seats(event), { attending: 10, held: 0 });
  const { rows } = await c.owner.query(
    `SELECT count(*)::int AS n FROM payment WHERE provider_id = $1 AND status = 'succeeded' AND taken`,
    [world.harbour],
  );
  assert.equal(rows[0].n, 10);
  await c.balanced();
});

test('buyers who add the same events in opposite orders never deadlock', async () => {
  const events = [await c.event({ max_occupancy: null }), await c.event({ max_occupancy: null })];
  const customers = await newCustomers(world, 24);
  const ask = insisting([world.url], world.machine);
  const deadlocks = async (): Promise<number> => {
    await c.owner.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await c.owner.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
    return Number(rows[0].deadlocks);
  };
  const before = await deadlocks();
  const became = await times(24, async (i) => {
    const { body: opened } = await ask(i, 'POST', '/checkouts', { customer: customers[i] });
    const path = `/checkouts/${opened.id}`;
    const wanted = i % 2 === 0 ? events : events.toReversed();
    let shown;
    for (const event of wanted) shown = await ask(i, 'POST', `${path}/add_item`, { item_type: 'CLASS_DRP', event });
    await ask(i, 'DELETE', `${path}/items/${shown!.body.checkout_items[0].id}`);
    await ask(i, 'POST', `${path}/add_item`, { item_type: 'CLASS_DRP', event: wanted[0] });
    return c.outcome(opened.id, (await ask(i, 'POST', `${path}/pay`, { payment_processor: c.sandbox })).body);
  });
  assert.deepEqual([...new Set(became)], ['completed']);
  assert.equal(await deadlocks(), before);
  await c.balanced();
});

/** The actions on a checkout, which can happen in any order. */
const HAPPENS = [
  'pay',
  'pay',
  'cancel',
  'expire',
  'succeed',
  'succeed_lost',
  'fail',
  'refund',
  'dispute',
  'drive',
] as const;
const SCENARIOS = ['success', 'declined', 'extra_step', 'late', 'late_silent', 'unheard', 'disputed', 'refund_pending'];

// One in turns from change to change, all of them in `npm run test:all`.
for (const seed of inTurns([7, 8, 9], 3))
  test(`in whatever order checkouts are paid, cancelled, expired, refunded and disputed, the books are right in the end (${seed})`, async () => {
    const luck = chance(seed);
    const code = await c.code({ allowed_uses: 4 });
    const event = await c.event({ max_occupancy: 6 });
    const customers = await newCustomers(world, 12);
    for (const customer of customers.slice(0, 6))
      await c.ask('POST', '/account_entries', { customer, kind: 'credit', amount: '4.00', explanation: 'A gift.' });
    const membership = await c.m.pack(3);
    const ask = insisting([world.url], world.machine);
    const act = async (id: string, what: (typeof HAPPENS)[number]): Promise<number> => {
      const { body } = await ask(0, 'GET', `/checkouts/${id}`);
      const sandbox = (event: string, message = 'sent') =>
        body.payment ? ask(0, 'POST', `/sandbox/payments/${body.payment}`, { event, message }) : { status: 0 };
      switch (what) {
        case 'pay':
          return (
            await ask(0, 'POST', `/checkouts/${id}/pay`, { payment_processor: c.sandbox, scenario: luck.of(SCENARIOS) })
          ).status;
        case 'cancel':
          return (await ask(0, 'DELETE', `/checkouts/${id}`)).status;
        case 'expire':
          await world.work(world.harbour, ({ tx }) =>
            tx.run(
              sql`UPDATE checkout SET expires_at = now() - interval '1 s'
                WHERE id = ${id}::bigint AND status IN ('open', 'pending')`,
            ),
          );
          await world.work(world.harbour, (work) => expireCheckout(work, { checkout: Number(id) }));
          return 0;
        case 'refund':
          return body.payment
            ? (await ask(0, 'POST', `/payments/${body.payment}/refund`, { reason: 'Sorry.' })).status
            : 0;
        case 'drive':
          return Number(await driveAll(c.own()));
        case 'succeed_lost':
          return (await sandbox('succeed', 'lost')).status;
        default:
          return (await sandbox(what)).status;
      }
    };
    const ids: string[] = [];
    for (const customer of customers) {
      const { body } = await ask(0, 'POST', '/checkouts', { customer, use_account_credit: true, discount_code: code });
      const id = body.id ?? (await ask(0, 'POST', '/checkouts', { customer, use_account_credit: true })).body.id;
      ids.push(id);
      await ask(0, 'POST', `/checkouts/${id}/add_item`, { item_type: 'CLASS_DRP', event });
      await ask(0, 'POST', `/checkouts/${id}/add_item`, { item_type: 'MEM_PK', membership });
    }
    const statuses = new Set<number>();
    for (let round = 0; round < 8; round++)
      for (const status of await Promise.all(ids.map((id) => act(id, luck.of(HAPPENS))))) statuses.add(status);
    assert.ok(![...statuses].some((status) => status >= 500), [...statuses].join());
    // Running payments end, and unpaid checkouts expire.
    for (const id of ids) await act(id, 'fail');
    for (let round = 0; round < 3; round++) {
      for (const id of ids) await act(id, 'expire');
      await c.owner.query(`UPDATE payment SET next_at = now() WHERE status NOT IN ('succeeded', 'failed')`);
      while (await driveAll(c.own())) {}
    }
    await c.balanced();
    const { rows } = await c.owner.query(
      `SELECT (SELECT count(*)::int FROM checkout
        WHERE status IN ('open', 'pending') AND customer_id = ANY($3)) AS open,
          (SELECT held_count FROM event WHERE id = $1) AS held,
       (SELECT uses + reserved_uses FROM discount_code WHERE code = $2) AS uses,
       (SELECT count(*)::int FROM checkout k JOIN discount_code d ON d.id = k.discount_code_id
        WHERE k.status = 'completed' AND d.code = $2) AS used`,
      [event, code, customers],
    );
    assert.deepEqual([rows[0].open, rows[0].held, rows[0].uses], [0, 0, rows[0].used]);
  });
