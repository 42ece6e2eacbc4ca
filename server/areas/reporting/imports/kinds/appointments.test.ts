/** Appointments of another product: each arrives with its customer, its time and its instructor. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fates, fixture, upload, work } from '../test/moving.ts';
import { newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
  await newVenue(world, { name: 'Main Studio' });
  await newOffering(world, { name: 'Private Session', schedule_type: 'appointment', slot_duration: 45 });
  const staff = 'First name,Last name,Email,Role\nRobin,Hale,robin@example.com,Teacher\n';
  await work(world, (await upload(world, staff)).id, 'run');
  const people = ['June Abernathy', 'Ivy Lund'].map(
    (name) => `${name},${name.split(' ')[0].toLowerCase()}@example.com`,
  );
  await work(world, (await upload(world, `Name,Email\n${people.join('\n')}\n`)).id, 'run');
});
after(() => world?.close());

test('appointments from Acuity are booked with their instructor, and no customer becomes staff', async () => {
  const before = (await world.get('/staff', { as: world.machine })).body.count;
  const file = await upload(world, fixture('acuity-appointments.csv'));
  assert.deepEqual([file.kind, file.makes, file.missing, file.product], ['appointments', 'attendance', [], null]);
  const expected = [
    [2, 'created', []],
    [3, 'created', ['Calendar: has another event at that time; the event is imported without them']],
    [4, 'created', ['Calendar: is the name of no instructor here; the event is imported without them']],
    [5, 'rejected', ['Type: is no kind of appointment here: create one with this name first']],
    [6, 'rejected', ['Start Time: is in the past: only appointments to come are imported']],
    [7, 'rejected', ['Email: is no customer here: import the customers first']],
    [8, 'rejected', ['Appointment ID: is already in line 2']],
  ];
  await work(world, file.id, 'check');
  assert.deepEqual(await fates(world, file.id), expected);
  await work(world, file.id, 'run');
  assert.deepEqual(await fates(world, file.id), expected);
  const { results: events } = (await world.get('/events?expand=instructors&sort=start', { as: world.machine })).body;
  const ids = events.map(({ id }: any) => id).join(',');
  const { results } = (await world.get(`/attendances?event=${ids}&expand=customer,event`, { as: world.machine })).body;
  assert.deepEqual(
    events.map((event: any) => {
      const { customer, status } = results.find((one: any) => one.event.id === event.id);
      return [
        customer.first_name,
        event.name,
        new Date(event.starts_at).toISOString(),
        (Date.parse(event.ends_at) - Date.parse(event.starts_at)) / 60_000,
        event.max_occupancy,
        event.instructors.map(({ name }: any) => name),
        status,
      ];
    }),
    [
      ['June', 'Private Session', '2027-01-12T20:00:00.000Z', 60, 1, ['Robin Hale'], 'registered'],
      ['Ivy', 'Private Session', '2027-01-12T20:30:00.000Z', 45, 1, [], 'registered'],
      ['Ivy', 'Private Session', '2027-01-14T14:15:00.000Z', 45, 1, [], 'registered'],
    ],
  );
  assert.equal((await world.get('/staff', { as: world.machine })).body.count, before);
  const again = await work(world, file.id, 'run');
  assert.deepEqual([again.created_count, again.unchanged_count], [0, 3]);
  const undone = await world.post(`/imports/${file.id}/undo`, { as: world.machine });
  assert.deepEqual([undone.status, undone.body.undone_count, undone.body.kept], [200, 3, []]);
  assert.equal((await work(world, file.id, 'run')).created_count, 3);
});
