import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MemberWorld } from '../../../../test/worlds/member-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { times } from '../../../../test/storm.ts';

const ROUNDS = 12;

let world: World;
let w: MemberWorld;
before(async () => {
  // Contradictions are searched in the whole database.
  world = await startWorld({ own: true });
  world.setNow(Date.parse('2026-06-10T16:00Z'));
  w = await MemberWorld.of(world);
});
after(() => w.close());

const post = (path: string, body: object) => world.post(path, { as: world.machine, body });

async function deadlocks(): Promise<number> {
  await w.owner.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await w.owner.query<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0].deadlocks);
}

test('a concurrent upgrade and bookings leave each booking with a membership that pays, without deadlocks', async () => {
  const before = await deadlocks();
  const [old, next] = [await w.m.pack(3), await w.m.pack(2)];
  const events = await Promise.all([2, 3, 4, 5].map((days) => w.event(days, { max_occupancy: 1000 })));
  for (let round = 0; round < ROUNDS; round++) {
    const { id, customer } = await w.holder(old);
    await w.book(events[0], customer);
    const answers = await Promise.all([
      ...events.slice(1).map((event) => post(`/events/${event}/register`, { customer })),
      post(`/customer_memberships/${id}/upgrade`, { membership: next }),
    ]);
    const upgraded = answers.at(-1)!;
    assert.equal(upgraded.status, 200, upgraded.text);
    for (const answer of answers.slice(0, -1))
      assert.ok(
        answer.status === 200 || ['allotment_used_up', 'membership_expired'].includes(answer.body.code),
        answer.text,
      );
    const { rows } = await w.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM attendance WHERE customer_id = $1 AND status = 'registered'`,
      [customer],
    );
    assert.equal(rows[0].n, 2, 'the two uses of the new one are used, for there are four who want them');
    assert.deepEqual(await w.membershipContradictions(), []);
  }
  assert.equal(await deadlocks(), before);
});

test('two concurrent changes of the same membership run one after the other: one upgrade, one credit, one end', async () => {
  const [old, next] = [await w.m.pack(5), await w.m.pack(8)];
  for (let round = 0; round < ROUNDS; round++) {
    const { id, customer } = await w.holder(old);
    await w.book(await w.event(2), customer);
    const what = ['upgrade', 'upgrade', 'cancel', 'cancel'] as const;
    const answers = await times(4, (i) =>
      post(
        `/customer_memberships/${id}/${what[i]}`,
        what[i] === 'cancel' ? { cancellation_reason: 'mistake' } : { membership: next },
      ),
    );
    assert.deepEqual(answers.map((a) => a.status).toSorted(), [200, 409, 409, 409], answers.map((a) => a.text).join());
    const { rows } = await w.owner.query(
      `SELECT cm.id, cm.status, cm.cancellation_reason AS reason, (SELECT count(*)::int FROM account_entry a WHERE a.customer_membership_id = cm.id) AS credits
      FROM customer_membership cm WHERE customer_id = $1 ORDER BY id`,
      [customer],
    );
    const upgraded = rows[0].reason === 'upgraded';
    assert.deepEqual(
      rows.map((r) => [r.status, r.credits]),
      upgraded
        ? [
            ['cancelled', 0],
            ['active', 1],
          ]
        : [['cancelled', 0]],
    );
    assert.deepEqual(await w.membershipContradictions(), []);
  }
});

test('concurrent upgrades in opposite directions never deadlock', async () => {
  const before = await deadlocks();
  const [a, b] = [await w.m.pack(5), await w.m.pack(8)];
  const owned = await times(12, (i) => w.holder(i % 2 ? a : b));
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all(
      owned.map(({ id }, i) => post(`/customer_memberships/${id}/upgrade`, { membership: (i + round) % 2 ? b : a })),
    );
    for (const [i, answer] of answers.entries()) {
      assert.equal(answer.status, 200, answer.text);
      owned[i] = { ...owned[i], id: answer.body.id };
    }
  }
  assert.deepEqual(await w.membershipContradictions(), []);
  assert.equal(await deadlocks(), before);
});

test('concurrent cancellation, reactivation and booking leave no booking without a payer', async () => {
  const pack = await w.m.pack(9, { duration: 1, duration_unit: 'months' });
  for (let round = 0; round < ROUNDS; round++) {
    const { id, customer } = await w.holder(pack);
    const events = await Promise.all([w.event(3), w.event(12), w.event(20)]);
    await w.book(events[1], customer);
    const answers = await Promise.all([
      post(`/customer_memberships/${id}/cancel`, { forced_expiration_date: '2026-06-20' }),
      post(`/customer_memberships/${id}/cancel`, { forced_expiration_date: '2026-06-15' }),
      post(`/customer_memberships/${id}/reactivate`, {}),
      ...[events[0], events[2]].map((event) => post(`/events/${event}/register`, { customer })),
    ]);
    for (const answer of answers) assert.ok(answer.status < 500, answer.text);
    assert.deepEqual(await w.membershipContradictions(), []);
    const { rows } = await w.owner.query(
      `SELECT status, is_set_for_cancellation AS set, expiration_date::text AS "end", end_before_cancellation::text AS before FROM customer_membership WHERE id = $1`,
      [id],
    );
    const [{ set, end, before }] = rows;
    if (set) assert.deepEqual([['2026-06-15', '2026-06-20'].includes(end), before], [true, '2026-07-09']);
    else assert.deepEqual([end, before], ['2026-07-09', null]);
  }
});
