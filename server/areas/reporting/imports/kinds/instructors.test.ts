/** Instructors in imported schedules. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fates, upload, work } from '../test/moving.ts';
import { newVenue } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
  await newVenue(world, { name: 'Main Studio' });
  const csv = `First name,Last name,Email,Role
Robin,Hale,robin@example.com,Teacher
Kim,Ito,kim@example.com,Teacher
Sam,Dale,sam@example.com,Teacher
Sam,Dale,sam.dale@example.com,Teacher
Jo,Fell,jo@example.com,Desk
`;
  await work(world, (await upload(world, csv, { kind: 'staff' })).id, 'run');
});
after(() => world?.close());

const taught = async (): Promise<[string, string[]][]> => {
  const { body } = await world.get('/events?expand=instructors&sort=start', { as: world.machine });
  return body.results.map((event: any) => [event.name, event.instructors.map((one: any) => one.name).toSorted()]);
};

const TIMETABLE = `Date,Start Time,End Time,Class,Staff,Location
2026-03-09,09:00,10:00,A,robin  hale,Main Studio
2026-03-09,10:00,11:00,B,"Ito, Kim",Main Studio
2026-03-09,11:00,12:00,C,Robin Hale & Kim Ito,Main Studio
2026-03-09,12:00,13:00,D,Sam Dale,Main Studio
2026-03-09,13:00,14:00,E,Jo Fell,Main Studio
2026-03-09,14:00,15:00,F,Noa Lund,Main Studio
2026-03-09,15:00,16:00,G,Kim Ito / noa lund,Main Studio
2026-03-09,09:30,10:30,H,Robin Hale,Main Studio
2026-03-09,16:00,17:00,I,,Main Studio
`;

test('instructors are found by name, nobody is guessed, and missing ones are listed', async () => {
  const file = await upload(world, TIMETABLE);
  assert.deepEqual([file.kind, file.missing, file.missing_instructors], ['schedule', [], []]);
  const checked = await work(world, file.id, 'check');
  assert.deepEqual(checked.missing_instructors, [
    { name: 'Noa Lund', row_count: 2 },
    { name: 'Jo Fell', row_count: 1 },
  ]);
  const without = 'the event is imported without';
  const expected = [
    [2, 'created', []],
    [3, 'created', []],
    [4, 'created', []],
    [5, 'created', [`Staff: is the name of several instructors here; ${without} them`]],
    [6, 'created', [`Staff: works here, but is no instructor; ${without} them`]],
    [7, 'created', [`Staff: is the name of no instructor here; ${without} them`]],
    [8, 'created', [`Staff: is the name of no instructor here; ${without} them`]],
    [9, 'created', [`Staff: teaches another event at that time; ${without} instructors`]],
    [10, 'created', []],
  ];
  assert.deepEqual(await fates(world, file.id), expected);
  await work(world, file.id, 'run');
  assert.deepEqual(await fates(world, file.id), expected);
  assert.deepEqual((await taught()).toSorted(), [
    ['A', ['Robin Hale']],
    ['B', ['Kim Ito']],
    ['C', ['Kim Ito', 'Robin Hale']],
    ['D', []],
    ['E', []],
    ['F', []],
    ['G', ['Kim Ito']],
    ['H', []],
    ['I', []],
  ]);
  const { body } = await world.get('/staff', { as: world.machine });
  assert.ok(!body.results.some(({ last_name }: any) => last_name === 'Lund'));
});

test('an event that exists keeps its instructors, and the row says so', async () => {
  const file = await upload(world, TIMETABLE.replace('robin  hale', 'Kim Ito'));
  const again = await work(world, file.id, 'run');
  assert.deepEqual([again.created_count, again.changed_count, again.unchanged_count], [0, 0, 9]);
  const reason = 'Staff: teaches this event in the file, but not here: change it on the event';
  const found = new Map((await fates(world, file.id)).map(([line, , issues]) => [line, issues]));
  assert.deepEqual([found.get(2), found.get(3), found.get(9)], [[reason], [], [reason]]);
  assert.deepEqual((await taught())[0], ['A', ['Robin Hale']]);
});
