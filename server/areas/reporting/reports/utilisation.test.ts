import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newEvent, newInstructor, newOffering, newVenue, row } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

/** A Monday; the venue is in Toronto. */
const MONDAY = '2026-06-01';
const IN_JUNE = 'day_gte=2026-06-01&day_lte=2026-06-02';

let world: World;
let venue: number;
let offering: number;
before(async () => {
  world = await startWorld();
  venue = await newVenue(world);
  offering = await newOffering(world);
});
after(() => world.close());

const at = (wall: string) => `${wall}:00-04:00`;
const event = (from: string, to: string, over: Record<string, unknown> = {}) =>
  newEvent(world, { venue, offering }, { starts_at: at(from), ends_at: at(to), ...over });

const ask = async (path: string, as = world.machine) => {
  const answer = await world.get(`/reports/utilisation${path}`, { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};

/** Returns `{hour: [minutes booked, minutes available]}` of one day. */
const hours = async (of: string, day = MONDAY) =>
  Object.fromEntries(
    (await ask(`/data?${IN_JUNE}&${of}&limit=100&sort=hour`)).rows
      .filter((one: any) => one.day === day)
      .map((one: any) => [one.hour, [one.minutes_booked, one.minutes_available]]),
  );

test('a room is available from the first event of its venue until the last has ended, and booked time counts once', async () => {
  const [quiet, busy] = [
    await row(world, 'venue_room', { venue_id: venue, name: 'Quiet' }),
    await row(world, 'venue_room', { venue_id: venue, name: 'Busy', allows_double_booking: true }),
  ];
  await event('2026-06-01T09:30', '2026-06-01T10:15', { venue_room: busy });
  await event('2026-06-01T10:00', '2026-06-01T10:30', { venue_room: busy });
  await event('2026-06-01T11:00', '2026-06-01T12:00');
  const cancelled = await event('2026-06-01T18:00', '2026-06-01T19:00', { venue_room: busy });
  await world.post(`/events/${cancelled.id}/cancel`, { as: world.machine, body: {} });
  assert.deepEqual(await hours(`rooms=${busy}`), { 9: [30, 30], 10: [30, 60], 11: [0, 60] });
  assert.deepEqual(await hours(`rooms=${quiet}`), { 9: [0, 30], 10: [0, 60], 11: [0, 60] });
  const { rows } = await ask(
    `.grouped/data?${IN_JUNE}&kinds=room&columns=room.name,minutes_booked,minutes_available,utilisation&sort=room.name`,
  );
  assert.deepEqual(
    rows.map(({ rows: _address, ...one }: any) => one),
    [
      { room: { name: 'Busy' }, minutes_booked: 60, minutes_available: 150, utilisation: 0.4 },
      { room: { name: 'Quiet' }, minutes_booked: 0, minutes_available: 150, utilisation: 0 },
    ],
  );
});

test('an instructor is available in the hours of their schedules, without days off and blocked times, and wherever they teach', async () => {
  const { instructor } = await newInstructor(world);
  const schedule = await row(world, 'availability_schedule', {
    name: 'Usual',
    instructor_id: instructor,
    default_monday: JSON.stringify([
      { start: '13:00', end: '16:00' },
      { start: '22:30', end: '00:30' },
    ]),
    default_tuesday: JSON.stringify([{ start: '08:00', end: '09:00' }]),
    valid_from: MONDAY,
  });
  await row(world, 'blocked_time', {
    instructor_id: instructor,
    date: MONDAY,
    blocked_times: JSON.stringify([{ start: '14:30', end: '15:30' }]),
  });
  await event('2026-06-01T13:30', '2026-06-01T14:15', { instructors: [instructor] });
  await event('2026-06-01T17:00', '2026-06-01T17:20', { instructors: [instructor] });
  const monday = { 13: [30, 60], 14: [15, 30], 15: [0, 30], 17: [20, 20], 22: [0, 30], 23: [0, 60] };
  assert.deepEqual(await hours(`instructors=${instructor}`), monday);
  assert.deepEqual(await hours(`instructors=${instructor}`, '2026-06-02'), { 0: [0, 30], 8: [0, 60] });
  await world.work(world.harbour, ({ tx, providerId }) =>
    tx.run(sql`INSERT INTO availability_override (provider_id, availability_schedule_id, date, availability)
      VALUES (${providerId}, ${schedule}, '2026-06-02', '[{"start": "10:00", "end": "11:00"}]')`),
  );
  assert.deepEqual(await hours(`instructors=${instructor}`, '2026-06-02'), { 0: [0, 30], 10: [0, 60] });
});

test('staff who are limited to venues see only rooms there, and nobody sees more than the maximum of days', async () => {
  const { rows } = await ask(
    `/data?${IN_JUNE}&limit=100`,
    world.staff(['manage_events'], null, world.harbour, [venue]),
  );
  assert.deepEqual([...new Set(rows.map(({ kind }: any) => kind))], ['room']);
  assert.deepEqual((await ask(`/data?${IN_JUNE}`, world.staff(['manage_events'], null, world.harbour, [9]))).total, 0);
  const refused = await world.get('/reports/utilisation/data?day_gte=2020-01-01&day_lte=2026-01-01', {
    as: world.machine,
  });
  assert.equal(refused.status, 400, refused.text);
  assert.match(refused.text, /366 days at most/);
});

test('when the clock goes back, an event that seems to end before it begins takes no time and breaks nothing', async () => {
  const room = await row(world, 'venue_room', { venue_id: venue, name: 'Night' });
  await newEvent(
    world,
    { venue, offering },
    { starts_at: '2026-11-01T05:45:00Z', ends_at: '2026-11-01T06:30:00Z', venue_room: room },
  );
  const { rows } = await ask(`/data?day_gte=2026-11-01&day_lte=2026-11-01&rooms=${room}`);
  assert.deepEqual(rows, []);
});
