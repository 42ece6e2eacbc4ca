/** A whole studio moves in: several files at once, in the order in which they depend on each other. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { zipSync } from 'fflate';
import { fates, upload } from '../test/moving.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { until } from '../../../../test/storm.ts';

let world: World;

before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
  const memberships = await MembershipWorld.of(world);
  await memberships.recurring([], { price: '80.00' }, { name: 'Monthly' });
});
after(() => world?.close());

const FILES = {
  'a-bookings.csv': 'Client ID,Class Name,Class Date,Class Time\nc2,Flow,2026-04-06,18:00\nc9,Flow,2026-04-06,18:00\n',
  'b-plans.csv':
    'Email,Member Name,Membership,Start Date,Status\nona@example.com,,Monthly,2026-01-31,Active\n,Bo Reed,Monthly,2026-02-15,Active\n',
  'c-classes.csv': 'Class Name,Start Date,Start Time,End Time,Capacity\nFlow,2026-04-06,18:00,19:00,10\n',
  'd-people.csv': 'Client ID,First Name,Last Name,Email\nc1,Ona,Vale,ona@example.com\nc2,Bo,Reed,bo@example.com\n',
};

const get = async (path: string): Promise<any> => (await world.get(path, { as: world.machine })).body;

async function begin(how: 'check' | 'run', body: object): Promise<any> {
  const begun = await world.post(`/imports/${how}`, { as: world.machine, body });
  assert.equal(begun.status, 200, begun.text);
  await until('the job is over', async () => (await get(`/jobs/${begun.body.job}`)).status === 'complete');
  return begun.body;
}

const ids: number[] = [];

test('a check of several files finds the customers and events of the others, and imports nothing', async () => {
  for (const [name, text] of Object.entries(FILES))
    ids.push(
      (await upload(world, text, { file_name: name, ...(name === 'a-bookings.csv' && { kind: 'bookings' }) })).id,
    );
  const { imports, job } = await begin('check', {});
  assert.deepEqual(imports, ids);
  assert.deepEqual((await get(`/jobs/${job}`)).total_items, 7);
  const [bookings, plans, classes, people] = await Promise.all(ids.map((id) => fates(world, id)));
  assert.deepEqual(
    people.map(([, fate]) => fate),
    ['created', 'created'],
  );
  assert.deepEqual(
    classes.map(([, fate]) => fate),
    ['created'],
  );
  assert.deepEqual(
    plans.map(([, fate]) => fate),
    ['created', 'created'],
  );
  assert.deepEqual(bookings, [
    [2, 'created', []],
    [3, 'rejected', ['Client ID: is no customer here: import the customers first']],
  ]);
  assert.deepEqual((await get('/customers')).results, []);
  assert.deepEqual((await get('/events')).results, []);
});

test('several files are imported in the order in which they depend on each other, as the check foresaw', async () => {
  const foreseen = await Promise.all(ids.map((id) => fates(world, id)));
  await begin('run', { imports: ids });
  assert.deepEqual(await Promise.all(ids.map((id) => fates(world, id))), foreseen);
  const imports = (await get('/imports')).results;
  assert.ok(imports.every(({ status }: any) => status === 'complete'));
  assert.equal((await get('/customer_memberships')).count, 2);
  await begin('run', { imports: ids });
  assert.equal((await get('/customers')).count, 2, 'what is imported again changes nothing');
  assert.equal((await get('/customer_memberships')).count, 2);
});

test('questions about any of the files come first, and a file that does not exist is named', async () => {
  const { id } = await upload(world, 'Email,Membership,Status\nona@example.com,Monthly,Fabulous\n', {
    file_name: 'x.csv',
  });
  const asked = await world.post('/imports/check', { as: world.machine, body: {} });
  assert.equal(asked.status, 409);
  assert.match(asked.body.message, /^The file can't be imported yet\. 1 of its words .* "Fabulous"/);
  const unknown = await world.post('/imports/run', { as: world.machine, body: { imports: [id, 999_999] } });
  assert.deepEqual([unknown.status, Object.keys(unknown.body.field_errors)], [400, ['imports.1']]);
  await world.delete(`/imports/${id}`, { as: world.machine });
  assert.equal((await world.post('/imports/check', { as: world.machine, body: {} })).status, 409);
});

const archive = async (files: Record<string, Buffer>, language = 'en'): Promise<any> => {
  const file = Buffer.from(zipSync(files)).toString('base64');
  return world.post('/imports/archive', {
    as: world.machine,
    headers: { 'accept-language': language },
    body: { file },
  });
};

test('each table of an archive is an import, and everything else is listed with its reason', async () => {
  const people = Buffer.from('Email,First Name\nada@example.com,Ada\n');
  const { status, body } = await archive({
    'export/people.csv': people,
    'export/logo.png': Buffer.from('PNG'),
    'export/empty.csv': Buffer.from(''),
    '__MACOSX/export/._people.csv': Buffer.from('x'),
  });
  assert.equal(status, 200);
  assert.equal(body.imports.length, 1);
  const [id] = body.imports;
  assert.deepEqual((await get(`/imports/${id}`)).file_name, 'people.csv');
  assert.deepEqual(body.left_out.map((one: any) => one.file_name).toSorted(), ['empty.csv', 'logo.png']);
  await world.delete(`/imports/${id}`, { as: world.machine });
});

test('the reasons for files that are left out are in the language of the reader', async () => {
  const files = { 'logo.png': Buffer.from('PNG'), 'plan.csv': Buffer.from('%PDF-1.7') };
  const { body } = await archive(files, 'de-AT');
  assert.deepEqual(Object.fromEntries(body.left_out.map((one: any) => [one.file_name, one.reason])), {
    'logo.png': 'Das ist keine Tabelle: Importiert werden CSV-Dateien, Arbeitsmappen (.xlsx) und Kalender (.ics).',
    'plan.csv':
      'Die Datei ist ein PDF. Speichern Sie sie als CSV oder als aktuelle Arbeitsmappe (.xlsx), und laden Sie diese hoch.',
  });
});

test('an archive that unpacks to more than the limit, or is none, is refused for its files', async () => {
  const zeros = Buffer.alloc(17 * 1024 * 1024);
  const bomb = await archive({ 'zeros.csv': zeros });
  assert.deepEqual(bomb.body, {
    imports: [],
    left_out: [
      { file_name: 'zeros.csv', reason: 'It is too large: upload it by itself, or split it into several files.' },
    ],
  });
  const many = await archive(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`${i}.csv`, Buffer.from('x')])));
  assert.deepEqual([many.status, many.body.field_errors.file], [400, ['The archive has 51 files. It can have 50.']]);
  for (const wrong of ['Email\nada@example.com\n', 'PK and nothing else']) {
    const body = { file: Buffer.from(wrong).toString('base64') };
    assert.equal((await world.post('/imports/archive', { as: world.machine, body })).status, 400);
  }
});

test('a row that changes somebody shows the value before and after, and the report has every line', async () => {
  const text =
    'Client ID,First Name,Last Name,Email\nc1,Oona,Vale,ona@example.com\nc2,Bo,Reed,bo@example.com\nc7,,,=1\n';
  const { id } = await upload(world, text, { file_name: 'people.csv', source: 'file' });
  const expected = [{ property: 'first_name', before: 'Ona', after: 'Oona' }];
  for (const how of ['check', 'run'] as const) {
    await begin(how, { imports: [id] });
    const { results } = await get(`/imports/${id}/rows`);
    assert.deepEqual(
      results.map((row: any) => row.changes),
      [expected, [], []],
      how,
    );
  }
  const { results } = await get('/customers?email=ona@example.com');
  assert.equal(results[0].first_name, 'Oona');
  const report = await world.get(`/imports/${id}/report`, { as: world.machine });
  const lines = report.text.replace('\uFEFF', '').split('\r\n');
  assert.equal(lines[0], 'Line,Result,Reasons,Changes,ID here,Client ID,First Name,Last Name,Email');
  assert.match(lines[1], /^2,changed,,"First Name: ""Ona"" is now ""Oona""",\d+,c1,Oona,Vale,ona@example\.com$/);
  assert.match(lines[3], /^4,left out,.*,,,c7,,,'=1$/);
});

test('an import is undone unless something was built on it, and then it can be imported again', async () => {
  const undo = async (id: number, query = ''): Promise<any> => {
    const answer = await world.post(`/imports/${id}/undo${query}`, { as: world.machine });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const [bookings, plans, classes, people] = ids;
  const [ona] = (await get('/customers?email=ona@example.com')).results;
  const tried = await undo(people, '?dry_run=true');
  assert.deepEqual([tried.undone_count, tried.kept_count], [0, 2]);
  const held = await undo(people);
  assert.deepEqual(held.kept[0], { line: 2, object: ona.id, reason: 'has a membership' });
  assert.equal(held.kept[1].reason, 'has one booking');
  const german = await world.post(`/imports/${people}/undo?dry_run=true`, {
    as: world.machine,
    headers: { 'accept-language': 'de' },
  });
  assert.deepEqual(
    [german.status, german.body.kept.map(({ reason }: any) => reason)],
    [200, ['hat eine Mitgliedschaft', 'hat eine Buchung']],
  );
  assert.equal((await undo(classes)).kept[0].reason, 'has one booking');

  for (const [id, n] of [
    [bookings, 1],
    [classes, 1],
    [plans, 2],
    [people, 2],
  ] as const)
    assert.deepEqual(await undo(id), { undone_count: n, kept_count: 0, kept: [] }, String(id));
  assert.deepEqual((await get('/customers')).results, []);
  assert.deepEqual((await get('/events?status=active')).results, []);
  assert.deepEqual((await get('/customer_memberships?status=active')).results, []);
  const messages = await world.work(world.harbour, ({ tx, providerId }) =>
    tx.rows(sql`SELECT kind FROM message WHERE provider_id = ${providerId}`),
  );
  assert.deepEqual(messages, [], 'nobody gets a message');
  assert.equal((await get(`/imports/${people}`)).status, 'ready');
  assert.equal((await world.post(`/imports/${people}/undo`, { as: world.machine })).status, 409);

  await begin('run', { imports: ids });
  const again = await Promise.all(ids.map((id) => get(`/imports/${id}`)));
  assert.deepEqual(
    again.map((one) => one.created_count),
    [1, 2, 1, 2],
  );
});

const people = (status: string): string =>
  `Mail,Born,Kind of person,Given\nada@example.com,03/04/1990,${status},Ada\nbea@example.com,05/06/1991,${status},Bea\n`;

test('a later file with the same columns asks nothing again, and shows what differs', async () => {
  const first = await upload(world, people('Sapphire'), { kind: 'customers' });
  const columns = [
    { heading: 'Kind of person', property: 'status' },
    { heading: 'Given', property: 'first_name' },
    { heading: 'Born', property: 'date_of_birth' },
    { heading: 'Mail', property: 'email' },
  ];
  const patch = async (body: object): Promise<any> => {
    const answer = await world.patch(`/imports/${first.id}`, { as: world.machine, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  assert.deepEqual((await patch({ columns, date_format: 'DD/MM/YYYY' })).missing, ['answers']);
  await patch({ answers: [{ property: 'status', value: 'Sapphire', meaning: 'customer' }] });
  await begin('run', { imports: [first.id] });

  const later = await upload(world, people('Sapphire').replace(',Bea', ',Beatrix'));
  assert.deepEqual([later.kind, later.missing, later.date_format], ['customers', [], 'DD/MM/YYYY']);
  await begin('check', { imports: [later.id] });
  const { results } = await get(`/imports/${later.id}/rows`);
  assert.deepEqual(
    results.map((row: any) => [row.fate, row.changes]),
    [
      ['unchanged', []],
      ['changed', [{ property: 'first_name', before: 'Bea', after: 'Beatrix' }]],
    ],
  );
  assert.deepEqual((await upload(world, people('Emerald'))).missing, ['answers'], 'a new word is a new question');
});
