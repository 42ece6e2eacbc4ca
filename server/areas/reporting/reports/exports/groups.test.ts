/** All groups have the numbers of one snapshot, however long it takes to write them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allGroups } from './portions.ts';
import { beside } from '../../../../test/storm.ts';
import { askedOf, type Reading } from '../read-report.ts';
import { customersReport } from '../catalogue/customers.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { viewer } from '../../../../kernel/work/access/viewer.ts';
import type { Cells } from './formats.ts';

/** More than two batches. */
const DAYS = 2500;

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const addOn = (day: string) =>
  sql`INSERT INTO customer (provider_id, first_name, created_at)
    SELECT ${world.harbour}, 'Day', ${`${day}T12:00:00Z`}::timestamptz + n * interval '1 day'`;

async function groups(): Promise<Awaited<ReturnType<typeof allGroups>>> {
  const { db } = world.app;
  const asked = { columns: ['created_date', 'count'], pivot: 'all' };
  const owner = viewer({
    mode: 'provider',
    providerId: world.harbour,
    actor: 'test',
    permissions: new Set(['customers'] as const),
    staffId: null,
    customerId: null,
    venues: null,
  });
  const around = { now: world.now, zone: 'America/Toronto' };
  const reading: Reading = {
    asked: askedOf(customersReport, asked, { viewer: owner, around }),
    wire: {} as Reading['wire'],
    send: (commands) => db.read(world.harbour, commands),
  };
  return allGroups(customersReport, asked, reading, (work) => db.looking(world.harbour, work));
}

const dayAfter = (n: number): string => new Date(Date.UTC(2001, 0, 1 + n)).toISOString().slice(0, 10);

test('each group is in the file once, with the numbers of one snapshot, whatever is added while it is written', async () => {
  await world.work(world.harbour, ({ tx }) => tx.run(sql`${addOn(dayAfter(0))} FROM generate_series(1, ${DAYS}) n`));
  const { portions, total } = await groups();
  const found: Cells[] = [];
  for await (const rows of portions) {
    // Before all existing days, and on days that were and weren't read.
    if (found.length === 0)
      for (const day of ['1999-01-01', dayAfter(10), dayAfter(DAYS - 10)])
        await world.work(world.harbour, ({ tx }) => tx.run(sql`${addOn(day)} FROM generate_series(1, 3) n`));
    found.push(...rows);
  }
  const counts = new Map(found.map(([day, count]) => [day, count]));
  assert.equal(counts.size, found.length, 'each once');
  assert.equal(found.length, total);
  assert.equal(counts.has('1999-01-02'), false);
  for (let n = 1; n <= DAYS; n++) assert.equal(counts.get(dayAfter(n)), '1', dayAfter(n));
});

test('an abandoned export of groups keeps no transaction open', async () => {
  const eye = await beside(world.databaseUrl);
  const open = async (): Promise<number> => {
    const { rows } = await eye.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND state <> 'idle' AND query LIKE 'FETCH%rows_of_export'`,
    );
    return rows[0].n;
  };
  for await (const _rows of (await groups()).portions) {
    assert.equal(await open(), 1);
    break;
  }
  assert.equal(await open(), 0);
  await eye.end();
});
