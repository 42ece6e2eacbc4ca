import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { block, newSchedule } from '../../../test/worlds/hours-world.ts';
import { bookSlot, newPractice, newRoom, slotsOf, timesOf, type Practice } from '../../../test/worlds/slot-world.ts';
import { newEvent, newInstructor, newOffering, newVenue, row } from '../../../test/schedule-world.ts';
import { dropAppointment, slotAt, takeSlot } from './index.ts';
import { addDays, instantOfWall } from '../../../kernel/base/values/zone.ts';
import { openapi } from '../../sites/reference/openapi/openapi.ts';
import { sameInXml } from '../../../test/checks/same-in-xml.ts';
import { seed } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';
import { startWorld } from '../../../test/world.ts';

const world = await startWorld();
after(() => world.close());
const as = world.machine;
const ZONE = 'America/Toronto';

const at = (date: string, time: string) => new Date(instantOfWall(`${date}T${time}`, ZONE)).toISOString();
const span = (p: any) => `${p.local_starts_at.slice(11, 16)}-${p.local_ends_at.slice(11, 16)}`;
const settings = (body: object) => world.patch('/slots/settings', { as, body });

/** Creates a class of an instructor. */
const newClass = async (practice: Practice, from: string, to: string, over: Record<string, unknown> = {}) =>
  newEvent(
    world,
    { venue: practice.venue, offering: await newOffering(world) },
    {
      starts_at: at(practice.date, from),
      ends_at: at(practice.date, to),
      instructors: [practice.instructors[0]],
      ...over,
    },
  );

test('times are listed within the hours, and no longer listed once they are booked', async () => {
  const practice = await newPractice(world);
  const slots = await slotsOf(world, practice);
  assert.deepEqual(timesOf(slots), ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00']);
  const customer = await world.newCustomer();
  const booked = await bookSlot(world, slots[2].id, customer);
  assert.equal(booked.status, 200, booked.text);
  assert.deepEqual(timesOf(await slotsOf(world, practice)), [
    '09:00',
    '10:00',
    '12:00',
    '13:00',
    '14:00',
    '15:00',
    '16:00',
  ]);
  const { body: event } = await world.get(`/events/${booked.body.event}`, { as });
  assert.deepEqual(
    [event.starts_at, event.ends_at, event.venue, event.max_occupancy, event.attending_count],
    [slots[2].starts_at, slots[2].ends_at, practice.venue, 1, 1],
  );
});

test('other events of an instructor, blocked times and closures take times away', async () => {
  const practice = await newPractice(world);
  await newClass(practice, '09:30', '10:30');
  await block(world, { instructor: practice.instructors[0] }, practice.date, '12:00-13:00');
  await block(world, { venue: practice.venue }, practice.date, '16:30-18:00');
  assert.deepEqual(timesOf(await slotsOf(world, practice)), ['11:00', '13:00', '14:00', '15:00']);
  const tomorrow = { ...practice, date: addDays(practice.date, 1) };
  assert.equal((await slotsOf(world, tomorrow)).length, 8);
  await row(world, 'business_closure', {
    closure_date: tomorrow.date,
    venue_id: practice.venue,
    bulk_action_id: await seed(world, 'bulk_action'),
  });
  assert.deepEqual(await slotsOf(world, tomorrow), []);
});

test('times blocked at a venue are also taken from hours for every venue', async () => {
  const practice = await newPractice(world);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE availability_schedule SET venue_id = NULL
      WHERE provider_id = ${world.harbour} AND instructor_id = ANY(${practice.instructors}::bigint[])`),
  );
  await block(world, { venue: practice.venue }, practice.date, '10:30-15:00');
  const here = (await slotsOf(world, practice)).filter((slot: any) => slot.venue === practice.venue);
  assert.deepEqual(timesOf(here), ['09:00', '15:00', '16:00']);
});

test('the time kept free around an appointment excludes other slots, and the database protects it from everything that is planned', async () => {
  const practice = await newPractice(world, { slot_buffer_before: 15, slot_buffer_after: 15, slot_increments: 30 });
  const before = await slotsOf(world, practice);
  const noon = before.find((s) => s.local_starts_at.endsWith('12:00:00'))!;
  assert.equal((await bookSlot(world, noon.id, await world.newCustomer())).status, 200);
  // A quarter of an hour after one and another before the next make half an hour.
  assert.deepEqual(timesOf(await slotsOf(world, practice)), [
    '09:00',
    '09:30',
    '10:00',
    '10:30',
    '13:30',
    '14:00',
    '14:30',
    '15:00',
    '15:30',
    '16:00',
  ]);
  const venue = practice.venue;
  const offering = await newOffering(world);
  const plan = (from: string, to: string) =>
    world.post('/events', {
      as,
      body: {
        name: 'Rowing',
        venue,
        offering_type: offering,
        instructors: practice.instructors,
        starts_at: at(practice.date, from),
        ends_at: at(practice.date, to),
      },
    });
  const refused = await plan('13:00', '14:00');
  assert.deepEqual([refused.status, refused.body.code], [409, 'instructor_taken']);
  assert.equal((await plan('13:15', '14:00')).status, 201);
});

test('without increments, one starts when the previous one has ended and the time kept free around both has passed', async () => {
  const practice = await newPractice(world, { slot_increments: null, slot_buffer_after: 10, hours: '09:00-12:00' });
  assert.deepEqual(timesOf(await slotsOf(world, practice)), ['09:00', '10:10']);
  await newClass(practice, '09:00', '09:20');
  // As early as the time kept free allows: the class keeps nothing free after it.
  assert.deepEqual(timesOf(await slotsOf(world, practice)), ['09:20', '10:30']);
});

test('travel from one venue to another takes time, and to an online venue none', async () => {
  const practice = await newPractice(world);
  const away = await newVenue(world, { timezone: ZONE });
  await newClass({ ...practice, venue: away }, '11:00', '12:00');
  assert.deepEqual(
    (await settings({ travel_times: [{ venue: away, other_venue: practice.venue, minutes: 30 }] })).status,
    200,
  );
  assert.deepEqual(timesOf(await slotsOf(world, practice)), ['09:00', '13:00', '14:00', '15:00', '16:00']);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE venue SET venue_type = 'online' WHERE provider_id = ${world.harbour} AND id = ${practice.venue}`),
  );
  assert.deepEqual(timesOf(await slotsOf(world, practice)), [
    '09:00',
    '10:00',
    '12:00',
    '13:00',
    '14:00',
    '15:00',
    '16:00',
  ]);
  await settings({ travel_times: [] });
});

test('an instructor has no more appointments on a day than the limit', async () => {
  const practice = await newPractice(world);
  await settings({ instructor_limits: [{ instructor: practice.instructors[0], daily_limit: 2 }] });
  const [first, second, third] = await slotsOf(world, practice);
  for (const slot of [first, second])
    assert.equal((await bookSlot(world, slot.id, await world.newCustomer())).status, 200);
  assert.deepEqual(await slotsOf(world, practice), []);
  assert.equal((await slotsOf(world, { ...practice, date: addDays(practice.date, 1) })).length, 8);
  const refused = await bookSlot(world, third.id, await world.newCustomer());
  assert.deepEqual([refused.status, refused.body.code], [409, 'slot_taken']);
  assert.deepEqual(
    refused.body.alternatives.map((s: any) => s.local_starts_at.slice(0, 10)).includes(practice.date),
    false,
  );
  await settings({ instructor_limits: [] });
});

test('customers are offered times that are neither too soon nor too far ahead, and staff all of them', async () => {
  const practice = await newPractice(world, { registrations_close_interval: 4 * 24 * 60 });
  const customer = await world.newCustomer();
  const own = world.customer(customer);
  const later = { ...practice, date: addDays(practice.date, 3) };
  assert.deepEqual(await slotsOf(world, practice, {}, own), []);
  assert.equal((await slotsOf(world, later, {}, own)).length, 8);
  const [tooSoon] = await slotsOf(world, practice);
  const refused = await bookSlot(world, tooSoon.id, customer, own);
  assert.deepEqual([refused.status, refused.body.code], [400, 'registration_closed'], refused.text);
  const far = { ...practice, date: addDays(practice.date, 120) };
  assert.deepEqual(await slotsOf(world, far, {}, own), []);
  assert.equal((await slotsOf(world, far)).length, 8);
});

test('with any instructor, the one with the fewest appointments that day is chosen, and among equals the lowest id', async () => {
  const practice = await newPractice(world, { instructors: 3 });
  const [a, b, c] = practice.instructors;
  const any = () => slotsOf(world, practice, { instructors: 'any' });
  const named = async (instructor: number, hour: string) =>
    (await slotsOf(world, practice, { instructors: instructor })).find(
      (s) => s.local_starts_at.slice(11, 13) === hour,
    )!;
  assert.equal((await slotsOf(world, practice)).length, 24);
  assert.deepEqual(
    (await any()).map((s) => s.instructors[0]),
    Array(8).fill(a),
  );
  assert.equal((await bookSlot(world, (await named(a, '09')).id, await world.newCustomer())).status, 200);
  assert.equal((await bookSlot(world, (await named(b, '10')).id, await world.newCustomer())).status, 200);
  const now = await any();
  assert.deepEqual(
    now.map((s) => s.instructors[0]),
    Array(8).fill(c),
  );
  // Shown with one instructor, it goes to another who is free if the first is booked in the meantime.
  assert.equal((await bookSlot(world, (await named(c, '09')).id, await world.newCustomer())).status, 200);
  const booked = await bookSlot(world, now[0].id, await world.newCustomer());
  assert.equal(booked.status, 200, booked.text);
  const { body } = await world.get(`/events/${booked.body.event}?expand=instructors`, { as });
  assert.deepEqual(
    body.instructors.map((i: any) => i.id),
    [b],
  );
});

test('an appointment uses one of its rooms, and is not offered when all of them are in use', async () => {
  const practice = await newPractice(world, { instructors: 2 });
  const room = await newRoom(world, practice.venue);
  await world.work(world.harbour, ({ tx }) =>
    tx.all([
      sql`UPDATE offering_type SET default_venue_id = ${practice.venue}
        WHERE provider_id = ${world.harbour} AND id = ${practice.offering}`,
      sql`INSERT INTO offering_type_room (provider_id, offering_type_id, venue_room_id)
        VALUES (${world.harbour}, ${practice.offering}, ${room})`,
    ]),
  );
  const slots = await slotsOf(world, practice);
  assert.equal(slots.length, 16);
  assert.ok(slots.every((s) => s.venue_room === room));
  const [first, same] = slots;
  assert.equal(first.starts_at, same.starts_at);
  assert.equal((await bookSlot(world, first.id, await world.newCustomer())).status, 200);
  const refused = await bookSlot(world, same.id, await world.newCustomer());
  assert.deepEqual([refused.status, refused.body.code], [409, 'slot_taken']);
  assert.equal((await slotsOf(world, practice)).length, 14);
});

test('rooms for rent are offered individually, or once if they are interchangeable', async () => {
  const venue = await newVenue(world, { timezone: ZONE });
  const rooms = [await newRoom(world, venue), await newRoom(world, venue)];
  const offering = await newOffering(world, {
    schedule_type: 'room_rental',
    slot_duration: 120,
    slot_increments: 60,
  });
  await newSchedule(world, { venue, daily: '10:00-14:00', offeringTypes: { [offering]: [] } });
  const date = addDays(new Date(world.now).toISOString().slice(0, 10), 3);
  const slots = await slotsOf(world, { offering, date });
  assert.deepEqual(
    slots.map((s) => [s.local_starts_at.slice(11, 16), s.venue_room]),
    ['10:00', '11:00', '12:00'].flatMap((time) => rooms.map((room) => [time, room])),
  );
  const booked = await bookSlot(world, slots[2].id, await world.newCustomer());
  assert.equal(booked.status, 200, booked.text);
  assert.deepEqual(
    (await slotsOf(world, { offering, date })).map((s) => s.venue_room),
    Array(3).fill(rooms[1]),
  );
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE offering_type SET room_uniformity = true WHERE provider_id = ${world.harbour} AND id = ${offering}`,
    ),
  );
  const alike = await slotsOf(world, { offering, date });
  assert.deepEqual(timesOf(alike), ['10:00', '11:00', '12:00']);
  assert.deepEqual(timesOf(await slotsOf(world, { offering, date }, { venue_rooms: rooms[0] })), []);
});

test('an appointment is shown to the family that booked it and to staff, and to nobody else', async () => {
  const practice = await newPractice(world);
  const [slot] = await slotsOf(world, practice);
  const [customer, other] = [await world.newCustomer(), await world.newCustomer()];
  const { event } = (await bookSlot(world, slot.id, customer, world.customer(customer))).body;
  const seen = async (who: string | undefined, header = {}) =>
    (await world.get(`/events/${event}`, { as: who, ...header })).status;
  assert.equal(await seen(world.customer(customer)), 200);
  assert.equal(await seen(as), 200);
  assert.equal(await seen(world.customer(other)), 404);
  const list = await world.get('/events?offering_types=' + practice.offering, { as: world.customer(other) });
  assert.equal(list.body.count, 0);
  const refused = await world.post(`/events/${event}/register`, { as: world.customer(other), body: {} });
  assert.equal(refused.status, 404, refused.text);
});

test('booking a slot again is the same booking, and several people who come together have one event', async () => {
  const practice = await newPractice(world);
  const [slot, next] = await slotsOf(world, practice);
  const customer = await world.newCustomer();
  const first = await bookSlot(world, slot.id, customer);
  const again = await bookSlot(world, slot.id, customer);
  assert.deepEqual([again.status, again.body], [200, first.body], again.text);
  const [a, b] = [await world.newCustomer(), await world.newCustomer()];
  const together = await world.post(`/slots/${next.id}/register`, { as, body: { customers: [a, b] } });
  assert.equal(together.status, 200, together.text);
  const { body: event } = await world.get(`/events/${together.body.event}`, { as });
  assert.deepEqual([event.max_occupancy, event.attending_count, together.body.attendances.length], [2, 2, 2]);
});

test('a time costs its price for each person who comes, and at most 100 can come', async () => {
  const practice = await newPractice(world, { dropin_price_minor: 6000 });
  const [slot] = await slotsOf(world, practice, { people: 3 });
  assert.equal(slot.price.string, '60.00');
  const show = (people: number | string) => world.get(`/slots/${slot.id}?people=${people}`, { as });
  assert.deepEqual([(await show(1)).body.total.string, (await show(3)).body.total.string], ['60.00', '180.00']);
  for (const people of [0, 101, 'many']) {
    const refused = await show(people);
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['people']]);
  }
  // Several people are booked together or not at all.
  const [a, b] = [await world.newCustomer(), await world.newCustomer()];
  const book = (body: object) => world.post(`/slots/${slot.id}/register`, { as, body });
  assert.deepEqual(Object.keys((await book({ customers: [a, a] })).body.field_errors), ['customers']);
  assert.deepEqual(Object.keys((await book({ customer: a, customers: [b] })).body.field_errors), ['customers']);
  assert.equal((await show(1)).body.is_available, true);
});

test('a refused booking leaves no event and takes no time, and neither does a dry run', async () => {
  const practice = await newPractice(world, { min_allowed_age: 18 });
  const [slot] = await slotsOf(world, practice);
  const child = await world.newCustomer({ date_of_birth: '2020-01-01' } as never);
  const refused = await bookSlot(world, slot.id, child);
  assert.ok(['age_too_low', 'age_unknown'].includes(refused.body.code), refused.text);
  assert.equal((await slotsOf(world, practice)).length, 8);
  const adult = await row(world, 'customer', { first_name: 'Ada', last_name: 'B', date_of_birth: '1980-01-01' });
  const preview = await world.post(`/slots/${slot.id}/register?dry_run=true`, { as, body: { customer: adult } });
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(
    preview.body.effects.map((e: any) => e.effect),
    ['event_created', 'booked'],
  );
  assert.equal((await slotsOf(world, practice)).length, 8);
});

test('an id that was tampered with, belongs to another business or is too old is refused', async () => {
  const practice = await newPractice(world);
  const [slot] = await slotsOf(world, practice);
  const customer = await world.newCustomer();
  const changed = slot.id.replace(/^./, (c) => (c === '1' ? '2' : '1'));
  assert.equal((await bookSlot(world, changed, customer)).status, 404);
  assert.equal((await world.get(`/slots/${slot.id}x`, { as })).status, 404);
  const elsewhere = await world.get(`/slots/${slot.id}`, { headers: { 'service-provider-id': String(world.meadow) } });
  assert.equal(elsewhere.status, 404, elsewhere.text);
  const { now } = world;
  world.setNow(now + 31 * 60_000);
  const late = await bookSlot(world, slot.id, customer);
  world.setNow(now);
  assert.deepEqual([late.status, late.body.code], [409, 'slot_expired']);
});

test('an appointment ends with its last booking, and its time is free again, but a late cancellation remains late', async () => {
  const practice = await newPractice(world, { cancellation_notice_interval: 7 * 24 * 60 });
  const [slot] = await slotsOf(world, practice);
  const customer = await world.newCustomer();
  const { event } = (await bookSlot(world, slot.id, customer)).body;
  const left = await world.post(`/events/${event}/unregister`, { as, body: { customer } });
  assert.deepEqual([left.status, left.body.late], [200, true], left.text);
  assert.equal((await world.get(`/events/${event}`, { as })).body.status, 'cancelled');
  assert.equal((await slotsOf(world, practice)).length, 8);
  const kept = await world.get(`/attendances/${left.body.attendance}`, { as });
  assert.equal(kept.body.status, 'late_cancelled');
});

test('an appointment is moved with its bookings, and its old time is free again', async () => {
  const practice = await newPractice(world);
  const slots = await slotsOf(world, practice);
  const customer = await world.newCustomer();
  const { event, attendance } = (await bookSlot(world, slots[0].id, customer)).body;
  const moved = await world.post(`/events/${event}/reschedule`, {
    as: world.customer(customer),
    body: { slot: slots[3].id },
  });
  assert.deepEqual([moved.status, moved.body.id, moved.body.starts_at], [200, event, slots[3].starts_at], moved.text);
  assert.equal((await world.get(`/attendances/${attendance}`, { as })).body.status, 'registered');
  assert.deepEqual(timesOf(await slotsOf(world, practice)).slice(0, 4), ['09:00', '10:00', '11:00', '13:00']);
  const other = await world.newCustomer();
  const hidden = await world.post(`/events/${event}/reschedule`, {
    as: world.customer(other),
    body: { slot: slots[4].id },
  });
  assert.equal(hidden.status, 404);
});

test('rescheduling late is refused, allowed, or a late cancellation, depending on the setting of the business', async () => {
  const practice = await newPractice(world, { cancellation_notice_interval: 7 * 24 * 60 });
  const slots = await slotsOf(world, practice);
  const customer = await world.newCustomer();
  const own = world.customer(customer);
  const { event, attendance } = (await bookSlot(world, slots[0].id, customer)).body;
  const move = (of: number, slot: string) => world.post(`/events/${of}/reschedule`, { as: own, body: { slot } });
  const refused = await move(event, slots[1].id);
  assert.deepEqual([refused.status, refused.body.code], [400, 'reschedule_too_late'], refused.text);
  await settings({ late_reschedule: 'allow' });
  assert.equal((await move(event, slots[1].id)).body.id, event);
  await settings({ late_reschedule: 'late_cancel' });
  const anew = await move(event, slots[2].id);
  assert.equal(anew.status, 200, anew.text);
  assert.notEqual(anew.body.id, event);
  assert.equal((await world.get(`/attendances/${attendance}`, { as })).body.status, 'late_cancelled');
  assert.equal((await world.get(`/events/${event}`, { as })).body.status, 'cancelled');
  await settings({ late_reschedule: 'refuse' });
});

test('it is explained why a time is not offered, and only staff see the reason why somebody is busy', async () => {
  const practice = await newPractice(world);
  const [slot] = await slotsOf(world, practice);
  const { event } = (await bookSlot(world, slot.id, await world.newCustomer())).body;
  const refusing = async (who: string) => {
    const { body } = await world.get(`/slots/${slot.id}/explain`, { as: who });
    return [body.is_available, body.rules.filter((r: any) => !r.passed)];
  };
  const [available, [busy]] = await refusing(as);
  assert.deepEqual([available, busy.code, busy.facts.events], [false, 'instructor_busy', String(event)]);
  const [, [told]] = await refusing(world.customer(await world.newCustomer()));
  assert.deepEqual(
    [told.code, told.facts.events, told.message],
    ['instructor_busy', null, 'This time is not available. Please choose another one.'],
  );
  const { body: gone } = await world.get(`/slots/${slot.id}`, { as });
  assert.equal(gone.is_available, false);
});

test('the availability of an instructor shows what is left of each day, and what took the rest', async () => {
  const practice = await newPractice(world, { slot_buffer_before: 15 });
  await newClass(practice, '10:00', '11:00');
  await block(world, { instructor: practice.instructors[0] }, practice.date, '15:00-16:00');
  const path = `/instructors/${practice.instructors[0]}/availability?offering_type=${practice.offering}&from=${practice.date}&to=${practice.date}&explain=true`;
  const { body, status, text } = await world.get(path, { as });
  assert.equal(status, 200, text);
  const [day] = body.days;
  assert.deepEqual(day.free.map(span), ['09:00-10:00', '11:15-15:00', '16:00-17:00']);
  assert.deepEqual(
    day.unavailable.map((p: any) => `${p.reason} ${span(p)}`),
    [
      'outside_hours 00:00-09:00',
      'instructor_busy 10:00-11:00',
      'buffer 11:00-11:15',
      'blocked 15:00-16:00',
      'outside_hours 17:00-00:00',
    ],
  );
});

test('other areas book, drop and look up exact times', async () => {
  const practice = await newPractice(world);
  const asked = {
    offeringType: practice.offering,
    instructor: practice.instructors[0],
    venue: practice.venue,
    room: null,
    localStartsAt: `${practice.date}T10:00:00`,
    people: 1,
  };
  const inWork = <T>(act: (work: Work) => Promise<T>) => world.work(world.harbour, act);
  const found = await inWork((work) => slotAt(work, asked));
  assert.ok('slot' in found);
  const { event } = await inWork((work) => takeSlot(work, { slot: found.slot, people: 1 }));
  const again = await inWork((work) => slotAt(work, asked));
  assert.ok('refused' in again && again.refused.code === 'slot_taken');
  await inWork((work) => dropAppointment(work, event));
  assert.ok('slot' in (await inWork((work) => slotAt(work, asked))));
  assert.ok(
    'refused' in (await inWork((work) => slotAt(work, { ...asked, localStartsAt: `${practice.date}T20:00:00` }))),
  );
});

test('settings are read as they were set, lists are replaced, and invalid values are refused', async () => {
  const { instructor } = await newInstructor(world);
  const [a, b] = [await newVenue(world), await newVenue(world)];
  const set = await settings({
    daily_limit: null,
    instructor_limits: [{ instructor, daily_limit: 3 }],
    travel_times: [{ venue: b, other_venue: a, minutes: 20 }],
    slot_expires_after: 30,
  });
  assert.equal(set.status, 200, set.text);
  assert.deepEqual(set.body.travel_times, [{ venue: a, other_venue: b, minutes: 20 }]);
  assert.deepEqual((await world.get('/slots/settings', { as })).body, set.body);
  const twice = await settings({ travel_times: [{ venue: a, other_venue: a, minutes: 1 }] });
  assert.equal(twice.status, 400);
  const reset = await world.put('/slots/settings', { as, body: {} });
  assert.deepEqual([reset.body.instructor_limits, reset.body.travel_times], [[], []]);
});

test('fields and expand work on free times as on other lists, with one statement for each relation', async () => {
  // The id of a time contains its expiry, which changes every minute.
  world.stopNow();
  const practice = await newPractice(world, { instructors: 2 });
  const [plain] = await slotsOf(world, practice);
  const [chosen] = await slotsOf(world, practice, { fields: 'id,venue.name,price,instructors' });
  assert.deepEqual(Object.keys(chosen).toSorted(), ['id', 'instructors', 'price', 'venue']);
  assert.deepEqual([chosen.id, chosen.instructors], [plain.id, plain.instructors]);
  const { body: venue } = await world.get(`/venues/${practice.venue}`, { as });
  assert.deepEqual(chosen.venue, { name: venue.name });
  const [opened] = await slotsOf(world, practice, { expand: 'venue,offering_type,instructors.staff,venue_room' });
  assert.deepEqual(Object.keys(opened).toSorted(), Object.keys(plain).toSorted());
  assert.deepEqual(opened.venue, venue);
  assert.deepEqual(opened.offering_type, (await world.get(`/offering_types/${practice.offering}`, { as })).body);
  const whole = await world.get(`/instructors/${plain.instructors[0]}?expand=staff`, { as });
  assert.deepEqual(opened.instructors, [whole.body]);
  assert.equal(opened.venue_room, null);
  const one = await world.get(`/slots/${plain.id}?fields=is_available,offering_type.name`, { as });
  assert.deepEqual(one.body, { is_available: true, offering_type: { name: 'Massage' } });

  // Customers see the instructor properties that customers may see.
  const guest = world.customer(await world.newCustomer());
  const [shown] = await slotsOf(world, practice, { expand: 'instructors' }, guest);
  const instructor = await world.get(`/instructors/${plain.instructors[0]}`, { as: guest });
  assert.deepEqual(shown.instructors, [instructor.body]);

  const path = `/slots?offering_type=${practice.offering}&expand=venu`;
  assert.equal((await world.get(path, { as })).status, 200);
  const strict = await world.get(path, { as, headers: { prefer: 'handling=strict' } });
  assert.equal(strict.status, 400);
  assert.match(strict.body.message, /Did you mean "venue"/);
});

test('free times, a single one, its explanation and the availability of an instructor return the same in XML', async () => {
  world.stopNow();
  const document = openapi(world.app.registry, { partial: true });
  const practice = await newPractice(world, { slot_buffer_after: 15 });
  await newClass(practice, '10:00', '11:00');
  const asked = `offering_type=${practice.offering}&from=${practice.date}&to=${practice.date}`;
  const same = (of: string, path: string) => sameInXml(world, document, of, path, as);
  const { results } = await same('/slots', `/slots?${asked}`);
  assert.ok(results.length > 0);
  await same('/slots', `/slots?${asked}&expand=venue,offering_type,instructors`);
  await same('/slots/{id}', `/slots/${results[0].id}`);
  await same('/slots/{id}/explain', `/slots/${results[0].id}/explain`);
  const { days } = await same(
    '/instructors/{id}/availability',
    `/instructors/${practice.instructors[0]}/availability?${asked}&explain=true`,
  );
  assert.ok(days[0].unavailable.length > 0);
});

test('a range of more than 31 days or at an end of the calendar, a class and an unknown offering type are refused', async () => {
  const practice = await newPractice(world);
  const ask = (query: string) => world.get(`/slots?${query}`, { as });
  const long = await ask(`offering_type=${practice.offering}&from=2026-01-01&to=2026-02-01`);
  assert.deepEqual([long.status, Object.keys(long.body.field_errors)], [400, ['to']]);
  for (const [query, name] of [
    ['from=9999-12-20', 'from'],
    ['from=0001-01-01&to=0001-01-02', 'from'],
    ['to=9999-12-31', 'to'],
  ]) {
    const never = await ask(`offering_type=${practice.offering}&${query}`);
    assert.deepEqual([never.status, Object.keys(never.body.field_errors)], [400, [name]], never.text);
  }
  const aClass = await ask(`offering_type=${await newOffering(world)}`);
  assert.deepEqual([aClass.status, Object.keys(aClass.body.field_errors)], [400, ['offering_type']]);
  assert.equal((await ask('offering_type=987654321')).status, 400);
});

test('staff of some venues book slots there, and nowhere else', async () => {
  const practice = await newPractice(world);
  const [slot] = await slotsOf(world, practice);
  const [here, elsewhere] = [practice.venue, await newVenue(world)].map((venue) =>
    world.staff(['attendances', 'manage_events'], null, world.harbour, [venue]),
  );
  const customer = await world.newCustomer();
  const refused = await bookSlot(world, slot.id, customer, elsewhere);
  assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'], refused.text);
  assert.equal((await slotsOf(world, practice)).length, 8);
  assert.equal((await bookSlot(world, slot.id, customer, here)).status, 200);
});
