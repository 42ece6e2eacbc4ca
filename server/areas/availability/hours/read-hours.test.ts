/** `readHours`: which schedules apply to which offering types, at which venues, and on which days. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { block, newSchedule, rangesOf, textOf } from '../../../test/worlds/hours-world.ts';
import { newInstructor, newOffering, newVenue, row } from '../../../test/schedule-world.ts';
import { openTimes, planAt, readHours, type Hours } from './index.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { workedTable } from '../../../test/worked-table.ts';
import type { Asked } from './read-hours.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const read = (asked: Omit<Asked, 'from' | 'to'> & Partial<Asked>, providerId = world.harbour): Promise<Hours[]> =>
  world.work(providerId, (work) => readHours(work, { from: '2027-01-11', to: '2027-01-17', ...asked }));

const schedules = async (asked: Parameters<typeof read>[0]): Promise<number[]> =>
  (await read(asked)).map(({ schedule }) => schedule);

const teaches = (instructor: number, ...types: number[]) =>
  world.work(world.harbour, ({ tx }) =>
    tx.run(sql`INSERT INTO offering_type_instructor (provider_id, offering_type_id, instructor_id)
      SELECT ${world.harbour}, unnest(${types}::bigint[]), ${instructor}`),
  );

const change = (table: string, id: number, set: ReturnType<typeof sql>) =>
  world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE ${raw(table)} SET ${set} WHERE provider_id = ${world.harbour} AND id = ${id}`),
  );

for (const { first, second, yoga, rowing } of workedTable('docs/algorithms/hours.md', 'Worked schedules'))
  test(`if the first schedule ${first} and the second is ${second}, yoga has ${yoga} and rowing ${rowing}`, async () => {
    const types: Record<string, number> = {
      yoga: await newOffering(world, { schedule_type: 'appointment' }),
      rowing: await newOffering(world, { schedule_type: 'appointment' }),
      sailing: await newOffering(world, { schedule_type: 'appointment' }),
    };
    const { instructor } = await newInstructor(world);
    await teaches(instructor, types.yoga, types.rowing);
    const made = new Map<number, string>();
    for (const [name, says] of Object.entries({ first, second })) {
      if (says === '–') continue;
      const named = types[says.replace('names ', '')];
      const offeringTypes = named ? { [named]: [] } : {};
      made.set(await newSchedule(world, { instructor, daily: '09:00-17:00', offeringTypes }), name);
    }
    const found = async (offeringType: number) =>
      (await schedules({ offeringType })).map((id) => made.get(id)).join(', ') || '–';
    assert.deepEqual([await found(types.yoga), await found(types.rowing)], [yoga, rowing]);
  });

test('weekly hours, overrides and blocked times are read as stored, merged, from the day before', async () => {
  const offeringType = await newOffering(world, { schedule_type: 'appointment' });
  const { instructor } = await newInstructor(world);
  const venue = await newVenue(world, { timezone: 'Europe/Paris' });
  const schedule = await newSchedule(world, {
    instructor,
    venue,
    daily: '09:00-12:00,13:00-17:00',
    days: { sunday: '-' },
    offeringTypes: { [offeringType]: [] },
    overrides: { '2027-01-09': '07:00-08:00', '2027-01-10': '22:00-02:00', '2027-01-12': '-', '2027-01-18': '-' },
  });
  await block(world, { instructor }, '2027-01-13', '09:00-10:00');
  await block(world, { instructor }, '2027-01-13', '09:30-11:00', 'IU');
  await block(world, { instructor }, '2027-01-13', '15:00-16:00', 'GC');
  await block(world, { venue }, '2027-01-13', '11:00-11:30');
  await block(world, { venue }, '2027-01-14', '00:00-00:00', 'RRTL');
  const [hours, ...others] = await read({ offeringType });
  assert.deepEqual(others, []);
  assert.deepEqual(
    { ...hours, overrides: [...hours.overrides].toSorted(), blocked: [...hours.blocked] },
    {
      schedule,
      kind: 'instructor',
      instructor,
      venue,
      zone: 'Europe/Paris',
      weekly: [...Array.from({ length: 6 }, () => rangesOf('09:00-12:00,13:00-17:00')), []],
      overrides: [
        ['2027-01-10', rangesOf('22:00-02:00')],
        ['2027-01-12', []],
      ],
      invalid: new Set(),
      blocked: [['2027-01-13', rangesOf('09:00-11:30')]],
      elsewhere: new Map(),
      rooms: [],
    },
  );
  const open = openTimes(hours, '2027-01-11', '2027-01-11').map(({ start, end }) =>
    [start, end].map((at) => new Date(at).toISOString().slice(5, 16)),
  );
  assert.deepEqual(open, [
    ['01-10T23:00', '01-11T01:00'],
    ['01-11T08:00', '01-11T11:00'],
    ['01-11T12:00', '01-11T16:00'],
  ]);
});

test('a venue in another zone has its own clock changes, and a schedule for every venue has those of the business', async () => {
  const offeringType = await newOffering(world, { schedule_type: 'appointment' });
  const zones = ['America/Toronto', 'Europe/London', 'Asia/Kolkata', 'Australia/Lord_Howe', null];
  for (const zone of zones) {
    const { instructor } = await newInstructor(world);
    const venue = zone === null ? null : await newVenue(world, { timezone: zone });
    await newSchedule(world, { instructor, venue, daily: '00:30-03:30', offeringTypes: { [offeringType]: [] } });
  }
  const lasting = async (from: string) =>
    (await read({ offeringType, from, to: from })).map((hours) =>
      openTimes(hours, from, from).map(({ start, end }) => (end - start) / 60_000),
    );
  assert.deepEqual(await lasting('2027-03-14'), [[120], [180], [180], [180], [120]]);
  assert.deepEqual(await lasting('2027-03-28'), [[180], [120], [180], [180], [180]]);
  assert.deepEqual(await lasting('2027-04-04'), [[180], [180], [180], [210], [180]]);
  assert.deepEqual(await lasting('2027-10-03'), [[180], [180], [180], [150], [180]]);
  assert.deepEqual(await lasting('2027-10-31'), [[180], [240], [180], [180], [180]]);
  assert.deepEqual(await lasting('2027-11-07'), [[240], [180], [180], [180], [240]]);
  assert.deepEqual((await read({ offeringType })).at(-1)!.zone, 'America/Toronto');
});

const utc = (all: readonly { start: number; end: number }[]) =>
  all.map(({ start, end }) => [start, end].map((at) => new Date(at).toISOString().slice(11, 16)).join('–')).join(', ');

test('a schedule for every venue is blocked at each venue by the times blocked there, in the zone of the venue', async () => {
  const offeringType = await newOffering(world, { schedule_type: 'appointment' });
  const { instructor } = await newInstructor(world);
  const [toronto, london, other] = [
    await newVenue(world),
    await newVenue(world, { timezone: 'Europe/London' }),
    await newVenue(world),
  ];
  await newSchedule(world, { instructor, daily: '09:00-17:00', offeringTypes: { [offeringType]: [] } });
  await block(world, { venue: toronto }, '2027-01-12', '12:00-13:00', 'IU');
  await block(world, { venue: toronto }, '2027-01-12', '09:00-17:00', 'RRTL');
  // 15:00 to 19:30 in Toronto, and past midnight in London
  await block(world, { venue: london }, '2027-01-12', '20:00-00:30');
  await block(world, { instructor }, '2027-01-12', '09:00-10:00');
  const asked = { offeringType, from: '2027-01-12', to: '2027-01-12' };
  const [hours] = await read(asked);
  assert.equal(utc(openTimes(hours, '2027-01-12', '2027-01-12')), '15:00–22:00');
  assert.equal(utc(planAt(hours, toronto, '2027-01-12', '2027-01-12').open), '15:00–17:00, 18:00–22:00');
  assert.equal(utc(planAt(hours, london, '2027-01-12', '2027-01-12').open), '15:00–20:00');
  assert.equal(utc(planAt(hours, other, '2027-01-12', '2027-01-12').open), '15:00–22:00');
  assert.equal(utc(planAt(hours, london, '2027-01-12', '2027-01-12').blocked), '14:00–15:00, 20:00–00:30');
  const [narrowed] = await read({ ...asked, venues: [other] });
  assert.deepEqual([...narrowed.elsewhere], []);
});

test('a schedule applies from its first to its last day, overrides included, and on a leap day too', async () => {
  const offeringType = await newOffering(world, { schedule_type: 'appointment' });
  const { instructor } = await newInstructor(world);
  await newSchedule(world, {
    instructor,
    daily: '22:00-02:00',
    validFrom: '2028-02-28',
    validUntil: '2028-02-29',
    offeringTypes: { [offeringType]: [] },
    overrides: { '2028-02-27': '10:00-11:00', '2028-03-01': '10:00-11:00' },
  });
  const [hours] = await read({ offeringType, from: '2028-02-27', to: '2028-03-01' });
  assert.ok(hours.invalid.has('2028-03-01') && !hours.invalid.has('2028-02-29'));
  const minutes = (date: string) => openTimes(hours, date, date).map(({ start, end }) => (end - start) / 60_000);
  assert.deepEqual(['2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01'].map(minutes), [
    [],
    [120],
    [120, 120],
    [120],
  ]);
});

test('for rentals, the rooms that are active, requested and at the venue are read', async () => {
  const offeringType = await newOffering(world, { schedule_type: 'room_rental' });
  const [pier, mill] = [await newVenue(world), await newVenue(world)];
  const room = (venue_id: number, status = 'active') => row(world, 'venue_room', { venue_id, name: 'Hall', status });
  const [a, b, archived, elsewhere] = [
    await room(pier),
    await room(pier),
    await room(pier, 'archived'),
    await room(mill),
  ];
  const here = await newSchedule(world, {
    venue: pier,
    daily: '09:00-17:00',
    offeringTypes: { [offeringType]: [a, b, archived, elsewhere] },
  });
  const gone = await newSchedule(world, {
    venue: pier,
    daily: '09:00-17:00',
    offeringTypes: { [offeringType]: [archived] },
  });
  const anyRoom = await newSchedule(world, {
    venue: mill,
    daily: '09:00-17:00',
    offeringTypes: { [offeringType]: [] },
  });
  const told = async (asked: object) =>
    (await read({ offeringType, ...asked })).map(({ schedule, kind, rooms }) => ({ schedule, kind, rooms }));
  assert.deepEqual(await told({}), [
    { schedule: here, kind: 'room', rooms: [a, b] },
    { schedule: anyRoom, kind: 'room', rooms: [] },
  ]);
  assert.deepEqual(await told({ rooms: [b] }), [
    { schedule: here, kind: 'room', rooms: [b] },
    { schedule: anyRoom, kind: 'room', rooms: [] },
  ]);
  assert.deepEqual(await told({ venues: [mill] }), [{ schedule: anyRoom, kind: 'room', rooms: [] }]);
  assert.ok(!(await schedules({ offeringType })).includes(gone));
});

test('archived schedules, and those of other instructors or businesses, are left out', async () => {
  const offeringType = await newOffering(world, { schedule_type: 'appointment' });
  const [kim, lee] = [(await newInstructor(world)).instructor, (await newInstructor(world)).instructor];
  const venue = await newVenue(world);
  const offeringTypes = { [offeringType]: [] };
  const ofKim = await newSchedule(world, { instructor: kim, venue, daily: '09:00-17:00', offeringTypes });
  const ofLee = await newSchedule(world, { instructor: lee, daily: '09:00-17:00', offeringTypes });
  const rental = await newSchedule(world, { daily: '09:00-17:00', offeringTypes });
  assert.deepEqual(await schedules({ offeringType }), [ofKim, ofLee]);
  assert.ok(!(await schedules({ offeringType })).includes(rental));
  assert.deepEqual(await schedules({ offeringType, instructors: [lee] }), [ofLee]);
  assert.deepEqual(await schedules({ offeringType, venues: [await newVenue(world)] }), [ofLee]);
  assert.deepEqual(await read({ offeringType }, world.meadow), []);
  await change('venue', venue, sql`archived = true`);
  assert.deepEqual(await schedules({ offeringType }), [ofLee]);
  await change('instructor', lee, sql`archived = true`);
  assert.deepEqual(await schedules({ offeringType }), []);
  await change('instructor', lee, sql`archived = false`);
  await change('offering_type', offeringType, sql`status = 'archived'`);
  assert.deepEqual(await schedules({ offeringType }), []);
});

test('the database itself refuses hours that are out of order, overlapping or malformed', async () => {
  const { instructor } = await newInstructor(world);
  for (const wrong of [
    '12:00-13:00,09:00-10:00',
    '09:00-12:00,11:00-13:00',
    '09:00-12:00,12:00-13:00',
    '9:00-10:00',
    '09:00-24:00',
  ])
    await assert.rejects(newSchedule(world, { instructor, daily: wrong }), /are_hours|check/, wrong);
  await assert.rejects(
    newSchedule(world, {
      instructor,
      daily: Array.from({ length: 13 }, (_, i) => `${10 + i}:00-${10 + i}:30`).join(','),
    }),
  );
  await assert.rejects(newSchedule(world, { instructor, validFrom: '2027-02-01', validUntil: '2027-01-31' }));
  await newSchedule(world, {
    instructor,
    daily: '00:00-06:00,22:00-02:00',
    validFrom: '2027-02-01',
    validUntil: '2027-02-01',
  });
  assert.equal(textOf(rangesOf('09:00-10:00')), '09:00–10:00');
});

test('many schedules are read with one statement, like one', async () => {
  const offeringType = await newOffering(world, { schedule_type: 'appointment' });
  for (let i = 0; i < 3; i++) {
    const { instructor } = await newInstructor(world);
    await newSchedule(world, {
      instructor,
      daily: '09:00-17:00',
      offeringTypes: { [offeringType]: [] },
      overrides: { '2027-01-12': '' },
    });
    await block(world, { instructor }, '2027-01-13', '09:00-10:00');
  }
  let statements = 0;
  const found = await world.work(world.harbour, (work) => {
    const tx = Object.create(work.tx, {
      rows: { value: (statement: never) => (statements++, work.tx.rows(statement)) },
    });
    return readHours({ tx, providerId: work.providerId }, { offeringType, from: '2027-01-11', to: '2027-01-17' });
  });
  assert.deepEqual([found.length, statements], [3, 1]);
});
