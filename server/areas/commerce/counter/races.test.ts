import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CounterWorld } from './test/counter-world.ts';
import { fc, runs } from '../../../test/properties.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { WATER } from './test/quick.ts';

let world: World;
let at: CounterWorld;
before(async () => {
  world = await startWorld();
  at = await CounterWorld.of(world);
});
after(() => at.close());

const text = (amount: { string: string }): string => amount.string;
const decimal = (minor: number): string => (minor / 100).toFixed(2);

test('concurrent first walk-in sales of a business create one record', async () => {
  const terminal = { payment_processor: at.terminal };
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => at.c.ask('POST', '/counter/sales', { items: [WATER], payments: [terminal] })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  const { rows } = await at.c.owner.query(
    'SELECT count(*)::int AS n FROM customer WHERE provider_id = $1 AND is_walk_in',
    [world.harbour],
  );
  assert.equal(rows[0].n, 1);
});

test('if two registers sell the last place at the same time, one sells it, and the other takes no money', async () => {
  const drawers = [await at.newDrawer(), await at.newDrawer()];
  const sessions = [await at.open('0.00', drawers[0]), await at.open('0.00', drawers[1])];
  for (let round = 0; round < 3; round++) {
    const event = await at.c.event({ price: '10.00', max_occupancy: 1 });
    const customers = [await world.newCustomer(), await world.newCustomer()];
    const answers = await Promise.all(
      drawers.map((drawer, n) =>
        at.c.ask('POST', '/counter/sales', {
          customer: customers[n],
          items: [WATER, { event }],
          payments: [{ payment_processor: drawer, tendered: '20.00' }],
        }),
      ),
    );
    assert.deepEqual(answers.map(({ status, body }) => (status === 201 ? 'sold' : body.code)).toSorted(), [
      'event_full',
      'sold',
    ]);
    assert.deepEqual(await at.c.seats(event), { attending: 1, held: 0 });
  }
  const expected = await Promise.all(sessions.map(async (id) => Number(text((await at.session(id)).expected_amount))));
  assert.equal(expected[0] + expected[1], 3 * 14);
  await at.c.balanced();
});

test('sales that spend the same credit at the same time are each priced with what the other left', async () => {
  for (let round = 0; round < 5; round++) {
    const customer = await world.newCustomer();
    await at.done('POST', '/account_entries', { customer, kind: 'credit', amount: '15.00', explanation: 'Thanks.' });
    const answers = await Promise.all(
      Array.from({ length: 3 }, () =>
        at.c.ask('POST', '/counter/sales', {
          customer,
          items: [{ ...WATER, unit_price: '20.00' }],
          use_account_credit: true,
          payments: [{ payment_processor: at.terminal }],
        }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status, body }) => (status === 201 ? text(body.credit_amount) : body.message)).toSorted(),
      ['0.00', '0.00', '15.00'],
    );
  }
  await at.c.balanced();
});

test('two registers that sell the same two events in opposite orders never deadlock', async () => {
  const wide = { price: '1.00', max_occupancy: 20 };
  const events = [await at.c.event(wide), await at.c.event(wide)];
  const customers = await Promise.all(Array.from({ length: 8 }, () => world.newCustomer()));
  const answers = await Promise.all(
    customers.map((customer, n) =>
      at.c.ask('POST', '/counter/sales', {
        customer,
        items: (n % 2 ? events : events.toReversed()).map((event) => ({ event })),
        payments: [{ payment_processor: at.terminal }],
      }),
    ),
  );
  assert.deepEqual(
    new Set(answers.map(({ status }) => status)),
    new Set([201]),
    answers.map((a) => a.text.slice(0, 200)).join('\n'),
  );
});

test('a sale during the close of its session is either counted in it or refused', async () => {
  const drawer = await at.newDrawer();
  const id = await at.open('0.00', drawer);
  const sale = () => at.c.ask('POST', '/counter/sales', { items: [WATER], payments: [{ payment_processor: drawer }] });
  const close = () =>
    at.c.ask('POST', `/counter/cash_sessions/${id}/close`, { counted: '0.00', difference_reason: 'Not counted.' });
  const [first, closing, ...others] = await Promise.all([sale(), close(), sale(), sale(), sale()]);
  assert.equal(closing.status, 200, closing.text);
  const sales = [first, ...others];
  const sold = sales.filter(({ status }) => status === 201).length;
  assert.ok(sales.every(({ status, body }) => status === 201 || body.code === 'cash_session_required'));
  assert.equal(text((await at.session(id)).expected_amount), decimal(sold * 400));
  await at.c.balanced();
});

/** The actions at a desk; amounts are in minor units. */
const step = fc.oneof(
  fc.record({ what: fc.constant('sale' as const), amount: fc.integer({ min: 1, max: 9999 }) }),
  fc.record({ what: fc.constant('refund' as const), part: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ what: fc.constant('pay_in' as const), amount: fc.integer({ min: 1, max: 9999 }) }),
  fc.record({ what: fc.constant('pay_out' as const), amount: fc.integer({ min: 1, max: 9999 }) }),
);

test('after any sequence of sales, refunds, cash in and cash out, the session and the ledger expect what is in the drawer', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 9999 }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      async (float, steps) => {
        const drawer = await at.newDrawer();
        const id = await at.open(decimal(float), drawer);
        let there = float;
        let last: { id: number; left: number } | null = null;
        for (const one of steps) {
          if (one.what === 'sale') {
            last = { id: (await at.sellFor(decimal(one.amount), drawer)).id, left: one.amount };
            there += one.amount;
            continue;
          }
          if (one.what === 'refund') {
            if (last === null || last.left === 0) continue;
            const amount = Math.max(1, Math.floor((last.left * one.part) / 100));
            const { status } = await at.c.ask('POST', `/counter/sales/${last.id}/refund`, {
              amount: decimal(amount),
              reason: 'A test.',
            });
            assert.equal(status, amount <= there ? 200 : 409);
            if (status === 200) [there, last.left] = [there - amount, last.left - amount];
            continue;
          }
          const { status } = await at.c.ask('POST', `/counter/cash_sessions/${id}/${one.what}`, {
            amount: decimal(one.amount),
            reason: 'A test.',
          });
          const fits = one.what === 'pay_in' || one.amount <= there;
          assert.equal(status, fits ? 200 : 409);
          if (fits) there += one.what === 'pay_in' ? one.amount : -one.amount;
        }
        assert.equal(text((await at.session(id)).expected_amount), decimal(there));
        const closed = await at.closeSession(id, decimal(there + 1), 'A cent too much.');
        assert.equal(text(closed.difference), '0.01');
        await at.done('PATCH', `/payment_processors/${drawer}`, { is_enabled: false });
        await at.c.balanced();
      },
    ),
    runs(10),
  ));
