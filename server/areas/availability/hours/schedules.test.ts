/** Availability schedules over HTTP: their hours, their offering types, and who may change them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  feedEnd,
  feedSince,
  newEvent,
  newInstructor,
  newOffering,
  newVenue,
  row,
} from '../../../test/schedule-world.ts';
import { rangesOf, textOf } from '../../../test/worlds/hours-world.ts';
import { seed } from '../../../test/seeds.ts';
import { fc, runs } from '../../../test/properties.ts';
import { parseXml } from '../../../test/matrix/parse-xml.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const PATH = '/availability_schedules';

async function add(body: object, as = world.machine): Promise<any> {
  const made = await world.post(PATH, { as, body });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

const patch = (id: number, body: object, as = world.machine) => world.patch(`${PATH}/${id}`, { as, body });
const get = async (id: number, query = '') => (await world.get(`${PATH}/${id}${query}`, { as: world.machine })).body;

const instructorOf = async () => (await newInstructor(world)).instructor;

test('an instructor’s schedule and one of room rentals have the properties of their type and no others', async () => {
  const instructor = await instructorOf();
  const venue = await newVenue(world);
  const common = [
    'default_monday',
    'default_tuesday',
    'default_wednesday',
    'default_thursday',
    'default_friday',
    'default_saturday',
    'default_sunday',
    'id',
    'name',
    'schedule_type',
    'valid_from',
    'valid_until',
    'venue',
  ];
  const own = await add({ instructor, venue, default_monday: rangesOf('09:00-12:00') });
  assert.deepEqual(Object.keys(own).toSorted(), [...common, 'has_availability', 'instructor', 'is_default'].toSorted());
  assert.deepEqual(
    [own.schedule_type, own.instructor, own.venue, own.is_default, own.has_availability, own.default_monday],
    ['IU', instructor, venue, true, true, rangesOf('09:00-12:00')],
  );
  const rental = await add({ schedule_type: 'RRTL', name: 'Hall' });
  assert.deepEqual(Object.keys(rental).toSorted(), common.toSorted());
  assert.deepEqual([rental.schedule_type, rental.venue, rental.name], ['RRTL', null, 'Hall']);
  const shown = await get(rental.id, '?fields=id,instructor,is_default');
  assert.deepEqual(shown, { id: rental.id });
});

test('the document has a schema for each type of schedule, distinguished by `type`', async () => {
  const { body } = await world.get('/openapi.json');
  const { oneOf, discriminator } = body.components.schemas.AvailabilitySchedule;
  assert.deepEqual(discriminator, {
    propertyName: 'schedule_type',
    mapping: {
      IU: '#/components/schemas/InstructorAvailabilitySchedule',
      RRTL: '#/components/schemas/RoomRentalAvailabilitySchedule',
    },
  });
  assert.deepEqual(
    oneOf.map((one: any) => one.$ref),
    Object.values(discriminator.mapping),
  );
  const { InstructorAvailabilitySchedule: own, RoomRentalAvailabilitySchedule: rental } = body.components.schemas;
  assert.ok(own.properties.instructor && own.required.includes('instructor'));
  assert.ok(!('instructor' in rental.properties));
  assert.equal(rental.properties.schedule_type.const, 'RRTL');
});

const refused = async (body: object) => {
  const { status, body: said } = await world.post(PATH, { as: world.machine, body });
  assert.equal(status, 400);
  return Object.keys(said.field_errors);
};

test('an instructor is required for an instructor’s schedule and refused for a rental, and group classes have no schedules', async () => {
  const instructor = await instructorOf();
  assert.deepEqual(await refused({}), ['instructor']);
  assert.deepEqual(await refused({ schedule_type: 'RRTL', instructor }), ['instructor']);
  assert.deepEqual(await refused({ schedule_type: 'GC' }), ['schedule_type']);
  assert.deepEqual(await refused({ instructor, name: 'x'.repeat(33) }), ['name']);
  assert.deepEqual(await refused({ instructor, valid_from: '2027-02-01', valid_until: '2027-01-31' }), ['valid_until']);
  const { id } = await add({ instructor, valid_from: '2027-02-01' });
  assert.deepEqual(Object.keys((await patch(id, { valid_until: '2027-01-31' })).body.field_errors), ['valid_until']);
  assert.deepEqual(Object.keys((await patch(id, { schedule_type: 'RRTL' })).body.field_errors), ['schedule_type']);
});

test('overlapping and adjacent times of one day are merged, and those that can’t be are refused under their day', async () => {
  const instructor = await instructorOf();
  const made = await add({
    instructor,
    default_monday: rangesOf('14:00-18:00,09:00-12:00,11:00-13:00'),
    default_tuesday: rangesOf('22:00-02:00'),
    default_wednesday: rangesOf('00:00-06:00'),
    default_thursday: [{ start: '09:00:00', end: '10:00:00' }],
  });
  assert.equal(textOf(made.default_monday), '09:00–13:00, 14:00–18:00');
  assert.deepEqual([textOf(made.default_tuesday), textOf(made.default_wednesday)], ['22:00–02:00', '00:00–06:00']);
  assert.equal(textOf(made.default_thursday), '09:00–10:00');
  const wrong = await patch(made.id, {
    default_friday: rangesOf('08:00-08:00,20:00-10:00'),
    default_sunday: rangesOf('12:00-00:00,23:00-13:00'),
  });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.field_errors)], [400, ['default_friday', 'default_sunday']]);
  for (const start of ['24:00', '9:00', '09:00:30', 'noon', 9])
    assert.ok(
      (await patch(made.id, { default_friday: [{ start, end: '10:00' }] })).body.field_errors['default_friday.0.start'],
    );
  const many = Array.from({ length: 13 }, (_, n) => ({ start: `${n + 10}:00`, end: `${n + 10}:30` }));
  assert.ok((await patch(made.id, { default_friday: many })).body.field_errors.default_friday);
  assert.deepEqual(await get(made.id), made);
});

test('a schedule applies to the offering types that it names, with their rooms, until they are removed', async () => {
  const [instructor, venue, elsewhere] = [await instructorOf(), await newVenue(world), await newVenue(world)];
  const { id } = await add({ instructor, venue });
  const [massage, yoga] = [
    await newOffering(world, { schedule_type: 'appointment' }),
    await newOffering(world, { schedule_type: 'class' }),
  ];
  const room = (venue_id: number, status = 'active') => row(world, 'venue_room', { venue_id, name: 'Hall', status });
  const [hall, studio] = [await room(venue), await room(venue)];
  const set = (items: object[], as = world.machine) =>
    world.post('/availability_schedule_offering_types/bulk_update', { as, body: { items } });
  const since = await feedEnd(world);
  const both = [
    { availability_schedule: id, offering_type: massage, venue_rooms: [hall, studio] },
    { availability_schedule: id, offering_type: yoga },
  ];
  assert.equal((await set(both)).status, 204);
  assert.equal((await set(both)).status, 204);
  assert.deepEqual(
    (await feedSince(world, since)).map(({ kind, payload }) => [
      kind,
      payload.availability_schedule,
      payload.offering_type,
    ]),
    [
      ['availability_schedule_offering_type.created', id, massage],
      ['availability_schedule_offering_type.created', id, yoga],
    ],
  );
  const listed = await world.get(
    `/availability_schedule_offering_types?availability_schedule=${id}&expand=offering_type,venue_rooms`,
    { as: world.machine },
  );
  assert.deepEqual(
    listed.body.results.map((one: any) => [one.offering_type.id, one.venue_rooms.map((r: any) => r.id)]),
    [
      [massage, [hall, studio]],
      [yoga, []],
    ],
  );
  const opened = await get(id, '?expand=offering_types,availability_schedule_offering_types');
  assert.deepEqual(
    opened.offering_types.map((one: any) => one.id),
    [massage, yoga],
  );
  assert.deepEqual(
    opened.availability_schedule_offering_types.map((one: any) => [
      one.availability_schedule,
      one.offering_type,
      one.venue_rooms,
    ]),
    [
      [id, massage, [hall, studio]],
      [id, yoga, []],
    ],
  );
  assert.deepEqual((await get(id, '?fields=offering_types')).offering_types, [massage, yoga]);
  assert.equal((await get(id)).is_default, false);
  await set([{ availability_schedule: id, offering_type: massage, venue_rooms: [studio] }]);
  const rooms = async () =>
    (await get(id, '?expand=availability_schedule_offering_types')).availability_schedule_offering_types[0].venue_rooms;
  assert.deepEqual(await rooms(), [studio]);
  await set([{ availability_schedule: id, offering_type: massage }]);
  assert.deepEqual(await rooms(), [studio]);

  const wrong = await set([
    { availability_schedule: id, offering_type: massage, venue_rooms: [await room(elsewhere)] },
    { availability_schedule: id, offering_type: await newOffering(world, { schedule_type: 'room_rental' }) },
    { availability_schedule: id, offering_type: yoga, venue_rooms: [await room(venue, 'archived')] },
    { availability_schedule: id, offering_type: yoga },
  ]);
  assert.deepEqual(
    [wrong.status, Object.keys(wrong.body.field_errors)],
    [400, ['items.0.venue_rooms', 'items.1.offering_type', 'items.2.venue_rooms', 'items.3.offering_type']],
  );
  assert.deepEqual(Object.keys((await patch(id, { venue: elsewhere })).body.field_errors), ['venue']);

  const remove = (type: number | string) => world.delete(`${PATH}/${id}/offering_types/${type}`, { as: world.machine });
  assert.deepEqual(
    [(await remove(massage)).status, (await remove(massage)).status, (await remove('x')).status],
    [200, 200, 400],
  );
  assert.deepEqual((await get(id, '?fields=offering_types')).offering_types, [yoga]);
  assert.equal((await patch(id, { venue: elsewhere })).status, 200);
});

/** Makes the membership cover the offering type too. */
async function covers(membership: number, type: number): Promise<void> {
  const body = { membership, registration_option: type, on_allotment_price: '0.00' };
  const made = await world.post('/membership_registration_grants', { as: world.machine, body });
  assert.equal(made.status, 201, made.text);
}

test('memberships that cover its offering types are shown with everything in them, and may be sent back', async () => {
  const instructor = await instructorOf();
  const { id } = await add({ instructor });
  const type = await newOffering(world, { schedule_type: 'appointment' });
  const membership = await seed(world, 'membership');
  await covers(membership, type);
  await world.post('/availability_schedule_offering_types/bulk_update', {
    as: world.machine,
    body: { items: [{ availability_schedule: id, offering_type: type }] },
  });
  const query =
    '?expand=memberships.category,memberships.penalty_system,memberships.plans,memberships.terms,offering_types';
  const read = await get(id, query);
  const shown = read.memberships.find((one: any) => one.id === membership);
  assert.ok(shown.category.id && Array.isArray(shown.plans) && Array.isArray(shown.terms) && 'penalty_system' in shown);
  const plain = await get(id, '?expand=memberships');
  assert.equal(typeof plain.memberships[0].category, 'number');
  const strict = { prefer: 'handling=strict' };
  const { memberships } = read;
  const back = await world.patch(`${PATH}/${id}`, { as: world.machine, body: { memberships }, headers: strict });
  assert.equal(back.status, 200, back.text);
  assert.deepEqual(await get(id, query), read);
  const refused = await patch(id, { memberships: memberships.slice(1) });
  assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['memberships']]);
});

test('overrides replace the weekly hours of dates and periods, and are removed by date or all together', async () => {
  const { id } = await add({ instructor: await instructorOf(), default_monday: rangesOf('09:00-12:00') });
  const path = `${PATH}/${id}/overrides`;
  const set = (overrides: object[]) => world.patch(path, { as: world.machine, body: { overrides } });
  const all = async (query = '') =>
    (await world.get(path + query, { as: world.machine })).body.overrides.map((one: any) =>
      `${one.date} ${textOf(one.availability)}`.trim(),
    );
  const since = await feedEnd(world);
  const done = await set([
    { date: '2028-02-28', end_date: '2028-03-02', availability: [] },
    { date: '2028-02-29', availability: rangesOf('14:00-16:00,10:00-11:00') },
  ]);
  assert.equal(done.status, 204, done.text);
  assert.deepEqual(await all(), ['2028-02-28', '2028-02-29 10:00–11:00, 14:00–16:00', '2028-03-01', '2028-03-02']);
  assert.deepEqual(await all('?date_gte=2028-02-29&date_lte=2028-03-01'), [
    '2028-02-29 10:00–11:00, 14:00–16:00',
    '2028-03-01',
  ]);
  await set([{ date: '2028-03-01', availability: null }, { date: '2028-03-02' }]);
  assert.deepEqual(await all(), ['2028-02-28', '2028-02-29 10:00–11:00, 14:00–16:00']);
  assert.equal((await set([{ date: '2028-02-28', availability: [] }])).status, 204);
  assert.equal((await world.delete(`${path}?date_lte=2028-02-28`, { as: world.machine })).status, 204);
  assert.deepEqual(await all(), ['2028-02-29 10:00–11:00, 14:00–16:00']);
  assert.equal((await world.delete(path, { as: world.machine })).status, 204);
  assert.equal((await world.delete(path, { as: world.machine })).status, 204);
  assert.deepEqual(await all(), []);
  assert.deepEqual(
    (await feedSince(world, since)).map(({ kind, payload }) => [kind, payload.changed]),
    Array.from({ length: 4 }, () => ['availability_schedule.updated', ['overrides']]),
  );
  const { results } = (
    await world.get(`/audit_entries?object=availability_schedule&object_id=${id}`, { as: world.machine })
  ).body;
  assert.equal(results.filter((one: any) => one.action === 'availability_schedule.overrides').length, 4);
});

const year = (n: number) => ({ date: `${n}-01-01`, end_date: `${n}-12-31`, availability: [] });

test('overrides are limited, and mistakes in one are reported under it', async () => {
  const { id } = await add({ instructor: await instructorOf() });
  const path = `${PATH}/${id}/overrides`;
  const set = (overrides: object[]) => world.patch(path, { as: world.machine, body: { overrides } });
  const wrong = await set([
    { date: '2027-02-01', end_date: '2027-01-31' },
    { date: '2027-02-01', end_date: '2028-02-02' },
    { date: '2027-02-30' },
    { date: '2027-02-01', availability: rangesOf('08:00-08:00,20:00-10:00') },
  ]);
  assert.deepEqual([wrong.status, Object.keys(wrong.body.field_errors)], [400, ['overrides.2.date']]);
  const further = await set([
    { date: '2027-02-01', end_date: '2027-01-31' },
    { date: '2027-02-01', end_date: '2028-02-02' },
    { date: '2027-02-01', availability: rangesOf('08:00-08:00,20:00-10:00') },
  ]);
  assert.deepEqual(Object.keys(further.body.field_errors), [
    'overrides.0.end_date',
    'overrides.1.end_date',
    'overrides.2.availability',
  ]);
  assert.equal((await set(Array.from({ length: 201 }, () => ({ date: '2027-01-01' })))).status, 400);
  assert.equal((await set([year(2027), year(2028)])).status, 204);
  const full = await set([year(2029)]);
  assert.deepEqual([full.status, full.body.code], [409, 'conflict']);
  assert.equal((await set([{ date: '9999-12-31', availability: [] }])).status, 204);
});

test('instructors change their own schedules and blocked times, and nobody else’s', async () => {
  const [kim, lee] = [await newInstructor(world), await newInstructor(world)];
  const as = world.staff([], kim.staff);
  const own = await add({ instructor: kim.instructor }, as);
  const other = await add({ instructor: lee.instructor });
  const rental = await add({ schedule_type: 'RRTL' });
  const hours = { default_monday: rangesOf('09:00-12:00') };
  assert.equal((await patch(own.id, hours, as)).status, 200);
  const day = { overrides: [{ date: '2027-01-04', availability: [] }] };
  const blocked = { data: [{ date: '2027-01-04', blocked_times: rangesOf('09:00-10:00') }] };
  assert.equal((await world.patch(`${PATH}/${own.id}/overrides`, { as, body: day })).status, 204);
  assert.equal((await world.get(`${PATH}/${own.id}/overrides`, { as })).status, 200);
  assert.equal((await world.patch(`/instructors/${kim.instructor}/blocked_times`, { as, body: blocked })).status, 200);
  assert.equal((await world.get(`/instructors/${kim.instructor}/blocked_times`, { as })).status, 200);
  for (const refused of [
    await world.post(PATH, { as, body: { instructor: lee.instructor } }),
    await world.post(PATH, { as, body: { schedule_type: 'RRTL' } }),
    await patch(other.id, hours, as),
    await patch(rental.id, hours, as),
    await patch(own.id, { instructor: lee.instructor }, as),
    await world.put(`${PATH}/${other.id}`, { as, body: hours }),
    await world.delete(`${PATH}/${other.id}`, { as }),
    await world.delete(`${PATH}/${other.id}/offering_types/1`, { as }),
    await world.get(`${PATH}/${other.id}/overrides`, { as }),
    await world.patch(`${PATH}/${other.id}/overrides`, { as, body: day }),
    await world.delete(`${PATH}/${other.id}/overrides`, { as }),
    await world.get(`/instructors/${lee.instructor}/blocked_times`, { as }),
    await world.patch(`/instructors/${lee.instructor}/blocked_times`, { as, body: blocked }),
    await world.patch(`/venues/${await newVenue(world)}/blocked_times`, { as, body: blocked }),
    await world.post('/availability_schedule_offering_types/bulk_update', { as, body: { items: [] } }),
    await world.get('/availability_schedule_offering_types', { as }),
  ])
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'], refused.text);
  assert.equal((await patch(other.id, hours, world.staff(['manage_events']))).status, 200);
  assert.equal((await world.delete(`${PATH}/${own.id}`, { as })).status, 204);
  assert.equal((await world.get(`${PATH}/${own.id}`, { as: world.machine })).status, 404);
  const customer = world.customer(await world.newCustomer());
  assert.equal((await world.get(PATH, { as: customer })).status, 403);
  assert.equal((await world.get(PATH)).status, 401);
});

test('staff of some venues see and change the schedules there, and their own everywhere', async () => {
  const [here, there] = [await newVenue(world), await newVenue(world)];
  const [kim, lee] = [await newInstructor(world), await newInstructor(world)];
  const as = world.staff(['manage_events'], kim.staff, world.harbour, [here]);
  const [at, away, own] = [
    await add({ instructor: lee.instructor, venue: here }),
    await add({ instructor: lee.instructor, venue: there }),
    await add({ instructor: kim.instructor }),
  ];
  const statuses = [];
  for (const { id } of [at, away, own]) statuses.push((await patch(id, { name: 'Summer' }, as)).status);
  assert.deepEqual(statuses, [200, 404, 200]);
  assert.equal((await patch(at.id, { venue: there }, as)).status, 403);
  assert.equal((await world.post(PATH, { as, body: { instructor: lee.instructor } })).status, 403);
  const blocked = { data: [{ date: '2027-01-04', blocked_times: [] }] };
  assert.equal((await world.patch(`/instructors/${lee.instructor}/blocked_times`, { as, body: blocked })).status, 403);
  assert.equal((await world.patch(`/instructors/${kim.instructor}/blocked_times`, { as, body: blocked })).status, 200);
  assert.equal((await world.patch(`/venues/${here}/blocked_times`, { as, body: blocked })).status, 200);
  assert.equal((await world.patch(`/venues/${there}/blocked_times`, { as, body: blocked })).status, 403);
});

const told = ({ body }: any) =>
  body.data.map((one: any) => [one.date, one.applicable_to_availability_schedule_type, textOf(one.blocked_times)]);

test('blocked times are stored by day and type, replaced as a whole, and read as they were sent', async () => {
  const venue = await newVenue(world);
  const path = `/venues/${venue}/blocked_times`;
  const set = (body: object) => world.patch(path, { as: world.machine, body });
  const since = await feedEnd(world);
  const made = await set({
    data: [
      { date: '2027-01-04', end_date: '2027-01-05', blocked_times: rangesOf('12:00-13:00') },
      {
        date: '2027-01-05',
        blocked_times: rangesOf('22:00-02:00,00:00-01:00'),
        applicable_to_availability_schedule_type: null,
        venue,
      },
      { date: '2027-01-04', blocked_times: rangesOf('00:00-00:00') },
    ],
    applicable_to_availability_schedule_type: 'RRTL',
  });
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(told(made), [
    ['2027-01-04', 'RRTL', '00:00–00:00'],
    ['2027-01-05', 'RRTL', '12:00–13:00'],
    ['2027-01-05', null, '00:00–01:00, 22:00–02:00'],
  ]);
  assert.ok(made.body.data.every((one: any) => one.venue === venue && one.created_at));
  const read = (query: string) => world.get(path + query, { as: world.staff([]) });
  assert.deepEqual(told(await read('?date_gte=2027-01-05&applicable_to_availability_schedule_type=IU')), [
    ['2027-01-05', null, '00:00–01:00, 22:00–02:00'],
  ]);
  assert.equal((await set(made.body)).status, 200);
  const gone = await set({ data: [{ date: '2027-01-05', blocked_times: [] }] });
  assert.deepEqual(told(gone), told(made).slice(0, 2));
  assert.deepEqual(
    (await feedSince(world, since)).map(({ kind, payload }) => [kind, payload]),
    [
      ['venue.blocked_times_updated', { venue, dates: ['2027-01-04', '2027-01-05'] }],
      ['venue.blocked_times_updated', { venue, dates: ['2027-01-05'] }],
    ],
  );
  const other = await set({ data: [{ date: '2027-01-05', blocked_times: [], venue: await newVenue(world) }] });
  assert.deepEqual(Object.keys(other.body.field_errors), ['data.0.venue']);
});

test('an instructor is shown with their schedules to staff, and without them to everybody else', async () => {
  const instructor = await instructorOf();
  const { id } = await add({ instructor, default_sunday: rangesOf('09:00-12:00') });
  const path = `/instructors/${instructor}?expand=availability_schedules`;
  const { availability_schedules: shown } = (await world.get(path, { as: world.staff([]) })).body;
  assert.deepEqual(
    shown.map((one: any) => [one.id, one.instructor, one.is_default, one.has_availability]),
    [[id, instructor, true, true]],
  );
  assert.deepEqual((await world.get(path)).body.availability_schedules, []);
  const has = async (values: object) => (await patch(id, values)).body.has_availability;
  assert.equal(await has({ valid_until: '2020-01-01' }), false);
  assert.equal(await has({ valid_until: null }), true);
  assert.equal(await has({ default_sunday: [] }), false);
  const soon = new Date(world.now + 86_400_000).toISOString().slice(0, 10);
  await world.patch(`${PATH}/${id}/overrides`, {
    as: world.machine,
    body: { overrides: [{ date: soon, availability: rangesOf('09:00-10:00') }] },
  });
  assert.equal((await get(id)).has_availability, true);
});

test('an explanation says what applies on each day, why, and what is left', async () => {
  const instructor = await instructorOf();
  const venue = await newVenue(world, { timezone: 'Europe/Paris' });
  const { id } = await add({
    instructor,
    venue,
    default_monday: rangesOf('09:00-12:00,20:00-02:00'),
    default_tuesday: rangesOf('09:00-17:00'),
    valid_until: '2027-01-06',
  });
  await world.patch(`${PATH}/${id}/overrides`, {
    as: world.machine,
    body: { overrides: [{ date: '2027-01-06', availability: rangesOf('10:00-11:00') }] },
  });
  const block = (path: string, date: string, times: string) =>
    world.patch(`${path}/blocked_times`, {
      as: world.machine,
      body: { data: [{ date, blocked_times: rangesOf(times) }] },
    });
  await block(`/instructors/${instructor}`, '2027-01-04', '23:00-01:00');
  await block(`/venues/${venue}`, '2027-01-05', '12:00-13:00');
  const answer = await world.get(`${PATH}/${id}/explain?from=2027-01-04&to=2027-01-07`, { as: world.machine });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.availability_schedule, answer.body.timezone], [id, 'Europe/Paris']);
  assert.deepEqual(
    answer.body.days.map((day: any) => [
      day.date,
      day.applies,
      textOf(day.hours),
      textOf(day.after_midnight),
      day.blocked.map((one: any) => `${one.by} ${textOf(one.times)}`).join('; '),
      day.open.map((one: any) => `${one.starts_at.slice(11, 16)}–${one.ends_at.slice(11, 16)}`).join(', '),
      day.minutes,
    ]),
    [
      [
        '2027-01-04',
        'weekly',
        '09:00–12:00, 20:00–02:00',
        '',
        'instructor 23:00–01:00',
        '09:00–12:00, 20:00–23:00',
        360,
      ],
      [
        '2027-01-05',
        'weekly',
        '09:00–17:00',
        '00:00–02:00',
        'instructor 00:00–01:00; venue 12:00–13:00',
        '01:00–02:00, 09:00–12:00, 13:00–17:00',
        480,
      ],
      ['2027-01-06', 'override', '10:00–11:00', '', '', '10:00–11:00', 60],
      ['2027-01-07', 'not_valid', '', '', '', '', 0],
    ],
  );
  await row(world, 'business_closure', {
    closure_date: '2027-01-06',
    venue_id: venue,
    bulk_action_id: await seed(world, 'bulk_action'),
  });
  const off = await world.get(`${PATH}/${id}/explain?from=2027-01-06&to=2027-01-06`, { as: world.machine });
  assert.deepEqual([off.body.days[0].closed, off.body.days[0].open, off.body.days[0].applies], [true, [], 'override']);
  for (const query of [
    'from=2027-01-05&to=2027-01-04',
    'from=2027-01-01&to=2027-06-01',
    'from=0001-01-01&to=0001-01-02',
    'from=2027-01-05',
  ])
    assert.equal((await world.get(`${PATH}/${id}/explain?${query}`, { as: world.machine })).status, 400, query);
});

/** Converts a value to what XML without a schema can express: every value as its text. */
function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asText(inner)]));
  return value === null ? null : String(value);
}

const aTime = fc
  .integer({ min: 0, max: 95 })
  .map((n) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`);
const aDay = fc.array(fc.record({ start: aTime, end: aTime }), { maxLength: 2 });

test('every operation returns the same data in XML as in JSON, whatever the hours are', async () => {
  const instructor = await instructorOf();
  const venue = await newVenue(world);
  const type = await newOffering(world, { schedule_type: 'appointment' });
  const event = (await newEvent(world, { venue, offering: type })).id;
  const { id } = await add({ instructor, venue });
  const own = `${PATH}/${id}`;
  const link = { items: [{ availability_schedule: id, offering_type: type }] };
  await world.post('/availability_schedule_offering_types/bulk_update', { as: world.machine, body: link });
  const same = async (method: string, path: string, body?: object) => {
    const answers = [];
    for (const accept of ['application/json', 'application/xml'])
      answers.push(await world.ask(method, path, { as: world.machine, body, headers: { accept } }));
    const [inJson, inXml] = answers;
    assert.equal(inXml.status, inJson.status, inXml.text);
    if (inJson.text === '') return assert.equal(inXml.text, '');
    // Each request has its own id, which refusals contain.
    const { request_id: _ofXml, ...xml } = parseXml(inXml.text) as Record<string, unknown>;
    const { request_id: _ofJson, ...json } = inJson.body;
    assert.deepEqual(xml, asText(json), `${method} ${path}`);
  };
  await fc.assert(
    fc.asyncProperty(aDay, aDay, aDay, async (monday, override, blocked) => {
      const week = { default_monday: monday, default_sunday: override };
      await same('PATCH', own, week);
      await same('PUT', own, { ...week, name: 'Ränge & <Zeiten>' });
      await same('PATCH', `${own}/overrides`, { overrides: [{ date: '2027-01-05', availability: override }] });
      await same('GET', `${own}/overrides`);
      const times = { data: [{ date: '2027-01-04', blocked_times: blocked }] };
      for (const whose of [`/instructors/${instructor}`, `/venues/${venue}`]) {
        await same('PATCH', `${whose}/blocked_times`, times);
        await same('GET', `${whose}/blocked_times`);
      }
      await same(
        'GET',
        `${own}?expand=offering_types,availability_schedule_offering_types,memberships,instructor,venue`,
      );
      await same('GET', `${PATH}?instructor=${instructor}`);
      await same(
        'GET',
        `/availability_schedule_offering_types?availability_schedule=${id}&expand=availability_schedule`,
      );
      await same('GET', `${own}/explain?from=2027-01-03&to=2027-01-06`);
      await same('GET', `/instructors/${instructor}?expand=availability_schedules`);
    }),
    { ...runs(4), endOnFailure: true },
  );
  await same('GET', `/events/${event}/substitutes`);
  await same('POST', '/availability_schedule_offering_types/bulk_update', link);
  await same('DELETE', `${own}/offering_types/${type}`);
  await same('DELETE', `${own}/overrides`);
});
