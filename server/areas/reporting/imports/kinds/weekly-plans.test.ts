/** Weekly plans, which have weekdays instead of days, and calendars. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fates, upload, work } from '../test/moving.ts';
import { newVenue } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { weekdayReader } from './rules/weekday.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true, worker: true });
  // A Monday, at noon in Toronto.
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
  const venue = await newVenue(world, { name: 'Studio' });
  await world.post('/venue_rooms', { as: world.machine, body: { name: 'Saal 1', venue } });
  await work(
    world,
    (await upload(world, 'First name,Last name,Email,Role\nAnna,Beck,anna@example.com,Teacher\n')).id,
    'run',
  );
});
after(() => world?.close());

test('weekdays are read in nine languages, alone, together and as ranges, and a doubtful one is not guessed', () => {
  const cases: readonly (readonly [string, readonly (readonly number[] | null)[]])[] = [
    ['Montag|Dienstag|Mo + Mi|Mo-Fr|montags|Do', [[1], [2], [1, 3], [1, 2, 3, 4, 5], [1], [4]]],
    ['Mon/Wed|Sat & Sun|every Friday|Tuesdays|Fri-Mon', [[1, 3], [6, 7], [5], [2], [1, 5, 6, 7]]],
    ['lundi|di|mer. et ven.', [[1], [7], [3, 5]]],
    ['lunes|miércoles|do', [[1], [3], [7]]],
    ['lunedì|gio|do', [[1], [4], [7]]],
    ['maandag|do|zo', [[1], [4], [7]]],
    ['segunda-feira|3ª|sexta', [[1], null, [5]]],
    ['poniedziałek|środa|nd', [[1], [3], [7]]],
    ['יום שני|ד׳|שישי|א-ה', [[1], [3], [5], [1, 2, 3, 4, 7]]],
    ['Di', [null]],
    ['every second Monday|daily|1.3.2026|', [null, [1, 2, 3, 4, 5, 6, 7], null, null]],
  ];
  for (const [text, expected] of cases) {
    const cells = text.split('|');
    const read = weekdayReader(cells);
    assert.deepEqual(cells.map(read), expected, text);
  }
});

const PLAN = `Wochentag;Uhrzeit;Kurs;Trainer;Raum;Plätze;Gültig ab;Gültig bis
Montag;18:00 - 19:00;Yoga;Anna Beck;Saal 1;12;01.01.2026;31.03.2026
Mo, Mi;09.30–10.30;Rücken;Ben;Saal 2;10;09.03.2026;
Freitag;17 Uhr;Pilates;;Saal 1;10;;
Montag;18:30 - 19:30;Box;Anna Beck;Saal 1;10;;30.04.2026
Montag;18:00 - 19:00;Alt;;Saal 1;10;01.01.2025;31.12.2025
jeden 2. Montag;18:00 - 19:00;Selten;;Saal 1;10;;
`;

test('a row with weekdays becomes a series from today on, once, and without an instructor or a room that is busy', async () => {
  const file = await upload(world, PLAN);
  assert.deepEqual([file.kind, file.missing], ['schedule', []]);
  const expected = [
    [2, 'created', []],
    [
      3,
      'created',
      [
        'Gültig bis: has no last day, so it goes on every week',
        'Trainer: is the name of no instructor here; the event is imported without them',
        'Raum: is no room of the venue; the event is imported without a room. Add the room and check the file again',
      ],
    ],
    [4, 'rejected', ['Uhrzeit: has no end: add a column with the end or the duration']],
    [
      5,
      'created',
      [
        'Gültig ab: has no first day, so it begins on 2026-03-02',
        ': needs a room that is taken at one of these times; the events are imported without a room',
        'Trainer: teaches another event at one of these times; the events are imported without instructors',
      ],
    ],
    [6, 'rejected', ['Gültig bis: is in the past: the plan has ended']],
    [7, 'rejected', ['Wochentag: is not a weekday, or could be several: write it in full']],
  ];
  await work(world, file.id, 'check');
  assert.deepEqual(await fates(world, file.id), expected);
  assert.deepEqual((await world.get('/event_series', { as: world.machine })).body.results, []);
  await work(world, file.id, 'run');
  assert.deepEqual(await fates(world, file.id), expected);
  const { results: series } = (await world.get('/event_series?sort=id', { as: world.machine })).body;
  assert.deepEqual(
    series.map((one: any) => [one.rrule, one.first_starts_at, one.duration_minutes]),
    [
      ['FREQ=WEEKLY;BYDAY=MO;UNTIL=20260331T235959', '2026-03-02T18:00:00', 60],
      ['FREQ=WEEKLY;BYDAY=MO,WE', '2026-03-09T09:30:00', 60],
      ['FREQ=WEEKLY;BYDAY=MO;UNTIL=20260430T235959', '2026-03-02T18:30:00', 60],
    ],
  );
  const events = (
    await world.get(
      `/events?series=${series[0].id}&expand=instructors,venue_room&fields=name,max_occupancy,instructors,venue_room`,
      {
        as: world.machine,
      },
    )
  ).body.results;
  assert.deepEqual(
    [events.length, events[0].max_occupancy, events[0].instructors[0].name, events[0].venue_room.name],
    [5, 12, 'Anna Beck', 'Saal 1'],
  );
  const again = await work(world, (await upload(world, PLAN)).id, 'run');
  assert.deepEqual([again.created_count, again.unchanged_count, again.rejected_count], [0, 3, 3]);
  const undone = await world.post(`/imports/${file.id}/undo`, { as: world.machine });
  assert.deepEqual([undone.status, undone.body.undone_count, undone.body.kept], [200, 3, []]);
  const left = (await world.get('/events?status=active', { as: world.machine })).body.results;
  const ended = (await world.get('/event_series?sort=id', { as: world.machine })).body.results;
  assert.deepEqual([left, ended.map(({ status }: any) => status)], [[], ['ended', 'ended', 'ended']]);
  const anew = await work(world, file.id, 'run');
  assert.equal(anew.created_count, 3);
});

const ICS = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Example//EN
${[
  'UID:a1@example.com\nDTSTART;TZID=America/Los_Angeles:20260310T150000\nDTEND;TZID=America/Los_Angeles:20260310T161500\nRRULE:FREQ=WEEKLY;COUNT=3\nSUMMARY:Flow\nLOCATION:Studio',
  'UID:a2@example.com\nDTSTART;VALUE=DATE:20260401\nSUMMARY:Holiday',
  'UID:a3@example.com\nDTSTART:20260312T150000\nDTEND:20260312T160000\nSUMMARY:Dance\nSTATUS:CANCELLED',
  'UID:a4@example.com\nDTSTART:20250312T150000\nDTEND:20250312T160000\nSUMMARY:Last year',
  'UID:a5@example.com\nDTSTART:20260313T150000\nDTEND:20260313T160000\nSUMMARY:Dance',
]
  .map((event) => `BEGIN:VEVENT\n${event}\nEND:VEVENT`)
  .join('\n')}
END:VCALENDAR
`.replaceAll('\n', '\r\n');

test('a calendar asks what it is, and its events of the coming year become events, each once', async () => {
  const file = await upload(world, ICS, { file_name: 'studio.ics' });
  assert.deepEqual(
    [file.format, file.encoding, file.kind, file.missing, file.row_count],
    ['ics', null, 'schedule', ['kind'], 6],
  );
  await world.patch(`/imports/${file.id}`, { as: world.machine, body: { kind: 'schedule' } });
  await work(world, file.id, 'run');
  assert.deepEqual(await fates(world, file.id), [
    [2, 'created', []],
    [3, 'rejected', ['Title: is cancelled']],
    [4, 'created', []],
    [5, 'created', []],
    [6, 'created', []],
    [7, 'rejected', ['Title: lasts whole days, so it is no class']],
  ]);
  const { results } = (await world.get('/events?sort=start', { as: world.machine })).body;
  assert.deepEqual(
    results
      .filter(({ name }: any) => ['Flow', 'Dance'].includes(name))
      .map(({ name, starts_at, ends_at }: any) => [
        name,
        new Date(starts_at).toISOString().slice(0, 16),
        (Date.parse(ends_at) - Date.parse(starts_at)) / 60_000,
      ]),
    [
      ['Flow', '2026-03-10T22:00', 75],
      ['Dance', '2026-03-13T19:00', 60],
      ['Flow', '2026-03-17T22:00', 75],
      ['Flow', '2026-03-24T22:00', 75],
    ],
  );
  const again = await upload(world, ICS, { kind: 'schedule' });
  assert.deepEqual(again.missing, []);
  assert.equal((await work(world, again.id, 'run')).unchanged_count, 4);
});
