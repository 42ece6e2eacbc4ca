import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { anotherServer, beside, chance, contradictions, times, until } from './storm.ts';
import {
  book,
  iso,
  newCustomers,
  newEvent,
  newInstructor,
  newPlace,
  row,
  seats,
  type Place,
} from './schedule-world.ts';
import { bookHeld, holdSeats, lockToBook, releaseHolds } from '../areas/scheduling/schedule/index.ts';
import { expirePlaces } from '../areas/scheduling/schedule/waitlist/waiting.ts';
import { Problem } from '../kernel/base/problem.ts';
import { sql } from '../kernel/base/db/sql.ts';
import { startWorld, type ApiAnswer, type World } from './world.ts';
import type { Work } from '../kernel/work/unit/work.ts';
import { inTurn } from './rare.ts';

let world: World;
let place: Place;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ own: true });
  place = await newPlace(world);
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

const tally = (answers: readonly Pick<ApiAnswer, 'status' | 'body'>[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const what = status < 300 ? 'done' : `${status} ${body.code}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
};

// Guards against: Overselling by booking at the same moment
test('if 120 customers book 20 places at two servers at the same time, exactly 20 succeed and the event is full for the others', async () => {
  const customers = await newCustomers(world, 120);
  const event = await newEvent(world, place, { max_occupancy: 20 });
  const other = await anotherServer(world);
  const headers = { authorization: `Bearer ${world.machine}`, 'content-type': 'application/json' };
  const answers = await times(120, async (i) => {
    if (i % 2 === 0) return book(world, event.id, customers[i]);
    const answer = await fetch(`${other.url}/api/v2/events/${event.id}/register`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ customer: customers[i] }),
    });
    return { status: answer.status, body: await answer.json() };
  });
  await other.close();
  assert.deepEqual(tally(answers), { done: 20, '400 event_full': 100 });
  assert.equal(new Set(answers.filter((a) => a.status === 200).map((a) => a.body.attendance)).size, 20);
  assert.deepEqual(await seats(world, event.id), { attending: 20, held: 0, waiting: 0, booked: 20 });
});

// Guards against: Doing something twice by repeating it
test('a customer who sends 50 concurrent requests has one booking, recorded once', async () => {
  const [customer] = await newCustomers(world, 1);
  const event = await newEvent(world, place);
  const answers = await times(50, () => book(world, event.id, customer));
  assert.deepEqual(tally(answers), { done: 50 });
  assert.equal(new Set(answers.map((a) => a.body.attendance)).size, 1);
  assert.deepEqual(await seats(world, event.id), { attending: 1, held: 0, waiting: 0, booked: 1 });
  const { rows } = await owner.query(
    `SELECT count(*)::int AS n FROM feed_item WHERE kind = 'event_registration.created' AND object_id = $1`,
    [answers[0].body.attendance],
  );
  assert.equal(rows[0].n, 1);
});

// Guards against: Overselling by booking at the same moment
test('the database refuses to oversell, even to concurrent writers that bypass the service', async () => {
  const customers = await newCustomers(world, 24);
  const event = await newEvent(world, place, { max_occupancy: 5 });
  const clients = await times(8, () => beside(world.databaseUrl));
  const outcomes: string[] = [];
  await times(8, async (n) => {
    for (const customer of customers.slice(n * 3, n * 3 + 3)) {
      const insert = clients[n].query(
        `INSERT INTO attendance (provider_id, event_id, customer_id, status) VALUES ($1, $2, $3, 'registered')`,
        [world.harbour, event.id, customer],
      );
      outcomes.push(
        await insert.then(
          () => 'booked',
          (error) => error.constraint as string,
        ),
      );
    }
  });
  assert.equal(outcomes.filter((o) => o === 'booked').length, 5);
  assert.equal(outcomes.filter((o) => o === 'event_capacity').length, 19);
  await assert.rejects(owner.query('UPDATE event SET max_occupancy = 4 WHERE id = $1', [event.id]), {
    constraint: 'event_capacity',
  });
  await Promise.all(clients.map((c) => c.end()));
});

// Guards against: Doing something twice by repeating it
test('20 concurrent requests with one idempotency key act once: the others get the same response or learn that the first is still running', async () => {
  const start = world.now + 48 * 3_600_000;
  const body = {
    name: 'Once',
    venue: place.venue,
    offering_type: place.offering,
    starts_at: iso(start),
    ends_at: iso(start + 3_600_000),
  };
  const ask = () => world.post('/events', { as: world.machine, body, headers: { 'idempotency-key': 'storm-1' } });
  const answers = await times(20, ask);
  const done = answers.filter((a) => a.status === 201);
  assert.ok(done.length >= 1);
  assert.equal(new Set(done.map((a) => a.text)).size, 1);
  assert.equal(done.filter((a) => a.headers.get('idempotent-replayed') === null).length, 1);
  for (const a of answers) if (a.status !== 201) assert.equal(a.body.code, 'idempotency_key_in_use');
  assert.equal((await owner.query(`SELECT 1 FROM event WHERE name = 'Once'`)).rowCount, 1);
  assert.equal((await ask()).text, done[0].text);
});

test('an idempotency key keeps its first response, even a refusal; a different request with the same key is refused; a dry run leaves the key free', async () => {
  const [a, b] = await newCustomers(world, 2);
  const event = await newEvent(world, place, { max_occupancy: 1 });
  const ask = (key: string, customer: number, query = '') =>
    world.post(`/events/${event.id}/register${query}`, {
      as: world.machine,
      body: { customer },
      headers: { 'idempotency-key': key },
    });
  assert.equal((await ask('first', a, '?dry_run=true')).status, 200);
  const booked = await ask('first', a);
  assert.equal(booked.headers.get('idempotent-replayed'), null);
  assert.equal((await ask('first', b)).status, 422);
  const refused = await ask('second', b);
  assert.equal(refused.body.code, 'event_full');
  await world.post(`/events/${event.id}/unregister`, { as: world.machine, body: { customer: a } });
  const again = await ask('second', b);
  assert.equal(again.text, refused.text, 'a place is free now, yet the key has its answer');
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await ask('third', b)).status, 200);
});

test('a refusal with 409 leaves its idempotency key free: the request acts once what stood in its way is gone, and once only', async () => {
  const room = await row(world, 'venue_room', { venue_id: place.venue, name: 'Studio of one' });
  const at = (hours: number) => ({
    starts_at: iso(world.now + hours * 3_600_000),
    ends_at: iso(world.now + (hours + 1) * 3_600_000),
  });
  const first = await newEvent(world, place, { ...at(700), venue_room: room });
  const second = await newEvent(world, place, { ...at(702), venue_room: room });
  const ask = () =>
    world.patch(`/events/${second.id}`, {
      as: world.machine,
      body: at(700),
      headers: { 'idempotency-key': 'once-the-room-is-free' },
    });
  assert.deepEqual(tally([await ask(), await ask()]), { '409 room_taken': 2 });
  assert.equal((await world.post(`/events/${first.id}/cancel`, { as: world.machine, body: {} })).status, 200);
  const moved = await ask();
  assert.equal(moved.status, 200);
  assert.equal(moved.headers.get('idempotent-replayed'), null);
  const again = await ask();
  assert.equal(again.text, moved.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
});

test('one of ten concurrent changes based on the same read succeeds, and the others are told to read again', async () => {
  const event = await newEvent(world, place);
  const tag = (await world.get(`/events/${event.id}`, { as: world.machine })).headers.get('etag')!;
  const answers = await times(10, (i) =>
    world.patch(`/events/${event.id}`, {
      as: world.machine,
      body: { name: `Name ${i}` },
      headers: { 'if-match': tag },
    }),
  );
  assert.deepEqual(tally(answers), { done: 1, '412 version_mismatch': 9 });
});

test('a customer who checks in at two desks at the same time is checked in once', async () => {
  const [customer] = await newCustomers(world, 1);
  const body = { date: '2030-05-05', venue: place.venue, customer };
  const answers = await times(12, () => world.post('/checkins', { as: world.machine, body }));
  assert.deepEqual(tally(answers), { done: 12 });
  assert.equal(new Set(answers.map((a) => a.body.id)).size, 1);
});

test('two systems that concurrently PUT the same external id create one event', async () => {
  const start = world.now + 72 * 3_600_000;
  const body = {
    name: 'Synced',
    venue: place.venue,
    offering_type: place.offering,
    starts_at: iso(start),
    ends_at: iso(start + 3_600_000),
  };
  const answers = await times(16, (i) =>
    world.put('/events/external_id:tide-1', { as: world.machine, body: { ...body, name: `Synced ${i % 2}` } }),
  );
  assert.deepEqual(tally(answers), { done: 16 });
  assert.equal(new Set(answers.map((a) => a.body.id)).size, 1);
  assert.equal((await owner.query(`SELECT 1 FROM event WHERE external_id = 'tide-1'`)).rowCount, 1);
});

test('a room or an instructor is never double-booked by concurrent creates and moves of events', async () => {
  const rooms = await times(2, (i) => row(world, 'venue_room', { venue_id: place.venue, name: `Room ${i}` }));
  const instructors = (await times(2, () => newInstructor(world))).map((i) => i.instructor);
  const base = world.now + 1000 * 3_600_000;
  const answers: ApiAnswer[] = [];
  await times(16, async (n) => {
    const dice = chance(100 + n);
    const mine: number[] = [];
    for (let i = 0; i < 12; i++) {
      const start = base + dice.below(16) * 1_800_000;
      const where = {
        starts_at: iso(start),
        ends_at: iso(start + 3_600_000),
        venue_room: dice.of([...rooms, null]),
        instructors: dice.of([[], [instructors[0]], [instructors[1]], instructors]),
      };
      const move = mine.length > 0 && dice.below(2) === 0;
      const answer = move
        ? await world.patch(`/events/${dice.of(mine)}`, { as: world.machine, body: where })
        : await world.post('/events', {
            as: world.machine,
            body: { name: 'Clash', venue: place.venue, offering_type: place.offering, ...where },
          });
      if (answer.status === 201) mine.push(answer.body.id);
      answers.push(answer);
    }
  });
  const counts = tally(answers);
  for (const what of Object.keys(counts))
    assert.ok(['done', '409 room_taken', '409 instructor_taken'].includes(what), `${what}: ${counts[what]}`);
  assert.ok(counts['409 room_taken'] > 0 && counts['409 instructor_taken'] > 0, JSON.stringify(counts));
  const twice = await owner.query(
    `SELECT a.id, b.id FROM event a JOIN event b ON a.id < b.id AND a.provider_id = b.provider_id
      AND a.status = 'active' AND b.status = 'active'
       AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at
     WHERE a.venue_room_id = b.venue_room_id OR EXISTS (
       SELECT FROM event_instructor x JOIN event_instructor y USING (instructor_id) WHERE x.event_id = a.id
         AND y.event_id = b.id)`,
  );
  assert.deepEqual(twice.rows, []);
});

type State = 'out' | 'booked' | 'attended' | 'waiting';

/** The state that a caller may assume for a customer at an event after a response. */
const AFTER: Record<string, (state: State, code: string) => State> = {
  register: (s, code) => (code === 'done' ? (s === 'attended' ? s : 'booked') : s),
  unregister: (s, code) => (code === 'done' ? 'out' : s),
  join_waitlist: (s, code) => (code === 'done' ? 'waiting' : s),
  leave_waitlist: (s, code) => (code === 'done' ? 'out' : s),
  confirm_attendance: (_s, code) => (code === 'done' ? 'attended' : _s),
};

for (const [index, waitlist] of ['auto_promote', 'reserve'].entries()) {
  inTurn(index, 2)(
    `in a storm of every kind of change, with the waitlist on ${waitlist}, nothing is oversold, lost or given out of turn, and no request fails`,
    async () => {
      const waitlist_policy = [
        { until_minutes_before: null, action: waitlist, ...(waitlist === 'reserve' && { claim_minutes: 600 }) },
      ];
      assert.equal(
        (
          await world.patch(`/providers/${world.harbour}`, {
            as: world.machine,
            body: { waitlist_settings: { waitlist_policy } },
          })
        ).status,
        200,
      );
      await storm(chance(waitlist.length).below(1000));
    },
  );
}

async function storm(seed: number): Promise<void> {
  const events: number[] = [];
  for (let i = 0; i < 10; i++)
    events.push((await newEvent(world, place, { in: 30 + i, max_occupancy: 1 + (i % 4) })).id);
  const watcher = await beside(world.databaseUrl);
  const weather = { over: false };
  let looks = 0;
  const wrong: unknown[] = [];
  const watching = (async () => {
    while (!weather.over) {
      wrong.push(...(await contradictions(watcher, world)));
      looks++;
    }
  })();
  const states = new Map<string, State>();
  const answers: Pick<ApiAnswer, 'status' | 'body'>[] = [];
  const cancelled = new Set<number>();
  const everybody = await newCustomers(world, 16 * 3);
  await times(16, async (n) => {
    const dice = chance(seed + n);
    const mine = everybody.slice(n * 3, n * 3 + 3);
    for (let i = 0; i < 60; i++) {
      const event = dice.of(events);
      if (dice.below(4) === 0) {
        const seat = { event, customer: dice.of(mine) };
        const other = { event: dice.of(events), customer: dice.of(mine) };
        const act = dice.of(['hold', 'hold', 'book', 'book two', 'release', 'expire'] as const);
        const answer = await withHeldSeats(act, seat, other);
        answers.push(answer);
        if (answer.status === 200 && act.startsWith('book'))
          for (const one of act === 'book' ? [seat] : [seat, other])
            states.set(`${one.event}:${one.customer}`, 'booked');
        continue;
      }
      const roll = dice.below(100);
      if (roll >= 93) {
        const last = n === 0 && i > 20 && roll === 99 && cancelled.size < 3;
        const answer = last
          ? await world.post(`/events/${event}/cancel`, { as: world.machine, body: {} })
          : await world.patch(`/events/${event}`, {
              as: world.machine,
              body: { max_occupancy: dice.of([1, 2, 3, 4, null]) },
            });
        if (last && answer.status === 200) cancelled.add(event);
        answers.push(answer);
        continue;
      }
      const action =
        roll < 40
          ? 'register'
          : roll < 65
            ? 'unregister'
            : roll < 84
              ? 'join_waitlist'
              : roll < 90
                ? 'leave_waitlist'
                : 'confirm_attendance';
      const customer = dice.of(mine);
      const answer = await world.post(`/events/${event}/${action}`, { as: world.machine, body: { customer } });
      answers.push(answer);
      const key = `${event}:${customer}`;
      states.set(key, AFTER[action](states.get(key) ?? 'out', answer.status === 200 ? 'done' : answer.body.code));
    }
  });
  weather.over = true;
  await watching;
  await watcher.end();
  const counts = tally(answers);
  assert.deepEqual(
    Object.keys(counts).filter((what) => what.startsWith('5')),
    [],
    JSON.stringify(counts),
  );
  assert.ok(looks > 10, `looked ${looks} times`);
  assert.deepEqual(wrong.slice(0, 3), []);
  assert.deepEqual(await contradictions(owner, world), []);
  for (const [key, state] of states) {
    const [event, customer] = key.split(':').map(Number);
    assert.equal(
      await isTrue(event, customer, state, cancelled.has(event)),
      true,
      `customer ${customer} at event ${event} was told ${state}`,
    );
  }
  for (const event of events) await replay(event);
}

const NAMES_PLACE = new Set(['register', 'join_waitlist']);

// Guards against: Overselling by booking at the same moment
test('in a storm around events with places at the venue and online, neither kind is oversold, lost or left free', async () => {
  const waitlist_policy = [{ until_minutes_before: null, action: 'auto_promote' }];
  const settings = { waitlist_settings: { waitlist_policy } };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: settings })).status, 200);
  const online = await row(world, 'venue', { name: 'Call', venue_type: 'online', timezone: 'UTC' });
  const events = await times(
    3,
    async (i) =>
      (await newEvent(world, place, { in: 60 + i, max_occupancy: 2, online_venue: online, online_max_occupancy: 2 }))
        .id,
  );
  const answers: Pick<ApiAnswer, 'status' | 'body'>[] = [];
  // Few people, so that those who are booked soon get the place of the other kind that they wait for.
  const everybody = await newCustomers(world, 8);
  await times(8, async (n) => {
    const dice = chance(500 + n);
    for (let i = 0; i < 40; i++) {
      const [event, customer] = [dice.of(events), everybody[n]];
      const at = dice.of(['venue', 'online'] as const);
      const act = dice.of([
        'register',
        'register',
        'unregister',
        'join_waitlist',
        'join_waitlist',
        'leave_waitlist',
        'switch',
        'seat',
      ]);
      const ask = (path: string, body: object) => world.post(path, { as: world.machine, body });
      if (act === 'seat') {
        const seat = { event, customer, place: at };
        answers.push(await withHeldSeats(dice.of(['hold', 'book', 'release', 'expire'] as const), seat, seat));
      } else if (act === 'switch') {
        const rows = await world.app.db.transaction(world.harbour, (tx) =>
          tx.rows<{ id: number }>(
            sql`SELECT id FROM attendance WHERE event_id = ${event} AND customer_id = ${customer}`,
          ),
        );
        if (rows.length > 0) answers.push(await ask(`/attendances/${rows[0].id}/switch_place`, { place: at }));
      } else
        answers.push(await ask(`/events/${event}/${act}`, { customer, ...(NAMES_PLACE.has(act) && { place: at }) }));
    }
    for (const event of events)
      answers.push(
        await world.patch(`/events/${event}`, { as: world.machine, body: { online_max_occupancy: dice.of([2, 3]) } }),
      );
  });
  const counts = tally(answers);
  assert.deepEqual(
    Object.keys(counts).filter((what) => what.startsWith('5') || what.startsWith('404')),
    [],
    JSON.stringify(counts),
  );
  assert.ok(counts.done > 50, JSON.stringify(counts));
  assert.deepEqual(await contradictions(owner, world), []);
  const { rows } = await owner.query(
    `SELECT count(*)::int AS n FROM feed_item WHERE kind = 'event_registration.switched'
      AND payload->>'from' = 'waitlist' AND (payload->>'event')::bigint = ANY($1)`,
    [events],
  );
  assert.ok(rows[0].n > 0, 'somebody who was booked got a place of the other kind from the waitlist');
});

interface Seat {
  readonly event: number;
  readonly customer: number;
  readonly place?: 'venue' | 'online';
}

const SEATS = {
  hold: (work: Work, one: Seat, other: Seat) =>
    holdSeats(
      work,
      (other.customer % 3 === 0 ? [one, other] : [one]).map((seat, i) => ({
        ...seat,
        // Some holds expire before anybody can pay.
        until: work.now + ((one.event + i) % 3) * 10_000,
        by: { object: 'checkout_item', id: seat.customer * 100 + i },
        paying: one.event % 4 === 0,
      })),
    ),
  book: (work: Work, one: Seat) => bookHeld(work, { ...one, payer: null }),
  'book two': async (work: Work, one: Seat, other: Seat) => {
    await lockToBook(work, [one, other]);
    for (const seat of [one, other]) await bookHeld(work, { ...seat, payer: null });
  },
  release: (work: Work, one: Seat, other: Seat) =>
    releaseHolds(work, {
      object: 'checkout_item',
      ids: [one, other].flatMap(({ customer }) => [customer * 100, customer * 100 + 1]),
    }),
  expire: (work: Work, one: Seat) => expirePlaces(work, one.event),
};

/** Performs an action of checkouts or the job on held seats, in its own transaction. */
async function withHeldSeats(
  act: keyof typeof SEATS,
  one: Seat,
  other: Seat,
): Promise<Pick<ApiAnswer, 'status' | 'body'>> {
  try {
    await world.work(world.harbour, async (work) => void (await SEATS[act](work, one, other)));
    return { status: 200, body: {} };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, body: { code: error.code } };
  }
}

async function isTrue(event: number, customer: number, state: State, eventCancelled: boolean): Promise<boolean> {
  const { rows } = await owner.query(
    `SELECT (SELECT status FROM attendance WHERE event_id = $1 AND customer_id = $2) AS status,
            EXISTS (SELECT FROM waitlist_spot WHERE event_id = $1 AND customer_id = $2 AND ended_at IS NULL) AS waits`,
    [event, customer],
  );
  const [{ status, waits }] = rows;
  const out = status === null || status === 'not_registered' || status === 'late_cancelled';
  if (state === 'attended') return status === 'attended';
  if (eventCancelled) return out && !waits;
  if (state === 'booked') return status === 'registered' && !waits;
  if (state === 'out') return out && !waits;
  // A customer on the waitlist may have been promoted meanwhile.
  return waits ? out : status === 'registered';
}

/** Replays the feed of an event: each place goes to the first customer on the waitlist, and nobody is booked twice. */
async function replay(event: number): Promise<void> {
  const { rows } = await owner.query(
    `SELECT kind, payload FROM feed_item WHERE (payload->>'event')::bigint = $1 ORDER BY id`,
    [event],
  );
  let queue: number[] = [];
  const booked = new Set<number>();
  const offered = new Set<number>();
  for (const { kind, payload } of rows) {
    const { customer } = payload;
    if (kind === 'waitlist.joined') queue.push(customer);
    if (kind === 'waitlist.promoted' || kind === 'waitlist.offered')
      assert.equal(queue.shift(), customer, `event ${event}: out of turn`);
    if (kind === 'waitlist.offered') offered.add(customer);
    if (kind === 'waitlist.left' || kind === 'event_registration.created') {
      queue = queue.filter((c) => c !== customer);
      offered.delete(customer);
    }
    if (kind === 'event_registration.created') {
      assert.equal(booked.has(customer), false, `event ${event}: ${customer} is booked twice`);
      booked.add(customer);
    }
    if (kind === 'event_registration.cancelled' || kind === 'event_registration.late_cancelled')
      assert.equal(booked.delete(customer), true, `event ${event}: ${customer} had no booking to end`);
    if (kind === 'event.cancelled') {
      queue = [];
      offered.clear();
    }
  }
  const { attending, held, waiting } = await seats(world, event);
  const paid = await owner.query('SELECT 1 FROM seat_hold WHERE event_id = $1 AND spot_expires_at IS NULL', [event]);
  assert.deepEqual(
    { attending, held: held - paid.rowCount!, waiting },
    { attending: booked.size, held: offered.size, waiting: queue.length },
  );
}

test('events that swap rooms concurrently are refused because the room is taken, without a deadlock', async () => {
  const room = await row(world, 'venue_room', { venue_id: place.venue, name: 'Swap' });
  const instructors = (await times(2, () => newInstructor(world))).map((i) => i.instructor);
  const base = world.now + 3000 * 3_600_000;
  const at = (slot: number) => ({
    starts_at: iso(base + slot * 3_600_000),
    ends_at: iso(base + (slot + 1) * 3_600_000),
  });
  const pairs = await times(10, async (i) => [
    await newEvent(world, place, { ...at(2 * i), venue_room: room }),
    await newEvent(world, place, { ...at(2 * i + 1), venue_room: room }),
  ]);
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      pairs.flatMap(([a, b], i) => [
        world.patch(`/events/${a.id}`, { as: world.machine, body: at(2 * i + 1) }),
        world.patch(`/events/${b.id}`, { as: world.machine, body: at(2 * i) }),
      ]),
    );
    assert.deepEqual(tally(answers), { '409 room_taken': 20 });
  }
  const teach = await Promise.all(
    pairs.map(([a], i) =>
      world.patch(`/events/${a.id}`, {
        as: world.machine,
        body: { ...at(100), venue_room: null, instructors: i % 2 ? instructors : instructors.toReversed() },
      }),
    ),
  );
  assert.deepEqual(tally(teach), { done: 1, '409 instructor_taken': 9 });
});

test('bulk cancellations of the same events in opposite order all finish', async () => {
  const worker = await anotherServer(world, { ROLE: 'all' });
  const events = await times(25, (i) => newEvent(world, place, { in: 5000 + i }).then((e) => e.id as number));
  const started = await times(6, (i) =>
    world.post('/events/bulk_cancel', {
      as: world.machine,
      body: { events: { ids: i % 2 ? events : events.toReversed() } },
    }),
  );
  const results = (id: number) => world.get(`/bulk_actions/${id}/results`, { as: world.machine });
  const statuses = await until('all are done', async () => {
    const all = (await Promise.all(started.map((s) => results(s.body.id)))).flatMap((r) =>
      r.body.results.map((x: any) => x.status),
    );
    return all.includes('pending') ? null : all;
  });
  await worker.close();
  assert.equal(statuses.filter((s: string) => s === 'success').length, 25);
  assert.equal(statuses.filter((s: string) => s === 'error').length, 125);
});

// The last test: the statistics of sessions are certain only once they have ended.
test('throughout these tests, the database never had to break a deadlock', async () => {
  await world.app.db.close();
  await until(
    'the sessions have ended',
    async () =>
      (await owner.query('SELECT numbackends FROM pg_stat_database WHERE datname = current_database()')).rows[0]
        .numbackends === 1,
  );
  const { rows } = await owner.query('SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()');
  assert.equal(rows[0].deadlocks, 0);
});
