import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { feedEnd, feedSince, newCustomers } from '../../../../test/schedule-world.ts';
import { HoldWorld, NOON } from '../../../../test/worlds/hold-world.ts';
import { limit } from '../../../../test/worlds/membership-world.ts';
import { ownViewer } from '../../../../kernel/work/access/viewer.ts';
import { until } from '../../../../test/storm.ts';
import { settleDue, sweepHolds, zoneReader } from './calendar.ts';
import { Work } from '../../../../kernel/work/unit/work.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';

let h: HoldWorld;
before(async () => {
  h = await HoldWorld.start();
});
beforeEach(() => h.world.setNow(NOON));
after(() => h.close());

const kinds = async (since: number, owned: number) =>
  (await feedSince(h.world, since)).filter((f) => f.payload.customer_membership === owned).map((f) => f.kind);

/** Runs work of the business in a time zone. */
async function workIn(zone: string, act: (work: Work) => Promise<void>): Promise<void> {
  await h.world.app.db.transaction(h.world.harbour, async (tx) => {
    const work = new Work({
      tx,
      registry: h.world.app.registry,
      tenant: { providerId: h.world.harbour, zone, currency: 'CAD', words: DEFAULT_WORDS },
      viewer: ownViewer(h.world.harbour, 'test'),
      now: h.world.now,
      requestId: 'test',
    });
    await act(work);
    for (const record of work.takeRecords()) await tx.run(record);
  });
}

/** Returns the businesses of this test for which the sweep has enqueued work. */
async function swept(): Promise<number[]> {
  await h.rows(`DELETE FROM graphile_worker._private_jobs WHERE key LIKE '%:holds'`);
  await h.world.app.db.acrossTenants('as the worker sweeps', (tx) => sweepHolds(tx, h.world.now));
  const found = await h.rows(`SELECT payload FROM graphile_worker._private_jobs WHERE key LIKE '%:holds'`);
  const { harbour, meadow } = h.world;
  return found.map((r) => r.payload.provider_id).filter((id) => id === harbour || id === meadow);
}

// Toronto moves its clock back by an hour at 2 o'clock on 1 November 2026, and forward on 14 March 2027.
for (const [start, end, first, back] of [
  ['2026-10-31', '2026-11-01', '2026-10-31T04:00Z', '2026-11-02T05:00Z'],
  ['2027-03-14', '2027-03-14', '2027-03-14T05:00Z', '2027-03-15T04:00Z'],
] as const) {
  test(`across a change of the clock it holds from midnight of ${start} to midnight after ${end}, to the second`, async () => {
    const { owned } = await h.holder(await h.m.pack(5));
    await h.hold(owned, start, end);
    const since = await feedEnd(h.world);
    for (const [at, status, hold] of [
      [Date.parse(first) - 1000, 'active', true],
      [Date.parse(first), 'hold', true],
      [Date.parse(back) - 1000, 'hold', true],
      [Date.parse(back), 'active', false],
    ] as const) {
      // A second later could be another day.
      h.world.stopNow(at);
      await h.settle();
      const shown = await h.get(`/customer_memberships/${owned}`);
      assert.deepEqual([shown.status, shown.active_hold !== null], [status, hold], new Date(at).toISOString());
    }
    assert.deepEqual(await kinds(since, owned), [
      'customer_membership.held',
      'customer_membership_hold.ended',
      'customer_membership.resumed',
    ]);
  });
}

test('a change between standard and summer time does not change the value of a day of a hold', async () => {
  h.world.setNow(Date.parse('2026-10-25T16:00Z'));
  const { owned } = await h.holder(
    (
      await h.m.recurring([limit('billing_period', 14)], {
        price: '14.00',
        billing_period_length: 2,
        billing_period_unit: 'weeks',
      })
    ).membership,
  );
  const id = await h.hold(owned, '2026-10-31', '2026-11-02');
  const { start_billing_period: period } = await h.get(`/customer_membership_holds/${id}/payment_resolution`);
  assert.deepEqual(
    [period.total_days, period.held_days, period.prorated_max_uses, period.credit.string],
    [14, 3, 11, '3.00'],
  );
});

test('the holds of a business that moves to another time zone follow its new clock', async () => {
  const { owned } = await h.holder(await h.m.pack(5));
  const id = await h.hold(owned, '2026-06-20', '2026-06-21');
  const moments = async () =>
    (await h.rows('SELECT begins_at, over_at FROM customer_membership_hold WHERE id = $1', [id])).map((r) => [
      r.begins_at.toISOString(),
      r.over_at.toISOString(),
    ])[0];
  assert.deepEqual(await moments(), ['2026-06-20T04:00:00.000Z', '2026-06-22T04:00:00.000Z']);
  const item = { seq: 1, kind: 'provider.updated', object: 'provider', objectId: h.world.harbour, occurredAt: NOON };
  await workIn('Asia/Tokyo', (work) => zoneReader.read(work, [{ ...item, payload: { changed: ['name'] } }]));
  assert.deepEqual(await moments(), ['2026-06-20T04:00:00.000Z', '2026-06-22T04:00:00.000Z']);
  await workIn('Asia/Tokyo', (work) => zoneReader.read(work, [{ ...item, payload: { changed: ['timezone'] } }]));
  assert.deepEqual(await moments(), ['2026-06-19T15:00:00.000Z', '2026-06-21T15:00:00.000Z']);
});

test('everything that became due while the service was down is reported once', async () => {
  const { owned } = await h.holder(await h.m.pack(5));
  await h.hold(owned, '2026-06-20', '2026-06-21');
  await h.hold(owned, '2026-06-25', null);
  const since = await feedEnd(h.world);
  h.world.setNow(Date.parse('2026-06-28T16:00Z'));
  assert.deepEqual(await swept(), [h.world.harbour]);
  await h.settle();
  await h.settle();
  assert.deepEqual(await kinds(since, owned), [
    'customer_membership.held',
    'customer_membership_hold.ended',
    'customer_membership.resumed',
    'customer_membership.held',
  ]);
  assert.equal(await h.statusOf(owned), 'hold');
  assert.deepEqual(await swept(), [], 'nothing is left to do');
});

test('a business with nothing due gets no job', async () => {
  const { owned } = await h.holder(await h.m.pack(5));
  await h.hold(owned, '2027-06-20', '2027-06-21');
  assert.deepEqual(await swept(), []);
});

test('holds of a membership that has ended end with it, and are processed once', async () => {
  const [customer] = await newCustomers(h.world, 1);
  const { id: owned } = await h.m.give(customer, await h.m.pack(5), { expiration_date: '2026-06-30' });
  const id = await h.hold(owned, '2026-06-15', null);
  h.world.setNow(Date.parse('2026-07-05T16:00Z'));
  await h.rows(`UPDATE customer_membership SET status = 'completed', ended_at = now() WHERE id = $1`, [owned]);
  const since = await feedEnd(h.world);
  assert.deepEqual(await swept(), [h.world.harbour]);
  await h.settle();
  const shown = await h.get(`/customer_membership_holds/${id}`);
  assert.deepEqual(
    [shown.end_date, shown.status, await h.statusOf(owned), await kinds(since, owned)],
    ['2026-06-30', 'ended', 'completed', ['customer_membership_hold.ended']],
  );
  assert.deepEqual(await swept(), []);
});

test('far from UTC, the days are those of the business', async () => {
  // 14 hours ahead: on 20 June it is still the 19th in most of the world.
  const zone = 'Pacific/Kiritimati';
  assert.equal(
    (await h.world.patch(`/providers/${h.world.harbour}`, { as: h.world.machine, body: { timezone: zone } })).status,
    200,
  );
  const { owned } = await h.holder(await h.m.pack(5));
  // The change of the zone becomes visible within seconds. There it is the 11th.
  await until(
    'the 10th is over',
    async () =>
      (await h.ask({ customer_membership: owned, start_date: '2026-06-10', days: 1 }, '?dry_run=true')).status === 400,
  );
  const id = await h.hold(owned, '2026-06-20', '2026-06-21');
  for (const [at, status, active] of [
    ['2026-06-19T09:59:59Z', 'active', false],
    ['2026-06-19T10:00:00Z', 'hold', true],
    ['2026-06-21T09:59:59Z', 'hold', true],
    ['2026-06-21T10:00:00Z', 'active', false],
  ] as const) {
    h.world.stopNow(Date.parse(at));
    await workIn(zone, settleDue);
    assert.deepEqual(
      [await h.statusOf(owned), (await h.get(`/customer_membership_holds/${id}`)).active],
      [status, active],
      at,
    );
    assert.deepEqual(
      (await h.get(`/customer_membership_holds?customer_membership=${owned}&active=true`)).count,
      active ? 1 : 0,
    );
  }
});
