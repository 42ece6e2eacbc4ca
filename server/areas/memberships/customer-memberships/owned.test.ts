import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beside, until } from '../../../test/storm.ts';
import { changeAllOwned, item, lockAllOwned, lockOwned, lockOwnedWhere, readOwned, type Locked } from './owned.ts';
import { membershipChangesFeed } from './changes/feed.ts';
import { HoldWorld } from '../../../test/worlds/hold-world.ts';
import { newCustomers } from '../../../test/schedule-world.ts';
import { projectUses } from '../../../test/checks/table-uses.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const AREA = 'server/areas/memberships/customer-memberships/';

let h: HoldWorld;
before(async () => {
  h = await HoldWorld.start();
});
after(() => h.close());

const working = <T>(act: (work: Work) => Promise<T>): Promise<T> => h.world.work(h.world.harbour, act);

const uses = projectUses();
const WRITERS: readonly (readonly [table: string, ...files: string[]])[] = [
  // Sales and imports insert rows; every later change goes through owned.ts.
  ['customer_membership', 'import/moved.ts', 'owned.ts', 'writes.ts'],
  ['customer_membership_hold', 'holds/hold-row.ts'],
  ['customer_membership_share', 'sharing/change-sharing.ts'],
];
for (const [table, ...files] of WRITERS)
  test(`${table} is locked and written by ${files.join(' and ')}, and by nobody else of the area but bookings`, () => {
    const found = uses.filter((use) => use.table === table && use.verb !== 'reads').map(({ file }) => file);
    const besides = [...new Set(found)].filter((file) => file.startsWith(AREA) && !file.startsWith(`${AREA}use/`));
    assert.deepEqual(
      besides.toSorted(),
      files.map((file) => AREA + file),
    );
  });

test('an owned membership is read with its periods, its holds, its shares, and the actions allowed', async () => {
  const { membership } = await h.m.recurring([], {}, { shareable: true, customers_can_hold: true });
  const { owned: id } = await h.holder(membership, { start_date: '2026-06-01' });
  const friends = await newCustomers(h.world, 2);
  for (const friend of friends) await h.m.share(id, friend);
  const hold = await h.hold(id, '2026-07-01', '2026-07-10');
  const owned = await working((work) => readOwned(work, id));
  assert.deepEqual(
    [owned.start_date, owned.renews_on, owned.status, owned.cycle],
    ['2026-06-01', '2026-07-01', 'active', { unit: 'months', length: 1, anchor: '2026-06-01' }],
  );
  assert.deepEqual(
    owned.holds.map((one) => [one.id, one.start_date, one.end_date]),
    [[hold, '2026-07-01', '2026-07-10']],
  );
  assert.deepEqual([owned.sharedWith, owned.bound!.start], [friends.toSorted((a, b) => a - b), '2026-06-01']);
  assert.deepEqual(owned.allows, { sharing: true, holds: true, holdLimits: { holds: null, days: null } });
});

test('several memberships are locked by id, each once, and unknown ids are left out', async () => {
  const pack = await h.m.pack(5);
  const ids: number[] = [];
  for (let i = 0; i < 3; i++) ids.push((await h.holder(pack)).owned);
  const locked = await working((work) => lockAllOwned(work, [ids[2], ids[0], ids[1], ids[0], 999_999_999]));
  assert.deepEqual(
    locked.map(({ id }) => id),
    ids,
  );
  await assert.rejects(
    working((work) => lockOwned(work, 999_999_999)),
    { code: 'not_found' },
  );
});

test('a statement that waited for a lock sees the current row and its holds, and leaves out rows that no longer match', async () => {
  const pack = await h.m.pack(5);
  const [ended, held] = [(await h.holder(pack)).owned, (await h.holder(pack)).owned];
  const other = await beside(h.world.databaseUrl);
  try {
    await other.query('BEGIN');
    const pid = (await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0].pid;
    await other.query(`UPDATE customer_membership SET status = 'completed', ended_at = now() WHERE id = $1`, [ended]);
    await other.query(`UPDATE customer_membership SET billed_price_minor = 7 WHERE id = $1`, [held]);
    await other.query(
      `INSERT INTO customer_membership_hold (provider_id, customer_membership_id, start_date, made_by, resolution,
        begins_at)
       VALUES ($1, $2, '2026-08-01', 'staff', '{}', '2026-08-01T04:00Z')`,
      [h.world.harbour, held],
    );
    const waiting = working((work) =>
      lockOwnedWhere(work, sql`cm.id = ANY(${[ended, held]}::bigint[]) AND cm.status = 'active'`, 10),
    );
    await until(
      'it waits',
      async () =>
        (
          await h.rows('SELECT count(*)::int AS n FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [pid])
        )[0].n,
    );
    await other.query('COMMIT');
    assert.deepEqual(
      (await waiting).map((one: Locked) => [one.id, one.billed_price_minor, one.holds.length]),
      [[held, 7, 1]],
    );
  } finally {
    await other.end();
  }
});

test('several memberships are changed by one statement for each set of columns, each with its own values and report', async () => {
  const pack = await h.m.pack(5, { duration: 1, duration_unit: 'months' });
  const ids: number[] = [];
  for (let i = 0; i < 4; i++) ids.push((await h.holder(pack)).owned);
  const { effects, recorded, touched } = await working(async (work) => {
    const [a, b, c, d] = await lockAllOwned(work, ids);
    const moved = { before: a.expiration_date, after: '2026-12-01' };
    await changeAllOwned(work, [
      {
        owned: a,
        to: { expiration_date: '2026-12-01' },
        items: [item(membershipChangesFeed.expiration_changed, moved)],
      },
      { owned: b, to: { expiration_date: '2026-12-02' }, effects: [['expiration_changed', { after: '2026-12-02' }]] },
      { owned: c, to: { billed_price_minor: 5, shared_with_family: true } },
      { owned: d, to: {} },
    ]);
    return work;
  });
  assert.deepEqual(
    recorded.map(({ effect, id }) => [effect, id]),
    [['customer_membership.expiration_changed', ids[0]]],
  );
  assert.deepEqual(
    effects.map(({ effect, id, detail }) => [effect, id, detail]),
    [['expiration_changed', ids[1], { after: '2026-12-02' }]],
  );
  const now = await Promise.all(ids.map((id) => working((work) => readOwned(work, id))));
  assert.deepEqual(
    now.map((one) => [one.expiration_date, one.billed_price_minor, one.shared_with_family]),
    [
      ['2026-12-01', 12_000, false],
      ['2026-12-02', 12_000, false],
      ['2026-07-09', 5, true],
      ['2026-07-09', 12_000, false],
    ],
  );
  assert.deepEqual(
    touched.map(({ id, before }) => [id, before!.expiration_date]),
    ids.slice(0, 3).map((id) => [id, '2026-07-09']),
  );
});
