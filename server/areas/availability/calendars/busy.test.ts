import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connected, outsideEvent } from './test/calendar-world.ts';
import { externalBusy } from './index.ts';
import { iso, newInstructor } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const DAY = Date.parse('2035-03-10T00:00:00Z');
const at = (hour: number): number => DAY + hour * 3_600_000;
const hourOf = (epoch: string): number => (Number(epoch) * 1000 - DAY) / 3_600_000;

/** Returns the hours of the day, between two hours, at which these instructors are busy elsewhere. */
async function busy(instructors: readonly number[], from = 0, to = 24, provider = world.harbour) {
  const [who, a, b] = [
    sql`${instructors}::bigint[]`,
    sql`${iso(at(from))}::timestamptz`,
    sql`${iso(at(to))}::timestamptz`,
  ];
  const found = await world.app.db.looking(provider, (tx) =>
    tx.rows<{ instructor: number; begin: string; finish: string }>(
      sql`SELECT b.instructor_id AS instructor, extract(epoch FROM lower(b.during))::text AS begin,
        extract(epoch FROM upper(b.during))::text AS finish
          FROM (${externalBusy(provider, who, a, b)}) b ORDER BY 1, lower(b.during)`,
    ),
  );
  return found.map(({ instructor, begin, finish }) => [instructor, hourOf(begin), hourOf(finish)]);
}

test('an instructor is busy while an event in their connected calendar takes place', async () => {
  const { instructor, calendar } = await connected(world);
  await outsideEvent(world, calendar, [at(9), at(10)]);
  await outsideEvent(world, calendar, [at(30), at(31)]);
  const { instructor: other } = await newInstructor(world);
  assert.deepEqual(await busy([instructor, other]), [[instructor, 9, 10]]);
  assert.deepEqual(await busy([other]), []);
});

test('an event that only touches the requested time does not count', async () => {
  const { instructor, calendar } = await connected(world);
  await outsideEvent(world, calendar, [at(9), at(10)]);
  assert.deepEqual(await busy([instructor], 10, 12), []);
  assert.deepEqual(await busy([instructor], 8, 9), []);
  assert.deepEqual(await busy([instructor], 9.5, 9.75), [[instructor, 9, 10]]);
});

test('events that are shown as free count only if every event does, and cancelled events never count', async () => {
  for (const [constrain, expected] of [
    [true, []],
    [false, [[9, 10]]],
  ] as const) {
    const { instructor, calendar } = await connected(world, { setting: { constrain_only_busy: constrain } });
    await outsideEvent(world, calendar, [at(9), at(10)], { is_busy: false });
    await outsideEvent(world, calendar, [at(12), at(13)], { is_busy: false, status: 'CANC' });
    assert.deepEqual(
      (await busy([instructor])).map(([, from, to]) => [from, to]),
      expected,
    );
  }
});

test('a calendar that is not used for busy times, or not active, prevents no booking', async () => {
  for (const over of [{ setting: { is_source_for_busy_periods: false } }, { calendar: { is_active: false } }]) {
    const { instructor, calendar } = await connected(world, over);
    await outsideEvent(world, calendar, [at(9), at(10)]);
    assert.deepEqual(await busy([instructor]), []);
  }
});

test('busy times of several calendars of one person add up', async () => {
  const of = await newInstructor(world);
  for (const hour of [9, 14]) {
    const { calendar } = await connected(world, { of });
    await outsideEvent(world, calendar, [at(hour), at(hour + 1)]);
  }
  assert.deepEqual(await busy([of.instructor]), [
    [of.instructor, 9, 10],
    [of.instructor, 14, 15],
  ]);
});

test('busy times are invisible to other businesses', async () => {
  const { instructor, calendar } = await connected(world);
  await outsideEvent(world, calendar, [at(9), at(10)]);
  assert.deepEqual(await busy([instructor], 0, 24, world.meadow), []);
});

test('a calendar that would need a log-in is refused with a hint where to find its address', async () => {
  const staff = world.staff([]);
  const connect = (calendar_source: unknown) =>
    world.post('/external_calendars/accounts', {
      as: staff,
      body: { calendar_source, url: 'https://calendar.example/a.ics' },
    });
  for (const [source, where] of [
    ['GOOG', /Secret address in iCal format/],
    ['MSFT', /Shared calendars.*ICS link/],
    ['CALDAV', /sharing settings.*\.ics/],
    ['FAX', /^Must be ICAL\./],
    ['toString', /^Must be ICAL\./],
  ] as const) {
    const { status, body } = await connect(source);
    assert.equal(status, 400);
    assert.match(body.field_errors.calendar_source[0], where);
  }
  for (const [source, where] of [
    ['GOOG', /Secret address in iCal format/],
    ['MSFT', /ICS link/],
  ] as const) {
    const { status, body } = await world.post('/external_calendars/accounts/oauth2/initiate', {
      as: staff,
      body: { calendar_source: source, redirect_uri: 'https://app.example/back' },
    });
    assert.deepEqual([status, body.code], [409, 'calendar_source_unavailable']);
    assert.match(body.message, where);
  }
});
