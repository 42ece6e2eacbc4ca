import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { moveClock } from '../../../../kernel/work/clock/test-clock.ts';
import { dayNumberOf, readWorkbook } from '../../../../test/outside/read-workbook.ts';
import { feedEnd, feedSince, newCustomers } from '../../../../test/schedule-world.ts';
import { ownContext } from '../../../../test/own-context.ts';
import { Records } from '../../../../kernel/base/csv/records.ts';
import { seed } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { sweepExports } from './sweep.ts';
import { writeNext } from './engine.ts';
import type { StaffPermission } from '../../../people/staff/index.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true, test: true });
});
after(() => world.close());

const own = () => ownContext(world);

/** Requests an export, has it written, and returns its job. */
async function exported(path: string, body: object, as: string) {
  const asked = await world.post(path, { as, body });
  assert.equal(asked.status, 200, asked.text);
  const pending = await world.get(`/jobs/${asked.body.job}`, { as });
  assert.partialDeepStrictEqual(pending.body, { status: 'pending', result_url: null });
  assert.equal(await writeNext(own()), true);
  return (await world.get(`/jobs/${asked.body.job}`, { as })).body;
}

const fileOf = async (job: any, as: string) => {
  const answer = await world.get(job.result_url.slice(job.result_url.indexOf('/report_exports')), { as });
  assert.equal(answer.status, 200, answer.text);
  return answer;
};

test('a report is written as CSV, JSON and JSON lines with the same rows as in its response', async () => {
  const staff = world.staff(['customers']);
  const customers = await newCustomers(world, 3);
  const columns = ['id', 'full_name', 'venue', 'active_customer_memberships', 'is_new'];
  const asked = { ids: customers, columns };
  const shown = await world.get(`/reports/customers/data?ids=${customers}&columns=${columns}`, { as: staff });
  for (const format of ['csv', 'json', 'jsonl']) {
    const job = await exported('/reports/customers/export', { ...asked, format }, staff);
    assert.partialDeepStrictEqual(job, { status: 'complete', total_items: 3, complete_items: 3 });
    const { text, headers, body } = await fileOf(job, staff);
    assert.match(
      headers.get('content-disposition')!,
      new RegExp(`^attachment; filename="customers-\\d+\\.${format}"$`),
    );
    if (format === 'csv') {
      const records = new Records(',', ({ reason }) => assert.fail(reason));
      const lines = text
        .replace(/^\uFEFF/, '')
        .split('\r\n')
        .flatMap((line) => records.take(line));
      assert.deepEqual(lines[0].cells, [
        'id',
        'full_name',
        'venue.id',
        'venue.name',
        'active_customer_memberships',
        'is_new',
      ]);
      assert.deepEqual(
        lines.slice(1).map(({ cells }) => cells[1]),
        shown.body.rows.map((row: any) => row.full_name),
      );
    } else if (format === 'json') assert.deepEqual(body, shown.body.rows);
    else
      assert.deepEqual(
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
        shown.body.rows,
      );
  }
});

test('a workbook has real days, times and amounts, and texts are never formulas', async () => {
  const [customer] = await newCustomers(world, 1);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE customer SET first_name = '=1+1', last_name = '<b>', date_of_birth = '2000-02-29' WHERE provider_id = ${world.harbour} AND id = ${customer}`,
    ),
  );
  const as = world.staff(['super_admin']);
  const columns = ['id', 'full_name', 'date_of_birth', 'created_at', 'account_credit_balance', 'is_new'];
  const shown = (await world.get(`/reports/customers/data?ids=${customer}&columns=${columns}`, { as })).body.rows[0];
  const job = await exported('/reports/customers/export', { ids: [customer], columns, format: 'xlsx' }, as);
  const path = job.result_url.slice(job.result_url.indexOf('/report_exports'));
  const answer = await fetch(`${world.url}/api/v2${path}`, { headers: { authorization: `Bearer ${as}` } });
  assert.match(answer.headers.get('content-disposition')!, /^attachment; filename="customers-\d+\.xlsx"$/);
  const [{ name, rows }] = readWorkbook(Buffer.from(await answer.arrayBuffer()));
  assert.equal(name, 'customers');
  assert.deepEqual(
    rows[0].map(({ value }) => value),
    columns,
  );
  assert.deepEqual(rows.slice(1), [
    [
      { type: 'number', value: customer, format: null },
      { type: 'text', value: '=1+1 <b>', format: null },
      { type: 'number', value: dayNumberOf('2000-02-29'), format: 'yyyy-mm-dd' },
      { type: 'number', value: dayNumberOf(shown.created_at.slice(0, 19)), format: 'yyyy-mm-dd hh:mm:ss' },
      { type: 'number', value: 0, format: '0.00' },
      { type: 'boolean', value: true, format: null },
    ],
  ]);
});

test('rows are written in the requested order, whatever the batches, and otherwise by their ids', async () => {
  const as = world.staff(['customers'], 9);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`INSERT INTO customer (provider_id, first_name, last_name, email)
      SELECT ${world.harbour}, 'Order', to_char(n * 7919 % 2100, 'FM0000'), CASE n % 3 WHEN 0 THEN 'in-order-' || n || '@example.com' END
      FROM generate_series(1, 2100) n`),
  );
  const named = async (body: object): Promise<any[]> => {
    const columns = ['id', 'last_name', 'email', 'first_name'];
    const job = await exported('/reports/customers/export', { columns, format: 'json', ...body }, as);
    const rows = (await fileOf(job, as)).body;
    assert.equal(job.total_items, rows.length);
    return rows.filter((row: any) => row.first_name === 'Order');
  };
  const plain = await named({});
  const ids = plain.map(({ id }) => id);
  assert.equal(ids.length, 2100);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  );
  const backwards = (await named({ sort: ['-last_name'] })).map((row) => row.last_name);
  assert.deepEqual(
    backwards,
    plain
      .map((row) => row.last_name)
      .toSorted()
      .toReversed(),
  );
  // Rows without a value come last in both directions, and equal ones are in the order of their ids.
  for (const sort of ['email', '-email']) {
    const sorted = await named({ sort: [sort] });
    const without = sorted.slice(700).map(({ id }) => id);
    assert.deepEqual(
      sorted.map(({ email }) => email === null),
      Array.from({ length: 2100 }, (_, n) => n >= 700),
    );
    assert.deepEqual(
      without,
      without.toSorted((a, b) => a - b),
    );
  }
  assert.deepEqual(
    (await named({ id_gt: ids[1499], sort: ['-last_name'] })).map(({ id }) => id),
    ids.slice(1500),
  );
  const empty = { created_at_gte: '2100-01-01T00:00:00Z' };
  for (const body of [empty, { ...empty, sort: ['email'] }]) assert.deepEqual(await named(body), []);
  assert.equal((await world.post('/reports/customers/export', { as, body: { sort: ['nothing'] } })).status, 400);
});

test('the results of a bulk action are written, for staff who may watch all of it', async () => {
  const bulkAction = await seed(world, 'bulk_action');
  await seed(world, 'bulk_action');
  const [done, left] = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ venue: number; id: number }>(sql`UPDATE bulk_action_result r SET
        status = CASE r.primary_object WHEN 1 THEN 'success' ELSE 'error' END, error_message = CASE r.primary_object WHEN 2 THEN '=Left' END
      FROM bulk_action b WHERE b.provider_id = r.provider_id AND b.id = r.bulk_action_id AND r.provider_id = ${world.harbour} AND b.id = ${bulkAction}
      RETURNING r.id, b.venue_ids[1] AS venue`),
  );
  const path = `/bulk_actions/${bulkAction}/export`;
  const elsewhere = world.staff(['customers'], 11, world.harbour, [done.venue + 1_000_000]);
  assert.equal((await world.post(path, { as: elsewhere, body: {} })).status, 404);
  assert.equal((await world.post(path, { as: world.meadowMachine, body: {} })).status, 404);
  for (const as of [world.staff([], 12), world.staff(['customers'], 13, world.harbour, [done.venue])]) {
    const job = await exported(path, {}, as);
    assert.partialDeepStrictEqual(job, { status: 'complete', total_items: 2, complete_items: 2 });
    const { text, headers } = await fileOf(job, as);
    assert.match(headers.get('content-disposition')!, /^attachment; filename="bulk_action_results-\d+\.csv"$/);
    assert.equal(
      text.replace(/^\uFEFF/, ''),
      `id,primary_object,status,error_message\r\n${done.id},1,success,\r\n${left.id},2,error,'=Left\r\n`,
    );
    const file = job.result_url.slice(job.result_url.indexOf('/report_exports'));
    for (const one of [`/jobs/${job.id}`, file])
      assert.equal((await world.get(one, { as: world.staff(['super_admin'], 14) })).status, 404, one);
  }
});

test('a grouped report is written too, with the periods of a pivot', async () => {
  const as = world.staff(['customers']);
  const job = await exported(
    '/reports/customers.grouped/export',
    { columns: ['created_year', 'count'], format: 'json' },
    as,
  );
  const shown = await world.get('/reports/customers.grouped/data?columns=created_year,count', { as });
  assert.deepEqual(
    (await fileOf(job, as)).body,
    shown.body.rows.map(({ created_year, count }: any) => ({ created_year, count })),
  );
});

test('only the person who requested it sees the job and the file', async () => {
  const [as, other] = [world.staff(['customers'], 1), world.staff(['super_admin'], 2)];
  const job = await exported('/reports/customers/export', {}, as);
  const path = job.result_url.slice(job.result_url.indexOf('/report_exports'));
  for (const one of [`/jobs/${job.id}`, path, path.replace('/file', '')]) {
    assert.equal((await world.get(one, { as: other })).status, 404, one);
    assert.equal((await world.get(one, { as })).status, 200, one);
  }
  assert.deepEqual((await world.get('/report_exports', { as: other })).body.results, []);
});

test('a file contains only what the person may see', async () => {
  const [customer] = await newCustomers(world, 1);
  const as = world.staff(['attendances']);
  const job = await exported(
    '/reports/attendances/export',
    { include_future: true, columns: ['customer'], format: 'json' },
    as,
  );
  for (const { customer: shown } of (await fileOf(job, as)).body) assert.equal(shown.email, null);
  assert.equal((await world.post('/reports/customers/export', { as, body: { ids: [customer] } })).status, 403);
});

test('a cancelled export is not written, and leaves nothing behind', async () => {
  const as = world.staff(['customers']);
  const { job } = (await world.post('/reports/customers/export', { as, body: {} })).body;
  const cancelled = await world.post(`/jobs/${job}/cancel`, { as });
  assert.equal(cancelled.status, 200, cancelled.text);
  assert.equal(cancelled.body.status, 'cancelled');
  await writeNext(own());
  assert.partialDeepStrictEqual((await world.get(`/jobs/${job}`, { as })).body, {
    status: 'cancelled',
    result_url: null,
  });
  assert.equal((await world.post(`/jobs/${job}/cancel`, { as })).status, 409);
  assert.equal(await writeNext(own()), false);
});

test('an export whose process was killed is written by another', async () => {
  const as = world.staff(['customers']);
  const { job } = (await world.post('/reports/customers/export', { as, body: {} })).body;
  // The state that a process leaves when it takes the export and dies.
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE report_export SET attempts = 1, next_at = now() - interval '1 second' WHERE provider_id = ${world.harbour} AND job_id = ${job}`,
    ),
  );
  assert.equal(await writeNext(own()), true);
  assert.equal((await world.get(`/jobs/${job}`, { as })).body.status, 'complete');
});

test('a process that ends hands over its export immediately, which does not count as a failed attempt', async () => {
  const as = world.staff(['customers']);
  const { job } = (await world.post('/reports/customers/export', { as, body: {} })).body;
  const found = () =>
    world.work(world.harbour, ({ tx }) =>
      tx.one(
        sql`SELECT state, attempts, file FROM report_export WHERE provider_id = ${world.harbour} AND job_id = ${job}`,
      ),
    );
  assert.equal(await writeNext({ ...own(), isEnding: () => true }), true);
  assert.deepEqual(await found(), { state: 'pending', attempts: 0, file: null });
  assert.equal((await world.get(`/jobs/${job}`, { as })).body.status, 'running');
  assert.equal(await writeNext(own()), true);
  assert.equal((await world.get(`/jobs/${job}`, { as })).body.status, 'complete');
});

test('an export that can’t be written is retried and then fails, and the feed records what happens to each file', async () => {
  const as = world.staff(['customers'], 15);
  const from = await feedEnd(world);
  const written = await exported('/reports/customers/export', {}, as);
  const { job } = (await world.post('/reports/customers/export', { as, body: {} })).body;
  /** Makes the next attempt due, as if a newer version had no such report. */
  const isDue = () =>
    world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE report_export SET report = 'gone', next_at = now() - interval '1 second' WHERE provider_id = ${world.harbour} AND job_id = ${job}`,
      ),
    );
  const status = async () => (await world.get(`/jobs/${job}`, { as })).body.status;
  for (const after of ['pending', 'pending', 'failed']) {
    await isDue();
    assert.equal(await writeNext(own()), true);
    assert.equal(await status(), after);
  }
  assert.equal(await writeNext(own()), false);
  const feedItems = (await feedSince(world, from)).filter(({ kind }) => kind.startsWith('report_export.'));
  assert.deepEqual(
    feedItems.map(({ kind, payload }) => [kind, payload.job]),
    [
      ['report_export.requested', written.id],
      ['report_export.finished', written.id],
      ['report_export.requested', job],
      ['report_export.failed', job],
    ],
  );
});

test('a file is deleted when it expires, and the job says so', async () => {
  const as = world.staff(['customers']);
  const job = await exported('/reports/customers/export', {}, as);
  await world.app.db.acrossTenants('a test sweeps', (tx) =>
    sweepExports(tx, world.now + 8 * 86_400_000, world.app.installation),
  );
  assert.partialDeepStrictEqual((await world.get(`/jobs/${job.id}`, { as })).body, {
    status: 'expired',
    result_url: null,
  });
  const path = job.result_url.slice(job.result_url.indexOf('/report_exports'));
  assert.equal((await world.get(path, { as })).status, 404);
});

test('people can’t download a report that they may no longer read', async () => {
  const mayRead = (permissions: readonly StaffPermission[]) =>
    world.token(
      [{ mode: 'provider', providerId: world.harbour, staffId: 5, permissions, venues: null }],
      'person',
      'changing',
    );
  const asked = await exported('/reports/customers/export', {}, mayRead(['customers']));
  const path = asked.result_url.slice(asked.result_url.indexOf('/report_exports'));
  assert.equal((await world.get(path, { as: mayRead(['attendances']) })).status, 404);
  assert.equal((await world.get(path, { as: mayRead(['customers']) })).status, 200);
});

test('a business can have 20 exports waiting, and the next is refused with a remedy', async () => {
  const as = world.staff(['customers'], 6);
  const ask = () => world.post('/reports/customers/export', { as, body: {} });
  const waiting: number[] = [];
  for (let n = 0; n < 20; n++) {
    const { status, body, text } = await ask();
    assert.equal(status, 200, text);
    waiting.push(body.job);
  }
  const refused = await ask();
  assert.equal(refused.status, 409, refused.text);
  assert.match(refused.text, /20 exports are waiting already.+cancel/);
  for (const job of waiting) assert.equal((await world.post(`/jobs/${job}/cancel`, { as })).status, 200);
  assert.equal((await ask()).status, 200);
  // Cleans up the cancelled ones, and writes the last.
  while (await writeNext(own()));
});

// Last, because a clock doesn't go back.
test('exports of a test business are written whatever its clock shows', async () => {
  await world.app.db.acrossTenants('a test moves a clock', (tx) => moveClock(tx, world.harbour, 40 * 86_400_000));
  const job = await exported('/reports/customers/export', {}, world.staff(['customers'], 7));
  assert.equal(job.status, 'complete');
});
