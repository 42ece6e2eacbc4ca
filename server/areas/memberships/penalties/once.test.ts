/**
 * Tests that the strikes and penalties are the same, each once, after any order, repetition, standstill or concurrency.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, chance, times, until } from '../../../test/storm.ts';
import { book, newCustomers, newEvent } from '../../../test/schedule-world.ts';
import { inTurns } from '../../../test/rare.ts';
import { NOON, PenaltyWorld, type Booking, type Holder } from '../../../test/worlds/penalty-world.ts';
import { startReaders } from '../../../test/worlds/feed-readers.ts';
import type { World } from '../../../test/world.ts';

const HOUR = 3_600_000;

let p: PenaltyWorld;
let world: World;
let owner: pg.Client;
before(async () => {
  p = await PenaltyWorld.start({ own: true });
  world = p.world;
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await p.close();
});

/** Creates a customer who has booked a number of past events. */
async function visitor(n: number): Promise<Holder & { bookings: Booking[] }> {
  const of = await p.holder();
  const bookings: Booking[] = [];
  for (let i = 0; i < n; i++) bookings.push(await p.booked(of, i + 1));
  return { ...of, bookings };
}

/** Returns the result: the bookings that are strikes with their state, and the amount owed. */
const outcome = async (of: Holder & { bookings: Booking[] }) => ({
  strikes: (await p.strikes(of))
    .filter((s) => s.end_reason === null)
    .map((s) => [
      of.bookings.findIndex(({ attendance }) => attendance === s.attendance),
      s.status,
      s.sequence_position,
    ]),
  owed: (await p.owed(of)).map((a) => a.amount.string),
});

test('the time at which the feed is read does not matter, nor the order in which staff mark: the final marks decide', async () => {
  // One in turns from change to change, all of them in `npm run test:all`.
  for (const seed of inTurns([1, 2, 3], 3)) {
    const { of, below } = chance(seed);
    const [often, once] = [await visitor(9), await visitor(9)];
    world.setNow(NOON + 24 * HOUR);
    const marks = Array.from({ length: 9 }, () => 'registered');
    for (let step = 0; step < 24; step++) {
      const [which, status] = [below(9), of(['no_show', 'no_show', 'attended', 'registered'])];
      marks[which] = status;
      await p.mark(often.bookings[which], status);
      if (below(3) === 0) await p.read();
    }
    for (const [i, status] of marks.entries()) if (status !== 'registered') await p.mark(once.bookings[i], status);
    await p.read();
    const expected = await outcome(once);
    assert.deepEqual(await outcome(often), expected);
    assert.equal(expected.owed.length, Math.floor(marks.filter((status) => status === 'no_show').length / 3));
  }
});

test('after a standstill everything is made up for in one run, with the same result', async () => {
  const [one, other] = [await visitor(6), await visitor(6)];
  world.setNow(NOON + 24 * HOUR);
  for (const booking of one.bookings) {
    await p.mark(booking, 'no_show');
    await p.read();
  }
  for (const booking of other.bookings) await p.mark(booking, 'no_show');
  world.setNow(NOON + 240 * HOUR);
  await p.read();
  assert.deepEqual(await outcome(other), await outcome(one));
  assert.deepEqual(
    (await p.penalties(other)).map((penalty) => penalty.due_date),
    ['2026-06-21', '2026-06-21'],
    'the days until the charge begin when it is decided',
  );
});

test('merging two records of a person leaves one strike for each event, and removes the penalty that no longer follows', async () => {
  const of = await p.holder();
  const [twin] = await newCustomers(world, 1);
  await p.m.share(of.owned, twin);
  const { id: event } = await newEvent(world, p.m.place, { in: 24 });
  for (const customer of [of.customer, twin]) {
    assert.equal((await book(world, event, customer)).status, 200);
    await p.cancel(event, customer);
  }
  await p.cancelLate({ customer: twin });
  await p.read();
  assert.equal((await p.owed(of)).length, 1);
  assert.equal((await p.post(`/customers/${of.customer}/merge`, { from: twin })).status, 200);
  await p.read();
  assert.deepEqual(
    [(await p.owed(of)).length, (await p.strikes(of)).map((s) => s.end_reason).toSorted()],
    [0, ['booking_dropped', null, null]],
  );
  assert.deepEqual([...new Set((await p.strikes(of)).map((s) => s.customer))], [of.customer]);
});

const deadlocks = async (): Promise<number> =>
  Number(
    (await owner.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')).rows[0].deadlocks,
  );

test('concurrent workers, marks and forgiveness record nothing twice, no strike in two penalties, and no deadlock', async () => {
  const visitors = [await visitor(9), await visitor(9)];
  world.setNow(NOON + 24 * HOUR);
  for (const visits of visitors) for (const booking of visits.bookings) await p.mark(booking, 'no_show');
  await p.read();
  const before = await deadlocks();
  const workers = [
    await startReaders(world.databaseUrl, [], { now: () => world.now }),
    await startReaders(world.databaseUrl, [], { now: () => world.now }),
  ];
  try {
    await times(4, async (walker) => {
      const { of, below } = chance(walker + 100);
      for (let step = 0; step < 12; step++) {
        const visits = of(visitors);
        if (step % 3 === 2) {
          const [strike] = await p.strikes(visits, '&status=open,in_penalty_sequence,upcoming_charge');
          if (strike) assert.equal((await p.forgive(strike.id)).status, 200);
        } else await p.mark(visits.bookings[below(9)], of(['no_show', 'attended']));
      }
    });
    await until('all is read', async () => {
      const { rows } = await owner.query(
        `SELECT (SELECT count(*) FROM feed_item WHERE seq IS NULL) + (SELECT count(*) FROM feed_position f
          JOIN feed_reader_position r USING (provider_id)
          WHERE r.reader = 'penalties' AND r.last_seq < f.last_seq) AS n`,
      );
      return rows[0].n === '0';
    });
  } finally {
    for (const worker of workers) await worker.stop();
  }
  assert.equal(await deadlocks(), before);
  for (const visits of visitors) {
    const strikes = await p.strikes(visits);
    const standing = strikes.filter((s) => s.end_reason === null);
    const absent = (await p.get(`/attendances?customer=${visits.customer}&status=no_show`)).results.map(
      (a: any) => a.id,
    );
    const forgiven = strikes.filter((s) => s.end_reason === 'forgiven').map((s) => s.attendance);
    assert.ok(forgiven.length > 0);
    assert.deepEqual(
      standing.map((s) => s.attendance),
      absent.filter((a: number) => !forgiven.includes(a)).toSorted((a: number, b: number) => a - b),
    );
    assert.equal((await p.owed(visits)).length, Math.floor(standing.length / 3));
    assert.deepEqual(
      standing.map((s) => s.sequence_position),
      standing.map((_, i) => (i % 3) + 1),
    );
  }
});

const fails = (text: string, name: RegExp) => assert.rejects(owner.query(text), name);

test('the database itself refuses a second strike for a booking, a second position in a penalty, and a penalty that is both charged and voided', async () => {
  const of = await p.holder();
  await p.cancelLate(of, 3);
  await p.read();
  const [strike] = await p.strikes(of);
  const [penalty] = await p.penalties(of);
  const columns =
    'provider_id, customer_membership_id, rule_id, attendance_id, type, expires_at, occurred_at, penalty_id, sequence_position';
  await fails(
    `INSERT INTO membership_strike (${columns}) SELECT ${columns} FROM membership_strike WHERE id = ${strike.id}`,
    /membership_strike_one/,
  );
  await fails(
    `UPDATE membership_strike SET sequence_position = 1 WHERE penalty_id = ${penalty.id}`,
    /membership_strike_place/,
  );
  await fails(
    `UPDATE membership_penalty SET charged_at = now(), voided_at = now() WHERE id = ${penalty.id}`,
    /membership_penalty_check/,
  );
  await fails(
    `INSERT INTO membership_penalty_system_membership
      (provider_id, membership_penalty_system_id, membership_id, system_status)
    SELECT provider_id, (SELECT min(id) FROM membership_penalty_system WHERE status = 'active' AND id <> ${of.system}),
      membership_id, 'active' FROM membership_penalty_system_membership
    WHERE membership_penalty_system_id = ${of.system}`,
    /membership_one_penalty_system/,
  );
});
