import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { createProvider } from '../../../platform/providers/index.ts';
import { ownViewer } from '../../../../kernel/work/access/viewer.ts';
import { Database } from '../../../../kernel/base/db/database.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { registry } from '../../../../app.ts';
import { freshDatabase } from '../../../../test/database.ts';
import { importSchedule, openSchedule, readMapping, type ScheduleImport, type ScheduleSummary } from './index.ts';
import type { Rejection } from '../../../../kernel/base/csv/read-csv.ts';
import type { ScheduleMapping } from './mapping.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import { START } from '../../../../test/clock.ts';

const HEADING =
  '_id,Location ID,Course_ID,Course Title,Section,Age Min,Age Max,Date Range,Start Hour,Start Minute,End Hour,End Min,First Date,Last Date,DayOftheWeek';

let folder: string;
let database: { url: string; drop(): Promise<void> };
let db: Database;
let providerId: number;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-import-'));
  database = await freshDatabase();
  db = new Database({ url: database.url, size: 2 });
});
after(async () => {
  await db.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  providerId = await db.acrossTenants('a test has a business', (tx) =>
    createProvider(tx, { name: 'City', timezone: 'Europe/Paris', currency: 'EUR', country: 'FR' }),
  );
});

interface SessionRow {
  place: string;
  course: string;
  title: string;
  section: string;
  ages: [string, string];
  start: [number | string, number | string];
  end: [number | string, number | string];
  first: string;
  last: string;
}

let number = 0;
const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function line(over: Partial<SessionRow> = {}): string {
  const row: SessionRow = {
    place: '12',
    course: '100',
    title: 'Lane Swim',
    section: 'Swim',
    ages: ['13', 'None'],
    start: [9, 0],
    end: [10, 30],
    first: '2026-01-05',
    last: over.first ?? '2026-01-05',
    ...over,
  };
  return [
    ++number,
    row.place,
    row.course,
    quoted(row.title),
    quoted(row.section),
    ...row.ages,
    `${row.first} to ${row.last}`,
    ...row.start,
    ...row.end,
    row.first,
    row.last,
    'Monday',
  ].join(',');
}

interface Outcome {
  summary: ScheduleSummary;
  rejected: Rejection[];
  notes: [number, string][];
}

async function run(
  text: string | Buffer,
  mapping: ScheduleMapping | null = null,
  options: Partial<Pick<ScheduleImport, 'dateFormat' | 'dryRun'>> = {},
): Promise<Outcome> {
  const path = join(folder, 'schedule.csv');
  writeFileSync(path, text);
  const rejected: Rejection[] = [];
  const notes: [number, string][] = [];
  const file = await openSchedule(path, mapping, (r) => rejected.push(r));
  const summary = await importSchedule({
    db,
    registry: registry(),
    tenant: { providerId, zone: 'Europe/Paris', currency: 'EUR', words: DEFAULT_WORDS },
    viewer: ownViewer(providerId, 'import'),
    file,
    now: () => START,
    ...options,
    onRejected: (r) => rejected.push(r),
    onNote: (at, note) => notes.push([at, note]),
    onProgress: () => {},
  });
  return { summary, rejected, notes };
}

const csv = (...lines: string[]): string => [HEADING, ...lines, ''].join('\n');
const rows = (table: string, order = 'id') =>
  db.transaction(providerId, (tx) =>
    tx.rows(sql`SELECT * FROM ${raw(table)} WHERE provider_id = ${providerId} ORDER BY ${raw(order)}`),
  );
const execute = (statement: ReturnType<typeof sql>) => db.transaction(providerId, (tx) => tx.run(statement));

test('a session is imported as an event with its venue, offering type and category, in the zone of the file', async () => {
  const { summary, rejected } = await run(csv(line({ title: 'Zumba® "Gold", 60+', ages: ['60', 'None'] })));
  assert.deepEqual(rejected, []);
  assert.deepEqual(summary.events, { made: 1, changed: 0, unchanged: 0 });
  const [event] = await rows('event');
  assert.equal(event.name, 'Zumba® "Gold", 60+');
  assert.equal(event.local_starts_at, '2026-01-05T09:00:00');
  assert.equal(event.starts_at, Date.parse('2026-01-05T14:00:00Z'));
  assert.equal(event.ends_at, Date.parse('2026-01-05T15:30:00Z'));
  assert.equal(event.timezone, 'America/Toronto');
  assert.equal(event.external_id, '100-2026-01-05-0900');
  assert.equal(event.max_occupancy, null);
  const [venue] = await rows('venue');
  assert.deepEqual([venue.external_id, venue.name, venue.timezone], ['12', 'Location 12', 'America/Toronto']);
  const [type] = await rows('offering_type');
  assert.deepEqual(
    [type.external_id, type.min_allowed_age, type.max_allowed_age],
    ['Zumba® "Gold", 60+ | Swim | 60-', 60, null],
  );
  const [category] = await rows('offering_type_category');
  assert.deepEqual([type.category_id, category.name], [category.id, 'Swim']);
});

test('running an import twice changes nothing: no row, no feed item, no audit entry', async () => {
  const text = csv(
    ...Array.from({ length: 1500 }, (_, i) =>
      line({ course: String(i), place: String(i % 7), title: `Class ${i % 11}` }),
    ),
  );
  assert.deepEqual((await run(text)).summary.events, { made: 1500, changed: 0, unchanged: 0 });
  const before = [await rows('event'), await rows('feed_item'), await rows('audit_entry')];
  const told = Map.groupBy(before[1], (item) => item.kind);
  assert.deepEqual([...told].map(([kind, items]) => [kind, items.length]).toSorted(), [
    ['event.created', 1500],
    ['offering_type.created', 11],
    ['offering_type_category.created', 1],
    ['venue.created', 7],
  ]);
  assert.equal(before[2].length, 2, 'one audit entry for each batch');
  const again = await run(text);
  assert.deepEqual(again.summary.events, { made: 0, changed: 0, unchanged: 1500 });
  assert.deepEqual(again.summary.made, { venues: 0, categories: 0, offeringTypes: 0 });
  assert.deepEqual([await rows('event'), await rows('feed_item'), await rows('audit_entry')], before);
});

test('a changed row changes its event and reports the changes; the other events are unchanged', async () => {
  await run(csv(line({ course: '1' }), line({ course: '2' })));
  const { summary } = await run(csv(line({ course: '1', end: [11, 0], title: 'Aquafit' }), line({ course: '2' })));
  assert.deepEqual(summary.events, { made: 0, changed: 1, unchanged: 1 });
  const [event] = await rows('event');
  assert.deepEqual([event.name, event.local_ends_at], ['Aquafit', '2026-01-05T11:00:00']);
  const items = (await rows('feed_item')).filter((item) => item.kind === 'event.changed');
  assert.deepEqual(
    items.map((item) => item.payload),
    [{ event: event.id, changed: ['name', 'offering_type', 'ends_at'], notify: null }],
  );
});

test('changes that the business made to a venue, an offering type or a capacity are kept', async () => {
  await run(csv(line()));
  await execute(sql`UPDATE venue SET name = 'Pool on Main Street' WHERE provider_id = ${providerId}`);
  await execute(sql`UPDATE event SET max_occupancy = 12 WHERE provider_id = ${providerId}`);
  const { summary } = await run(csv(line({ title: 'Lane Swim: Adult' })));
  assert.equal(summary.events.changed, 1);
  assert.equal((await rows('venue'))[0].name, 'Pool on Main Street');
  assert.equal((await rows('event'))[0].max_occupancy, 12);
});

test('odd times are corrected and reported if they can be understood, and rejected otherwise', async () => {
  const { rejected, notes, summary } = await run(
    csv(
      line({ course: '1', start: [23, 30], end: [1, 0], first: '2026-01-04', last: '2026-01-05' }),
      line({ course: '2', start: [13, 0], end: [3, 0] }),
      line({ course: '3', start: [16, 0], end: [13, 0] }),
      line({ course: '4', first: '2026-01-05', last: '2026-01-26' }),
      line({ course: '5', start: ['nine', 0] }),
      line({ course: '6', first: '2026-02-30' }),
      line({ course: '7', ages: ['12', '6'] }),
      line({ course: '8', ages: ['six', 'None'] }),
      line({ course: '', title: 'No course' }),
      line({ course: '9' }),
    ),
  );
  assert.equal(summary.events.made, 3);
  assert.deepEqual(
    (await rows('event')).map((e) => `${e.local_starts_at} ${e.local_ends_at}`),
    [
      '2026-01-04T23:30:00 2026-01-05T01:00:00',
      '2026-01-05T13:00:00 2026-01-05T15:00:00',
      '2026-01-05T09:00:00 2026-01-05T10:30:00',
    ],
  );
  assert.deepEqual(
    notes.map(([at]) => at),
    [3],
  );
  assert.deepEqual(
    rejected.map((r) => [r.line, r.column, r.value]),
    [
      [4, 'End Hour', '13'],
      [5, 'End Hour', '10'],
      [6, 'Start Hour', 'nine:0'],
      [7, 'First Date', '2026-02-30'],
      [8, 'Age Max', '6'],
      [9, 'Age Min', 'six'],
      [10, 'Course_ID', ''],
    ],
  );
  assert.equal(summary.rejected, 7);
});

test('a repeated row is imported once; two different rows with the same external id are a contradiction', async () => {
  const { summary, rejected } = await run(csv(line(), line(), line({ end: [12, 0] })));
  assert.deepEqual([summary.events.made, summary.repeated, summary.rejected], [1, 1, 1]);
  assert.match(rejected[0].reason, /line 2/);
});

test('a byte order mark, Windows line ends, quoted line breaks and broken rows do not affect the other rows', async () => {
  const text = `\uFEFF${[HEADING, line({ course: '1', title: 'Two\nlines' }), 'too,few', line({ course: '2', title: 'A "quoted" word' }), '', line({ course: '3' }), ''].join('\r\n')}`;
  const { summary, rejected } = await run(text);
  assert.equal(summary.events.made, 3);
  assert.deepEqual(
    rejected.map((r) => [r.line, r.value]),
    [[4, '2']],
  );
});

test('a dry run reports what would happen and saves nothing, however many batches the file has', async () => {
  const text = csv(
    ...Array.from({ length: 1500 }, (_, i) =>
      line({ course: String(i), place: String(i % 7), title: `Class ${i % 11}`, end: i === 3 ? [8, 0] : [10, 0] }),
    ),
  );
  const preview = await run(text, null, { dryRun: true });
  assert.deepEqual(
    [await rows('event'), await rows('venue'), await rows('feed_item'), await rows('audit_entry')],
    [[], [], [], []],
  );
  assert.deepEqual(preview, await run(text));
  assert.deepEqual(preview.summary.made, { venues: 7, categories: 1, offeringTypes: 11 });
});

const GERMAN: ScheduleMapping = {
  timezone: 'Europe/Berlin',
  venue: { external_id: '{Raum}', name: '{Raum}' },
  offering_type: { external_id: '{Kurs}', name: '{Kurs}' },
  event: { external_id: '{Kurs}-{$date}-{$start}', name: '{Kurs}' },
  starts: { date: '{Datum}', time: '{Von}' },
  ends: { time: '{Bis}' },
};

test('a file from a German Excel is read as it is: semicolons, Windows-1252, the day first', async () => {
  const text =
    'sep=;\r\nKurs;Raum;Datum;Von;Bis;Bemerkung\r\nRückenfit;Saal Süd;05.01.2026;09:00;10:00;"Matte; Handtuch"\r\nRückenfit;Saal Süd;46028;09:00;10:00;\r\n;;;;;\r\n';
  const { summary, rejected } = await run(Buffer.from(text, 'latin1'), GERMAN);
  assert.deepEqual([summary.events.made, rejected], [2, []]);
  assert.deepEqual(
    (await rows('event')).map((e) => [e.name, e.local_starts_at]),
    [
      ['Rückenfit', '2026-01-05T09:00:00'],
      ['Rückenfit', '2026-01-06T09:00:00'],
    ],
  );
});

test('ambiguous dates stop the import before anything is written, and the format is asked for', async () => {
  const text = 'Kurs;Raum;Datum;Von;Bis\nYoga;A;05/01/2026;09:00;10:00\n';
  await assert.rejects(run(text, GERMAN), /"05\/01\/2026" \(line 2\).*--date-format/);
  assert.deepEqual(await rows('event'), []);
  await run(text, GERMAN, { dateFormat: 'MM/DD/YYYY' });
  assert.equal((await rows('event'))[0].local_starts_at, '2026-05-01T09:00:00');
});

test('a quotation mark without a closing one costs only one event of many', async () => {
  const lines = Array.from({ length: 22 }, (_, i) => line({ course: String(i), title: `Yoga, ${i}` }));
  lines[1] = lines[1].replace('"Yoga, 1"', '"Yoga, 1');
  const { summary, rejected } = await run(csv(...lines));
  assert.deepEqual([summary.events.made, rejected.map((r) => r.line)], [21, [3]]);
});

test('a time that a clock change skips moves forward, and one that occurs twice is the first one', async () => {
  await run(
    csv(
      line({ course: '1', start: [2, 30], end: [4, 0], first: '2026-03-08' }),
      line({ course: '2', start: [1, 30], end: [3, 0], first: '2026-11-01' }),
    ),
  );
  const [spring, autumn] = await rows('event');
  assert.equal(spring.starts_at, Date.parse('2026-03-08T07:30:00Z'));
  assert.equal(spring.local_starts_at, '2026-03-08T03:30:00');
  assert.equal(autumn.starts_at, Date.parse('2026-11-01T05:30:00Z'));
});

test('a file with other columns needs a mapping, and is imported with one', async () => {
  const text = 'Wann;Was\n';
  await assert.rejects(run(text), /--mapping FILE/);
  const mapping: ScheduleMapping = {
    timezone: '{Zone}',
    date_format: 'DD/MM/YYYY',
    venue: { external_id: 'hall', name: 'Hall' },
    offering_type: { external_id: '{Class}', name: '{Class}' },
    event: { external_id: '{Class}-{$date}', name: '{Class}', max_occupancy: '{Places}' },
    starts: { date: '{Day}', time: '{From}' },
    ends: { duration_minutes: '{Minutes}' },
  };
  const lines =
    'Class,Day,From,Minutes,Places,Zone\nYoga,05/01/2026,6:30 PM,75,12,Europe/Berlin\nYoga,06/01/2026,18:30,75,12,Mars/Base\n';
  const { summary, rejected } = await run(lines, mapping);
  assert.equal(summary.events.made, 1);
  assert.deepEqual(
    rejected.map((r) => [r.line, r.column, r.value]),
    [[3, 'Zone', 'Mars/Base']],
  );
  const [event] = await rows('event');
  assert.deepEqual(
    [event.starts_at, event.ends_at, event.max_occupancy],
    [Date.parse('2026-01-05T17:30:00Z'), Date.parse('2026-01-05T18:45:00Z'), 12],
  );
});

test('a capacity below the number of bookings is refused for that row only', async () => {
  const mapping: ScheduleMapping = {
    timezone: 'Europe/Berlin',
    venue: { external_id: 'hall', name: 'Hall' },
    offering_type: { external_id: 'y', name: 'Yoga' },
    event: { external_id: '{Id}', name: 'Yoga', max_occupancy: '{Places}' },
    starts: { date: '2026-01-05', time: '9:00' },
    ends: { time: '10:00' },
  };
  await run('Id,Places\na,2\nb,2\n', mapping);
  await execute(sql`WITH c AS (INSERT INTO customer (provider_id, email) SELECT ${providerId}, x || '@example.com'
    FROM generate_series(1, 2) x RETURNING id)
    INSERT INTO attendance (provider_id, event_id, customer_id, status)
    SELECT ${providerId}, (SELECT min(id) FROM event WHERE provider_id = ${providerId}), id, 'registered' FROM c`);
  const { summary, rejected } = await run('Id,Places\na,1\nb,1\n', mapping);
  assert.deepEqual([summary.events.changed, rejected.map((r) => [r.line, r.value])], [1, [[2, '1']]]);
  assert.deepEqual(
    (await rows('event')).map((e) => e.max_occupancy),
    [2, 1],
  );
});

test('every fault of an invalid mapping is reported', () => {
  const path = join(folder, 'mapping.json');
  writeFileSync(
    path,
    JSON.stringify({
      timezone: 'Mars',
      venue: { external_id: 'x' },
      places: 1,
      offering_type: { external_id: 'x', name: 'y' },
      event: { external_id: 'x', name: 5 },
      starts: {},
      ends: {},
    }),
  );
  assert.throws(
    () => readMapping(path),
    /places is unknown.*venue\.name is missing.*event\.name must be a text.*starts\.date is missing/s,
  );
  writeFileSync(path, '{');
  assert.throws(() => readMapping(path), /cannot be read/);
});
