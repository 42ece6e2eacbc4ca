import assert from 'node:assert/strict';
import { addDays } from '../../../kernel/base/values/date.ts';
import { after, before, describe, test } from 'node:test';
import { bookJob } from './keep-booking.ts';
import { bookSlot, newPractice, newRoom, slotsOf, type Practice } from '../../../test/worlds/slot-world.ts';
import { datesOf, reserve } from './test/world.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { newCustomers, row } from '../../../test/schedule-world.ts';
import { newSchedule } from '../../../test/worlds/hours-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { times } from '../../../test/storm.ts';

const DAY = 86_400_000;

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const as = () => world.machine;
const weekly = (practice: Practice, over: object = {}) => ({
  offering_type: practice.offering,
  venue: practice.venue,
  instructor: practice.instructors[0] ?? null,
  local_time: '10:00',
  start_date: practice.date,
  ...over,
});
const weeks = ({ date }: Practice, n: number): string[] => Array.from({ length: n }, (_, i) => addDays(date, 7 * i));
const preview = (body: object, token = as()) => world.post('/recurring_reservations/preview', { as: token, body });
const job = (reservation: number) => world.work(world.harbour, (work) => bookJob.run(work, { reservation }));

/** Returns the customer's bookings of the offering type, from the attendances: time, instructor and room. */
const booked = async (practice: Practice, customer: number): Promise<any[]> => {
  const { body } = await world.get(
    `/attendances?customer=${customer}&status=registered&fields=event.starts_at,event.instructors.id,event.venue_room,event.offering_type`,
    { as: as() },
  );
  return body.results
    .map(({ event }: any) => ({ ...event, instructors: event.instructors.map(({ id }: any) => id) }))
    .filter((event: any) => event.offering_type === practice.offering)
    .toSorted((a: any, b: any) => (a.starts_at < b.starts_at ? -1 : 1));
};
const timesBooked = async (practice: Practice, customer: number) =>
  (await booked(practice, customer)).map(({ starts_at }) => starts_at.slice(0, 16));
const move = (date: string, at: string) => ({ moved_dates: [{ date, local_starts_at: at }] });
/** Books the time of a date for somebody else. */
const taken = async (practice: Practice, date: string, time = '10:00') => {
  const [other] = await newCustomers(world, 1);
  const slot = (await slotsOf(world, { ...practice, date })).find((one) => one.local_starts_at.slice(11, 16) === time)!;
  const { status, text } = await bookSlot(world, slot.id, other);
  assert.equal(status, 200, text);
};

describe('an appointment every week', () => {
  test('books the free time of each date, with an event and a booking of its own', async () => {
    const [me] = await newCustomers(world, 1);
    const practice = await newPractice(world);
    const made = await reserve(world, { customer: me, ...weekly(practice, { times: 3 }) });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(
      [made.body.instructor, made.body.venue_room, made.body.moved_dates],
      [practice.instructors[0], null, []],
    );
    assert.deepEqual(
      await datesOf(world, made.body.id),
      weeks(practice, 3).map((date) => `${date} booked`),
    );
    const events = await booked(practice, me);
    assert.deepEqual(
      events.map(({ starts_at, instructors }) => [starts_at.slice(0, 16), instructors]),
      weeks(practice, 3).map((date) => [`${date}T10:00`, practice.instructors]),
    );
    const free = await slotsOf(world, { ...practice, date: addDays(practice.date, 7) });
    assert.ok(!free.some((slot) => slot.local_starts_at.endsWith('T10:00:00')), 'nobody else is offered it');
    const found = await world.get(`/events?applicable_to_recurring_reservation=${made.body.id}`, { as: as() });
    assert.equal(found.body.count, 3);
  });

  test('first shows what is not free, with the nearest alternatives, and then books what was chosen', async () => {
    const [me] = await newCustomers(world, 1);
    const practice = await newPractice(world);
    const [first, second, third] = weeks(practice, 3);
    await taken(practice, second);
    const asked = { customer: me, ...weekly(practice, { end_date: third }) };
    const shown = await preview(asked);
    assert.equal(shown.status, 200, shown.text);
    assert.deepEqual(
      shown.body.dates.map(({ date, event, outcome, reasons }: any) => [date, event, outcome, ...reasons]),
      [
        [first, null, 'booked'],
        [second, null, 'unavailable', 'instructor_busy'],
        [third, null, 'booked'],
      ],
    );
    const { alternatives } = shown.body.dates[1];
    assert.deepEqual(
      alternatives
        .slice(0, 2)
        .map((one: any) => one.local_starts_at)
        .toSorted(),
      [`${second}T09:00:00`, `${second}T11:00:00`],
    );
    assert.deepEqual(await booked(practice, me), [], 'a preview takes nothing');
    const refused = await reserve(world, { ...asked, on_conflict: 'fail' });
    assert.equal(refused.body.code, 'reservation_conflicts');
    assert.match(refused.body.message, /instructor is busy.*moved_dates/s);
    const moved_dates = [{ date: second, ...alternatives[0] }];
    const made = await reserve(world, { ...asked, on_conflict: 'fail', moved_dates });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(await timesBooked(practice, me), [
      `${first}T10:00`,
      alternatives[0].local_starts_at.slice(0, 16),
      `${third}T10:00`,
    ]);
  });

  test('lists what it could not book, and books it when it is moved or tried again', async () => {
    const [me] = await newCustomers(world, 1);
    const practice = await newPractice(world);
    const [, second, third] = weeks(practice, 3);
    await taken(practice, second);
    await taken(practice, third);
    const made = await reserve(world, { customer: me, ...weekly(practice, { end_date: third }) });
    const listed = async () => {
      const { body } = await world.get(`/recurring_reservations/${made.body.id}/unavailable_upcoming_events`, {
        as: as(),
      });
      return body.results.map(({ event, attendance, reasons, starts_at }: any) => [
        event,
        attendance,
        ...reasons,
        starts_at.slice(0, 16),
      ]);
    };
    assert.deepEqual(await listed(), [
      [null, null, 'instructor_busy', `${second}T10:00`],
      [null, null, 'instructor_busy', `${third}T10:00`],
    ]);
    const change = (body: object) => world.patch(`/recurring_reservations/${made.body.id}`, { as: as(), body });
    const moved = await change(move(second, `${second}T15:00`));
    assert.equal(moved.status, 200, moved.text);
    assert.equal((await listed()).length, 1);
    const again = await change(move(second, `${second}T16:00`));
    assert.deepEqual([again.status, Object.keys(again.body.field_errors)], [400, ['moved_dates']]);
    assert.match(again.body.message, /reschedule/);
    assert.equal((await change(move(second, `${second}T15:00`))).status, 200, 'what is so already changes nothing');
    const dry = await world.post(`/recurring_reservations/${made.body.id}/end?dry_run=true`, { as: as(), body: {} });
    assert.equal(dry.body.effects.filter((one: any) => one.effect === 'booking_cancelled').length, 2);
  });

  test('is refused if none of its dates is free, or there are no hours', async () => {
    const [me] = await newCustomers(world, 1);
    const practice = await newPractice(world);
    const refused = await reserve(world, { customer: me, ...weekly(practice, { local_time: '20:00', times: 2 }) });
    assert.equal(refused.body.code, 'reservation_conflicts');
    assert.match(refused.body.message, /None of the dates/);
    const wrong = async (over: object) => {
      const { status, body } = await reserve(world, { customer: me, ...weekly(practice, over) });
      return [status, ...Object.keys(body.field_errors)];
    };
    const elsewhere = await newPractice(world);
    const room = await newRoom(world, elsewhere.venue);
    assert.deepEqual(await wrong({ venue_room: room }), [400, 'venue_room']);
    assert.deepEqual(await wrong({ on_conflict: 'waitlist' }), [400, 'on_conflict']);
    const { date } = practice;
    assert.deepEqual(await wrong(move(addDays(date, 1), `${date}T11:00`)), [400, 'moved_dates.0.date']);
    assert.deepEqual(await wrong(move(date, `${addDays(date, 4)}T11:00`)), [400, 'moved_dates.0.local_starts_at']);
    assert.deepEqual(await wrong({ skipped_dates: [date], ...move(date, `${date}T11:00`) }), [
      400,
      'moved_dates.0.date',
    ]);
  });

  test('a date that the customer cancels frees its time, is not booked again, and counts as one of the times', async () => {
    const [me] = await newCustomers(world, 1);
    const practice = await newPractice(world);
    const made = await reserve(world, { customer: me, ...weekly(practice, { times: 2 }) });
    const { body } = await world.get(`/recurring_reservations/${made.body.id}/dates`, { as: as() });
    const cancelled = await world.post(`/events/${body.results[0].event}/unregister`, {
      as: world.customer(me),
      body: {},
    });
    assert.equal(cancelled.status, 200, cancelled.text);
    await job(made.body.id);
    assert.deepEqual(await timesBooked(practice, me), [`${addDays(practice.date, 7)}T10:00`]);
    assert.ok((await slotsOf(world, practice)).some((slot) => slot.local_starts_at.endsWith('T10:00:00')));
  });

  test('skipping a date and ending the reservation free the times, and unskipping a date books it again', async () => {
    const [me] = await newCustomers(world, 1);
    const practice = await newPractice(world);
    const [first, second, third] = weeks(practice, 3);
    const made = await reserve(world, { customer: me, ...weekly(practice, { end_date: third }) });
    const change = (body: object) => world.patch(`/recurring_reservations/${made.body.id}`, { as: as(), body });
    await change({ skipped_dates: [second] });
    assert.deepEqual(await timesBooked(practice, me), [`${first}T10:00`, `${third}T10:00`]);
    await change({ skipped_dates: [] });
    assert.deepEqual((await timesBooked(practice, me)).length, 3);
    await world.post(`/recurring_reservations/${made.body.id}/end`, { as: as(), body: { from: second } });
    assert.deepEqual(await timesBooked(practice, me), [`${first}T10:00`]);
    const active = await world.get(`/events?offering_types=${practice.offering}&status=active`, { as: as() });
    assert.equal(active.body.count, 1);
  });

  test('continues until somebody ends it: a year ahead, and further as time passes', async () => {
    const [me] = await newCustomers(world, 1);
    const practice = await newPractice(world);
    const made = await reserve(world, { customer: me, ...weekly(practice) });
    assert.equal(made.status, 201, made.text);
    const before = await timesBooked(practice, me);
    assert.equal(before.length, 53);
    world.setNow(world.now + 14 * DAY);
    try {
      await job(made.body.id);
      assert.equal((await datesOf(world, made.body.id)).length, 54);
    } finally {
      world.resetNow();
    }
  });

  test('“like this one” means the same instructor, and the booked event remains separate', async () => {
    const [me] = await newCustomers(world, 1);
    const practice = await newPractice(world, { instructors: 2 });
    const mine = (await slotsOf(world, practice)).find(
      (slot) => slot.instructors[0] === practice.instructors[1] && slot.local_starts_at.endsWith('T12:00:00'),
    )!;
    const { body } = await bookSlot(world, mine.id, me);
    const made = await reserve(world, { customer: me, event: body.event, times: 3 });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.instructor, practice.instructors[1]);
    assert.deepEqual(
      (await datesOf(world, made.body.id)).map((line) => line.slice(11)),
      ['already_booked', 'booked', 'booked'],
    );
    await world.post(`/recurring_reservations/${made.body.id}/end`, { as: as(), body: {} });
    assert.deepEqual(await timesBooked(practice, me), [`${practice.date}T12:00`]);
  });

  test('a customer with another booking at that time is not booked twice', async () => {
    const [me] = await newCustomers(world, 1);
    const [practice, other] = [await newPractice(world), await newPractice(world)];
    const slot = (await slotsOf(world, other)).find((one) => one.local_starts_at.endsWith('T10:00:00'))!;
    await bookSlot(world, slot.id, me);
    const made = await reserve(world, { customer: me, ...weekly(practice, { end_date: addDays(practice.date, 7) }) });
    assert.deepEqual(
      (await datesOf(world, made.body.id)).map((line) => line.slice(11)),
      ['unavailable overlapping_booking', 'booked'],
    );
  });

  test('with any instructor, each date is with somebody who is free', async () => {
    const [me] = await newCustomers(world, 1);
    const practice = await newPractice(world, { instructors: 2 });
    const first = (await slotsOf(world, practice)).find(
      (slot) => slot.instructors[0] === practice.instructors[0] && slot.local_starts_at.endsWith('T10:00:00'),
    )!;
    await bookSlot(world, first.id, await world.newCustomer());
    const made = await reserve(world, { customer: me, ...weekly(practice, { instructor: null, times: 1 }) });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual((await booked(practice, me))[0].instructors, [practice.instructors[1]]);
  });
});

describe('a room every week', () => {
  test('books the named room, or any that is free', async () => {
    const customers = await newCustomers(world, 3);
    const practice = await newPractice(world, { instructors: 0, schedule_type: 'room_rental' });
    const rooms = [await newRoom(world, practice.venue), await newRoom(world, practice.venue)];
    await newSchedule(world, {
      venue: practice.venue,
      daily: '09:00-17:00',
      offeringTypes: { [practice.offering]: [] },
    });
    const ask = (n: number, over: object) =>
      reserve(world, { customer: customers[n], ...weekly(practice, { times: 2, ...over }) });
    assert.equal((await ask(0, { venue_room: rooms[1] })).status, 201);
    assert.deepEqual(
      (await booked(practice, customers[0])).map(({ venue_room, instructors }) => [venue_room, instructors]),
      [
        [rooms[1], []],
        [rooms[1], []],
      ],
    );
    const any = await ask(1, {});
    assert.equal(any.status, 201, any.text);
    assert.deepEqual(
      (await booked(practice, customers[1])).map(({ venue_room }) => venue_room),
      [rooms[0], rooms[0]],
    );
    const full = await ask(2, { times: null, end_date: addDays(practice.date, 7) });
    assert.equal(full.body.code, 'reservation_conflicts', full.text);
    assert.match(full.body.message, /No room is free at this time/);
  });
});

const allow = () =>
  world.patch('/recurring_reservations/settings', {
    as: as(),
    body: { customers_can_create: true, customers_max_weeks: null },
  });

describe('customers', () => {
  test('book the times that are offered, each as soon as booking opens', async () => {
    await allow();
    const [me] = await newCustomers(world, 1);
    const mine = world.customer(me);
    const practice = await newPractice(world);
    const { body: settings } = await world.get('/slots/settings', { as: as() });
    const asked = weekly(practice, { times: 16 });
    const made = await reserve(world, asked, mine);
    assert.equal(made.status, 201, made.text);
    const inReach = weeks(practice, 16).filter(
      (date) => Date.parse(`${date}T15:00Z`) < world.now + settings.horizon_days * DAY,
    ).length;
    assert.ok(inReach < 16);
    const outcomes = (await datesOf(world, made.body.id)).map((line) => line.slice(11));
    assert.deepEqual(new Set(outcomes.slice(0, inReach)), new Set(['booked']));
    assert.deepEqual(new Set(outcomes.slice(inReach)), new Set(['opens_later']));
    const { body } = await world.get(`/recurring_reservations/${made.body.id}/dates?page_size=100`, { as: mine });
    const next = body.results.find((one: any) => one.outcome === 'opens_later');
    assert.equal(Date.parse(next.registrations_open_at), Date.parse(next.starts_at) - settings.horizon_days * DAY);
    world.setNow(Date.parse(next.registrations_open_at) + 1000);
    try {
      await job(made.body.id);
      const after = (await datesOf(world, made.body.id)).map((line) => line.slice(11));
      assert.equal(after.filter((one) => one === 'booked').length, inReach + 1);
    } finally {
      world.resetNow();
    }
  });

  test('get no time between the offered ones, and nothing that is not shown to them', async () => {
    await allow();
    const [me] = await newCustomers(world, 1);
    const practice = await newPractice(world);
    const between = await preview(weekly(practice, { local_time: '10:20', times: 1 }), world.customer(me));
    assert.deepEqual(between.body.dates[0].reasons, ['not_offered']);
    assert.equal(
      (await preview({ customer: me, ...weekly(practice, { local_time: '10:20', times: 1 }) })).body.dates[0].outcome,
      'booked',
    );
    const made = await reserve(world, weekly(practice, { times: 1 }), world.customer(me));
    assert.equal(made.status, 201, made.text);
    await world.patch(`/offering_types/${practice.offering}`, { as: as(), body: { customer_visibility: 'private' } });
    await world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE recurring_reservation SET times = 5 WHERE provider_id = ${world.harbour} AND id = ${made.body.id}`,
      ),
    );
    await job(made.body.id);
    assert.equal((await datesOf(world, made.body.id)).length, 1);
  });
});

test('each date is paid for as if it were booked alone: when a pack is used up, the rest is listed with the reason', async () => {
  const [me] = await newCustomers(world, 1);
  const practice = await newPractice(world);
  const m = new MembershipWorld(world, practice, await row(world, 'membership_category', { name: 'Passes' }));
  const pack = await m.pack(2);
  const without = await preview({ customer: me, ...weekly(practice, { times: 1 }) });
  assert.deepEqual(without.body.dates[0].reasons, ['membership_required']);
  assert.match(without.body.dates[0].messages[0], /Sell one/);
  const { id: held } = await m.give(me, pack);
  const asked = { customer: me, customer_membership: held, ...weekly(practice, { end_date: weeks(practice, 4)[3] }) };
  const shown = await preview(asked);
  const made = await reserve(world, asked);
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    (await datesOf(world, made.body.id)).map((line) => line.slice(11)),
    ['booked', 'booked', 'unavailable allotment_used_up', 'unavailable allotment_used_up'],
  );
  assert.deepEqual(
    shown.body.dates.map(({ outcome, reasons }: any) => [outcome, ...reasons].join(' ')),
    (await datesOf(world, made.body.id)).map((line) => line.slice(11)),
    'the preview said what came of it',
  );
  assert.equal(await m.used(held), 2);
  const active = await world.get(`/events?offering_types=${practice.offering}`, { as: as() });
  assert.equal(active.body.count, 2, 'what was refused leaves no event');
  await world.post(`/recurring_reservations/${made.body.id}/end`, { as: as(), body: {} });
  assert.equal(await m.used(held), 0, 'ended in time, the uses are given back');
  const dear = await reserve(world, { ...asked, customer: (await newCustomers(world, 1))[0] });
  assert.deepEqual([dear.status, Object.keys(dear.body.field_errors)], [400, ['customer_membership']]);
});

test('if several customers want the same weeks at the same moment, each date goes to one of them', async () => {
  const customers = await newCustomers(world, 4);
  const practice = await newPractice(world);
  const made = await times(4, (n) =>
    reserve(world, { customer: customers[n], ...weekly(practice, { end_date: addDays(practice.date, 14) }) }),
  );
  const won = made.filter(({ status }) => status === 201);
  assert.equal(won.length, 1, made.map(({ text }) => text).join('\n'));
  for (const { status, body } of made)
    if (status !== 201) assert.deepEqual([status, body.code], [409, 'reservation_conflicts']);
  const all = await Promise.all(customers.map((customer) => timesBooked(practice, customer)));
  assert.deepEqual(
    all.flat().toSorted(),
    weeks(practice, 3).map((date) => `${date}T10:00`),
  );
});

test('reservations and single bookings of the same times in opposite order never deadlock', async () => {
  const practice = await newPractice(world, { instructors: 2 });
  const customers = await newCustomers(world, 8);
  const answers = await times(8, async (n) => {
    if (n % 2)
      return reserve(world, {
        customer: customers[n],
        ...weekly(practice, { instructor: null, local_time: `${10 + n}:00`, times: 2 }),
      });
    const slot = (await slotsOf(world, practice, { instructors: 'any' }))[n % 4];
    return bookSlot(world, slot.id, customers[n]);
  });
  for (const { status, text } of answers) assert.ok([200, 201, 409].includes(status), text);
});
