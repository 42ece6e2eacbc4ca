import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import {
  book,
  feedEnd,
  feedSince,
  iso,
  newCustomers,
  newEvent,
  newInstructor,
  newOffering,
  newPlace,
  newVenue,
  row,
  type Place,
} from '../../../../test/schedule-world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
after(() => world.close());

const as = () => world.machine;
const create = (over: Record<string, unknown> = {}) =>
  world.post('/events', {
    as: as(),
    body: {
      name: 'Rowing',
      venue: place.venue,
      offering_type: place.offering,
      starts_at: '2027-06-01T18:00:00',
      ends_at: '2027-06-01T19:00:00',
      ...over,
    },
  });
const patch = (id: number, body: object) => world.patch(`/events/${id}`, { as: as(), body });
const newRoom = (over: Record<string, unknown> = {}) =>
  row(world, 'venue_room', { venue_id: place.venue, name: 'Dock', ...over });

const times = async (starts_at: string, ends_at: string, venue = place.venue) => {
  const { body } = await create({ starts_at, ends_at, venue });
  return [body.starts_at, body.ends_at];
};

describe('creating', () => {
  test('every property that is sent is returned again', async () => {
    const { instructor } = await newInstructor(world);
    const [category, timeline, room] = [
      await row(world, 'offering_type_category', { name: 'Water' }),
      await row(world, 'registration_timeline', { name: 'Early' }),
      await newRoom(),
    ];
    const made = await create({
      name: 'Sculls',
      venue_room: room,
      instructors: [instructor],
      category,
      max_occupancy: 3,
      waitlist_max_override: 2,
      description: 'Two oars each.',
      registration_timelines: [timeline],
      calendar_opens_at: '2027-05-01T00:00:00',
      external_id: 'crm-1',
    });
    assert.equal(made.status, 201, made.text);
    const { body } = await world.get(
      `/events/${made.body.id}?expand=category,instructors,venue,venue_room,offering_type,registration_timelines,calendar_opens_at,timezone`,
      { as: as() },
    );
    assert.equal(body.name, 'Sculls');
    assert.equal(body.starts_at, '2027-06-01T18:00:00-04:00');
    assert.equal(body.ends_at, '2027-06-01T19:00:00-04:00');
    assert.equal(body.venue_room.id, room);
    assert.equal(body.venue.id, place.venue);
    assert.equal(body.offering_type.id, place.offering);
    assert.equal(body.category.id, category);
    assert.deepEqual(
      body.instructors.map((i: any) => i.id),
      [instructor],
    );
    assert.deepEqual(
      body.registration_timelines.map((t: any) => t.id),
      [timeline],
    );
    assert.equal(body.max_occupancy, 3);
    assert.equal(body.waitlist_max_override, 2);
    assert.equal(body.description, 'Two oars each.');
    assert.equal(body.calendar_opens_at, '2027-05-01T00:00:00-04:00');
    assert.equal(body.external_id, 'crm-1');
    assert.equal(body.timezone, 'America/Toronto');
    assert.equal(body.status, 'active');
  });

  test('neither instructors nor a limit are required; a limit of 0 means none', async () => {
    const made = await create({ max_occupancy: 0, starts_at: '2027-06-02T18:00', ends_at: '2027-06-02T19:00' });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.max_occupancy, null);
    const [customer] = await newCustomers(world, 1);
    assert.equal((await book(world, made.body.id, customer)).status, 200);
  });

  test('times are accepted with an offset, in the zone of the venue without one, and as a plain date', async () => {
    const london = await newVenue(world, { timezone: 'Europe/London' });
    assert.deepEqual(await times('2027-07-01T18:00:00+02:00', '2027-07-01T17:00:00Z'), [
      '2027-07-01T12:00:00-04:00',
      '2027-07-01T13:00:00-04:00',
    ]);
    assert.deepEqual(await times('2027-07-01T18:00', '2027-07-01T19:00', london), [
      '2027-07-01T18:00:00+01:00',
      '2027-07-01T19:00:00+01:00',
    ]);
    assert.deepEqual(await times('2027-07-01', '2027-07-02'), [
      '2027-07-01T00:00:00-04:00',
      '2027-07-02T00:00:00-04:00',
    ]);
  });

  test('an event that ends before it starts, when it starts, or after more than a week is refused', async () => {
    for (const ends_at of ['2027-06-01T17:00', '2027-06-01T18:00', '2027-06-08T18:01']) {
      const refused = await create({ ends_at });
      assert.equal(refused.status, 400);
      assert.deepEqual(Object.keys(refused.body.field_errors), ['ends_at']);
    }
  });

  test('archived, foreign or unknown references are refused by name', async () => {
    const { instructor } = await newInstructor(world);
    await world.patch(`/instructors/${instructor}`, { as: as(), body: { archived: true } });
    const elsewhere = await newRoom({ venue_id: await newVenue(world) });
    const cases: [Record<string, unknown>, string][] = [
      [{ venue: await newVenue(world, { archived: true }) }, 'venue'],
      [{ venue_room: await newRoom({ status: 'archived' }) }, 'venue_room'],
      [{ venue_room: elsewhere }, 'venue_room'],
      [{ offering_type: await newOffering(world, { status: 'archived' }) }, 'offering_type'],
      [{ offering_type: await newOffering(world, {}, world.meadow) }, 'offering_type'],
      [{ instructors: [instructor] }, 'instructors'],
      [{ category: 999_999 }, 'category'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ max_occupancy: -1 }, 'max_occupancy'],
      [{ external_id: 'x'.repeat(51) }, 'external_id'],
      [{ colour: 'red' }, 'colour'],
    ];
    for (const [over, field] of cases) {
      const refused = await create(over);
      assert.equal(refused.status, 400, `${field} ${refused.text}`);
      assert.deepEqual(Object.keys(refused.body.field_errors), [field]);
    }
  });

  test('a dry run returns the event and its effects, and saves nothing', async () => {
    const from = await feedEnd(world);
    const preview = await world.post('/events?dry_run=true', {
      as: as(),
      body: {
        name: 'Try',
        venue: place.venue,
        offering_type: place.offering,
        starts_at: '2027-08-01T18:00',
        ends_at: '2027-08-01T19:00',
      },
    });
    assert.equal(preview.status, 200, preview.text);
    assert.deepEqual(
      preview.body.effects.map((e: any) => e.effect),
      ['event_created'],
    );
    assert.equal((await world.get(`/events/${preview.body.id}`, { as: as() })).status, 404);
    assert.deepEqual(await feedSince(world, from), []);
  });

  test('only staff who manage events can create them', async () => {
    const [customer] = await newCustomers(world, 1);
    const body = {
      name: 'Rowing',
      venue: place.venue,
      offering_type: place.offering,
      starts_at: '2027-06-03T18:00',
      ends_at: '2027-06-03T19:00',
    };
    for (const who of [
      world.staff(['attendances']),
      world.staff(['instructor_manage_events']),
      world.customer(customer),
    ]) {
      const refused = await world.post('/events', { as: who, body });
      assert.equal(refused.status, 403);
    }
    assert.equal((await world.post('/events', { body })).status, 401);
    assert.equal((await world.post('/events', { as: world.staff(['manage_events']), body })).status, 201);
  });
});

const at = (hour: number) => ({
  starts_at: iso(Date.UTC(2027, 8, 1, hour + 4)),
  ends_at: iso(Date.UTC(2027, 8, 1, hour + 5)),
});

describe('rooms and instructors', () => {
  test('a room is used by one event at a time; consecutive events do not conflict', async () => {
    const venue_room = await newRoom();
    const first = await create({ venue_room, ...at(10) });
    const clash = await create({ venue_room, starts_at: '2027-09-01T10:30', ends_at: '2027-09-01T11:30' });
    assert.equal(clash.status, 409);
    assert.equal(clash.body.code, 'room_taken');
    assert.equal((await create({ venue_room, ...at(11) })).status, 201);
    assert.equal((await create({ venue_room, ...at(9) })).status, 201);
    await world.post(`/events/${first.body.id}/cancel`, { as: as(), body: {} });
    assert.equal((await create({ venue_room, ...at(10) })).status, 201);
  });

  test('a room that allows it is used by two events at a time', async () => {
    const venue_room = await newRoom({ allows_double_booking: true });
    for (let i = 0; i < 2; i++) assert.equal((await create({ venue_room, ...at(10) })).status, 201);
  });

  test('an instructor teaches one event at a time; cancelling, moving or leaving an event makes the instructor free', async () => {
    const { instructor } = await newInstructor(world);
    const instructors = [instructor];
    const first = (await create({ instructors, ...at(10) })).body.id;
    const clash = await create({ instructors, ...at(10) });
    assert.equal(clash.status, 409);
    assert.equal(clash.body.code, 'instructor_taken');
    assert.equal((await create({ instructors, ...at(11) })).status, 201);
    const second = (await create(at(10))).body.id;
    assert.equal((await patch(second, { instructors })).body.code, 'instructor_taken');
    await patch(first, { starts_at: '2027-09-01T14:00', ends_at: '2027-09-01T15:00' });
    assert.equal((await patch(second, { instructors })).status, 200);
    assert.equal((await patch(first, at(10))).body.code, 'instructor_taken');
    await patch(second, { instructors: [] });
    assert.equal((await patch(first, at(10))).status, 200);
    await world.post(`/events/${first}/cancel`, { as: as(), body: {} });
    assert.equal((await patch(second, { instructors })).status, 200);
  });

  test('only one of two concurrent requests gets the room', async () => {
    const venue_room = await newRoom();
    const answers = await Promise.all([1, 2, 3, 4].map(() => create({ venue_room, ...at(20) })));
    assert.deepEqual(answers.map((a) => a.status).toSorted(), [201, 409, 409, 409]);
  });
});

const put = (externalId: string, over: Record<string, unknown> = {}) =>
  world.put(`/events/external_id:${externalId}`, {
    as: as(),
    body: {
      name: 'Rowing',
      venue: place.venue,
      offering_type: place.offering,
      starts_at: '2027-06-01T18:00',
      ends_at: '2027-06-01T19:00',
      ...over,
    },
  });

describe('by the id of another system', () => {
  test('the first request creates the event, the next changes it, and repeating it changes nothing and notifies nobody', async () => {
    const { instructor } = await newInstructor(world);
    const timeline = await row(world, 'registration_timeline', { name: 'X' });
    const whole = {
      instructors: [instructor],
      registration_timelines: [timeline],
      max_occupancy: 5,
      calendar_opens_at: '2027-01-01',
      description: null,
      category: null,
      external_id: 'erp-7',
      starts_at: '2027-06-11T18:00',
      ends_at: '2027-06-11T19:00',
    };
    const first = await put('erp-7', whole);
    assert.equal(first.status, 200, first.text);
    const changed = await put('erp-7', { ...whole, name: 'Sculls' });
    assert.equal(changed.body.id, first.body.id);
    const from = await feedEnd(world);
    assert.deepEqual((await put('erp-7', { ...whole, name: 'Sculls' })).body, changed.body);
    assert.deepEqual(await feedSince(world, from), []);
    await put('erp-7', { ...whole, name: 'Sculls', instructors: [] });
    assert.deepEqual(
      (await feedSince(world, from)).map(({ kind, payload: { changed, removed } }) => [kind, changed ?? removed]),
      [
        ['event.changed', ['instructors']],
        ['event.instructors_changed', [instructor]],
      ],
    );
  });

  test('two concurrent first requests create one event', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => put('twice')));
    assert.equal(new Set(answers.map((a) => a.body.id)).size, 1);
    assert.equal((await world.get('/events?external_id=twice', { as: as() })).body.count, 1);
  });

  test('an id of more than 50 characters, another id in the body and another offering type are refused', async () => {
    assert.equal((await put('x'.repeat(50))).status, 200);
    assert.equal((await put('x'.repeat(51))).body.code, 'parameter_invalid');
    assert.ok((await put('a', { external_id: 'b' })).body.field_errors.external_id);
    await put('keeps-type');
    assert.ok((await put('keeps-type', { offering_type: await newOffering(world) })).body.field_errors.offering_type);
  });

  test('an external id that is in use is refused for a new event', async () => {
    await put('taken');
    const refused = await create({ external_id: 'taken' });
    assert.equal(refused.status, 409);
    assert.equal(refused.body.code, 'already_exists');
  });
});

describe('changing', () => {
  test('absent properties stay, null restores the value of the offering type, and other values are set', async () => {
    const offering_type = await newOffering(world, { description: 'Of the type.' });
    const { id } = (
      await create({
        offering_type,
        description: 'Own.',
        max_occupancy: 4,
        starts_at: '2027-10-01T10:00',
        ends_at: '2027-10-01T11:00',
      })
    ).body;
    assert.equal((await patch(id, { name: 'New' })).body.description, 'Own.');
    assert.equal((await patch(id, { description: null })).body.description, 'Of the type.');
    assert.equal((await patch(id, { max_occupancy: null })).body.max_occupancy, null);
    const last = (await patch(id, { max_occupancy: 2 })).body;
    assert.deepEqual([last.name, last.max_occupancy, last.starts_at], ['New', 2, '2027-10-01T10:00:00-04:00']);
  });

  test('the category is that of the offering type until the event has its own', async () => {
    const [ofType, own] = [
      await row(world, 'offering_type_category', { name: 'Water' }),
      await row(world, 'offering_type_category', { name: 'Land' }),
    ];
    const offering_type = await newOffering(world, { category_id: ofType });
    const { id } = (await create({ offering_type, starts_at: '2027-10-03T10:00', ends_at: '2027-10-03T11:00' })).body;
    const shown = async () =>
      (await world.get(`/events/${id}?fields=category,category.name`, { as: as() })).body.category;
    assert.deepEqual(await shown(), { name: 'Water' });
    await patch(id, { category: own });
    assert.deepEqual(await shown(), { name: 'Land' });
    await patch(id, { category: null });
    assert.equal((await world.get(`/events/${id}?expand=category`)).body.category.id, ofType);
    const { id: without } = (await create({ starts_at: '2027-10-04T10:00', ends_at: '2027-10-04T11:00' })).body;
    assert.equal((await world.get(`/events/${without}?fields=category`, { as: as() })).body.category, null);
  });

  test('the feed names exactly the changed properties, and has no item if nothing changed', async () => {
    const { id } = (
      await create({
        max_occupancy: 4,
        calendar_opens_at: '2027-01-01T00:00',
        starts_at: '2027-10-02T10:00',
        ends_at: '2027-10-02T11:00',
      })
    ).body;
    const from = await feedEnd(world);
    await patch(id, {
      name: 'Rowing',
      max_occupancy: 4,
      calendar_opens_at: '2027-01-01T00:00-05:00',
      starts_at: '2027-10-02T10:00',
      instructors: [],
      registration_timelines: null,
    });
    assert.deepEqual(await feedSince(world, from), []);
    await patch(id, {
      ends_at: '2027-10-02T12:00',
      calendar_opens_at: null,
      notify: { email: { send: true, message: 'Longer!' } },
    });
    const [item] = await feedSince(world, from);
    assert.deepEqual(item.payload, { event: id, changed: ['calendar_opens_at', 'ends_at'], notify: 'Longer!' });
  });

  test('at a venue in another zone an event keeps its clock time and loses its room', async () => {
    const { id } = (
      await create({ venue_room: await newRoom(), starts_at: '2027-10-03T10:00', ends_at: '2027-10-03T11:00' })
    ).body;
    const { body } = await patch(id, { venue: await newVenue(world, { timezone: 'Europe/London' }) });
    assert.deepEqual(
      [body.starts_at, body.ends_at, body.venue_room],
      ['2027-10-03T10:00:00+01:00', '2027-10-03T11:00:00+01:00', null],
    );
  });

  test('an event in the hour that occurs twice stays in its half if only its end moves', async () => {
    const { id } = (await create({ starts_at: '2027-11-07T01:30:00-05:00', ends_at: '2027-11-07T02:30:00-05:00' }))
      .body;
    const { body } = await patch(id, { ends_at: '2027-11-07T03:00:00-05:00' });
    assert.deepEqual([body.starts_at, body.ends_at], ['2027-11-07T01:30:00-05:00', '2027-11-07T03:00:00-05:00']);
  });

  test('a dry run names the bookings that would be moved', async () => {
    const [customer] = await newCustomers(world, 1);
    const event = await newEvent(world, place);
    const { attendance } = (await book(world, event.id, customer)).body;
    const { body } = await world.patch(`/events/${event.id}?dry_run=true`, {
      as: as(),
      body: { starts_at: iso(world.now + DAY - HOUR) },
    });
    assert.deepEqual(
      body.effects.map((e: any) => [e.effect, e.id]),
      [
        ['event_changed', event.id],
        ['booking_moved', attendance],
      ],
    );
    assert.equal((await world.get(`/events/${event.id}`, { as: as() })).body.starts_at, event.starts_at);
  });

  test('a cancelled event cannot be changed', async () => {
    const event = await newEvent(world, place);
    await world.post(`/events/${event.id}/cancel`, { as: as(), body: {} });
    assert.equal((await patch(event.id, { name: 'Late' })).body.code, 'already_cancelled');
  });

  test('an unrelated change does not notify the waitlist again', async () => {
    await world.patch(`/providers/${world.harbour}`, {
      as: as(),
      body: { waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action: 'broadcast' }] } },
    });
    const [a, b] = await newCustomers(world, 2);
    const event = await newEvent(world, place, { max_occupancy: 1 });
    await book(world, event.id, a);
    await world.post(`/events/${event.id}/join_waitlist`, { as: as(), body: { customer: b } });
    await world.post(`/events/${event.id}/unregister`, { as: as(), body: { customer: a } });
    const from = await feedEnd(world);
    await patch(event.id, { name: 'Other', max_occupancy: 1 });
    assert.deepEqual(
      (await feedSince(world, from)).map((i) => i.kind),
      ['event.changed'],
    );
  });
});

describe('finding', () => {
  test('every filter returns only matching events', async () => {
    const { instructor, staff } = await newInstructor(world);
    const [venue, offering, category, timeline] = [
      await newVenue(world),
      await newOffering(world, { min_allowed_age: 10, max_allowed_age: 20 }),
      await row(world, 'offering_type_category', { name: 'C' }),
      await row(world, 'registration_timeline', { name: 'T' }),
    ];
    const inherits = await newOffering(world, { category_id: category });
    const own = { venue, offering_type: offering, starts_at: '2028-01-10T18:00', ends_at: '2028-01-10T19:00' };
    const a = (
      await create({
        ...own,
        instructors: [instructor],
        category,
        registration_timelines: [timeline],
        max_occupancy: 1,
        external_id: 'find-a',
      })
    ).body.id;
    const b = (
      await create({ ...own, offering_type: inherits, starts_at: '2028-01-11T18:00', ends_at: '2028-01-11T21:00' })
    ).body.id;
    const c = (await create({ ...own, starts_at: '2028-01-12T18:00', ends_at: '2028-01-12T19:00', max_occupancy: 1 }))
      .body.id;
    const [x, y] = [
      await world.newCustomer({ date_of_birth: '2013-01-01' }),
      await world.newCustomer({ date_of_birth: '2013-01-01' }),
    ];
    await book(world, a, x);
    await world.post(`/events/${a}/join_waitlist`, { as: as(), body: { customer: y } });
    await world.post(`/events/${c}/cancel`, { as: as(), body: {} });
    const found = async (query: string, who = as()) => {
      const answer = await world.get(`/events?venues=${venue}&fields=id&${query}`, { as: who });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.results.map((e: any) => e.id);
    };
    const cases: [string, number[]][] = [
      ['', [a, b, c]],
      [`ids=${a},${c}`, [a, c]],
      [`offering_types=${inherits}`, [b]],
      [`category=${category}`, [a, b]],
      [`instructors=${instructor}`, [a]],
      ['status=cancelled', [c]],
      ['status=active', [a, b]],
      ['starts_at_gte=2028-01-11T18:00:00-05:00', [b, c]],
      ['starts_at_lte=2028-01-11T18:00:00-05:00', [a, b]],
      ['start_gte=2028-01-12', [c]],
      // A plain date means the whole day; at the end of a range, it means the end of that day.
      ['start_lte=2028-01-11', [a, b]],
      ['start_lte=2028-01-10', [a]],
      ['starts_at_lte=2028-01-11', [a, b]],
      ['starts_at_lte=2028-01-11T00:00', [a]],
      ['ends_at_lte=2028-01-10', [a]],
      ['local_starts_at_lte=2028-01-11', [a, b]],
      ['local_starts_at_lte=2028-01-10', [a]],
      ['ends_at_gte=2028-01-11T21:00', [b, c]],
      ['ends_at_lte=2028-01-11T20:59', [a]],
      ['local_starts_at_gte=2028-01-11T18:00:00', [b, c]],
      ['local_starts_at_lte=2028-01-11T17:59:59', [a]],
      ['min_allowed_age=10', [a, c]],
      ['min_allowed_age=11', []],
      ['max_allowed_age=20', [a, c]],
      ['max_allowed_age=19', []],
      ['for_age=9', [b]],
      ['for_age=10', [a, b, c]],
      ['for_age=20', [a, b, c]],
      ['for_age=21', [b]],
      ['has_instructor=true', [a]],
      ['has_instructor=false', [b, c]],
      ['occupancy_status=full', [a]],
      ['occupancy_status=not_full', [b, c]],
      ['occupancy_status=has_registrations', [a]],
      ['occupancy_status=empty', [b, c]],
      ['occupancy_status=has_waitlist', [a]],
      ['occupancy_status=full,empty', [a, b, c]],
      [`registration_timelines=${timeline}`, [a]],
      ['external_id=find-a', [a]],
      ['applicable_to_recurring_reservation=1', []],
      ['sort=-start', [c, b, a]],
      ['sort=-end', [c, b, a]],
      ['sort=end', [a, b, c]],
    ];
    for (const [query, ids] of cases) assert.deepEqual(await found(query), ids, query);
    const me = world.staff(['instructor_attendances'], staff);
    assert.deepEqual(await found('instructors=me', me), [a]);
    assert.deepEqual(await found('instructors=me'), []);
    assert.equal((await world.get('/events?occupancy_status=half', { as: as() })).status, 400);
  });

  test('an event is full if each place is booked or reserved, and never without a limit', async () => {
    const { id } = (await create({ max_occupancy: 1, starts_at: '2027-10-05T10:00', ends_at: '2027-10-05T11:00' }))
      .body;
    const full = async (event: number) => (await world.get(`/events/${event}?fields=is_full`)).body.is_full;
    assert.equal(await full(id), false);
    await book(world, id, await world.newCustomer());
    assert.equal(await full(id), true);
    const kept = (await create({ max_occupancy: 1, starts_at: '2027-10-06T10:00', ends_at: '2027-10-06T11:00' })).body
      .id;
    const who = { event_id: kept, customer_id: await world.newCustomer() };
    await row(world, 'attendance', { ...who, status: 'not_registered' });
    const waiting = await row(world, 'waitlist_spot', who);
    assert.equal(await full(kept), false);
    await world.work(world.harbour, ({ tx, providerId }) =>
      tx.run(
        sql`UPDATE waitlist_spot SET status = 'spot_reserved', reserved_spot_expires_at = '2030-01-01'
          WHERE provider_id = ${providerId} AND id = ${waiting}`,
      ),
    );
    assert.equal(await full(kept), true);
    const open = (await create({ max_occupancy: null, starts_at: '2027-10-07T10:00', ends_at: '2027-10-07T11:00' }))
      .body.id;
    await book(world, open, await world.newCustomer());
    assert.equal(await full(open), false);
  });

  test('a page has at most 250 events', async () => {
    assert.equal((await world.get('/events?page_size=250', { as: as() })).status, 200);
    const venue = await newVenue(world);
    await world.work(world.harbour, async ({ tx }) => {
      await tx.run(sql`
        INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, local_starts_at, local_ends_at,
          starts_at, ends_at)
        SELECT ${world.harbour}, ${place.offering}, ${venue}, 'Many', 'UTC', '2029-01-01T10:00', '2029-01-01T11:00',
          '2029-01-01T10:00Z', '2029-01-01T11:00Z' FROM generate_series(1, 251)`);
    });
    const { body } = await world.get(`/events?venues=${venue}&page_size=1000&fields=id`, { as: as() });
    assert.deepEqual([body.count, body.results.length, body.previous], [251, 250, null]);
    assert.equal(
      (await world.get(`/events?venues=${venue}&page_size=1000&page=2&fields=id`, { as: as() })).body.results.length,
      1,
    );
  });
});

const visible = async (event: number, customer: number) => {
  const [mine, anybody] = await Promise.all([
    world.get(`/events/${event}`, { as: world.customer(customer) }),
    world.get(`/events/${event}`),
  ]);
  return [mine.status, anybody.status];
};

describe('who sees what', () => {
  test('a private offering is visible to staff, and to customers who are booked or on the waitlist', async () => {
    const [booked, waits, other] = await newCustomers(world, 3);
    const offering = await newOffering(world, { customer_visibility: 'private' });
    const event = await newEvent(world, { ...place, offering }, { max_occupancy: 1 });
    await book(world, event.id, booked);
    await world.post(`/events/${event.id}/join_waitlist`, { as: as(), body: { customer: waits } });
    assert.deepEqual(await visible(event.id, booked), [200, 404]);
    assert.deepEqual(await visible(event.id, waits), [200, 404]);
    assert.deepEqual(await visible(event.id, other), [404, 404]);
    assert.equal(
      (await world.post(`/events/${event.id}/leave_waitlist`, { as: world.customer(waits), body: {} })).status,
      200,
    );
    assert.deepEqual(await visible(event.id, waits), [404, 404]);
    assert.equal((await book(world, event.id, other, world.customer(other))).status, 404);
  });

  test('the calendar shows an event, and customers can book it, from its own time on', async () => {
    const [me] = await newCustomers(world, 1);
    const later = await newEvent(world, place, { calendar_opens_at: iso(world.now + HOUR) });
    assert.deepEqual(await visible(later.id, me), [404, 404]);
    assert.equal((await book(world, later.id, me, world.customer(me))).status, 404);
    assert.equal((await book(world, later.id, me)).status, 200);
    assert.deepEqual(await visible(later.id, me), [200, 404]);
    const now = await newEvent(world, place, { calendar_opens_at: iso(world.now - HOUR) });
    assert.deepEqual(await visible(now.id, me), [200, 200]);
  });

  test('without a time of its own, timelines decide: its own, or those of the offering type if it has none', async () => {
    const [me, named] = await newCustomers(world, 2);
    const late = await row(world, 'registration_timeline', { calendar_opens_interval: 60 });
    const early = await row(world, 'registration_timeline', { calendar_opens_interval: 60 * 48 });
    const always = await row(world, 'registration_timeline', { name: 'No calendar time' });
    const vip = await row(world, 'registration_timeline', {
      audience_type: 'specific_customers',
      calendar_opens_interval: 60 * 72,
    });
    await world.work(world.harbour, async ({ tx }) => {
      await tx.run(sql`INSERT INTO registration_timeline_customer VALUES (${world.harbour}, ${vip}, ${named})`);
    });
    const offering = await newOffering(world);
    await world.work(world.harbour, async ({ tx }) => {
      await tx.run(
        sql`INSERT INTO offering_type_registration_timeline VALUES (${world.harbour}, ${offering}, ${late})`,
      );
    });
    const of = async (registration_timelines: number[], p = place) =>
      (await newEvent(world, p, { registration_timelines })).id;
    assert.deepEqual(await visible(await of([late]), me), [404, 404]);
    assert.deepEqual(await visible(await of([late, early]), me), [200, 200]);
    assert.deepEqual(await visible(await of([late, always]), me), [200, 200]);
    assert.deepEqual(await visible(await of([], { ...place, offering }), me), [404, 404]);
    assert.deepEqual(await visible(await of([early], { ...place, offering }), me), [200, 200]);
    const forNamed = await of([late, vip]);
    assert.deepEqual(await visible(forNamed, me), [404, 404]);
    assert.deepEqual(await visible(forNamed, named), [200, 404]);
    assert.equal((await book(world, forNamed, named, world.customer(named))).status, 200);
  });

  test('customers see no bookings of others in a small session, and nobody sees any in a large one', async () => {
    const [a, b] = await newCustomers(world, 2);
    const small = await newEvent(world, place, { max_occupancy: 10 });
    const large = await newEvent(world, place, { max_occupancy: 11 });
    const [first] = await Promise.all([book(world, small.id, a), book(world, small.id, b), book(world, large.id, a)]);
    const seen = async (id: number, who?: string) =>
      (await world.get(`/events/${id}`, { as: who })).body.small_session_attendances;
    assert.equal((await seen(small.id, as())).length, 2);
    assert.deepEqual(await seen(small.id, world.customer(a)), [first.body.attendance]);
    assert.deepEqual(await seen(small.id), []);
    assert.deepEqual(await seen(large.id, as()), []);
  });

  test('the resolved booking times are those of the viewing customer', async () => {
    const [me] = await newCustomers(world, 1);
    const timeline = await row(world, 'registration_timeline', {
      name: 'Week',
      registrations_open_interval: 60 * 24 * 7,
      registrations_close_interval: 30,
      cancellation_notice_interval: 120,
    });
    const staffOnly = await row(world, 'registration_timeline', {
      audience_type: 'business_only',
      registrations_open_interval: 60 * 24 * 30,
    });
    const event = (
      await create({
        starts_at: '2027-12-01T18:00',
        ends_at: '2027-12-01T19:00',
        registration_timelines: [timeline, staffOnly],
      })
    ).body;
    const { body } = await world.get(`/events/${event.id}/registration_timelines/resolved`, { as: world.customer(me) });
    assert.deepEqual(
      { ...body, calendar_opens_at: '' },
      {
        registration_timeline: {
          id: timeline,
          object: 'registration_timeline',
          name: 'Week',
          audience_type: 'everyone',
        },
        calendar_opens_at: '',
        registrations_open_at: '2027-11-24T18:00:00-05:00',
        registrations_close_at: '2027-12-01T17:30:00-05:00',
        late_cancels_after: '2027-12-01T16:00:00-05:00',
      },
    );
  });
});
