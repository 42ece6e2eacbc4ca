import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { checkInvariants, INVARIANTS } from './invariants.ts';
import { row } from '../../../test/schedule-world.ts';
import { allSeeds, seed } from '../../../test/seeds.ts';
import { fill, statement, type Sql } from '../../../kernel/base/db/sql.ts';
import { numberFeedItems } from '../../../kernel/work/feed/number.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { workedTable } from '../../../test/worked-table.ts';

let world: World;
/** Connects as the owner of the database, without the triggers and foreign keys that prevent wrong rows. */
let owner: pg.Client;
/** Connects like the service. */
let service: pg.Client;
before(async () => {
  // A world of its own: constraints are dropped, in transactions that are rolled back.
  world = await startWorld({ own: true });
  for (const resource of Object.keys(await allSeeds())) await seed(world, resource);
  await numberFeedItems(world.app.db);
  owner = new pg.Client({ connectionString: world.databaseUrl });
  await owner.connect();
  await owner.query('SET session_replication_role = replica');
  service = new pg.Client({ connectionString: world.databaseUrl });
  await service.connect();
});
after(async () => {
  await owner.end();
  await service.end();
  await world.close();
});

const rows = async <T>(fragment: Sql): Promise<T[]> => {
  const { text, holes } = statement(fragment);
  return (await owner.query(text, fill(holes, undefined))).rows;
};
const found = (): Promise<string[]> => checkInvariants({ rows } as never, world.harbour);

/** Changes one row of the business: the one with the lowest id of those that match. */
const change = (table: string, set: string, where = 'true', key = 'id'): string =>
  `UPDATE ${table} SET ${set} WHERE provider_id = $1 AND ${key} =
    (SELECT min(${key}) FROM ${table} WHERE provider_id = $1 AND ${where})`;

const drop = (table: string, ...constraints: string[]): string[] =>
  constraints.map((name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`);

const BOOKED = `INSERT INTO attendance (provider_id, event_id, customer_id, status)
  SELECT $1, e.id, c.id, 'registered' FROM (SELECT id FROM event WHERE provider_id = $1 ORDER BY id DESC LIMIT 1) e,
    (SELECT max(id) AS id FROM customer WHERE provider_id = $1) c`;
const NEWEST = `id = (SELECT max(id) FROM event WHERE provider_id = $1)`;
const HELD = (held: string, id: string): string =>
  `INSERT INTO seat_hold (provider_id, event_id, customer_id, held_for, held_for_id, expires_at)
    SELECT $1, (SELECT max(id) FROM event WHERE provider_id = $1), max(id), '${held}', ${id}, now()
    FROM customer WHERE provider_id = $1`;

/** Statements that break each invariant; `$1` is the business. */
const BREAKS: Readonly<Record<string, readonly string[]>> = {
  places_booked: [change('event', 'attending_count = attending_count + 1', 'max_occupancy IS NULL')],
  places_held: [change('event', 'held_count = held_count + 1', 'max_occupancy IS NULL')],
  places_waited_for: [change('event', 'waiting_count = waiting_count + 1')],
  never_oversold: [
    ...drop('event', 'event_capacity'),
    change('event', 'max_occupancy = 1, attending_count = 2', 'true'),
  ],
  one_place_each: [BOOKED, HELD('nothing', '1')],
  cancelled_is_empty: [BOOKED, change('event', `status = 'cancelled'`, NEWEST)],
  use_has_a_booking: [
    change(
      'attendance',
      `status = 'not_registered'`,
      `id IN (SELECT attendance_id FROM entitlement_entry WHERE provider_id = $1 AND open)`,
    ),
  ],
  use_returned_once: [
    `INSERT INTO entitlement_entry (provider_id, customer_membership_id, customer_id, event_starts_on, amount, reason,
        reverses_id, at)
      SELECT provider_id, customer_membership_id, customer_id, event_starts_on, 2, 'corrected', id, at
      FROM entitlement_entry WHERE provider_id = $1 AND open ORDER BY id LIMIT 1`,
  ],
  use_by_its_owner: [change('entitlement_entry', 'customer_id = customer_id + 1000000', 'open')],
  members_counted: [change('membership', 'active_member_count = active_member_count + 1')],
  periods_do_not_overlap: [
    ...drop('billing_period', 'billing_period_days'),
    ...['2027-01-01', '2027-01-15'].map(
      (day) => `INSERT INTO billing_period (provider_id, customer_membership_id, period_start, period_end, price_minor,
          first, due_at, created_at, updated_at)
        VALUES ($1, 1, '${day}', '2027-01-31', 100, false, now(), now(), now())`,
    ),
  ],
  invoice_sums: [
    ...drop('invoice', 'invoice_lines', 'invoice_paid', 'invoice_never_overpaid'),
    change(
      'invoice',
      'list_minor = list_minor + 100, pre_tax_minor = pre_tax_minor + 100, total_minor = total_minor + 100',
      `series = 'invoice'`,
    ),
  ],
  line_fees: [
    change('invoice_line', 'fees_minor = fees_minor + 1, total_minor = total_minor + 1', 'credits_line_id IS NULL'),
  ],
  entry_fees: [change('account_entry', 'fees_minor = fees_minor + 1')],
  invoice_paid: [
    ...drop('invoice', 'invoice_paid', 'invoice_never_overpaid'),
    change('invoice', 'paid_minor = paid_minor + 1', `series = 'invoice' AND status <> 'voided'`),
  ],
  numbers_without_gaps: [
    change('invoice_series', 'last_number = last_number + 1', `series = 'invoice'`, 'last_number'),
  ],
  line_given_back: [
    ...drop('invoice_line', 'invoice_line_credited'),
    change('invoice_line', 'credited_minor = credited_minor + 1', 'credits_line_id IS NULL'),
  ],
  given_back_within_billed: [
    `WITH f AS (
        SELECT f.* FROM invoice_line_fee f JOIN invoice_line l ON l.provider_id = f.provider_id AND l.id = f.line_id
        WHERE f.provider_id = $1 AND f.amount_minor > 0 AND l.credits_line_id IS NULL ORDER BY f.id LIMIT 1
      ), l AS (
        INSERT INTO invoice_line (provider_id, invoice_id, position, type, description, customer_id, quantity,
          list_minor, discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor, total_minor,
          credits_line_id)
        SELECT $1, f.invoice_id, 99, 'flat_fee', 'Back', 1, 1, 0, 0, 0, 0, -f.amount_minor - 1, 0, -f.amount_minor - 1,
          f.line_id FROM f RETURNING id
      ) INSERT INTO invoice_line_fee (provider_id, invoice_id, line_id, purchase_fee_id, kind, name, explanation,
          amount_minor, is_taxable)
        SELECT $1, f.invoice_id, l.id, f.purchase_fee_id, f.kind, f.name, 'Back', -f.amount_minor - 1, false FROM f, l`,
  ],
  voided_is_unpaid: [
    ...drop('invoice', 'invoice_paid', 'invoice_voided', 'invoice_never_overpaid'),
    change('invoice', `status = 'voided'`, 'paid_minor > 0'),
  ],
  payment_refunds: [
    change('payment', 'refunded_minor = refunded_minor + 1', `status = 'succeeded' AND refunded_minor < amount_minor`),
  ],
  paid_once: [change('invoice_charge', 'amount_minor = amount_minor + 1000000')],
  checkout_collects_its_total: [change('checkout', 'total_minor = total_minor + 1', `status = 'completed'`)],
  checkout_items: [change('checkout', 'total_minor = total_minor + 1', `status = 'open'`)],
  ended_holds_nothing: [
    HELD(
      'checkout_item',
      `(SELECT min(i.id) FROM checkout_item i JOIN checkout c ON c.provider_id = i.provider_id AND c.id = i.checkout_id
        WHERE i.provider_id = $1 AND c.ended_at IS NOT NULL)`,
    ),
  ],
  code_uses: [change('discount_code', 'uses = uses + 1', 'allowed_uses IS NULL')],
  drawer_sums: [change('cash_session', 'paid_in_minor = paid_in_minor + 1', 'closed_at IS NULL')],
  stock_counted: [change('store_product_variant', 'stock_count = stock_count + 1')],
  stock_held: [change('store_product_variant', 'held_count = held_count + 1', 'stock_count > held_count')],
  sold_from_stock_once: [
    `INSERT INTO store_inventory_adjustment (provider_id, store_product_variant_id, quantity, reason,
        store_order_item_id)
      SELECT $1, store_product_variant_id, -quantity - 1, 'sold', id FROM store_order_item WHERE provider_id = $1
      ORDER BY id LIMIT 1`,
  ],
  pay_approved: [change('instructor_pay_period', 'total_minor = total_minor + 1', 'reopened_at IS NULL')],
  feed_without_gaps: [
    `UPDATE feed_item SET seq = NULL WHERE provider_id = $1 AND seq = (SELECT min(seq) + 1 FROM feed_item
      WHERE provider_id = $1)`,
  ],
  readers_within_the_feed: [
    `INSERT INTO feed_reader_position (provider_id, reader, last_seq) VALUES ($1, 'ahead', 1000000000)`,
  ],
};

test('a business whose rows were all made by the service breaks no invariant', async () => {
  assert.deepEqual(await found(), []);
});

test('two taxes of the same name and rate can both be given back in full', async () => {
  const { as, post } = { as: world.machine, post: world.post };
  for (const _ of ['of the state', 'of the city']) {
    const body = { name: 'Sales tax', kind: 'tax', type: 'percent', percentage: '5', purchase_types: ['joining_fee'] };
    assert.equal((await post('/purchase_fees', { as, body })).status, 201);
  }
  const items = [{ description: 'Start', unit_price: '40.00', purchase_type: 'joining_fee' }];
  const payment_processor = await row(world, 'payment_processor', { kind: 'offline', name: 'Terminal' });
  const sale = await post('/counter/sales', { as, body: { items, payments: [{ payment_processor }] } });
  assert.equal(sale.status, 201, sale.text);
  const back = await post(`/counter/sales/${sale.body.id}/refund`, { as, body: { reason: 'A mistake.' } });
  assert.equal(back.status, 200, back.text);
  assert.deepEqual(await found(), []);
});

for (const { name } of INVARIANTS)
  test(`the invariant ${name} finds a row that breaks it`, async () => {
    await owner.query('BEGIN');
    try {
      for (const text of BREAKS[name]) {
        const { rowCount } = await owner.query(text, text.includes('$1') ? [world.harbour] : []);
        assert.ok(text.startsWith('ALTER') || rowCount! > 0, `nothing was changed: ${text}`);
      }
      assert.ok(
        (await found()).some((line) => line.startsWith(`${name}: `)),
        `it is not among ${(await found()).join('\n')}`,
      );
    } finally {
      await owner.query('ROLLBACK');
    }
  });

for (const { name, onlyCode } of INVARIANTS.filter((one) => one.onlyCode === undefined))
  test(`nothing that the service writes can break ${name}`, async () => {
    assert.equal(onlyCode, undefined);
    await service.query('BEGIN');
    try {
      await service.query(`SELECT set_config('rollcall.provider_id', $1, true)`, [String(world.harbour)]);
      await service.query('SET LOCAL ROLE rollcall_app');
      await assert.rejects(async () => {
        for (const text of BREAKS[name].filter((one) => !one.startsWith('ALTER')))
          await service.query(text, [world.harbour]);
      }, /^error: /);
    } finally {
      await service.query('ROLLBACK');
    }
  });

test('every invariant is described, and by whom it is held', () => {
  assert.deepEqual(
    Object.keys(BREAKS),
    INVARIANTS.map(({ name }) => name),
  );
  for (const { holds } of INVARIANTS) assert.match(holds, /^[A-Z].*\.$/s);
  assert.deepEqual(
    workedTable('docs/algorithms/invariants.md', 'Invariants'),
    INVARIANTS.map(({ name, holds, onlyCode }) => ({
      invariant: name,
      'what is true': holds,
      'held by': onlyCode ?? 'the database',
    })),
  );
});
