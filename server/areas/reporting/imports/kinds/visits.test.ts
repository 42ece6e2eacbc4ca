/** Visits of the past: history of customers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fates, upload, work } from '../test/moving.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
const ids: Record<string, number> = {};
before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
  const people = ['ana', 'ben', 'cleo'].map((one) => `${one}@example.com,${one}`).join('\n');
  await work(world, (await upload(world, `Email,First Name\n${people}\n`)).id, 'run');
  for (const { id, first_name: name } of await list('/customers?fields=id,first_name')) ids[name] = id;
});
after(() => world?.close());

const get = async (path: string, as = world.machine): Promise<any> => {
  const answer = await world.get(path, { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const list = async (path: string): Promise<any[]> => (await get(path)).results;

/** Returns the number of rows that bookings, money, uses and messages would make. */
const traces = async (): Promise<Record<string, number>> => {
  const found: Record<string, number> = {};
  for (const path of ['/events', '/attendances', '/account_entries', '/invoices', '/payments'] as const)
    found[path] = (await list(path)).length;
  return found;
};

const HEADING = 'Email,Class,Date,Time,Status,Instructor,Location';
const VISITS = `${HEADING}
ana@example.com,Yoga,2025-05-06,18:00,Attended,Mia Voss,Main hall
ana@example.com,Yoga,2025-05-13,18:00,No Show,Mia Voss,
ben@example.com,Pilates,2025-05-07,,Late Cancel,,
ben@example.com,Pilates,2025-05-08,7:30 PM,Cancelled,,
dora@example.com,Yoga,2025-05-06,18:00,Attended,,
ana@example.com,YOGA,2025-05-06,18:00,No Show,,
cleo@example.com,Yoga,sometime,18:00,Attended,,
`;

const shown = async (path = ''): Promise<unknown[]> =>
  (await list(`/past_visits?sort=date${path}`)).map((one) => [
    one.date,
    one.start_time,
    one.name,
    one.status,
    one.instructor_name,
    one.venue_name,
  ]);

test('past visits become history without places, money or uses, and can be corrected and undone', async () => {
  const none = await traces();
  const file = await upload(world, VISITS);
  assert.deepEqual([file.kind, file.missing, file.makes], ['visits', [], 'past_visit']);
  await work(world, file.id, 'check');
  assert.deepEqual(await fates(world, file.id), [
    [2, 'created', []],
    [3, 'created', []],
    [4, 'created', []],
    [5, 'rejected', ['Status: means that the row is left out']],
    [6, 'rejected', ['Email: is no customer here: import the customers first']],
    [7, 'rejected', ['Date: is already in line 2']],
    [8, 'rejected', ['Date: is not a date']],
  ]);
  assert.deepEqual(await shown(), [], 'a check saves nothing');
  await work(world, file.id, 'run');
  const first = ['2025-05-06', '18:00', 'Yoga', 'attended', 'Mia Voss', 'Main hall'];
  const late = ['2025-05-07', null, 'Pilates', 'late_cancelled', null, null];
  assert.deepEqual(await shown(), [first, late, ['2025-05-13', '18:00', 'Yoga', 'no_show', 'Mia Voss', null]]);
  assert.deepEqual(await shown(`&customer=${ids.ben}`), [late]);
  assert.deepEqual(await shown('&status=attended'), [first]);
  assert.deepEqual(await traces(), none);

  // A corrected file changes only what differs.
  const again = await upload(world, VISITS.replace('No Show,Mia Voss,', 'Attended,Mia Voss,'));
  assert.equal(again.kind, 'visits');
  await work(world, again.id, 'check');
  const { body: rows } = await world.get(`/imports/${again.id}/rows`, { as: world.machine });
  assert.deepEqual(
    rows.results.slice(0, 3).map((row: any) => [row.fate, row.changes]),
    [
      ['unchanged', []],
      ['changed', [{ property: 'status', before: 'no show', after: 'attended' }]],
      ['unchanged', []],
    ],
  );
  const report = await world.get(`/imports/${again.id}/report`, {
    as: world.machine,
    headers: { 'accept-language': 'de' },
  });
  assert.equal(report.status, 200);
  assert.match(report.text, /nicht erschienen.*war da/);
  await work(world, again.id, 'run');
  assert.deepEqual((await shown('&status=attended')).length, 2);

  const undone = await world.post(`/imports/${file.id}/undo`, { as: world.machine });
  assert.deepEqual([undone.status, undone.body.undone_count, undone.body.kept_count], [200, 3, 0], undone.text);
  assert.deepEqual(await shown(), []);
});

test('a word for a visit that is not known, or says only that it was booked, is a question', async () => {
  const file = await upload(world, `${HEADING}\nana@example.com,Yoga,2025-06-03,18:00,Booked,,\n`);
  assert.deepEqual([file.kind, file.missing], ['visits', ['answers']]);
  const [question] = file.questions;
  assert.deepEqual(question.choices, ['attended', 'no_show', 'late_cancelled', 'booked', 'left_out']);
  const answers = [{ property: 'status', value: 'Booked', meaning: 'booked' }];
  const answered = await world.patch(`/imports/${file.id}`, { as: world.machine, body: { answers } });
  assert.deepEqual([answered.status, answered.body.missing], [200, []], answered.text);
  await work(world, file.id, 'run');
  assert.deepEqual(await shown('&status=booked'), [['2025-06-03', '18:00', 'Yoga', 'booked', null, null]]);
});

const withId = (who: string, date: string) => `Visit ID,Email,Class,Date\nV1,${who}@example.com,Spin,${date}\n`;

test('the id of a visit in the former product identifies it after its customer or its day has changed', async () => {
  for (const [who, date, fate] of [
    ['ana', '2024-01-31', 'created'],
    ['ana', '2024-01-31', 'unchanged'],
    ['cleo', '2024-01-30', 'changed'],
  ]) {
    const file = await upload(world, withId(who, date));
    await work(world, file.id, 'run');
    assert.deepEqual(await fates(world, file.id), [[2, fate, []]]);
  }
  const visits = await list(`/past_visits?customer=${ids.cleo}`);
  assert.deepEqual(
    visits.map(({ date, status }) => [date, status]),
    [['2024-01-30', 'booked']],
  );
});

test('bookings with a day to come are no past visits, whatever was imported before', async () => {
  const rows = 'ana@example.com,Yoga,2025-05-06,18:00,Attended,,\nana@example.com,Yoga,2026-05-06,18:00,Booked,,\n';
  assert.equal((await upload(world, `${HEADING}\n${rows}`)).kind, 'bookings');
  const given = await upload(world, `${HEADING}\n${rows.replace('Booked', 'Attended')}`, { kind: 'visits' });
  await work(world, given.id, 'check');
  assert.deepEqual(await fates(world, given.id), [
    [2, 'created', []],
    [3, 'rejected', ['Date: is in the future']],
  ]);
});

test('customers see the visits of their family only, and a merged customer keeps theirs', async () => {
  const seen = await get('/past_visits', world.customer(ids.cleo));
  assert.deepEqual(
    seen.results.map(({ customer }: any) => customer),
    [ids.cleo],
  );
  const file = await upload(world, `${HEADING}\nben@example.com,Yoga,2025-07-01,18:00,Attended,,\n`);
  await work(world, file.id, 'run');
  const merged = await world.post(`/customers/${ids.cleo}/merge`, {
    as: world.machine,
    body: { from: ids.ben },
  });
  assert.equal(merged.status, 200, merged.text);
  assert.deepEqual(
    (await list(`/past_visits?customer=${ids.cleo}`)).map(({ date }) => date),
    ['2025-07-01', '2024-01-30'],
  );
  const again = await upload(world, `${HEADING}\ncleo@example.com,Yoga,2025-07-01,18:00,Attended,,\n`);
  await work(world, again.id, 'run');
  assert.deepEqual(await fates(world, again.id), [[2, 'unchanged', []]]);
  assert.equal((await list('/past_visits')).filter(({ customer }) => customer === ids.ben).length, 0);
});
