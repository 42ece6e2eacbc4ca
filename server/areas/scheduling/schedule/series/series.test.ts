import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { startWorld, type World } from '../../../../test/world.ts';
import {
  book,
  feedEnd,
  feedSince,
  newCustomers,
  newInstructor,
  newOffering,
  newPlace,
  newVenue,
  row,
  type Place,
} from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { makeEvents } from './series-writes.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const DAY = 86_400_000;

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
  // The documented examples are of 2026: in September all of them are in the future.
  world.setNow(Date.parse('2026-09-01T12:00:00Z'));
});
after(() => world.close());

const as = () => world.machine;
const create = (rrule: string, over: Record<string, unknown> = {}, exceptions?: string[], query = '', headers = {}) =>
  world.post(`/events${query}`, {
    as: as(),
    headers,
    body: {
      name: 'Rowing',
      venue: place.venue,
      offering_type: place.offering,
      starts_at: '2026-09-07T18:00',
      ends_at: '2026-09-07T19:00',
      recurrence: { rrule, ...(exceptions && { exceptions }) },
      ...over,
    },
  });

async function made(...args: Parameters<typeof create>): Promise<{ first: number; series: number }> {
  const { status, body, text } = await create(...args);
  assert.equal(status, 201, text);
  return { first: body.id, series: body.series };
}

const events = async (series: number, query = '') =>
  (await world.get(`/events?series=${series}&page_size=250${query}`, { as: as() })).body.results;
const starts = async (series: number, query = '') => (await events(series, query)).map((e: any) => e.starts_at);
const spans = async (series: number) =>
  (await events(series)).map((e: any) => `${e.starts_at.slice(5, 16)} to ${e.ends_at.slice(5, 16)}`);
const on = async (series: number, date: string) =>
  (await events(series)).find((e: any) => e.starts_at.startsWith(date));
const patch = (id: number, body: object, query = '') => world.patch(`/events/${id}${query}`, { as: as(), body });
const extend = (series: number) => world.work(world.harbour, (work) => makeEvents(work, series, 'skip'));
/** Returns true if a job to extend the series is queued. */
async function isQueued(series: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    return (
      (await client.query('SELECT 1 FROM graphile_worker.jobs WHERE key = $1', [`${world.harbour}:series:${series}`]))
        .rows.length > 0
    );
  } finally {
    await client.end();
  }
}

const rruleOf = async (series: number) => (await world.get(`/event_series/${series}`, { as: as() })).body.rrule;

async function at<T>(moment: string, act: () => Promise<T>): Promise<T> {
  const before = world.now;
  world.setNow(Date.parse(moment));
  try {
    return await act();
  } finally {
    world.setNow(before);
  }
}

const days = async (rrule: string, exceptions?: string[]) =>
  (await starts((await made(rrule, {}, exceptions)).series)).map((s: string) => s.slice(5, 10));

const kinds = async () => (await world.get('/offering_types?page_size=100', { as: as() })).body.results;

test('one call creates a new class with its weekly events, or nothing', async () => {
  const new_offering_type = { name: 'Pilates', allows_dropins: true, dropin_price: '18.00' };
  const weekly = 'FREQ=WEEKLY;BYDAY=MO,WE,FR;UNTIL=20260914';
  const { series } = await made(weekly, { offering_type: undefined, new_offering_type, max_occupancy: 12 });
  const planned = await events(series);
  assert.deepEqual(
    planned.map((e: any) => [e.starts_at.slice(0, 16), e.max_occupancy]),
    ['07', '09', '11', '14'].map((day) => [`2026-09-${day}T18:00`, 12]),
  );
  const all = await kinds();
  const kind = all.find(({ id }: any) => id === planned[0].offering_type);
  assert.deepEqual([kind.name, kind.schedule_type, kind.dropin_price], ['Pilates', 'class', '18.00']);
  for (const [field, over] of Object.entries({
    offering_type: { new_offering_type },
    ends_at: { offering_type: undefined, new_offering_type, ends_at: '2026-09-07T17:00' },
    'new_offering_type.name': { offering_type: undefined, new_offering_type: { name: '' } },
  })) {
    const refused = await create(weekly, over);
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, [field]], refused.text);
  }
  assert.equal((await kinds()).length, all.length);
});

describe('making', () => {
  test('a weekly 18:00 stays 18:00 on the clock across both clock changes', async () => {
    const all = await starts((await made('FREQ=WEEKLY')).series);
    assert.ok(all.every((s: string) => s.slice(11, 19) === '18:00:00'));
    assert.deepEqual(
      ['2026-10-26', '2026-11-02', '2027-03-08', '2027-03-15'].map((d) =>
        all.find((s: string) => s.startsWith(d)).slice(19),
      ),
      ['-04:00', '-05:00', '-05:00', '-04:00'],
    );
    assert.equal(all.length, 53);
  });

  test('a time that the clocks skip moves forward that day, and one that occurs twice is the earlier one', async () => {
    const daily = await starts(
      (await made('FREQ=DAILY;COUNT=3', { starts_at: '2027-03-13T02:30', ends_at: '2027-03-13T03:30' })).series,
    );
    assert.deepEqual(daily, ['2027-03-13T02:30:00-05:00', '2027-03-14T03:30:00-04:00', '2027-03-15T02:30:00-04:00']);
    const fold = await starts(
      (await made('FREQ=DAILY;COUNT=2', { starts_at: '2026-10-31T01:30', ends_at: '2026-10-31T02:00' })).series,
    );
    assert.deepEqual(fold, ['2026-10-31T01:30:00-04:00', '2026-11-01T01:30:00-04:00']);
  });

  const nights: [string, string, string, string, string[]][] = [
    [
      'starts at a time that the clocks skip',
      'Europe/Berlin',
      '2027-03-28T02:30',
      '2027-03-28T04:00',
      ['03-28T03:30 to 03-28T04:00', '04-04T02:30 to 04-04T04:00'],
    ],
    [
      'is skipped by the clocks altogether',
      'Europe/Berlin',
      '2027-03-28T02:15',
      '2027-03-28T02:45',
      ['03-28T03:15 to 03-28T03:45', '04-04T02:15 to 04-04T02:45'],
    ],
    [
      'goes on while the clocks go back',
      'America/Toronto',
      '2027-11-06T22:00',
      '2027-11-07T04:00',
      ['11-06T22:00 to 11-07T04:00', '11-13T22:00 to 11-14T04:00'],
    ],
    [
      'goes on while the clocks go forward',
      'America/Toronto',
      '2027-03-13T22:00',
      '2027-03-14T04:00',
      ['03-13T22:00 to 03-14T04:00', '03-20T22:00 to 03-21T04:00'],
    ],
    [
      'was sent with offsets',
      'America/Toronto',
      '2027-11-06T22:00:00-04:00',
      '2027-11-07T04:00:00-05:00',
      ['11-06T22:00 to 11-07T04:00', '11-13T22:00 to 11-14T04:00'],
    ],
    [
      'ends earlier on the clock than it starts',
      'America/Toronto',
      '2027-11-07T01:30:00-04:00',
      '2027-11-07T01:15:00-05:00',
      ['11-07T01:30 to 11-07T01:15', '11-14T01:30 to 11-14T02:15'],
    ],
  ];
  for (const [name, timezone, starts_at, ends_at, wanted] of nights)
    test(`a series keeps the times that were sent if its first night ${name}`, async () => {
      const venue = await newVenue(world, { timezone });
      const { series } = await made('FREQ=WEEKLY;COUNT=2', { venue, starts_at, ends_at });
      assert.deepEqual(await spans(series), wanted);
    });

  test('a change from the night of a clock change means times on the clock, and times that are sent back unchanged are no change', async () => {
    const night = { starts_at: '2027-11-06T22:00', ends_at: '2027-11-07T04:00' };
    const { series, first } = await made('FREQ=WEEKLY;COUNT=3', night);
    const { starts_at, ends_at } = (await events(series))[0];
    await patch(first, { name: 'Night', starts_at, ends_at, applies_to: 'all' });
    assert.deepEqual(await spans(series), [
      '11-06T22:00 to 11-07T04:00',
      '11-13T22:00 to 11-14T04:00',
      '11-20T22:00 to 11-21T04:00',
    ]);
    await patch(first, { starts_at: '2027-11-06T21:00', applies_to: 'following' });
    assert.deepEqual((await spans(series)).slice(1), ['11-13T21:00 to 11-14T04:00', '11-20T21:00 to 11-21T04:00']);
    await patch(first, { starts_at: '2027-11-06T23:00', ends_at: '2027-11-07T05:00', applies_to: 'following' });
    assert.deepEqual(await spans(series), [
      '11-06T23:00 to 11-07T05:00',
      '11-13T23:00 to 11-14T05:00',
      '11-20T23:00 to 11-21T05:00',
    ]);
  });

  test('a change from a date whose time the clocks skip keeps the planned time', async () => {
    const venue = await newVenue(world, { timezone: 'Europe/Berlin' });
    const { series, first } = await made('FREQ=WEEKLY;COUNT=3', {
      venue,
      starts_at: '2027-03-21T02:30',
      ends_at: '2027-03-21T03:45',
    });
    const skipped = (await on(series, '2027-03-28')).id;
    const split = (await patch(skipped, { ends_at: '2027-03-28T05:00', applies_to: 'following' })).body.series;
    assert.notEqual(split, series);
    assert.deepEqual(await spans(split), ['03-28T03:30 to 03-28T05:00', '04-04T02:30 to 04-04T05:00']);
    assert.deepEqual(await spans(series), ['03-21T02:30 to 03-21T03:45']);
    assert.equal((await world.get(`/events/${first}`, { as: as() })).body.ends_at, '2027-03-21T03:45:00+01:00');
  });

  test('several days a week, COUNT, UNTIL and exceptions determine the days', async () => {
    assert.deepEqual(await days('FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=5'), ['09-07', '09-09', '09-11', '09-14', '09-16']);
    assert.deepEqual(await days('FREQ=WEEKLY;UNTIL=20260921'), ['09-07', '09-14', '09-21']);
    assert.deepEqual(await days('FREQ=WEEKLY;COUNT=4', ['2026-09-14']), ['09-07', '09-21', '09-28']);
  });

  test('an exception may be the instant at which an event would start, or midnight at the venue; others are refused', async () => {
    const monday = { starts_at: '2027-01-04T19:00', ends_at: '2027-01-04T20:00' };
    const without = async (...exceptions: string[]) => {
      const answer = await create('FREQ=WEEKLY;COUNT=3', monday, exceptions);
      if (answer.status !== 201) return Object.keys(answer.body.field_errors);
      return (await starts(answer.body.series)).map((s: string) => s.slice(5, 10));
    };
    for (const eleventh of [
      '2027-01-11',
      '2027-01-12T00:00:00Z',
      '2027-01-11T19:00',
      '2027-01-11T19:00:00-05:00',
      '2027-01-11T00:00',
      '2027-01-11T05:00:00.000Z',
    ])
      assert.deepEqual(await without(eleventh), ['01-04', '01-18'], eleventh);
    assert.deepEqual(await without('2027-01-11', '2027-01-18T18:00', '2027-01-19T00:00:00Z', '2027-01-11T12:30:00Z'), [
      'recurrence.exceptions.1',
      'recurrence.exceptions.3',
    ]);
    // A day without an event may be an exception.
    assert.deepEqual(await without('2027-01-12'), ['01-04', '01-11', '01-18']);
  });

  test('a venue in another zone than the business plans in its own zone', async () => {
    const venue = await newVenue(world, { timezone: 'Asia/Tokyo' });
    const { series } = await made('FREQ=WEEKLY;COUNT=2', { venue });
    assert.deepEqual(await starts(series), ['2026-09-07T18:00:00+09:00', '2026-09-14T18:00:00+09:00']);
    assert.equal((await world.get(`/event_series/${series}`, { as: as() })).body.timezone, 'Asia/Tokyo');
  });

  test('an invalid rule and one without any day create nothing', async () => {
    const from = await feedEnd(world);
    for (const rrule of ['EVERY DAY', 'FREQ=WEEKLY;UNTIL=20260101']) {
      const refused = await create(rrule);
      assert.equal(refused.status, 400);
      assert.deepEqual(Object.keys(refused.body.field_errors), ['recurrence.rrule']);
    }
    assert.deepEqual(await feedSince(world, from), []);
  });

  test('a conflict on one day refuses the whole series and names the day, with and without an Idempotency-Key', async () => {
    const venue_room = await row(world, 'venue_room', { venue_id: place.venue, name: 'Dock' });
    const { instructor } = await newInstructor(world);
    const taken = {
      name: 'Other',
      venue: place.venue,
      offering_type: place.offering,
      venue_room,
      instructors: [instructor],
      starts_at: '2026-09-21T18:30',
      ends_at: '2026-09-21T19:30',
    };
    await world.post('/events', { as: as(), body: taken });
    const from = await feedEnd(world);
    const room = await create('FREQ=WEEKLY;COUNT=4', { venue_room });
    assert.deepEqual([room.status, room.body.code], [409, 'room_taken']);
    assert.match(room.body.message, /2026-09-21 18:00/);
    const person = await create('FREQ=WEEKLY;COUNT=4', { instructors: [instructor] }, undefined, '', {
      'idempotency-key': 'series-clash',
    });
    assert.deepEqual([person.status, person.body.code], [409, 'instructor_taken']);
    assert.match(person.body.message, /2026-09-21 18:00/);
    assert.deepEqual(await feedSince(world, from), []);
    assert.equal((await world.get(`/events?instructors=${instructor}`, { as: as() })).body.count, 1);
    assert.equal((await create('FREQ=WEEKLY;COUNT=4', { venue_room }, ['2026-09-21'])).status, 201);
  });

  test('a dry run lists every event that would be created, and creates none', async () => {
    const preview = await create('FREQ=WEEKLY;COUNT=3', {}, undefined, '?dry_run=true');
    assert.deepEqual(
      preview.body.effects.map((e: any) => [e.effect, e.detail.starts_at]),
      [
        ['event_created', '2026-09-07T18:00:00-04:00'],
        ['event_created', '2026-09-14T18:00:00-04:00'],
        ['event_created', '2026-09-21T18:00:00-04:00'],
      ],
    );
    assert.equal((await world.get(`/event_series/${preview.body.series}`, { as: as() })).status, 404);
    assert.deepEqual(await events(preview.body.series), []);
  });
});

describe('going on', () => {
  for (const zone of ['America/Toronto', 'Asia/Tokyo', 'Pacific/Auckland', 'Australia/Lord_Howe', 'Europe/London']) {
    test(`a daily series in ${zone} goes on without a missing or double day, however often it is extended`, async () => {
      const venue = await newVenue(world, { timezone: zone });
      // Close to the time of the horizon, so that an error of some hours would show.
      for (const time of ['08:00', '21:00']) {
        const { series } = await made('FREQ=DAILY', {
          venue,
          starts_at: `2026-09-07T${time}`,
          ends_at: `2026-09-07T${time.slice(0, 2)}:30`,
        });
        for (const moment of ['2026-09-08T12:10Z', '2026-09-08T23:10Z', '2026-09-11T03:10Z']) {
          await at(moment, async () => {
            await extend(series);
            assert.deepEqual(await extend(series), []);
          });
        }
        const days = await world.work(world.harbour, ({ tx }) =>
          tx.rows<{ at: string }>(
            sql`SELECT series_local_starts_at AS at FROM event
              WHERE provider_id = ${world.harbour} AND series_id = ${series} ORDER BY 1`,
          ),
        );
        const numbers = days.map(({ at: wall }) => Date.parse(`${wall.slice(0, 10)}T00:00Z`) / DAY);
        assert.deepEqual(
          numbers,
          Array.from({ length: numbers.length }, (_, i) => numbers[0] + i),
        );
        assert.ok(numbers.length >= 366 + 3);
      }
    });
  }

  test('a COUNT beyond the horizon is completed as time passes', async () => {
    const { series } = await made('FREQ=WEEKLY;COUNT=60');
    assert.equal((await events(series)).length, 53);
    assert.equal(await isQueued(series), true);
    await at('2027-03-01T12:00Z', () => extend(series));
    assert.equal((await events(series)).length, 60);
    await at('2027-06-01T12:00Z', () => extend(series));
    assert.equal((await events(series)).length, 60);
    assert.equal(await isQueued((await made('FREQ=WEEKLY;COUNT=3')).series), false);
  });

  test('if a room is in use later, or a venue archived, the day is skipped and the audit says so', async () => {
    const venue = await newVenue(world);
    const venue_room = await row(world, 'venue_room', { venue_id: venue, name: 'Dock' });
    const { series } = await made('FREQ=WEEKLY', { venue, venue_room });
    const count = (await events(series)).length;
    await world.post('/events', {
      as: as(),
      body: {
        name: 'Other',
        venue,
        offering_type: place.offering,
        venue_room,
        starts_at: '2027-09-13T18:00',
        ends_at: '2027-09-13T19:00',
      },
    });
    await at('2026-09-28T12:00Z', () => extend(series));
    const after = await starts(series);
    assert.ok(!after.some((s: string) => s.startsWith('2027-09-13')));
    assert.equal(after.length, count + 2);
    await world.work(world.harbour, ({ tx }) =>
      tx.run(sql`UPDATE venue SET archived = true WHERE provider_id = ${world.harbour} AND id = ${venue}`),
    );
    await at('2026-10-05T12:00Z', () => extend(series));
    assert.equal((await events(series)).length, after.length);
    const left = await world.work(world.harbour, ({ tx }) =>
      tx.rows(
        sql`SELECT after FROM audit_entry WHERE provider_id = ${world.harbour} AND object = 'event_series'
          AND object_id = ${series} AND action LIKE '%left out%' ORDER BY id`,
      ),
    );
    assert.deepEqual(
      left.map((a) => a.after),
      [
        { starts_at: '2027-09-13T18:00:00', because: 'event_room_free' },
        { starts_at: '2027-10-04T18:00:00', because: left[1].after.because },
      ],
    );
    assert.match(left[1].after.because, /archived/);
  });

  test('an event that was cancelled or moved individually is not created again', async () => {
    const { series } = await made('FREQ=WEEKLY');
    const [one, two] = [await on(series, '2026-09-14'), await on(series, '2026-09-21')];
    await world.post(`/events/${one.id}/cancel`, { as: as(), body: {} });
    await patch(two.id, { starts_at: '2026-09-22T10:00', ends_at: '2026-09-22T11:00' });
    const count = (await events(series)).length;
    assert.deepEqual(await extend(series), []);
    assert.equal((await events(series)).length, count);
  });
});

describe('changing', () => {
  test('`this` changes one event', async () => {
    const { series } = await made('FREQ=WEEKLY;COUNT=3');
    const { id } = await on(series, '2026-09-14');
    await patch(id, { name: 'Only this', starts_at: '2026-09-14T20:00', ends_at: '2026-09-14T21:00' });
    assert.deepEqual(
      (await events(series)).map((e: any) => [e.name, e.starts_at.slice(5, 16)]),
      [
        ['Rowing', '09-07T18:00'],
        ['Only this', '09-14T20:00'],
        ['Rowing', '09-21T18:00'],
      ],
    );
  });

  test('`following` changes it and those after it, and keeps bookings and ids', async () => {
    const { series } = await made('FREQ=WEEKLY;COUNT=4');
    const before = (await events(series)).map((e: any) => e.id);
    const [customer] = await newCustomers(world, 1);
    const booked = (await book(world, before[2], customer)).body.attendance;
    const { body } = await patch(before[1], {
      starts_at: '2026-09-14T19:00',
      ends_at: '2026-09-14T20:30',
      applies_to: 'following',
    });
    assert.notEqual(body.series, series);
    assert.deepEqual(
      (await events(series)).map((e: any) => e.id),
      before.slice(0, 1),
    );
    const moved = await events(body.series);
    assert.deepEqual(
      moved.map((e: any) => [e.id, e.starts_at.slice(5, 16), e.ends_at.slice(11, 16)]),
      [
        [before[1], '09-14T19:00', '20:30'],
        [before[2], '09-21T19:00', '20:30'],
        [before[3], '09-28T19:00', '20:30'],
      ],
    );
    const { body: still } = await world.get(`/attendances/${booked}`, { as: as() });
    assert.deepEqual([still.event, still.status], [before[2], 'registered']);
  });

  test('`all` changes all future events and no past ones', async () => {
    const { series } = await made('FREQ=WEEKLY;COUNT=4');
    await at('2026-09-15T12:00Z', async () => {
      const { id } = await on(series, '2026-09-28');
      assert.equal((await patch(id, { name: 'Renamed', applies_to: 'all' })).body.series, series);
    });
    assert.deepEqual(
      (await events(series)).map((e: any) => e.name),
      ['Rowing', 'Rowing', 'Renamed', 'Renamed'],
    );
  });

  test('events that are created later have the changes', async () => {
    const venue_room = await row(world, 'venue_room', { venue_id: place.venue, name: 'Old dock' });
    const { series, first } = await made('FREQ=WEEKLY', { venue_room });
    const venue = await newVenue(world, { timezone: 'Europe/London' });
    await patch(first, {
      name: 'Moved',
      venue,
      starts_at: '2026-09-07T08:00',
      ends_at: '2026-09-07T09:15',
      applies_to: 'all',
    });
    const [id] = await at('2026-09-20T12:00Z', () => extend(series));
    const { body } = await world.get(`/events/${id}`, { as: as() });
    assert.deepEqual(
      [body.name, body.venue, body.venue_room, body.starts_at, body.ends_at],
      ['Moved', venue, null, '2027-09-13T08:00:00+01:00', '2027-09-13T09:15:00+01:00'],
    );
  });

  test('an event that was moved or extended individually keeps its own time, but not the old name', async () => {
    const { series, first } = await made('FREQ=WEEKLY;COUNT=4');
    await patch((await on(series, '2026-09-14')).id, { starts_at: '2026-09-15T10:00', ends_at: '2026-09-15T11:00' });
    await patch((await on(series, '2026-09-21')).id, { ends_at: '2026-09-21T20:00' });
    await patch(first, { name: 'New', starts_at: '2026-09-07T19:00', ends_at: '2026-09-07T20:00', applies_to: 'all' });
    assert.deepEqual(
      (await events(series)).map((e: any) => [e.name, e.starts_at.slice(5, 16), e.ends_at.slice(11, 16)]),
      [
        ['New', '09-07T19:00', '20:00'],
        ['New', '09-15T10:00', '11:00'],
        ['New', '09-21T18:00', '20:00'],
        ['New', '09-28T19:00', '20:00'],
      ],
    );
  });

  test('an event that a clock change moved does not count as moved individually', async () => {
    const { series, first } = await made('FREQ=DAILY;COUNT=3', {
      starts_at: '2027-03-13T02:30',
      ends_at: '2027-03-13T03:30',
    });
    await patch(first, { starts_at: '2027-03-13T09:00', ends_at: '2027-03-13T10:00', applies_to: 'all' });
    assert.deepEqual(
      (await starts(series)).map((s: string) => s.slice(0, 16)),
      ['2027-03-13T09:00', '2027-03-14T09:00', '2027-03-15T09:00'],
    );
  });

  test('a change to another day is refused, and so is a reach beyond one event without a series', async () => {
    const { first } = await made('FREQ=WEEKLY;COUNT=2');
    assert.ok(
      (await patch(first, { starts_at: '2026-09-08T18:00', ends_at: '2026-09-08T19:00', applies_to: 'all' })).body
        .field_errors.starts_at,
    );
    const single = (
      await world.post('/events', {
        as: as(),
        body: {
          name: 'One',
          venue: place.venue,
          offering_type: place.offering,
          starts_at: '2026-09-07T18:00',
          ends_at: '2026-09-07T19:00',
        },
      })
    ).body.id;
    for (const applies_to of ['following', 'all'])
      assert.ok((await patch(single, { name: 'X', applies_to })).body.field_errors.applies_to);
  });

  test('a dry run lists each event with its bookings and changes nothing', async () => {
    const { series, first } = await made('FREQ=WEEKLY;COUNT=2');
    const [customer] = await newCustomers(world, 1);
    const all = await events(series);
    const booked = (await book(world, all[1].id, customer)).body.attendance;
    const { body } = await patch(
      first,
      { starts_at: '2026-09-07T19:00', ends_at: '2026-09-07T20:00', applies_to: 'all' },
      '?dry_run=true',
    );
    assert.deepEqual(
      body.effects.map((e: any) => [e.effect, e.id]),
      [
        ['event_changed', all[0].id],
        ['event_changed', all[1].id],
        ['booking_moved', booked],
      ],
    );
    assert.deepEqual(
      await starts(series),
      all.map((e: any) => e.starts_at),
    );
  });

  test('a conflict on one day refuses the whole change and names the day', async () => {
    const venue_room = await row(world, 'venue_room', { venue_id: place.venue, name: 'Third dock' });
    const { series, first } = await made('FREQ=WEEKLY;COUNT=3', { venue_room });
    await world.post('/events', {
      as: as(),
      body: {
        name: 'Other',
        venue: place.venue,
        offering_type: place.offering,
        venue_room,
        starts_at: '2026-09-14T20:00',
        ends_at: '2026-09-14T21:00',
      },
    });
    const refused = await patch(first, {
      starts_at: '2026-09-07T19:30',
      ends_at: '2026-09-07T20:30',
      applies_to: 'all',
    });
    assert.deepEqual([refused.status, refused.body.code], [409, 'room_taken']);
    assert.match(refused.body.message, /2026-09-14/);
    assert.ok((await starts(series)).every((s: string) => s.includes('T18:00')));
  });

  workedTable('docs/algorithms/series.md', 'Worked splits').forEach((written, i) => {
    test(`split ${i + 1}: ${written.rule} from ${written.from} goes on as ${written['goes on as']}`, async () => {
      const offering_type = await newOffering(world);
      const { series } = await made(
        written.rule,
        { offering_type },
        written.exceptions ? [written.exceptions] : undefined,
      );
      const { id } = await on(series, written.from);
      const { body } = await patch(id, { name: 'On', applies_to: 'following' });
      assert.equal(await rruleOf(body.series), written['goes on as']);
      if (written['ended as']) assert.equal(await rruleOf(series), written['ended as']);
      else assert.equal(body.series, series);
      for (const one of [series, body.series]) await extend(one);
      const all = (
        await world.get(`/events?offering_types=${offering_type}&page_size=250&fields=starts_at`, { as: as() })
      ).body.results.map((e: any) => e.starts_at);
      assert.deepEqual(all, [...new Set(all)]);
    });
  });
});

const left = async (series: number) => (await starts(series, '&status=active')).map((s: string) => s.slice(5, 10));

const cancel = (id: number, applies_to: string) =>
  world.post(`/events/${id}/cancel`, { as: as(), body: { applies_to } });

const reach = async (applies_to: string) => {
  const { series } = await made('FREQ=WEEKLY');
  assert.equal((await cancel((await on(series, '2026-09-21')).id, applies_to)).status, 200);
  const still = await left(series);
  await at('2026-09-22T12:00Z', () => extend(series));
  return [still.slice(0, 3), (await left(series)).length - still.length];
};

describe('cancelling', () => {
  test('`this`, `following` and `all` cancel exactly their events, and none is created again', async () => {
    assert.deepEqual(await reach('this'), [['09-07', '09-14', '09-28'], 2]);
    assert.deepEqual(await reach('following'), [['09-07', '09-14'], 0]);
    assert.deepEqual(await reach('all'), [[], 0]);
  });

  test('every booking of every event ends and is reported', async () => {
    const { series, first } = await made('FREQ=WEEKLY;COUNT=2');
    const [customer] = await newCustomers(world, 1);
    const ids = (await events(series)).map((e: any) => e.id);
    for (const id of ids) await book(world, id, customer);
    const from = await feedEnd(world);
    await cancel(first, 'all');
    assert.deepEqual(
      (await feedSince(world, from)).map((i) => i.kind),
      [
        'event.cancelled',
        'event_registration.cancelled',
        'event.cancelled',
        'event_registration.cancelled',
        'event_series.ended',
      ],
    );
    assert.deepEqual(
      (await world.get(`/attendances?event=${ids.join(',')}&fields=status`, { as: as() })).body.results.map(
        (a: any) => a.status,
      ),
      ['not_registered', 'not_registered'],
    );
  });
});
