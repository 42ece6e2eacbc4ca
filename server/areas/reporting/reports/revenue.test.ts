import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { deferredOn, recognisedBy, type Sold } from './rules/recognition.ts';
import { fc, runs } from '../../../test/properties.ts';
import { fill, sql, statement } from '../../../kernel/base/db/sql.ts';
import { recognisedBy as recognisedInSql } from './catalogue/sales.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { workedTable } from '../../../test/worked-table.ts';

const minor = (text: string): number => Math.round(Number(text) * 100);

for (const row of workedTable('docs/algorithms/revenue.md', 'Worked portions')) {
  test(`portions: ${Object.values(row).join(' | ')}`, () => {
    const [from, to] = row.over.split(' to ');
    const sold: Sold = {
      amount: minor(row.amount),
      soldOn: row.sold || '2026-01-10',
      over: row.over === '' ? null : to ? { from, to } : { uses: parseInt(row.over) },
      closedOn: row.closed || null,
    };
    const used = Number(row.used);
    assert.deepEqual(
      [recognisedBy(sold, row.day, used), deferredOn(sold, row.day, used)],
      [minor(row.recognised), minor(row.deferred)],
    );
  });
}

const FIRST = '2026-01-01';
const dayIn = (days: number) => fc.integer({ min: 0, max: days }).map((n) => addDays(FIRST, n));
const anySold: fc.Arbitrary<Sold> = fc.record({
  amount: fc.integer({ min: -100_000, max: 100_000 }),
  soldOn: dayIn(100),
  over: fc.oneof(
    fc.constant(null),
    fc.record({ uses: fc.integer({ min: 1, max: 30 }) }),
    fc.tuple(dayIn(100), fc.integer({ min: 0, max: 400 })).map(([from, n]) => ({ from, to: addDays(from, n) })),
  ),
  closedOn: fc.option(dayIn(300)),
});
/** Uses on days, in any order; some are returned later. */
const history = fc.array(fc.tuple(dayIn(300), fc.constantFrom(1, 1, 1, -1)), { maxLength: 40 });
const usedBy = (uses: [string, number][], day: string): number =>
  uses.reduce((all, [on, n]) => all + (on <= day ? n : 0), 0);

test('on every day, recognized and deferred amounts add up to the sales', () => {
  fc.assert(
    fc.property(anySold, history, (sold, uses) => {
      let portions = 0;
      let before = 0;
      for (let n = -1; n <= 800; n++) {
        const day = addDays(FIRST, n);
        const recognised = recognisedBy(sold, day, usedBy(uses, day));
        portions += recognised - before;
        before = recognised;
        assert.equal(recognised + deferredOn(sold, day, usedBy(uses, day)), day < sold.soldOn ? 0 : sold.amount);
        assert.ok(Math.abs(recognised) <= Math.abs(sold.amount) && recognised * sold.amount >= 0);
      }
      assert.equal(portions, before);
      const isOver = sold.closedOn !== null || sold.over === null || 'to' in sold.over;
      if (isOver) assert.equal(before, sold.amount, 'everything is earned in the end');
    }),
    runs(30),
  );
});

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  // Purchases and reads have the same day.
  world.stopNow();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

test('the statement returns the same amounts as the rule', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anySold, dayIn(400), fc.integer({ min: -2, max: 40 })), { minLength: 1, maxLength: 50 }),
      async (asked) => {
        const facts = asked.map(([{ amount, soldOn, over, closedOn }, day, used]) => ({
          amount,
          sold_on: soldOn,
          starts: over && 'from' in over ? over.from : soldOn,
          ends: over && 'to' in over ? over.to : soldOn,
          uses: over && 'uses' in over ? over.uses : null,
          closed_on: over === null ? null : closedOn,
          day,
          used,
        }));
        const s = statement(sql`SELECT ${recognisedInSql('s', sql`s.day`, sql`s.used`)}
          FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) AS (amount bigint, sold_on date,
            starts date, ends date,
            uses int, closed_on date, day date, used bigint)) WITH ORDINALITY s ORDER BY s.ordinality`);
        const found = await world.work(world.harbour, ({ tx }) =>
          tx.send([{ statement: s, values: fill(s.holes, {}) }]),
        );
        assert.deepEqual(
          found[0].rows.map(([cell]) => Number(cell)),
          asked.map(([sold, day, used]) => recognisedBy(sold, day, used) + 0),
        );
      },
    ),
    runs(40),
  );
});

const ask = async (path: string): Promise<any> => {
  const { status, body, text } = await world.get(path, { as: world.machine });
  assert.equal(status, 200, text);
  return body;
};
const dayAfter = (days: number): string => addDays(wallAt(world.now, 'America/Toronto').date, days);
const amountIn = ({ decimal }: { decimal: number }): number => Math.round(decimal * 100);

test('sales match the revenue in the ledger, and payments match what processors received', async () => {
  for (const resource of ['invoice', 'account_entry', 'payment_refund', 'customermembership'])
    await seed(world, resource);
  const [reported] = (await ask('/reports/revenue.grouped/data?columns=sold,cash,count')).rows;
  const [posted] = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ revenue: number; clearing: number }>(sql`
      SELECT -coalesce(sum(amount_minor) FILTER (WHERE account = 'revenue'), 0)::bigint AS revenue,
        coalesce(sum(amount_minor) FILTER (WHERE account = 'clearing'), 0)::bigint AS clearing
      FROM ledger_line WHERE provider_id = ${world.harbour}`),
  );
  assert.notEqual(posted.revenue, 0);
  assert.equal(amountIn(reported.sold), posted.revenue);
  assert.equal(amountIn(reported.cash), posted.clearing);
});

test('revenue until a day and deferred revenue on that day add up to the sales', async () => {
  const [sums] = (await ask('/reports/revenue.grouped/data?columns=sold,recognised,deferred_change')).rows;
  const today = dayAfter(0);
  const end = `${today.slice(0, 7)}-${new Date(Date.UTC(+today.slice(0, 4), +today.slice(5, 7), 0)).getUTCDate()}`;
  const asOf = (
    await ask(
      `/reports/deferred_revenue.grouped/data?columns=sold,recognised,deferred&include_recognised=true&on=${end}`,
    )
  ).rows[0];
  assert.equal(amountIn(asOf.recognised) + amountIn(asOf.deferred), amountIn(asOf.sold));
  assert.equal(amountIn(asOf.sold), amountIn(sums.sold));
  assert.equal(amountIn(asOf.recognised), amountIn(sums.recognised));
});

/** Returns the sums of a customer's purchases on a day: sold, recognized, deferred. */
async function sumsOf(customer: number, on: string): Promise<number[]> {
  const path = `/reports/deferred_revenue.grouped/data?columns=sold,recognised,deferred&include_recognised=true&customers=${customer}&on=${on}`;
  const [{ sold, recognised, deferred }] = (await ask(path)).rows;
  return [sold, recognised, deferred].map(amountIn);
}

async function bought(item: Record<string, unknown>): Promise<number> {
  const customer = await world.newCustomer();
  const checkout = await c.open(customer);
  await c.add(checkout, item);
  await c.pay(checkout, { payment_processor: c.desk });
  return customer;
}

test('a pack is earned with each use, a plan with each day, and a booking on the day of its event', async () => {
  const pack = await bought({ item_type: 'MEM_PK', membership: await c.m.pack(4) });
  const event = await c.memberEvent({ in: 72 });
  const booked = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer: pack } });
  assert.equal(booked.status, 200, booked.text);
  assert.deepEqual(await sumsOf(pack, dayAfter(0)), [12_000, 0, 12_000]);
  assert.deepEqual(await sumsOf(pack, dayAfter(4)), [12_000, 3000, 9000]);
  const plan = await bought({
    item_type: 'MEM_PP',
    membership: await c.m.prepaid({ duration: 10, duration_unit: 'days' }),
  });
  assert.deepEqual(await sumsOf(plan, dayAfter(0)), [20_000, 2000, 18_000]);
  assert.deepEqual(await sumsOf(plan, dayAfter(8)), [20_000, 18_000, 2000]);
  assert.deepEqual(await sumsOf(plan, dayAfter(9)), [20_000, 20_000, 0]);
  const dropIn = await bought({ item_type: 'CLASS_DRP', event: await c.event({ in: 72 }) });
  assert.deepEqual(await sumsOf(dropIn, dayAfter(0)), [1500, 0, 1500]);
  assert.deepEqual(await sumsOf(dropIn, dayAfter(4)), [1500, 1500, 0]);
});

test('a booking that is charged to the account is sold once, and earned on the day of its event', async () => {
  const [customer, leaves] = [await world.newCustomer(), await world.newCustomer()];
  const event = await c.event({ in: 72 });
  const register = async (who: number) => {
    const booked = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer: who } });
    assert.equal(booked.status, 200, booked.text);
  };
  await register(customer);
  await register(leaves);
  assert.deepEqual(await sumsOf(customer, dayAfter(0)), [1500, 0, 1500]);
  const { results } = await c.read(`/account_entries?customer=${customer}`);
  const checkout = await c.open(customer);
  await c.add(checkout, { item_type: 'ACCT_ENTRY', account_entry: results[0].id });
  await c.pay(checkout, { payment_processor: c.desk });
  assert.deepEqual(await sumsOf(customer, dayAfter(0)), [1500, 0, 1500]);
  assert.deepEqual(await sumsOf(customer, dayAfter(4)), [1500, 1500, 0]);
  // Voided, it is nothing on any day.
  const left = await world.post(`/events/${event}/unregister`, { as: world.machine, body: { customer: leaves } });
  assert.equal(left.status, 200, left.text);
  assert.deepEqual(await sumsOf(leaves, dayAfter(0)), [0, 0, 0]);
  assert.deepEqual(await sumsOf(leaves, dayAfter(4)), [0, 0, 0]);
});
