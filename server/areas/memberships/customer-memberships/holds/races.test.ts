import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { contradictions, times } from '../../../../test/storm.ts';
import { HoldWorld, NOON } from '../../../../test/worlds/hold-world.ts';
import { newEvent } from '../../../../test/schedule-world.ts';

let h: HoldWorld;
let earlier: number;
before(async () => {
  h = await HoldWorld.start();
  earlier = await deadlocks();
});
beforeEach(() => h.world.setNow(NOON));
after(() => h.close());

const ROUNDS = 16;

async function deadlocks(): Promise<number> {
  await h.rows('SELECT pg_stat_force_next_flush()');
  const [row] = await h.rows('SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()');
  return row.deadlocks;
}

/** Checks that the database had no deadlock, and that all invariants hold. */
async function consistent(): Promise<void> {
  assert.equal(await deadlocks(), earlier);
  assert.deepEqual(await contradictions(h.owner, h.world), []);
}

test('exactly one of two concurrent holds for the same days is created', async () => {
  const pack = await h.m.pack(5);
  for (let round = 0; round < ROUNDS; round++) {
    const { owned } = await h.holder(pack);
    const answers = await times(3, (i) => h.ask({ customer_membership: owned, start_date: `2026-06-2${i}`, days: 10 }));
    assert.deepEqual(answers.map((a) => a.status).toSorted(), [201, 400, 400], answers.map((a) => a.text).join());
    assert.equal((await h.get(`/customer_membership_holds?customer_membership=${owned}`)).count, 1);
  }
  await consistent();
});

test('the database itself guarantees at most one hold of a membership at a time, regardless of the writer', async () => {
  const { owned } = await h.holder(await h.m.pack(5));
  await h.hold(owned, '2026-06-20', null);
  await assert.rejects(
    h.rows(
      `INSERT INTO customer_membership_hold (provider_id, customer_membership_id, start_date, end_date, made_by,
        resolution, begins_at, over_at) VALUES ($1, $2, '2026-07-01', '2026-07-02', 'staff', '{}', now(), now())`,
      [h.world.harbour, owned],
    ),
    /customer_membership_hold_one/,
  );
});

test('in a race between a hold and a booking, the booking is refused or settled, never neither', async () => {
  const pack = await h.m.pack(5);
  let [refused, settled] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const { customer, owned } = await h.holder(pack);
    const { id: event } = await newEvent(h.world, h.m.place, { in: 48 });
    const acts = [
      () => h.ask({ customer_membership: owned, start_date: '2026-06-12', days: 3 }),
      () => h.world.post(`/events/${event}/register`, { as: h.world.machine, body: { customer } }),
    ];
    // Each goes first in half of the rounds.
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    const answers: any[] = [];
    await Promise.all(order.map(async (i) => void (answers[i] = await acts[i]())));
    const [hold, booking] = answers;
    assert.equal(hold.status, 201, hold.text);
    if (booking.status === 200) {
      settled++;
      assert.equal((await h.get(`/attendances/${booking.body.attendance}`)).status, 'not_registered');
    } else {
      refused++;
      assert.equal(booking.body.code, 'membership_on_hold', booking.text);
    }
    assert.equal(await h.m.used(owned), 0);
    const [{ left }] = await h.rows(
      `SELECT count(*)::int AS left FROM attendance WHERE event_id = $1 AND status = 'registered'`,
      [event],
    );
    assert.equal(left, 0);
  }
  assert.equal(refused + settled, ROUNDS);
  await consistent();
});

test('concurrent holds, bookings, cancellations and waitlists for the same few events never fail or deadlock', async () => {
  const pack = await h.m.pack(100);
  const people = await times(6, () => h.holder(pack));
  const events = (await times(4, (i) => newEvent(h.world, h.m.place, { in: 48 + i, max_occupancy: 3 }))).map(
    (e) => e.id,
  );
  const book = (person: number, event: number) =>
    h.world.post(`/events/${events[event]}/register`, {
      as: h.world.machine,
      body: { customer: people[person].customer },
    });
  const acts = [
    (p: number, e: number) => book(p, e),
    (p: number, e: number) =>
      h.world.post(`/events/${events[e]}/join_waitlist`, {
        as: h.world.machine,
        body: { customer: people[p].customer },
      }),
    (p: number, e: number) =>
      h.world.post(`/events/${events[e]}/unregister`, { as: h.world.machine, body: { customer: people[p].customer } }),
    async (p: number) => {
      const made = await h.ask({ customer_membership: people[p].owned, start_date: '2026-06-12', days: 1 + (p % 3) });
      return made.status === 201 ? h.end(made.body.id) : made;
    },
  ];
  for (let round = 0; round < 6; round++) {
    const answers = await times(24, (i) => acts[(i + round) % 4](i % 6, (i * 7 + round) % 4));
    assert.deepEqual(
      answers.filter((a) => a.status >= 500).map((a) => a.text),
      [],
    );
  }
  await consistent();
  const wrong = await h.rows(
    `SELECT a.id FROM attendance a JOIN entitlement_entry n ON n.attendance_id = a.id AND n.open
      JOIN customer_membership_hold x ON x.customer_membership_id = n.customer_membership_id
    WHERE a.status = 'registered' AND n.event_starts_on BETWEEN x.start_date AND coalesce(x.end_date, 'infinity')
      AND a.provider_id = $1`,
    [h.world.harbour],
  );
  assert.deepEqual(wrong, []);
});

test('two concurrent changes of a hold are made one after the other, and the last day reflects both', async () => {
  const pack = await h.m.pack(5);
  for (let round = 0; round < 15; round++) {
    const { owned } = await h.holder(pack, { expiration_date: '2026-12-31' });
    const id = await h.hold(owned, '2026-06-10', '2026-06-19', { extend_expirations: true });
    const answers = await Promise.all([
      h.edit(id, { days_to_add: 5 }),
      h.edit(id, { days_to_add: 7 }),
      ...(round % 3 === 0 ? [h.end(id)] : []),
    ]);
    assert.deepEqual(
      answers.filter((a) => ![200, 404].includes(a.status)).map((a) => a.text),
      [],
    );
    const [row] = await h.rows(
      `SELECT cm.expiration_date::text AS last,
        (SELECT sum(extended_days)::int FROM customer_membership_hold WHERE customer_membership_id = cm.id) AS moved,
        cm.status FROM customer_membership cm WHERE id = $1`,
      [owned],
    );
    assert.deepEqual(
      row,
      round % 3 === 0
        ? { last: '2026-12-31', moved: null, status: 'active' }
        : { last: '2027-01-22', moved: 22, status: 'hold' },
    );
  }
  await consistent();
});
