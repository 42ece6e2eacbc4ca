import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newVenue, row } from '../../../test/schedule-world.ts';
import { startWorld } from '../../../test/world.ts';

const world = await startWorld();
after(() => world.close());
const as = world.machine;

const create = (body: Record<string, unknown>) =>
  world.post('/offering_types', { as, body: { name: 'Massage', ...body } });
const newRoom = async (venue: number) =>
  row(world, 'venue_room', { venue_id: venue, name: `Room ${Math.random().toString(36).slice(2, 8)}` });

test('settings of an appointment are returned as they were sent, with defaults for absent ones', async () => {
  const venue = await newVenue(world);
  const rooms = [await newRoom(venue), await newRoom(venue)];
  const made = await create({
    schedule_type: 'appointment',
    appointment_settings: { duration: 50, buffer_after: 10, default_venue: venue, default_venue_rooms: rooms },
  });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.body.appointment_settings, {
    duration: 50,
    buffer_before: 0,
    buffer_after: 10,
    start_time_increments: null,
    default_venue: venue,
    default_venue_rooms: rooms,
  });
  assert.equal(made.body.room_rental_settings, null);
  const again = await world.patch(`/offering_types/${made.body.id}`, {
    as,
    body: { room_rental_settings: null, name: 'Long massage' },
  });
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(again.body.appointment_settings, made.body.appointment_settings);
  const without = await world.patch(`/offering_types/${made.body.id}`, { as, body: { appointment_settings: null } });
  assert.equal(without.body.appointment_settings, null);
});

test('settings of a room rental say whether its rooms are uniform', async () => {
  const made = await create({
    schedule_type: 'room_rental',
    room_rental_settings: { duration: 90, start_time_increments: 45, room_uniformity: true },
  });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.body.room_rental_settings, {
    duration: 90,
    buffer_before: 0,
    buffer_after: 0,
    start_time_increments: 45,
    room_uniformity: true,
  });
});

test('settings are refused for other schedule types, and if they are impossible', async () => {
  const [venue, other] = [await newVenue(world), await newVenue(world)];
  const cases: [Record<string, unknown>, string][] = [
    [{ schedule_type: 'class', appointment_settings: { duration: 30 } }, 'appointment_settings'],
    [{ schedule_type: 'appointment', room_rental_settings: { duration: 30 } }, 'room_rental_settings'],
    [{ schedule_type: 'appointment', appointment_settings: { duration: 4 } }, 'appointment_settings.duration'],
    [
      { schedule_type: 'appointment', appointment_settings: { duration: 30, start_time_increments: 20 } },
      'appointment_settings.start_time_increments',
    ],
    [
      {
        schedule_type: 'appointment',
        appointment_settings: { duration: 30, default_venue_rooms: [await newRoom(venue)] },
      },
      'appointment_settings.default_venue_rooms',
    ],
    [
      {
        schedule_type: 'appointment',
        appointment_settings: { duration: 30, default_venue: other, default_venue_rooms: [await newRoom(venue)] },
      },
      'appointment_settings.default_venue_rooms',
    ],
  ];
  for (const [body, field] of cases) {
    const refused = await create(body);
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, [field]], refused.text);
  }
});
