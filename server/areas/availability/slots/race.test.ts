import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/zone.ts';
import { Batch } from '../../../kernel/base/db/sharing/batch.ts';
import { bookSlot, newPractice, newRoom, slotsOf } from '../../../test/worlds/slot-world.ts';
import { findSlots } from './find.ts';
import { newSchedule } from '../../../test/worlds/hours-world.ts';
import { newCustomers, newVenue } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startBeside, startWorld } from '../../../test/world.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const world = await startWorld();
after(() => world.close());
const as = world.machine;

test('if many want one time at the same moment, exactly one gets it, and the others see the nearest alternatives', async () => {
  const practice = await newPractice(world);
  const other = await startBeside(world);
  const slots = await slotsOf(world, practice);
  const customers = await newCustomers(world, 60);
  // Separately and combined: a request with an idempotency key never shares its transaction.
  const answers = await Promise.all(
    customers.map((customer, i) =>
      (i % 2 ? world : other).post(`/slots/${slots[3].id}/register`, {
        as,
        body: { customer },
        headers: i % 3 ? {} : { 'idempotency-key': `race-${customer}` },
      }),
    ),
  );
  const won = answers.filter((a) => a.status === 200);
  assert.equal(won.length, 1, answers.map((a) => a.status).join());
  for (const { status, body, text } of answers.filter((a) => a.status !== 200)) {
    assert.deepEqual([status, body.code], [409, 'slot_taken'], text);
    assert.deepEqual(
      body.alternatives
        .slice(0, 2)
        .map((s: any) => s.local_starts_at.slice(11, 13))
        .toSorted(),
      ['11', '13'],
    );
  }
});

test('the losers of a time together cost as many statements as one of them, and a repeated request for a won booking still succeeds', async () => {
  const practice = await newPractice(world);
  const [slot] = await slotsOf(world, practice);
  const customers = await newCustomers(world, 150);
  const ask = (customer: number) => world.post(`/slots/${slot.id}/register`, { as, body: { customer } });
  const won = await ask(customers[0]);
  assert.equal(won.status, 200, won.text);
  let [statements, transactions] = [0, 0];
  const complete = Batch.prototype.handleCommandComplete;
  Batch.prototype.handleCommandComplete = function (message) {
    statements += 1;
    if (message.text === 'BEGIN') transactions += 1;
    return complete.call(this, message);
  };
  const answers = await Promise.all(customers.toReversed().map(ask)).finally(() => {
    Batch.prototype.handleCommandComplete = complete;
  });
  assert.deepEqual(answers.pop()!.body, won.body);
  for (const { status, body } of answers) assert.deepEqual([status, body.code], [409, 'slot_taken']);
  // How many arrive together depends on the load of the machine.
  assert.ok(statements <= transactions * 25, `${statements} statements in ${transactions} transactions`);
});

test('if many want one time with any instructor, as many get it as there are instructors, and no more than there are rooms', async () => {
  for (const [rooms, instructors, places] of [
    [0, 3, 3],
    [2, 3, 2],
  ] as const) {
    const practice = await newPractice(world, { instructors });
    for (let i = 0; i < rooms; i++) {
      const room = await newRoom(world, practice.venue);
      await world.work(world.harbour, ({ tx }) =>
        tx.all([
          sql`UPDATE offering_type SET default_venue_id = ${practice.venue}
            WHERE provider_id = ${world.harbour} AND id = ${practice.offering}`,
          sql`INSERT INTO offering_type_room (provider_id, offering_type_id, venue_room_id)
            VALUES (${world.harbour}, ${practice.offering}, ${room})`,
        ]),
      );
    }
    const [slot] = await slotsOf(world, practice, { instructors: 'any' });
    const customers = await newCustomers(world, 12);
    const answers = await Promise.all(
      customers.map((customer, i) =>
        world.post(`/slots/${slot.id}/register`, {
          as,
          body: { customer },
          headers: i % 2 ? {} : { 'idempotency-key': `pool-${customer}` },
        }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200).map(({ body }) => body.event);
    assert.equal(won.length, places, answers.map(({ status }) => status).join());
    assert.ok(answers.every(({ status, body }) => status === 200 || body.code === 'slot_taken'));
    const events = await Promise.all(won.map((event) => world.get(`/events/${event}?expand=instructors`, { as })));
    assert.equal(new Set(events.map(({ body }) => body.instructors[0].id)).size, places);
    if (rooms > 0) assert.equal(new Set(events.map(({ body }) => body.venue_room)).size, places);
    assert.ok((await slotsOf(world, practice)).every(({ starts_at: start }) => start !== slot.starts_at));
  }
});

test('exactly one of two concurrent bookings succeeds if both leave no time to travel, or exceed the daily limit', async () => {
  for (const limit of [null, 1]) {
    const here = await newPractice(world);
    const [instructor] = here.instructors;
    const there = { ...here, venue: await newVenue(world, { timezone: 'America/Toronto' }) };
    await newSchedule(world, { instructor, venue: there.venue, daily: '09:00-17:00' });
    const set = await world.patch('/slots/settings', {
      as,
      body: {
        travel_times: limit === null ? [{ venue: here.venue, other_venue: there.venue, minutes: 30 }] : [],
        instructor_limits: limit === null ? [] : [{ instructor, daily_limit: limit }],
      },
    });
    assert.equal(set.status, 200, set.text);
    const at = async (venue: number, time: string) =>
      (await slotsOf(world, here, { venues: venue })).find((slot) => slot.local_starts_at.endsWith(`T${time}:00`))!.id;
    const pair = [await at(here.venue, '10:00'), await at(there.venue, '11:00')];
    const customers = await newCustomers(world, 8);
    const answers = await Promise.all(customers.map((customer, i) => bookSlot(world, pair[i % 2], customer)));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, ...Array(7).fill(409)],
    );
  }
  await world.patch('/slots/settings', { as, body: { travel_times: [], instructor_limits: [] } });
});

/** Finds pairs of uses of one room or instructor that overlap, buffers included, at these venues. */
const meeting = (venue: number) =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`
      WITH uses AS (SELECT e.id, e.venue_room_id AS room,
        event_uses(e.starts_at, e.ends_at, e.buffer_before, e.buffer_after) AS during,
          (SELECT array_agg(i.instructor_id) FROM event_instructor i
            WHERE i.provider_id = e.provider_id AND i.event_id = e.id) AS instructors
        FROM event e WHERE e.provider_id = ${world.harbour} AND e.venue_id = ${venue} AND e.status = 'active')
      SELECT a.id, b.id AS other FROM uses a JOIN uses b ON a.id < b.id AND a.during && b.during
        AND (a.room = b.room OR a.instructors && b.instructors)`),
  );

test('after a storm of bookings, moves and cancellations, no person or room is used twice, and no daily limit is exceeded', async () => {
  const practice = await newPractice(world, {
    instructors: 3,
    slot_buffer_before: 5,
    slot_buffer_after: 10,
    slot_increments: 15,
  });
  const rooms = [await newRoom(world, practice.venue), await newRoom(world, practice.venue)];
  await world.work(world.harbour, ({ tx }) =>
    tx.all([
      sql`UPDATE offering_type SET default_venue_id = ${practice.venue}
        WHERE provider_id = ${world.harbour} AND id = ${practice.offering}`,
      sql`INSERT INTO offering_type_room (provider_id, offering_type_id, venue_room_id)
        SELECT ${world.harbour}, ${practice.offering}, unnest(${rooms}::bigint[])`,
    ]),
  );
  const limit = await world.patch('/slots/settings', {
    as,
    body: { instructor_limits: practice.instructors.map((instructor) => ({ instructor, daily_limit: 4 })) },
  });
  assert.equal(limit.status, 200, limit.text);
  const customers = await newCustomers(world, 24);
  // The same storm in every run.
  let seed = 7;
  const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
  const booked: { event: number; customer: number }[] = [];
  const allowed = new Set([200, 400, 404, 409]);
  const codes = new Map<string, number>();
  const check = ({ status, body, text }: { status: number; body: any; text: string }) => {
    assert.ok(allowed.has(status), text);
    const code = status === 200 ? 'done' : body.code;
    codes.set(code, (codes.get(code) ?? 0) + 1);
  };
  for (let round = 0; round < 6; round++) {
    const any = await slotsOf(world, practice, { instructors: round % 2 ? 'any' : practice.instructors.join() });
    const pick = () => any[random(Math.min(any.length, 12))].id;
    if (any.length === 0) break;
    await Promise.all(
      customers.map(async (customer, i) => {
        const mine = booked.find((b) => b.customer === customer);
        if (!mine) {
          const answer = await bookSlot(world, pick(), customer);
          check(answer);
          if (answer.status === 200) booked.push({ event: answer.body.event, customer });
        } else if (i % 2) check(await world.post(`/events/${mine.event}/reschedule`, { as, body: { slot: pick() } }));
        else {
          check(await world.post(`/events/${mine.event}/unregister`, { as, body: { customer } }));
          booked.splice(booked.indexOf(mine), 1);
        }
      }),
    );
    assert.deepEqual(await meeting(practice.venue), []);
  }
  assert.ok((codes.get('done') ?? 0) > 10 && (codes.get('slot_taken') ?? 0) > 0, JSON.stringify([...codes]));
  const days = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{
      n: number;
    }>(sql`SELECT count(*) AS n FROM event_instructor i
      JOIN event e ON e.provider_id = i.provider_id AND e.id = i.event_id
      WHERE i.provider_id = ${world.harbour} AND i.instructor_id = ANY(${practice.instructors}::bigint[])
        AND e.status = 'active' GROUP BY i.instructor_id, e.local_starts_at::date`),
  );
  assert.ok(days.length > 0);
  for (const { n } of days) assert.ok(n <= 4, `${n} appointments on a day`);
  await world.patch('/slots/settings', { as, body: { instructor_limits: [] } });
});

/** Wraps a transaction and counts its statements. */
function counting(tx: Transaction): { tx: Transaction; count: () => number } {
  let sent = 0;
  const counted = new Proxy(tx, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name === 'rows' || name === 'one' || name === 'run')
        return (...args: unknown[]) => {
          sent++;
          return value.apply(target, args);
        };
      if (name === 'send' || name === 'all')
        return (list: readonly unknown[]) => {
          sent += list.length;
          return value.apply(target, [list]);
        };
      return value.bind(target);
    },
  });
  return { tx: counted, count: () => sent };
}

test('free times take three statements and a fourth for a customer, regardless of the number of days, instructors and bookings', async () => {
  const small = await newPractice(world);
  const large = await newPractice(world, { instructors: 6 });
  for (const slot of (await slotsOf(world, large)).slice(0, 5))
    await bookSlot(world, slot.id, await world.newCustomer());
  const customer = await world.newCustomer();
  const cost = (practice: typeof small, days: number, of: number | null) =>
    world.work(world.harbour, async (work) => {
      const { tx, count } = counting(work.tx);
      const counted = Object.create(work, { tx: { value: tx } });
      const { slots, plannedOn } = await findSlots(counted, {
        offeringType: practice.offering,
        from: practice.date,
        to: addDays(practice.date, days - 1),
        customer: of,
      });
      await plannedOn(slots);
      return count();
    });
  assert.deepEqual(
    [
      await cost(small, 1, null),
      await cost(large, 31, null),
      await cost(small, 1, customer),
      await cost(large, 31, customer),
    ],
    [3, 3, 4, 4],
  );
});
