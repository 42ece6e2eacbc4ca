import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { closeDays, foreseen, named, runBulk } from '../../../test/worlds/closure-world.ts';
import {
  book,
  feedEnd,
  feedSince,
  newCustomers,
  newEvent,
  newInstructor,
  newVenue,
  row,
  seats,
} from '../../../test/schedule-world.ts';
import { holdSeats } from '../../scheduling/schedule/index.ts';
import { limit, MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

/** Noon in Toronto. */
const NOW = Date.parse('2026-06-10T16:00Z');
const CLOSE = '/business_closures/bulk_close';

let world: World;
let m: MembershipWorld;
before(async () => {
  world = await startWorld();
  world.setNow(NOW);
  m = await MembershipWorld.of(world);
});
after(() => world.close());

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const post = (path: string, body: object = {}, query = '') =>
  world.post(`${path}${query}`, { as: world.machine, body });
const undo = async (closure: number) => {
  const answer = await world.delete(`/business_closures/${closure}`, { as: world.machine });
  assert.equal(answer.status, 204, answer.text);
  return runBulk(world);
};
const at = (date: string, from = '10:00', to = '11:00', over: Record<string, unknown> = {}) => ({
  starts_at: `${date}T${from}`,
  ends_at: `${date}T${to}`,
  ...over,
});
/** A separate venue, so that tests do not close each other's days. */
const elsewhere = async (over: Record<string, unknown> = {}) => ({
  venue: await newVenue(world, over),
  offering: m.offering,
});
const end = async (id: number) => (await get(`/customer_memberships/${id}`)).expiration_date;
const audit = async (object: string, id: number) =>
  (await get(`/audit_entries?object=${object}&object_id=${id}`)).results;
const statusOf = async (event: number) => (await get(`/events/${event}`)).status;
const statuses = async (event: number) =>
  (await get(`/attendances?event=${event}`)).results.map((a: any) => [a.customer, a.status]);

describe('closing', () => {
  test('events of the day are cancelled, their bookings are refunded, and those of other days and venues remain', async () => {
    const place = await elsewhere();
    const other = await elsewhere();
    const [customer] = await newCustomers(world, 1);
    const held = (await m.give(customer, await m.pack(5))).id;
    const event = (await newEvent(world, place, at('2026-07-01'))).id;
    const stays = [
      await newEvent(world, place, at('2026-07-02')),
      await newEvent(world, place, at('2026-06-30')),
      await newEvent(world, other, at('2026-07-01')),
    ];
    await book(world, event, customer);
    assert.equal(await m.used(held), 1);
    const since = await feedEnd(world);
    const closures = await closeDays(world, {
      dates: ['2026-07-01'],
      venues: [place.venue],
      reason: 'Canada Day.',
      notify: { email: { message: 'See you on Thursday.' } },
    });
    assert.equal(await statusOf(event), 'cancelled');
    assert.deepEqual(await Promise.all(stays.map((e) => statusOf(e.id))), ['active', 'active', 'active']);
    assert.equal(await m.used(held), 0);
    const items = await feedSince(world, since);
    assert.deepEqual(
      items.map((i) => i.kind),
      [
        'bulk_action.created',
        'business_closure.created',
        'customer_membership.credited',
        'event.cancelled',
        'event_registration.cancelled',
        'bulk_action.finished',
      ],
    );
    const [, created, , cancelled] = items;
    assert.equal(cancelled.payload.notify, 'Canada Day.\n\nSee you on Thursday.');
    assert.equal(created.payload.reason, 'Canada Day.');
    const shown = await get(`/business_closures/${closures['2026-07-01']}?expand=bulk_action`);
    assert.deepEqual(
      [shown.closure_date, shown.venue, shown.reason, shown.cancelled_events, shown.bulk_action.type],
      ['2026-07-01', place.venue, 'Canada Day.', 1, 'close_business'],
    );
  });

  test('a dry run shows exactly what the job then does, and closes nothing', async () => {
    const place = await elsewhere();
    const [booked, waits, holds] = await newCustomers(world, 3);
    const pack = await m.pack(5);
    const held = (await m.give(booked, pack)).id;
    for (const customer of [waits, holds]) await m.give(customer, pack);
    const full = (await newEvent(world, place, at('2026-07-03', '10:00', '11:00', { max_occupancy: 1 }))).id;
    const free = (await newEvent(world, place, at('2026-07-03', '12:00', '13:00'))).id;
    const { attendance } = (await book(world, full, booked)).body;
    await post(`/events/${full}/join_waitlist`, { customer: waits });
    await world.work(world.harbour, (work) =>
      holdSeats(work, [{ event: free, customer: holds, until: NOW + 3_600_000, by: { object: 'checkout', id: 1 } }]),
    );
    const body = { from: '2026-07-03', to: '2026-07-04', venues: [place.venue], reason: 'Flooded.' };
    const told = await foreseen(world, 'POST', CLOSE, body);
    assert.deepEqual(
      told.map((e) => e.effect),
      [
        'day_closed',
        'day_closed',
        'seat_released',
        'membership_credited',
        'booking_lost',
        'waitlist_lost',
        'event_cancelled',
        'event_cancelled',
        'message_sent',
      ],
    );
    const [first, second] = named(told, 'day_closed');
    assert.deepEqual([first.appointments, first.room_rentals, first.course_sessions], [0, 0, 0]);
    assert.deepEqual([first.events, first.bookings, first.waiting, first.held_places, second.events], [2, 1, 1, 1, 0]);
    assert.deepEqual(
      named(told, 'event_cancelled').map((e) => [e.id, e.bookings, e.waiting, e.notified]),
      [
        [full, 1, 1, 2],
        [free, 0, 0, 0],
      ],
    );
    assert.deepEqual(
      named(told, 'booking_lost', 'membership_credited', 'seat_released', 'waitlist_lost').map((e) => e.customer),
      [holds, booked, booked, waits],
    );
    assert.equal(await statusOf(full), 'active');
    assert.equal((await get(`/business_closures?venue=${place.venue}&closure_date_gte=2026-07-03`)).count, 0);
    await closeDays(world, body);
    assert.deepEqual(await statuses(full), [
      [booked, 'not_registered'],
      [waits, 'not_registered'],
    ]);
    assert.equal((await get(`/attendances/${attendance}`)).customer_membership, null);
    assert.equal(await m.used(held), 0);
    assert.deepEqual(await seats(world, free), { attending: 0, held: 0, waiting: 0, booked: 0 });
    assert.equal((await get(`/business_closures?venue=${place.venue}&closure_date_gte=2026-07-03`)).count, 2);
  });

  test('people are notified unless staff turn that off', async () => {
    const place = await elsewhere();
    const [quiet, loud] = [
      await newEvent(world, place, at('2026-07-06')),
      await newEvent(world, place, at('2026-07-07')),
    ];
    const since = await feedEnd(world);
    await closeDays(world, { dates: ['2026-07-06'], venues: [place.venue], notify: { email: { send: false } } });
    await closeDays(world, { dates: ['2026-07-07'], venues: [place.venue] });
    const said = (await feedSince(world, since)).filter((i) => i.kind === 'event.cancelled').map((i) => i.payload);
    assert.deepEqual(
      said.map(({ event, notify }) => [event, notify]),
      [
        [quiet.id, null],
        [loud.id, ''],
      ],
    );
  });

  test('a day of all venues is each venue’s own day, in whatever zone it is', async () => {
    const tokyo = await elsewhere({ timezone: 'Asia/Tokyo' });
    const toronto = await elsewhere();
    // One instant that falls on two different days.
    const [there, here] = [
      await newEvent(world, tokyo, { starts_at: '2026-07-11T09:00', ends_at: '2026-07-11T10:00' }),
      await newEvent(world, toronto, { starts_at: '2026-07-10T20:00', ends_at: '2026-07-10T21:00' }),
    ];
    assert.equal(Date.parse(there.starts_at), Date.parse(here.starts_at));
    await closeDays(world, { dates: ['2026-07-11'] });
    assert.deepEqual([await statusOf(there.id), await statusOf(here.id)], ['cancelled', 'active']);
  });

  test('a moment that falls on different days in different zones closes nothing, in any form of the request', async () => {
    const venues = [await newVenue(world, { timezone: 'Pacific/Auckland' })];
    const moment = '2027-05-02T12:30:00Z';
    for (const days of [{ dates: ['2027-05-04', moment] }, { from: moment, to: '2027-05-04' }]) {
      const { status, body } = await post(CLOSE, { ...days, venues });
      assert.deepEqual(
        [status, Object.keys(body.field_errors)],
        [400, ['dates' in days ? 'dates.1' : 'from']],
        JSON.stringify(body),
      );
    }
    const refused = await world.get(`/business_closures?closure_date_gte=${moment}`, { as: world.machine });
    assert.equal(refused.status, 400);
  });

  test('an event belongs to the day on which it starts, and one that has started continues', async () => {
    const place = await elsewhere();
    const late = await newEvent(world, place, { starts_at: '2026-07-12T23:00', ends_at: '2026-07-13T02:00' });
    const next = await newEvent(world, place, { starts_at: '2026-07-13T00:00', ends_at: '2026-07-13T01:00' });
    await closeDays(world, { dates: ['2026-07-13'], venues: [place.venue] });
    assert.deepEqual([await statusOf(late.id), await statusOf(next.id)], ['active', 'cancelled']);
    const running = (await newEvent(world, place, { in: -0.5 })).id;
    const later = (await newEvent(world, place, { in: 1 })).id;
    await closeDays(world, { dates: ['2026-06-10'], venues: [place.venue] });
    assert.deepEqual([await statusOf(running), await statusOf(later)], ['active', 'cancelled']);
  });

  test('mistakes in the days are reported under the name of the property', async () => {
    const venues = [await newVenue(world)];
    const wrong = async (body: object) => {
      const { status, body: said } = await post(CLOSE, { venues, ...body });
      assert.ok(status === 400, JSON.stringify(said));
      return Object.entries(said.field_errors).map(([name, [why]]: any) => `${name}: ${why}`)[0];
    };
    assert.match(await wrong({}), /^dates: Send dates, or from and to/);
    assert.match(await wrong({ dates: [] }), /^dates: Name at least one day/);
    assert.match(await wrong({ dates: ['2026-07-01'], from: '2026-07-01' }), /^dates: Send either/);
    assert.match(await wrong({ from: '2026-07-01' }), /^to: Send the last day/);
    assert.match(await wrong({ to: '2026-07-01' }), /^from: Send dates, or from and to/);
    assert.match(await wrong({ from: '2026-07-02', to: '2026-07-01' }), /^to: Must not be before from/);
    assert.match(await wrong({ from: '2026-07-01', to: '2027-07-02' }), /^to: One call can close at most 366 days/);
    assert.match(await wrong({ dates: ['2026-06-09', '2026-07-01'] }), /^dates: Must be today or later/);
    assert.match(await wrong({ dates: ['2026-07-01'], venues: [987_654] }), /^venues/);
    const many = {
      from: '2026-07-01',
      to: '2027-06-30',
      venues: await Promise.all(Array.from({ length: 6 }, () => newVenue(world))),
    };
    assert.match(await wrong(many), /^venues: These are 2190 closures/);
  });

  test('a day that is closed is not closed again, and the other days of the request are', async () => {
    const place = await elsewhere();
    const body = { dates: ['2026-07-14'], venues: [place.venue] };
    await closeDays(world, body);
    const again = await post(CLOSE, body);
    assert.deepEqual([again.status, again.body.code], [409, 'already_exists']);
    assert.ok(again.body.field_errors.dates);
    const more = await closeDays(world, { ...body, dates: ['2026-07-14', '2026-07-15'] });
    assert.deepEqual(Object.keys(more), ['2026-07-15']);
  });

  test('only super admins of the business close and reopen its days', async () => {
    const venue = await newVenue(world);
    const body = { dates: ['2026-07-16'], venues: [venue] };
    const [customer] = await newCustomers(world, 1);
    for (const as of [world.staff(['manage_events']), world.customer(customer)])
      assert.equal((await world.post(CLOSE, { as, body })).status, 403);
    assert.equal((await post(CLOSE, body)).status, 200);
    const { results } = await get(`/business_closures?venue=${venue}&closure_date_lte=2026-07-16`);
    const mine = results.find((c: any) => c.venue === venue);
    const as = world.staff(['manage_events']);
    assert.equal((await world.delete(`/business_closures/${mine.id}`, { as })).status, 403);
    assert.equal((await world.delete(`/business_closures/${mine.id}`, { as: world.meadowMachine })).status, 404);
  });

  test('memberships last one day longer for each closed day on which they could have been used, if staff choose so', async () => {
    const place = await elsewhere();
    const prepaid = await m.prepaid({ duration: 1, duration_unit: 'months' }, [limit('total', 10)]);
    const [club] = [await m.recurring()];
    const dates = ['2026-08-03', '2026-08-04', '2026-08-05'];
    const owned = async (membership: number, over: Record<string, unknown>) => {
      const [customer] = await newCustomers(world, 1);
      return (await m.give(customer, membership, over)).id;
    };
    const [whole, last, before] = [
      await owned(prepaid, { start_date: '2026-06-10', expiration_date: '2026-08-31' }),
      await owned(prepaid, { start_date: '2026-06-10', expiration_date: '2026-08-03' }),
      await owned(prepaid, { start_date: '2026-06-10', expiration_date: '2026-08-02' }),
    ];
    const plan = await owned(club.membership, { payment_plan: club.plan, start_date: '2026-06-10' });
    const untouched = await end(plan);
    const body = { dates, venues: [place.venue], extend_memberships: true };
    const told = named(await foreseen(world, 'POST', CLOSE, body), 'expiration_changed').map((e) => [e.id, e.after]);
    assert.deepEqual(
      told.filter(([id]) => [whole, last, before, plan].includes(id)),
      [
        [whole, '2026-09-03'],
        // A day that is gained is closed, too: it must not be lost.
        [last, '2026-08-06'],
      ],
    );
    assert.equal(await end(whole), '2026-08-31');
    const closures = await closeDays(world, body);
    assert.deepEqual(await Promise.all([whole, last, before, plan].map(end)), [
      '2026-09-03',
      '2026-08-06',
      '2026-08-02',
      untouched,
    ]);
    await undo(closures['2026-08-03']);
    assert.equal(await end(whole), '2026-09-03', 'what was given is kept');
  });
});

describe('on a closed day', () => {
  test('no event is planned unless staff insist, and the refusal says why and what can be done', async () => {
    const place = await elsewhere();
    await closeDays(world, { dates: ['2026-09-07'], venues: [place.venue], reason: 'Labour Day.' });
    const body = { name: 'Rowing', venue: place.venue, offering_type: place.offering, ...at('2026-09-07') };
    const refused = await post('/events', body);
    assert.deepEqual([refused.status, refused.body.code], [409, 'venue_closed']);
    assert.match(
      refused.body.message,
      /closed on 2026-09-07: Labour Day\. Choose another day, reopen .* `on_closed_day`/,
    );
    assert.deepEqual(Object.keys(refused.body.field_errors), ['starts_at']);
    const made = await post('/events', { ...body, on_closed_day: true });
    assert.equal(made.status, 201, made.text);
    const day = await newEvent(world, place, at('2026-09-08'));
    const patch = (id: number, values: object) => world.patch(`/events/${id}`, { as: world.machine, body: values });
    assert.equal((await patch(day.id, at('2026-09-07', '14:00', '15:00'))).body.code, 'venue_closed');
    assert.equal((await patch(day.id, at('2026-09-07', '14:00', '15:00', { on_closed_day: true }))).status, 200);
    // The event exists already: its other changes don't concern the closure.
    assert.equal((await patch(made.body.id, { ...at('2026-09-07', '12:00', '13:00'), name: 'Sculls' })).status, 200);
    const open = await newEvent(world, await elsewhere(), at('2026-09-07'));
    const moved = await patch(open.id, { venue: place.venue });
    assert.deepEqual([moved.body.code, Object.keys(moved.body.field_errors)], ['venue_closed', ['venue']]);
  });

  test('a series skips the day, and creates its event when the day is reopened', async () => {
    const place = await elsewhere();
    const closures = await closeDays(world, { dates: ['2026-09-14'], venues: [place.venue] });
    const body = {
      name: 'Rowing',
      venue: place.venue,
      offering_type: place.offering,
      ...at('2026-09-07', '18:00', '19:00'),
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' },
    };
    const effects = named((await post('/events', body, '?dry_run=true')).body.effects, 'event_left_out');
    assert.deepEqual(
      effects.map((e) => [e.starts_at, e.because]),
      [['2026-09-14T18:00:00', 'The venue is closed on that day.']],
    );
    const { series } = (await post('/events', body)).body;
    const days = async () =>
      (await get(`/events?series=${series}&fields=starts_at`)).results.map((e: any) => e.starts_at.slice(0, 10));
    assert.deepEqual(await days(), ['2026-09-07', '2026-09-21', '2026-09-28']);
    assert.equal((await post('/events', { ...body, on_closed_day: true })).status, 400);
    await undo(closures['2026-09-14']);
    assert.deepEqual(await days(), ['2026-09-07', '2026-09-14', '2026-09-21', '2026-09-28']);
  });
});

describe('undoing', () => {
  test('everything comes back: the event, its bookings with their payment, and its waitlist in order', async () => {
    const place = await elsewhere();
    const [packed, comped, first, second] = await newCustomers(world, 4);
    const pack = await m.pack(5);
    const held = (await m.give(packed, pack)).id;
    for (const customer of [first, second]) await m.give(customer, pack);
    const event = (await newEvent(world, place, at('2026-10-01', '10:00', '11:00', { max_occupancy: 2 }))).id;
    await book(world, event, packed);
    await post(`/events/${event}/register`, { customer: comped, comped: true });
    for (const customer of [first, second]) await post(`/events/${event}/join_waitlist`, { customer });
    const closures = await closeDays(world, { dates: ['2026-10-01'], venues: [place.venue] });
    assert.equal(await m.used(held), 0);
    const since = await feedEnd(world);
    const path = `/business_closures/${closures['2026-10-01']}`;
    const told = await foreseen(world, 'DELETE', path);
    assert.deepEqual(named(told, 'day_opened'), [
      { id: closures['2026-10-01'], closure_date: '2026-10-01', venue: place.venue },
    ]);
    assert.deepEqual(named(told, 'event_reopened'), [
      { id: event, bookings: 2, not_restored: 0, waiting: 2, notified: 4 },
    ]);
    assert.deepEqual(
      named(told, 'booked', 'membership_used', 'waitlist_restored')
        .map((e) => e.customer)
        .toSorted(),
      [packed, packed, comped, first, second].toSorted(),
    );
    assert.equal((await feedSince(world, since)).length, 0, 'a dry run tells nothing');
    assert.deepEqual(await undo(closures['2026-10-01']), {});
    assert.equal((await world.get(path, { as: world.machine })).status, 404);
    assert.equal(await statusOf(event), 'active');
    assert.equal(await m.used(held), 1);
    assert.deepEqual(
      (await get(`/attendances?event=${event}&status=registered`)).results.map((a: any) => [
        a.customer,
        a.customer_membership,
      ]),
      [
        [packed, held],
        [comped, null],
      ],
    );
    assert.deepEqual(
      (await get(`/waitlist_spots?event=${event}`)).results.map((s: any) => s.customer),
      [first, second],
    );
    assert.deepEqual(await seats(world, event), { attending: 2, held: 0, waiting: 2, booked: 2 });
    assert.deepEqual(
      (await feedSince(world, since)).map((i) => i.kind),
      [
        'bulk_action.created',
        'business_closure.deleted',
        'event.reopened',
        'event_registration.created',
        'event_registration.created',
        'customer_membership.used',
        'waitlist.restored',
        'waitlist.restored',
        'bulk_action.finished',
      ],
    );
  });

  test('people who booked something else at that time, or can no longer pay, are named and not booked', async () => {
    const [place, other] = [await elsewhere(), await elsewhere()];
    const [back, away, empty] = await newCustomers(world, 3);
    const pack = await m.pack(1);
    const [, , held] = [
      await m.give(back, await m.pack(5)),
      await m.give(away, await m.pack(5)),
      await m.give(empty, pack),
    ];
    const event = (await newEvent(world, place, at('2026-10-05'))).id;
    for (const customer of [back, away, empty]) await book(world, event, customer);
    const closures = await closeDays(world, { dates: ['2026-10-05'], venues: [place.venue] });
    world.setNow(world.now + 60_000);
    const same = (await newEvent(world, other, at('2026-10-05', '10:30', '11:30', { name: 'Sculls' }))).id;
    const another = (await newEvent(world, other, at('2026-10-09'))).id;
    assert.equal((await book(world, same, away)).status, 200);
    assert.equal((await book(world, another, empty)).status, 200);
    const told = named(
      await foreseen(world, 'DELETE', `/business_closures/${closures['2026-10-05']}`),
      'booking_not_restored',
    );
    assert.deepEqual(
      told.map((e) => [e.customer, e.reason]),
      [
        [away, 'booked_elsewhere'],
        [empty, 'cannot_pay'],
      ],
    );
    assert.equal(told[0].because, 'They have booked “Sculls” at that time.');
    const since = await feedEnd(world);
    await undo(closures['2026-10-05']);
    assert.deepEqual(
      (await statuses(event)).toSorted(),
      [
        [back, 'registered'],
        [away, 'not_registered'],
        [empty, 'not_registered'],
      ].toSorted(),
    );
    const items = (await feedSince(world, since)).filter((i) => i.kind === 'event_registration.not_restored');
    assert.deepEqual(
      items.map((i) => [i.payload.customer, i.payload.reason, i.payload.notify]),
      [
        [away, 'booked_elsewhere', ''],
        [empty, 'cannot_pay', ''],
      ],
    );
    assert.equal(await m.used(held.id), 1, 'only the other booking is paid with it');
  });

  test('an event whose room or instructor is taken in the meantime stays cancelled, and its result says by what', async () => {
    const place = await elsewhere();
    const room = await row(world, 'venue_room', { venue_id: place.venue, name: 'Dock' });
    const { instructor } = await newInstructor(world);
    const inRoom = await newEvent(world, place, at('2026-10-12', '10:00', '11:00', { venue_room: room }));
    const taught = await newEvent(world, place, at('2026-10-12', '12:00', '13:00', { instructors: [instructor] }));
    const free = await newEvent(world, place, at('2026-10-12', '14:00', '15:00', { venue_room: room }));
    const closures = await closeDays(world, { dates: ['2026-10-12'], venues: [place.venue] });
    const override = { on_closed_day: true };
    const a = await newEvent(
      world,
      place,
      at('2026-10-12', '10:30', '11:30', { name: 'Yoga', venue_room: room, ...override }),
    );
    const b = await newEvent(
      world,
      place,
      at('2026-10-12', '12:00', '13:00', { name: 'Polo', instructors: [instructor], ...override }),
    );
    const path = `/business_closures/${closures['2026-10-12']}`;
    const left = named(await foreseen(world, 'DELETE', path), 'left_alone');
    const said = await undo(closures['2026-10-12']);
    assert.deepEqual(said, {
      [inRoom.id]: `The room is used by “Yoga” (${a.id}) at that time. Move that event first.`,
      [taught.id]: `An instructor of the event teaches “Polo” (${b.id}) at that time. Move that event first.`,
    });
    assert.deepEqual(Object.fromEntries(left.map((e) => [e.id, e.because])), said);
    assert.deepEqual(await Promise.all([inRoom, taught, free].map((e) => statusOf(e.id))), [
      'cancelled',
      'cancelled',
      'active',
    ]);
  });

  test('somebody who had booked two overlapping events gets both back', async () => {
    const place = await elsewhere();
    const [customer] = await newCustomers(world, 1);
    await m.give(customer, await m.pack(5));
    const events = [
      await newEvent(world, place, at('2026-10-19', '10:00', '11:00')),
      await newEvent(world, place, at('2026-10-19', '10:30', '11:30')),
    ];
    for (const { id } of events) await book(world, id, customer);
    const closures = await closeDays(world, { dates: ['2026-10-19'], venues: [place.venue] });
    await undo(closures['2026-10-19']);
    for (const { id } of events) assert.deepEqual(await statuses(id), [[customer, 'registered']]);
  });

  test('an event that another closure also covers returns with that closure, and earlier cancellations remain', async () => {
    const place = await elsewhere();
    const event = (await newEvent(world, place, at('2026-10-26'))).id;
    const gone = (await newEvent(world, place, at('2026-10-26', '12:00', '13:00'))).id;
    await post(`/events/${gone}/cancel`);
    const all = await closeDays(world, { dates: ['2026-10-26'] });
    const mine = await closeDays(world, { dates: ['2026-10-26'], venues: [place.venue] });
    await undo(all['2026-10-26']);
    assert.equal(await statusOf(event), 'cancelled');
    assert.equal((await get(`/business_closures/${mine['2026-10-26']}`)).cancelled_events, 1);
    await undo(mine['2026-10-26']);
    assert.deepEqual([await statusOf(event), await statusOf(gone)], ['active', 'cancelled']);
  });

  test('one request undoes all days of a request, and notifies people with the business’s own message', async () => {
    const place = await elsewhere();
    const events = [await newEvent(world, place, at('2026-11-02')), await newEvent(world, place, at('2026-11-03'))];
    const closures = await closeDays(world, { from: '2026-11-02', to: '2026-11-04', venues: [place.venue] });
    const since = await feedEnd(world);
    const answer = await post(`/business_closures/${closures['2026-11-03']}/reopen`, {
      notify: { email: { message: 'The water is calm again.' } },
    });
    assert.deepEqual([answer.status, answer.body.type], [200, 'reopen_business'], answer.text);
    await runBulk(world);
    assert.deepEqual(await Promise.all(events.map((e) => statusOf(e.id))), ['active', 'active']);
    const items = await feedSince(world, since);
    assert.equal(items.filter((i) => i.kind === 'business_closure.deleted').length, 3);
    assert.deepEqual(
      items.filter((i) => i.kind === 'event.reopened').map((i) => i.payload.notify),
      ['The water is calm again.', 'The water is calm again.'],
    );
    assert.equal((await get(`/bulk_actions/${answer.body.id}/results`)).count, 2);
  });

  test('a closure that is undone before its job has run cancels nothing', async () => {
    const place = await elsewhere();
    const event = (await newEvent(world, place, at('2026-11-09'))).id;
    const { id } = (await post(CLOSE, { dates: ['2026-11-09'], venues: [place.venue] })).body;
    const { results } = await get('/business_closures?closure_date_gte=2026-11-09&closure_date_lte=2026-11-09');
    await world.delete(`/business_closures/${results[0].id}`, { as: world.machine });
    assert.match((await runBulk(world))[event], /no longer on a closed day/);
    assert.equal(await statusOf(event), 'active');
    assert.equal((await get(`/bulk_actions/${id}/results`)).results[0].status, 'error');
  });

  test('the audit has each day that was closed and reopened, and each event and booking that was cancelled and restored', async () => {
    const place = await elsewhere();
    const event = (await newEvent(world, place, at('2026-11-16'))).id;
    const closures = await closeDays(world, { dates: ['2026-11-16'], venues: [place.venue] });
    const closure = closures['2026-11-16'];
    await undo(closure);
    const [opened, closed] = (await audit('business_closure', closure)).toSorted((a: any, b: any) => b.id - a.id);
    assert.deepEqual([closed.before, closed.after.closure_date], [null, '2026-11-16']);
    assert.deepEqual([opened.before.closure_date, opened.after], ['2026-11-16', null]);
    const kinds = await world.work(world.harbour, ({ tx }) =>
      tx.rows(
        sql`SELECT kind FROM feed_item WHERE provider_id = ${world.harbour} AND object = 'event'
          AND object_id = ${event} ORDER BY id`,
      ),
    );
    assert.deepEqual(
      kinds.map((k) => k.kind),
      ['event.created', 'event.cancelled', 'event.reopened'],
    );
  });
});
