import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { compareStored } from './compare.ts';
import { fold, rebuildStored } from './fold.ts';
import { foldChanged } from './engine.ts';
import { refreshStored } from './refresh.ts';
import { billed } from '../../../money/invoices/test/invoicing.ts';
import { CheckoutWorld } from '../../../commerce/checkouts/test/world.ts';
import { seed } from '../../../../test/seeds.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import type { Tenant } from '../../../../kernel/work/unit/work.ts';

let world: World;
let c: CheckoutWorld;
const ZONE = 'America/Toronto';

before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

const db = () => world.app.db;
const tenant = (zone = ZONE) => ({ providerId: world.harbour, zone }) as Tenant;
const run = async (text: string): Promise<any[]> => (await c.owner.query(text)).rows;

async function done(method: string, path: string, body?: object): Promise<any> {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

/** Returns whether the stored rows have every change. */
const isCurrent = async (): Promise<boolean> => {
  const [{ n }] = await run(`SELECT count(*)::int AS n FROM report_change WHERE provider_id = ${world.harbour}`);
  const [state] = await run(`SELECT built_at FROM report_state WHERE provider_id = ${world.harbour}`);
  return n === 0 && Boolean(state?.built_at);
};

const AMOUNTS = ['sold', 'recognised', 'cash'] as const;
const minor = ({ decimal }: { decimal: number }): number => Math.round(decimal * 100);
const sumsOf = (rows: readonly any[]): number[] =>
  AMOUNTS.map((name) => rows.reduce((sum, row) => sum + minor(row[name]), 0));

async function everyRow(path: string): Promise<any[]> {
  const rows: any[] = [];
  for (let next: string | null = path; next !== null;) {
    const page: any = await done('GET', next);
    rows.push(...page.rows);
    next = page.next && page.next.replace(/^.*\/api\/v2/, '');
  }
  return rows;
}

/** Compares each figure with the rows that it opens, and the stored rows with what they follow from. */
async function checkFigures(): Promise<void> {
  const groups = await done(
    'GET',
    '/reports/revenue.grouped/data?columns=month,what,type,count,sold,recognised,cash&include_future=true&limit=100',
  );
  assert.ok(await isCurrent(), 'the figures were not read from the stored rows');
  const rows = await everyRow('/reports/revenue/data?include_future=true&limit=100');
  assert.deepEqual(sumsOf(groups.rows), sumsOf(rows));
  assert.equal(
    groups.rows.reduce((sum: number, { count }: any) => sum + count, 0),
    rows.length,
  );
  const group = groups.rows[0];
  if (group) {
    const opened = await everyRow(group.rows.replace(/^.*\/api\/v2/, ''));
    assert.deepEqual([opened.length, ...sumsOf(opened)], [group.count, ...sumsOf([group])]);
  }
  const bookings = await done('GET', '/reports/attendances.grouped/data?columns=status,count&include_future=true');
  for (const { status, count } of bookings.rows) {
    const [{ n }] = await run(
      `SELECT count(*)::int AS n FROM attendance WHERE provider_id = ${world.harbour} AND status = '${status}'`,
    );
    assert.equal(count, n, status);
  }
  assert.deepEqual(await compareStored(db(), tenant()), []);
}

async function bought(item: Record<string, unknown>): Promise<{ customer: number; invoice: any }> {
  const customer = await world.newCustomer();
  const checkout = await c.open(customer);
  await c.add(checkout, item);
  await c.pay(checkout, { payment_processor: c.desk });
  const [invoice] = (await done('GET', `/invoices?customer=${customer}&expand=charges,line_items`)).results;
  return { customer, invoice };
}

/** The sale that a history begins with. */
const sold = {
  pack: 0,
  packEvent: 0,
  dropIn: 0,
  dropInEvent: 0,
  charged: 0,
  chargedEvent: 0,
  plan: 0,
  invoice: 0,
  payment: 0,
  lines: 0,
};

const STEPS: Record<string, () => Promise<unknown>> = {
  'a pack, a plan and a class are sold': async () => {
    sold.pack = (await bought({ item_type: 'MEM_PK', membership: await c.m.pack(4) })).customer;
    const plan = await bought({
      item_type: 'MEM_PP',
      membership: await c.m.prepaid({ duration: 40, duration_unit: 'days' }),
    });
    sold.plan = plan.customer;
    Object.assign(sold, { invoice: plan.invoice.id, payment: plan.invoice.charges[0].payment });
    sold.dropInEvent = await c.event({ in: 72 });
    sold.dropIn = (await bought({ item_type: 'CLASS_DRP', event: sold.dropInEvent })).customer;
  },
  'the pack pays for a booking, and the booking is cancelled': async () => {
    sold.packEvent = await c.memberEvent({ in: 72 });
    await done('POST', `/events/${sold.packEvent}/register`, { customer: sold.pack });
    await checkFigures();
    await done('POST', `/events/${sold.packEvent}/unregister`, { customer: sold.pack });
    await done('POST', `/events/${sold.packEvent}/register`, { customer: sold.pack });
  },
  'a booking is charged to the account': async () => {
    sold.charged = await world.newCustomer();
    sold.chargedEvent = await c.event({ in: 72 });
    await done('POST', `/events/${sold.chargedEvent}/register`, { customer: sold.charged });
  },
  'every event moves to another month': () =>
    run(`UPDATE event SET starts_at = starts_at + interval '40 days', ends_at = ends_at + interval '40 days',
      local_starts_at = local_starts_at + interval '40 days', local_ends_at = local_ends_at + interval '40 days'
      WHERE provider_id = ${world.harbour} AND id IN (${sold.packEvent}, ${sold.dropInEvent}, ${sold.chargedEvent})`),
  'the charge is voided': () => done('POST', `/events/${sold.chargedEvent}/unregister`, { customer: sold.charged }),
  'a part of the plan is refunded': () =>
    done('POST', `/payments/${sold.payment}/refund`, { amount: '20.00', reason: 'A part of it.' }),
  'an invoice is voided, and a credit note issued': async () => {
    for (const resource of ['invoice', 'account_entry', 'payment_refund', 'course_session_attendance'])
      await seed(world, resource);
    const { id } = await billed(world, sold.charged);
    await checkFigures();
    await done('POST', `/invoices/${id}/void`, { reason: 'A mistake.' });
  },
  'the plan ends early, and the pack gets other uses': async () => {
    await run(`UPDATE customer_membership SET expiration_date = start_date + 10
      WHERE provider_id = ${world.harbour} AND customer_id = ${sold.plan}`);
    await run(`UPDATE membership_limit SET max_uses = 8 WHERE provider_id = ${world.harbour} AND max_uses = 4`);
  },
  'people come, stay away and cancel late': async () => {
    await run(`UPDATE attendance SET status = 'attended', attended_at = now()
      WHERE provider_id = ${world.harbour} AND event_id = ${sold.packEvent}`);
    await run(`UPDATE attendance SET status = 'no_show'
      WHERE provider_id = ${world.harbour} AND event_id = ${sold.dropInEvent}`);
    const event = await c.memberEvent({ in: 72 });
    await done('POST', `/events/${event}/register`, { customer: sold.plan, comped: true });
    await done('POST', `/events/${event}/unregister`, { customer: sold.plan, is_late_cancel: true });
    await checkFigures();
    await run(`UPDATE attendance SET status = 'registered', attended_at = NULL
      WHERE provider_id = ${world.harbour} AND event_id = ${sold.packEvent}`);
  },
  'two customers are merged': () => done('POST', `/customers/${sold.dropIn}/merge`, { from: sold.pack }),
};

for (const [what, change] of Object.entries(STEPS))
  test(`a figure is the sum of the rows that it opens after ${what}`, async () => {
    await change();
    await checkFigures();
  });

test('figures follow the calendar of a business that moves to another time zone', async () => {
  await checkFigures();
  const zone = 'Pacific/Kiritimati';
  assert.equal(await refreshStored(db(), tenant(zone)), true);
  assert.deepEqual(await compareStored(db(), tenant(zone)), []);
  assert.deepEqual(await run(`SELECT timezone FROM report_state WHERE provider_id = ${world.harbour}`), [
    { timezone: zone },
  ]);
  await checkFigures();
});

test('the nightly comparison names every stored row that is wrong, and calculating all again mends them', async () => {
  await run('SET session_replication_role = replica');
  try {
    for (const [wrong, name] of [
      ['revenue_month SET sold = sold + 1', 'revenue by month'],
      [`revenue_part SET recognised = recognised + 1 WHERE what = 'recognised'`, 'rows of revenue'],
      ['revenue_sale SET ends = ends + 1', 'sales'],
      ['report_turnout SET no_show = no_show + 1', 'visits of events'],
    ]) {
      const all = wrong.includes('WHERE') ? `${wrong} AND` : `${wrong} WHERE`;
      await run(`UPDATE ${all} provider_id = ${world.harbour}`);
      const found = await compareStored(db(), tenant());
      assert.ok(
        found.some((one) => one.startsWith(`stored ${name}: `)),
        `${name}: ${found.join('\n')}`,
      );
      await db().transaction(world.harbour, (tx) => rebuildStored(tx, { provider: world.harbour, zone: ZONE }));
      assert.deepEqual(await compareStored(db(), tenant()), []);
    }
  } finally {
    await run('SET session_replication_role = origin');
  }
});

test('figures are right while people book, and while several bring the stored rows up to date', async () => {
  const event = await c.memberEvent({ in: 96, max_occupancy: 20 });
  const people = await Promise.all(
    Array.from(
      { length: 6 },
      async () => (await bought({ item_type: 'MEM_PK', membership: await c.m.pack(3) })).customer,
    ),
  );
  const whose = { provider: world.harbour, zone: ZONE };
  await Promise.all(
    people.flatMap((customer) => [
      done('POST', `/events/${event}/register`, { customer }),
      db().transaction(world.harbour, (tx) => fold(tx, whose)),
      done('GET', '/reports/revenue.grouped/data?columns=month,sold,recognised'),
    ]),
  );
  await checkFigures();
});

test('a request leaves many changes to the worker, and calculates its figures meanwhile', async () => {
  const path =
    '/reports/revenue.grouped/data?columns=month,what,type,count,sold,recognised,cash&include_future=true&limit=100';
  const { rows } = await done('GET', path);
  await run(`INSERT INTO report_change (provider_id, of, of_id)
    SELECT ${world.harbour}, 'line', 1 FROM generate_series(1, 5001)`);
  assert.equal(await refreshStored(db(), tenant()), false);
  assert.deepEqual((await done('GET', path)).rows, rows);
  assert.equal(await isCurrent(), false);
  await foldChanged({ db: db() });
  assert.ok(await isCurrent());
  assert.deepEqual((await done('GET', path)).rows, rows);
});
