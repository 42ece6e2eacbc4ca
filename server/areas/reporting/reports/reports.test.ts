/**
 * Reports over HTTP. In turns from change to change, all of them in `npm run test:all`: each name, order, filter, group
 * and period of a report.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/zone.ts';
import { book, newCustomers, newEvent, newPlace, newVenue, type Place } from '../../../test/schedule-world.ts';
import { groupedColumns } from './ask.ts';
import { keysOf, namesOf } from './names.ts';
import { pivotsOf } from './periods.ts';
import { REPORTS, TOTALS } from './catalogue/index.ts';
import { inTurns, rare } from '../../../test/rare.ts';
import { samples } from './test/sample.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';

/** Data for the reports: without it, they would be empty and agree with everything. */
const HAPPENED = [
  'attendance',
  'waitlist_spot',
  'customer_membership_hold',
  'invoice',
  'invoice_charge',
  'payment_refund',
  'account_entry',
  'store_order_item',
  'membership_strike',
  'referral',
  'payment_dispute',
  'course_session_attendance',
] as const;

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
  for (const resource of HAPPENED) await seed(world, resource);
});
after(() => world.close());

const ask = async (path: string, as = world.machine) => {
  const answer = await world.get(path, { as });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.body;
};

/** Returns the value at a dotted key. */
const at = (row: any, key: string): unknown => key.split('.').reduce((inner, name) => inner?.[name], row);

const csv = (path: string, headers = {}) => world.get(path, { as: world.machine, headers });
const line = (cells: unknown[]) => `${cells.map((cell) => cell ?? '').join(',')}\r\n`;

describe('a page of a report as CSV', () => {
  const PATH = '/reports/customers/data?columns=id,last_name,email&limit=2&sort=id';

  test('has the same content as the JSON, by format and by Accept, with the address of the next page', async () => {
    await newCustomers(world, 3);
    const { rows, next } = await ask(PATH);
    const expected = `\uFEFF${line(['id', 'last_name', 'email'])}${rows.map((r: any) => line([r.id, r.last_name, r.email])).join('')}`;
    const answers = [
      await csv(`${PATH}&format=csv`),
      await csv(PATH, { accept: 'text/csv' }),
      await csv(PATH, { accept: 'text/csv, application/json;q=0.5' }),
    ];
    for (const answer of answers) {
      assert.deepEqual(
        [answer.status, answer.headers.get('content-type')],
        [200, 'text/csv; charset=utf-8'],
        answer.text,
      );
      assert.equal(`\uFEFF${answer.text.replace(/^\uFEFF/, '')}`, expected);
      assert.match(answer.headers.get('link')!, /^<http.*offset=2.*>; rel="next"$/);
    }
    assert.ok(next.includes('offset=2'));
    for (const accept of ['application/json', 'application/json, text/csv', '*/*'])
      assert.match((await csv(PATH, { accept })).headers.get('content-type')!, /^application\/json/);
    assert.match((await csv(`${PATH}&format=json`, { accept: 'text/csv' })).headers.get('content-type')!, /json/);
  });

  test('has groups and periods as columns, and possible formulas as text', async () => {
    await world.newCustomer({ first_name: '=1+1', last_name: 'Formula' });
    const { text } = await csv('/reports/customers/data?columns=first_name&sort=-id&limit=1&format=csv');
    assert.match(text, /first_name\r\n"?'=1\+1"?\r\n$/);
    const grouped = '/reports/customers.grouped/data?columns=created_year,count&pivot=year';
    const { column_headers: headers } = await ask(grouped);
    const [heading] = (await csv(`${grouped}&format=csv`)).text.replace(/^\uFEFF/, '').split('\r\n');
    assert.equal(heading, headers.map(({ key }: any) => key).join(','));
  });

  test('is offered only by reports', async () => {
    assert.equal((await csv('/customers', { accept: 'text/csv' })).status, 406);
    assert.equal((await csv('/customers?format=csv')).status, 400);
  });
});

test('a grouped report without columns has the count of all rows, and so has its export', async () => {
  const { total } = await ask('/reports/customers/data?limit=1');
  const { rows, column_headers: headers } = await ask('/reports/customers.grouped/data');
  assert.deepEqual([headers.map(({ key }: any) => key), rows.map(({ count }: any) => count)], [['count'], [total]]);
  const job = await world.post('/reports/customers.grouped/export', { as: world.machine, body: {} });
  assert.equal(job.status, 200, job.text);
});

const due = new Set(inTurns(REPORTS, 3));
for (const report of REPORTS) {
  const ofDetail = due.has(report) ? test : rare;
  describe(`the report ${report.name}`, () => {
    const path = `/reports/${report.name}/data`;

    test('has a definition for each column, and a place in each row', async () => {
      const { column_headers: headers, rows, total } = await ask(path);
      assert.deepEqual(
        headers.map(({ key }: any) => key),
        report.shown ?? Object.keys(report.columns),
      );
      for (const { key, label, definition } of headers) {
        assert.match(label, /^\S/);
        assert.match(definition, /^[A-Z].*\.$/s, `${key}: ${definition}`);
        for (const row of rows) assert.notEqual(at(row, key), undefined, key);
      }
      assert.ok(total >= rows.length);
    });

    ofDetail('accepts each column and each order by each of its names', async () => {
      for (const [name, keys] of namesOf(report.columns)) {
        const { column_headers: headers } = await ask(`${path}?columns=${name}&limit=1`);
        assert.deepEqual(
          headers.map(({ key }: any) => key),
          keys,
        );
        if (keys.length > 1 || !report.columns[keys[0]].sortable) continue;
        for (const sign of ['', '-']) {
          const sorted = await ask(`${path}?columns=${name}&sort=${sign}${name}&limit=1`);
          assert.deepEqual(sorted.column_headers[0].sorted, { order: sign ? 'desc' : 'asc', priority: 1 });
        }
      }
    });

    ofDetail('can be narrowed by each filter, and never grows', async () => {
      const all = (await ask(`${path}?limit=1${wide(report)}`)).total;
      for (const [name, value] of samples(report)) {
        if (name in (report.unless ?? {})) continue;
        const { total } = await ask(`${path}?limit=1${wide(report)}&${name}=${encodeURIComponent(value)}`);
        assert.ok(total <= all, `${name}=${value}: ${total} of ${all}`);
      }
    });

    test('shows nothing of another business', async () => {
      const { rows } = await ask(`${path}?columns=${Object.keys(report.columns)[0]}&limit=100${wide(report)}`);
      const other = await ask(
        `${path}?columns=${Object.keys(report.columns)[0]}&limit=100${wide(report)}`,
        world.meadowMachine,
      );
      const seen = new Set(rows.map((row: any) => JSON.stringify(row)));
      for (const row of other.rows) assert.ok(!seen.has(JSON.stringify(row)), JSON.stringify(row));
    });

    test('shows staff who are limited to venues only the rows of their venues', async () => {
      const nowhere = await newVenue(world);
      const staff = world.staff([...report.who, 'revenue', 'customers'], null, world.harbour, [nowhere]);
      assert.equal((await ask(`${path}?limit=1${wide(report)}`, staff)).total, 0);
    });

    test('is available to staff who have its permission, and nobody else', async () => {
      for (const permission of report.who) await ask(`${path}?limit=1`, world.staff([permission]));
      for (const as of [world.staff(['email_notifications']), world.customer(await world.newCustomer())])
        assert.equal((await world.get(path, { as })).status, 403);
    });

    if (!report.grouped || TOTALS.includes(report)) return;
    const groups = `/reports/${report.name}.grouped/data`;

    test('counts in groups what it shows in rows', async () => {
      const { by } = report.grouped!;
      for (const [name, keys] of namesOf(by)) {
        // A join that multiplies rows counts each of them.
        if (keys.some((key) => by[key].several)) continue;
        const flat = (await ask(`${path}?limit=1`)).total;
        let counted = 0;
        for (let offset = 0, total = 1; offset < total; offset += 100) {
          const page = await ask(`${groups}?columns=${name},count&limit=100&offset=${offset}`);
          ({ total } = page);
          counted += page.rows.reduce((sum: number, { count }: any) => sum + count, 0);
        }
        assert.equal(counted, flat, name);
      }
    });

    ofDetail('links from each group to its rows, and they add up to its numbers', async () => {
      const measures = Object.entries(report.grouped!.measures).filter(([, { sums }]) => sums !== undefined);
      const keys = Object.keys(report.grouped!.by);
      const sizes = [...keys.map((key) => [key]), keys];
      for (const by of sizes) {
        const columns = [...by, 'count', ...measures.map(([name]) => name)];
        const { rows } = await ask(`${groups}?columns=${columns.join()}&limit=3&sort=-count${wide(report)}`);
        for (const row of rows) {
          const found = await rowsBehind(row.rows, measures.length > 0);
          assert.equal(found.total, row.count, row.rows);
          for (const [name, { sums }] of measures)
            assert.equal(sum(found.rows, sums!), numberIn(row, name), `${name}: ${row.rows}`);
        }
      }
    });

    ofDetail(
      'accepts all columns and each order in groups, and needs at least one column, unless it has a default one',
      async () => {
        const columns = groupedColumns(report);
        const every = Object.keys(columns);
        const { column_headers: headers } = await ask(`${groups}?columns=${every.join()}&limit=1`);
        assert.deepEqual(
          headers.map(({ key }: any) => key),
          keysOf(namesOf(columns), every),
        );
        for (const key of every.filter((one) => columns[one].sortable))
          await ask(`${groups}?columns=${every.join()}&sort=-${key}&limit=1`);
        for (const none of ['', '?columns='])
          assert.equal(
            (await world.get(groups + none, { as: world.machine })).status,
            report.grouped!.usual ? 200 : 400,
          );
      },
    );

    ofDetail('each period of a pivot links to the rows that it counts', async () => {
      for (const pivot of pivotsOf(report.grouped!)) {
        const { rows } = await ask(`${groups}?columns=count&pivot=${pivot}&max_pivot_columns=12${wide(report)}`);
        for (const { pivot: counts, pivot_rows: addresses } of rows) {
          assert.deepEqual(Object.keys(addresses ?? {}), Object.keys(counts ?? {}));
          for (const [period, address] of Object.entries<string>(addresses ?? {}))
            assert.equal((await rowsBehind(address, false)).total, counts[period], address);
          // A period within a period: the rows in both.
          const [last, address] = Object.entries<string>(addresses ?? {}).at(-1) ?? [];
          if (!last) continue;
          const group = new URL(address!).searchParams.get('group')!;
          const within = await ask(
            `${groups}?columns=count&pivot=${pivot}&group=${encodeURIComponent(group)}${wide(report)}`,
          );
          assert.equal(within.rows[0].pivot[last], counts[last]);
          assert.equal((await rowsBehind(within.rows[0].pivot_rows[last], false)).total, counts[last]);
        }
      }
    });

    if (!report.grouped.pivot) return;
    ofDetail('splits groups by year, month and week, and each row adds up to its count', async () => {
      for (const pivot of ['year', 'month', 'week']) {
        const { rows } = await ask(`${groups}?columns=count&pivot=${pivot}&max_pivot_columns=12&limit=100`);
        for (const row of rows) {
          const sum = Object.values(row.pivot ?? {}).reduce((all: number, n) => all + (n as number), 0);
          assert.ok(sum <= row.count && (row.count === 0 || sum > 0), JSON.stringify(row));
        }
      }
    });
  });
}

/** Returns the rows at an address: how many there are, and all of them if requested. */
async function rowsBehind(address: string, all: boolean): Promise<{ total: number; rows: any[] }> {
  let next: string | null = address;
  const rows: any[] = [];
  let total = 0;
  while (next !== null) {
    const page: any = await ask(next.slice(next.indexOf('/reports')));
    ({ total } = page);
    rows.push(...page.rows);
    next = all ? page.next : null;
  }
  return { total, rows };
}

/** Returns whole minor units for an amount, a number as it is, and 1 for true. */
const numberIn = (row: any, key: string): number => {
  const value = at(row, key) as any;
  return typeof value === 'object' && value !== null ? Math.round(value.decimal * 100) : Number(value);
};

const sum = (rows: readonly any[], key: string): number => rows.reduce((all, row) => all + numberIn(row, key), 0);

/** Includes everything that is left out by default. */
const wide = ({ unless = {} }: { unless?: object }): string =>
  Object.keys(unless)
    .map((name) => `&${name}=true`)
    .join('');

test('the numbers of customers match their bookings', async () => {
  const [customer] = await newCustomers(world, 1);
  const [first, second] = [await newEvent(world, place), await newEvent(world, place, { in: 48 })];
  for (const event of [first, second]) assert.equal((await book(world, event.id, customer)).status, 200);
  await world.post(`/events/${second.id}/unregister`, { as: world.machine, body: { customer, is_late_cancel: true } });
  const { rows } = await ask(`/reports/customers/data?ids=${customer}`);
  assert.partialDeepStrictEqual(rows[0], {
    id: customer,
    registered_and_attended_count: 1,
    registrations_count: 1,
    attendances_count: 0,
    late_cancels_count: 1,
    is_claimed: false,
    is_new: true,
    account_credit_balance: { string: '0.00' },
    latest_registration: { id: first.id, type: 'event' },
  });
  const count = async (query: string) => (await ask(`/reports/customers/data?ids=${customer}&${query}`)).total;
  assert.equal(await count('registered_and_attended_count_gte=1'), 1);
  assert.equal(await count('registered_and_attended_count_gte=2'), 0);
  assert.equal(await count('registered_and_attended_count_lte=1'), 1);
  assert.equal(await count('registered_and_attended_count_lte=0'), 0);
});

test('callers who may not see a column get null, and find nothing by it', async () => {
  const [customer] = await newCustomers(world, 1);
  const event = await newEvent(world, place);
  await book(world, event.id, customer);
  const as = world.staff(['attendances']);
  const { rows } = await ask(
    `/reports/attendances/data?customers=${customer}&include_future=true&columns=customer`,
    as,
  );
  assert.equal(rows[0].customer.email, null);
  const carer = world.staff(['customers']);
  const birth = `/reports/customers/data?ids=${customer}&columns=account_credit_balance`;
  assert.equal((await ask(birth, carer)).rows[0].account_credit_balance, null);
  assert.equal((await ask(`${birth}&has_account_credit=false`, carer)).total, 0);
  assert.equal((await ask(`${birth}&has_account_credit=false`)).total, 1);
});

test('the last day of a period is included', async () => {
  const path = '/reports/customer_membership_holds/data';
  const [{ id, updated_at: at }] = (await ask(`${path}?columns=id,updated_at&sort=-updated_at`)).rows;
  const day = at.slice(0, 10);
  const found = async (query: string) => (await ask(`${path}?columns=id&limit=100&${query}`)).rows;
  const isThere = (rows: any[]) => rows.some((row) => row.id === id);
  assert.ok(isThere(await found(`updated_at_gte=${day}&updated_at_lte=${day}`)));
  assert.ok(!isThere(await found(`updated_at_lte=${addDays(day, -1)}`)));
  assert.ok(!isThere(await found(`updated_at_gte=${addDays(day, 1)}`)));
});

test('a page of a report links to the next, until there is none', async () => {
  const customers = await newCustomers(world, 5);
  const seen: number[] = [];
  let next: string | null = `/reports/customers/data?ids=${customers.join()}&columns=id&limit=2`;
  while (next !== null) {
    const page: any = await ask(next);
    assert.equal(page.total, 5);
    seen.push(...page.rows.map(({ id }: any) => id));
    next = page.next && page.next.slice(page.next.indexOf('/reports'));
  }
  assert.deepEqual(
    seen,
    customers.toSorted((a, b) => a - b),
  );
  const { rows } = await ask(`/reports/customers/data?ids=${customers.join()}&columns=id&id_gt=${seen[2]}`);
  assert.deepEqual(
    rows.map(({ id }: any) => id),
    seen.slice(3),
  );
});

const refused = async (path: string) => {
  const { status, text } = await world.get(path, { as: world.machine });
  assert.equal(status, 400, text);
  return text;
};

test('a request that can’t be fulfilled is refused, with the remedy', async () => {
  assert.match(
    await refused('/reports/customers.grouped/data?columns=created_year,count&sort=gender'),
    /gender is not among the columns/,
  );
  for (const place of ['offset=2', 'page=2'])
    assert.match(await refused(`/reports/customers/data?id_gt=1&${place}`), /without offset and page/);
  for (const group of [
    'x',
    '[]',
    '{"nothing":1}',
    '{"age":"old"}',
    '{"pivot.month":"2026-13"}',
    '{"pivot.week":"2026-W54"}',
    '{"pivot.year":2026}',
    '{"pivot.year":null}',
    '{"pivot.active_by_year":"2026"}',
  ])
    assert.match(
      await refused(`/reports/customers/data?group=${encodeURIComponent(group)}`),
      /JSON object of columns that the report can be grouped by/,
    );
});

test('an invoice shows the credit and the payments applied to it', async () => {
  await seed(world, 'invoice_charge', world.harbour);
  await seed(world, 'invoice_credit', world.harbour);
  const { rows } = await ask('/reports/invoices/data?columns=applied_credits,charges&limit=100');
  assert.ok(rows.some(({ charges }: any) => charges.length > 0));
  assert.ok(rows.some(({ applied_credits }: any) => applied_credits.length > 0));
  for (const row of rows) {
    for (const one of [...row.applied_credits, ...row.charges])
      assert.ok(Number(one.amount.decimal) > 0, JSON.stringify(one));
    for (const one of row.charges) assert.equal(one.created_at, one.confirmed_at);
  }
});
