import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { bill, billed } from './test/invoicing.ts';
import { issueCreditNote } from './index.ts';
import { newCustomers } from '../../../test/schedule-world.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const sequences = async (series: string, providerId = world.harbour): Promise<number[]> =>
  (
    await world.work(providerId, ({ tx }) =>
      tx.rows<{ sequence: number }>(
        sql`SELECT sequence FROM invoice WHERE provider_id = ${providerId} AND series = ${series} ORDER BY sequence`,
      ),
    )
  ).map(({ sequence }) => sequence);

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

test('invoices and credit notes issued in parallel, of which some fail, are numbered from 1 without a gap in each series', async () => {
  const payers = await newCustomers(world, 4);
  const made = await Promise.allSettled(
    upTo(40).map((n) =>
      world.work(world.harbour, async (work) => {
        const issued = await bill(work, payers[n % 4]);
        if (n % 5 === 0) throw new Error('it came to nothing');
        if (n % 3 === 0)
          await issueCreditNote(work, {
            invoice: issued.id,
            lines: [{ line: issued.lines[0].id, amount: 100 }],
            why: 'A mistake.',
            to: 'credit',
          });
      }),
    ),
  );
  const failed = made.filter((one) => one.status === 'rejected');
  assert.deepEqual(
    failed.map((one) => one.reason.message),
    Array(8).fill('it came to nothing'),
  );
  assert.deepEqual(await sequences('invoice'), upTo(32));
  assert.deepEqual(await sequences('credit_note'), upTo(11));
});

test('each business has its own numbers', async () => {
  const payer = await world.newCustomer({}, world.meadow);
  await billed(world, payer, [{}], {}, world.meadow);
  assert.deepEqual(await sequences('invoice', world.meadow), [1]);
});

test('the number of a connection that is killed is used for the next invoice', async () => {
  const [payer] = await newCustomers(world, 1);
  const before = (await sequences('invoice')).at(-1)!;
  const client = new pg.Client({ connectionString: world.databaseUrl });
  client.on('error', () => {});
  await client.connect();
  await client.query('BEGIN');
  const { rows } = await client.query(
    `INSERT INTO invoice (provider_id, series, customer_id, status, about_object, about_id, issued_on, due_on, parties,
      list_minor,
       discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor, total_minor, created_at, updated_at)
     VALUES ($1, 'invoice', $2, 'open', 'customer', $2, now(), now(), '{}', 1, 0, 0, 1, 0, 0, 1, now(), now())
     RETURNING sequence::int, pg_backend_pid() AS pid`,
    [world.harbour, payer],
  );
  assert.equal(rows[0].sequence, before + 1);
  // It waits for the number, and gets the same one.
  const waiting = billed(world, payer);
  const other = new pg.Client({ connectionString: world.databaseUrl });
  await other.connect();
  await other.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
  await other.end();
  await waiting;
  assert.deepEqual(await sequences('invoice'), upTo(before + 1));
  await client.end().catch(() => {});
});

const series = (change: string) =>
  world.work(world.harbour, ({ tx }) => tx.run(sql`${raw(change)} WHERE provider_id = ${world.harbour}`));

const NEXT = 'UPDATE invoice_series SET last_number = last_number';

test('the database refuses to reuse or skip a number, regardless of the writer', async () => {
  for (const change of ['DELETE FROM invoice_series', `${NEXT} - 1`, `${NEXT} + 2`])
    await assert.rejects(series(change), /stays as it was issued/, change);
});
