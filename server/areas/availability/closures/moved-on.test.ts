/** Closed days that are reopened after their plans have changed. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { closeDays, foreseen, named, runBulk } from '../../../test/worlds/closure-world.ts';
import { book, newCustomers, newInstructor, newOffering, newVenue, row } from '../../../test/schedule-world.ts';
import { bookSlot, newPractice, slotsOf } from '../../../test/worlds/slot-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

const CLOSED = '2027-05-10';

let world: World;
let offering: number;
before(async () => {
  world = await startWorld();
  offering = await newOffering(world);
});
after(() => world.close());

const ok = async (answer: Promise<{ status: number; text: string; body: any }>) => {
  const { status, text, body } = await answer;
  assert.ok(status < 300, text);
  return body;
};
const post = (path: string, body: object = {}) => ok(world.post(path, { as: world.machine, body }));
const patch = (path: string, body: object) => ok(world.patch(path, { as: world.machine, body }));
const get = async (path: string) => (await world.get(path, { as: world.machine })).body;

interface Closed {
  readonly venue: number;
  readonly series: number;
  /** ids of the five Mondays, by date */
  readonly on: Record<string, number>;
  readonly customer: number;
  /** id of the closure; its request is undone to reopen the days */
  readonly closure: number;
}

/** Creates five Mondays in Berlin; the second has a booking. */
async function mondays(over: Record<string, unknown> = {}): Promise<Omit<Closed, 'closure'>> {
  const venue = await newVenue(world, { timezone: 'Europe/Berlin' });
  const { series } = await post('/events', {
    name: 'Rowing',
    venue,
    offering_type: offering,
    starts_at: '2027-05-03T18:00',
    ends_at: '2027-05-03T19:00',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
    ...over,
  });
  const { results } = await get(`/events?series=${series}`);
  const on = Object.fromEntries(results.map((e: any) => [e.starts_at.slice(0, 10), e.id]));
  const [customer] = await newCustomers(world, 1);
  await ok(book(world, on[CLOSED], customer));
  return { venue, series, on, customer };
}

async function closed(over: Record<string, unknown> = {}): Promise<Closed> {
  const made = await mondays(over);
  return { ...made, closure: await close(made.venue) };
}

const close = async (venue: number): Promise<number> =>
  (await closeDays(world, { dates: [CLOSED], venues: [venue] }))[CLOSED];

/** Reopens the day and returns what prevents each event, by its id. */
async function reopen(closure: number): Promise<Record<number, string>> {
  await post(`/business_closures/${closure}/reopen`);
  return runBulk(world);
}

/** Returns all events of the day at the venue: id, status, time of day, and booked customers. */
async function ofDay(venue: number): Promise<[number, string, string, number[]][]> {
  const { results } = await get(
    `/events?venues=${venue}&local_starts_at_gte=${CLOSED}T00:00&local_starts_at_lte=${CLOSED}T23:59&status=active,cancelled`,
  );
  const all: [number, string, string, number[]][] = [];
  for (const e of results) {
    const booked = (await get(`/attendances?event=${e.id}&status=registered`)).results.map((a: any) => a.customer);
    all.push([e.id, e.status, new Date(e.starts_at).toISOString().slice(11, 16), booked]);
  }
  return all;
}

const SEVEN = { starts_at: '2027-05-17T19:00', ends_at: '2027-05-17T20:00' };

describe('a series that changed while a day of it was closed', () => {
  const later: [string, (on: Record<string, number>) => [number, object]][] = [
    ['all, from another date', (on) => [on['2027-05-17'], { ...SEVEN, applies_to: 'all' }]],
    [
      'following, from the closed date',
      (on) => [on[CLOSED], { starts_at: `${CLOSED}T19:00`, ends_at: `${CLOSED}T20:00`, applies_to: 'following' }],
    ],
    [
      'following, from the date before',
      (on) => [
        on['2027-05-03'],
        { starts_at: '2027-05-03T19:00', ends_at: '2027-05-03T20:00', applies_to: 'following' },
      ],
    ],
  ];
  for (const [name, change] of later)
    test(`brings back one event at the new time, with its booking: ${name}`, async () => {
      const { venue, on, customer, closure } = await closed();
      const [id, body] = change(on);
      await patch(`/events/${id}`, body);
      assert.deepEqual(await ofDay(venue), [[on[CLOSED], 'cancelled', '17:00', []]]);
      assert.deepEqual(await reopen(closure), {});
      assert.deepEqual(await ofDay(venue), [[on[CLOSED], 'active', '17:00', [customer]]]);
    });

  test('brings back the event with its new name, places, room and instructors', async () => {
    const { instructor } = await newInstructor(world);
    const { venue, on, closure } = await closed();
    const venue_room = await row(world, 'venue_room', { venue_id: venue, name: 'Dock' });
    const body = { name: 'Sculling', max_occupancy: 3, venue_room, instructors: [instructor], description: 'New.' };
    await patch(`/events/${on['2027-05-17']}`, { ...body, applies_to: 'all' });
    await reopen(closure);
    const back = await get(`/events/${on[CLOSED]}?expand=instructors`);
    assert.deepEqual(
      [
        back.status,
        back.name,
        back.max_occupancy,
        back.venue_room,
        back.instructors.map((i: any) => i.id),
        back.description,
      ],
      ['active', 'Sculling', 3, venue_room, [instructor], 'New.'],
    );
  });

  test('brings back the event at the venue that the series moved to', async () => {
    const { on, customer, closure } = await closed();
    const venue = await newVenue(world, { timezone: 'Asia/Tokyo' });
    await patch(`/events/${on['2027-05-17']}`, { venue, applies_to: 'all' });
    await reopen(closure);
    const back = await get(`/events/${on[CLOSED]}`);
    assert.deepEqual(
      [back.status, back.venue, back.starts_at, back.attending_count],
      ['active', venue, `${CLOSED}T18:00:00+09:00`, 1],
    );
    assert.equal((await get(`/attendances?event=${on[CLOSED]}`)).results[0].customer, customer);
  });

  test('leaves a closed event that was moved on its own at its own time', async () => {
    const { venue, on } = await mondays();
    await patch(`/events/${on[CLOSED]}`, { starts_at: `${CLOSED}T10:00`, ends_at: `${CLOSED}T11:00` });
    const closure = await close(venue);
    await patch(`/events/${on['2027-05-17']}`, { ...SEVEN, applies_to: 'all' });
    await reopen(closure);
    assert.deepEqual(
      (await ofDay(venue)).map(([id, status, time]) => [id, status, time]),
      [[on[CLOSED], 'active', '08:00']],
    );
  });

  test('notifies nobody and refuses nothing because of a closed date', async () => {
    const { instructor } = await newInstructor(world);
    const { venue, on } = await closed({ instructors: [instructor] });
    // Conflicts with 10 May only.
    await post('/events', {
      name: 'Other',
      venue,
      offering_type: offering,
      instructors: [instructor],
      starts_at: `${CLOSED}T19:00`,
      ends_at: `${CLOSED}T20:00`,
      on_closed_day: true,
    });
    await patch(`/events/${on['2027-05-17']}`, { ...SEVEN, applies_to: 'all' });
    assert.equal((await get(`/events/${on[CLOSED]}`)).starts_at, `${CLOSED}T19:00:00+02:00`);
  });
});

describe('a series that no longer has a closed day', () => {
  const ended: [string, (on: Record<string, number>) => [number, string]][] = [
    ['following, from its first date', (on) => [on['2027-05-03'], 'following']],
    ['following, from the closed date', (on) => [on[CLOSED], 'following']],
    ['all', (on) => [on['2027-05-17'], 'all']],
  ];
  for (const [name, which] of ended)
    test(`does not bring it back, and the result says why: cancelled ${name}`, async () => {
      const { venue, on, closure } = await closed();
      const [id, applies_to] = which(on);
      await post(`/events/${id}/cancel`, { applies_to });
      const told = await foreseen(world, 'POST', `/business_closures/${closure}/reopen`);
      assert.deepEqual(
        named(told, 'left_alone').map((e) => e.id),
        [on[CLOSED]],
      );
      const said = await reopen(closure);
      assert.match(said[on[CLOSED]], /series/);
      assert.deepEqual(await ofDay(venue), [[on[CLOSED], 'cancelled', '16:00', []]]);
    });

  test('brings back a day before the one from which it was cancelled', async () => {
    const { venue, on, customer, closure } = await closed();
    await post(`/events/${on['2027-05-17']}/cancel`, { applies_to: 'following' });
    assert.deepEqual(await reopen(closure), {});
    assert.deepEqual(await ofDay(venue), [[on[CLOSED], 'active', '16:00', [customer]]]);
  });

  test('is shown in a dry run of bringing back one event, which staff can still do', async () => {
    const { on, customer, closure } = await closed();
    await post(`/events/${on['2027-05-17']}/cancel`, { applies_to: 'all' });
    await reopen(closure);
    const [outside] = named(await foreseen(world, 'POST', `/events/${on[CLOSED]}/reopen`), 'event_outside_series');
    assert.equal(outside.id, on[CLOSED]);
    assert.match(outside.because, /was cancelled/);
    await post(`/events/${on[CLOSED]}/reopen`);
    assert.equal((await get(`/attendances?event=${on[CLOSED]}`)).results[0].customer, customer);
    const fits = await closed();
    const told = await foreseen(world, 'POST', `/events/${fits.on[CLOSED]}/reopen`, { on_closed_day: true });
    assert.deepEqual(named(told, 'event_outside_series'), []);
  });

  test('has the days of its rule, whatever time of day its end was written with', async () => {
    // It ends before 17 May 18:00 and was moved to an earlier time, but 17 May does not come back.
    const { venue, on } = await mondays();
    await patch(`/events/${on['2027-05-17']}`, { name: 'Sculling', applies_to: 'following' });
    await patch(`/events/${on['2027-05-03']}`, {
      starts_at: '2027-05-03T07:00',
      ends_at: '2027-05-03T08:00',
      applies_to: 'all',
    });
    const closures = await closeDays(world, { dates: ['2027-05-17'], venues: [venue] });
    await reopen(closures['2027-05-17']);
    const { results } = await get(`/events?venues=${venue}`);
    assert.deepEqual(
      results.map((e: any) => e.starts_at.slice(5, 16)),
      ['05-03T07:00', '05-10T07:00', '05-17T18:00', '05-24T18:00', '05-31T18:00'],
    );
    // Moved to a later time than its end was written with, it keeps its last day.
    const until = await mondays({ recurrence: { rrule: 'FREQ=WEEKLY;UNTIL=20270510T180000' } });
    await patch(`/events/${until.on['2027-05-03']}`, {
      starts_at: '2027-05-03T20:00',
      ends_at: '2027-05-03T21:00',
      applies_to: 'all',
    });
    const closure = await close(until.venue);
    assert.deepEqual(await reopen(closure), {});
    assert.deepEqual(await ofDay(until.venue), [[until.on[CLOSED], 'active', '18:00', [until.customer]]]);
  });
});

describe('an event that staff cancelled', () => {
  test('stays cancelled when its series was moved, and its day was closed and reopened', async () => {
    const { venue, on } = await mondays();
    await post(`/events/${on[CLOSED]}/cancel`);
    await patch(`/events/${on['2027-05-17']}`, { ...SEVEN, applies_to: 'all' });
    await reopen(await close(venue));
    assert.deepEqual(await ofDay(venue), [[on[CLOSED], 'cancelled', '17:00', []]]);
  });

  test('stays cancelled although a closure cancelled it before, and it was brought back on its own', async () => {
    const { venue, on, closure } = await closed();
    await post(`/events/${on[CLOSED]}/reopen`, { on_closed_day: true });
    await post(`/events/${on[CLOSED]}/cancel`);
    await reopen(closure);
    assert.deepEqual(await ofDay(venue), [[on[CLOSED], 'cancelled', '16:00', []]]);
  });
});

test('a day that a series skipped is created once, as the series is by that time', async () => {
  const venue = await newVenue(world, { timezone: 'Europe/Berlin' });
  const closure = await close(venue);
  const { id } = await post('/events', {
    name: 'Rowing',
    venue,
    offering_type: offering,
    starts_at: '2027-05-03T18:00',
    ends_at: '2027-05-03T19:00',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
  });
  await patch(`/events/${id}`, {
    name: 'Sculling',
    starts_at: '2027-05-03T19:00',
    ends_at: '2027-05-03T20:30',
    applies_to: 'all',
  });
  await reopen(closure);
  const { results } = await get(
    `/events?venues=${venue}&local_starts_at_gte=${CLOSED}T00:00&local_starts_at_lte=${CLOSED}T23:59`,
  );
  assert.deepEqual(
    results.map((e: any) => [e.name, e.starts_at, e.ends_at]),
    [['Sculling', `${CLOSED}T19:00:00+02:00`, `${CLOSED}T20:30:00+02:00`]],
  );
});

test('sessions of course dates that were cancelled in the meantime stay cancelled', async () => {
  const venue = await newVenue(world, { timezone: 'Europe/Berlin' });
  const type = await newOffering(world, { schedule_type: 'course' });
  const { id: course } = await post('/courses', { offering_type: type, published: true });
  const dates = {
    name: 'Spring',
    price: '80.00',
    venue,
    starts_at: '2027-05-03T18:00',
    ends_at: '2027-05-03T19:00',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  };
  const [gone, stays] = [
    await post(`/courses/${course}/date_series`, dates),
    await post(`/courses/${course}/date_series`, dates),
  ];
  const closure = await close(venue);
  await post(`/course_date_series/${gone.id}/cancel`);
  await patch(`/course_date_series/${stays.id}`, { max_occupancy: 2 });
  const said = await reopen(closure);
  const session = async (series: number) =>
    world.work(world.harbour, ({ tx }) =>
      tx.one<{ id: number; status: string; max_occupancy: number | null }>(
        sql`SELECT e.id, e.status, e.max_occupancy FROM course_date d JOIN event e ON e.provider_id = d.provider_id AND e.id = d.event_id
            WHERE d.provider_id = ${world.harbour} AND d.course_date_series_id = ${series} AND e.local_starts_at::date = ${CLOSED}`,
      ),
    );
  const [cancelled, back] = [await session(gone.id), await session(stays.id)];
  assert.deepEqual([cancelled!.status, back!.status, back!.max_occupancy], ['cancelled', 'active', 2]);
  assert.match(said[cancelled!.id], /course dates .* were cancelled/);
});

/** Books the last hour of a day that is then closed. */
async function bookedAppointment() {
  const practice = await newPractice(world);
  const slot = (await slotsOf(world, practice)).at(-1)!;
  const [customer] = await newCustomers(world, 1);
  const { event } = await ok(bookSlot(world, slot.id, customer));
  const { [practice.date]: closure } = await closeDays(world, { dates: [practice.date], venues: [practice.venue] });
  return { ...practice, event: event as number, closure };
}
const status = async (event: number) => (await get(`/events/${event}`)).status;

describe('an appointment', () => {
  const NONE = [{ start: '09:00', end: '10:00' }];
  const changes: [string, (at: Awaited<ReturnType<typeof bookedAppointment>>) => Promise<unknown>][] = [
    [
      'other hours',
      async ({ instructors, date }) => {
        const { results } = await get(`/availability_schedules?instructor=${instructors[0]}`);
        await patch(`/availability_schedules/${results[0].id}/overrides`, {
          overrides: [{ date, end_date: date, availability: NONE }],
        });
      },
    ],
    [
      'a blocked time',
      ({ instructors, date }) =>
        patch(`/instructors/${instructors[0]}/blocked_times`, {
          data: [{ date, blocked_times: [{ start: '12:00', end: '17:00' }] }],
        }),
    ],
  ];
  for (const [name, change] of changes)
    test(`stays cancelled if its instructor got ${name} meanwhile, and staff can still bring it back`, async () => {
      const at = await bookedAppointment();
      await change(at);
      const said = await reopen(at.closure);
      assert.match(said[at.event], /instructor is no longer available/);
      assert.equal(await status(at.event), 'cancelled');
      await post(`/events/${at.event}/reopen`);
      assert.equal(await status(at.event), 'active');
    });

  test('comes back if its hours are unchanged', async () => {
    const at = await bookedAppointment();
    assert.deepEqual(await reopen(at.closure), {});
    assert.equal(await status(at.event), 'active');
  });
});
