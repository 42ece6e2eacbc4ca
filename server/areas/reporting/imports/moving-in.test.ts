/** A studio moves in from export files of other products, with their typical flaws. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fates, fixture, upload, work, workbook } from './test/moving.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { newVenue } from '../../../test/schedule-world.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { until } from '../../../test/storm.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
/** The time around which the files were written. */
const NOW = Date.parse('2026-03-02T17:00:00Z');

before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(NOW);
  const memberships = await MembershipWorld.of(world);
  await memberships.pack(10, { name: '10 Class Pass' });
  await memberships.recurring([], { price: '110.00' }, { name: 'Monthly Unlimited' });
});
after(() => world?.close());

const TABLES = [
  'customer_field_value',
  'customer',
  'sms_account',
  'customer_membership',
  'entitlement_entry',
  'event',
  'attendance',
  'staff',
  'venue',
];

/**
 * Hashes every table that an import may write, without `calendar_opens_at`, which is written in the background for new
 * events.
 */
const prints = (providerId = world.harbour): Promise<unknown[]> =>
  world.work(providerId, ({ tx }) =>
    Promise.all(
      TABLES.map((table) =>
        tx.one(sql`SELECT ${table}::text AS name, count(*)::int AS n,
          md5(string_agg((to_jsonb(t) - 'calendar_opens_at')::text, ',' ORDER BY to_jsonb(t)::text)) AS print
          FROM ${raw(table)} t WHERE provider_id = ${providerId}`),
      ),
    ),
  );

async function list(path: string): Promise<any[]> {
  const answer = await world.get(path, { as: world.machine });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.results;
}

const get = async (path: string): Promise<any> => (await world.get(path, { as: world.machine })).body;

const counts = ({ created_count, changed_count, unchanged_count, rejected_count, row_count, done_count }: any) => ({
  created: created_count,
  changed: changed_count,
  unchanged: unchanged_count,
  rejected: rejected_count,
  rows: row_count,
  done: done_count,
});

/**
 * Asserts that a check changes nothing and predicts the run, that a second run changes nothing, and that every row has
 * one fate.
 */
async function moveIn(
  id: number,
): Promise<{ counts: ReturnType<typeof counts>; fates: Awaited<ReturnType<typeof fates>> }> {
  const [before, meadow] = [await prints(), await prints(world.meadow)];
  const checked = await work(world, id, 'check');
  const foreseen = await fates(world, id);
  assert.deepEqual(await prints(), before, 'a check keeps nothing');
  const run = await work(world, id, 'run');
  assert.deepEqual(counts(run), counts(checked));
  assert.deepEqual(await fates(world, id), foreseen);
  const moved = await prints();
  const again = await work(world, id, 'run');
  assert.deepEqual(
    (await fates(world, id)).filter(([, fate]) => fate === 'created' || fate === 'changed'),
    [],
  );
  assert.deepEqual(await prints(), moved, 'what is imported again changes nothing');
  assert.equal(again.unchanged_count, run.created_count + run.changed_count + run.unchanged_count);
  assert.deepEqual(await prints(world.meadow), meadow);
  return { counts: counts(run), fates: foreseen };
}

test('customers from Mindbody are recognized, each row has a fate, and children share an address', async () => {
  const file = await upload(world, fixture('mindbody-clients.csv'), { file_name: 'clients.csv', source: 'mindbody' });
  assert.deepEqual(
    [file.kind, file.product, file.source, file.encoding, file.delimiter, file.date_format, file.missing],
    ['customers', 'mindbody', 'mindbody', 'utf-8', ',', 'MM/DD/YYYY', []],
  );
  assert.deepEqual(
    file.columns.map((c: any) => [c.heading, c.property]),
    [
      ['Client ID', 'external_id'],
      ['Last Name', 'last_name'],
      ['First Name', 'first_name'],
      ['Email', 'email'],
      ['Mobile Phone', 'phone_number'],
      ['Birthday', 'date_of_birth'],
      ['Address', null],
      ['Barcode ID', null],
    ],
  );
  assert.deepEqual(file.columns[0].samples, ['100001', '100002', '100003']);
  assert.deepEqual(file.unimported_columns, [
    { heading: 'Address', value_count: 2 },
    { heading: 'Barcode ID', value_count: 4 },
  ]);
  const moved = await moveIn(file.id);
  assert.deepEqual(moved.counts, { created: 7, changed: 0, unchanged: 0, rejected: 3, rows: 10, done: 10 });
  assert.deepEqual(
    moved.fates.filter(([, , issues]) => issues.length > 0),
    [
      [
        4,
        'created',
        [
          'Email: belongs to the customer in line 2 already; this one is imported without an address',
          'Email: joins the family of Ada Okafor',
        ],
      ],
      [
        5,
        'created',
        [
          'Birthday: is not a date (MM/DD/YYYY)',
          'Mobile Phone: is not a phone number of CA, or one with its country code',
        ],
      ],
      [7, 'rejected', [': has neither a name nor an email address']],
      [8, 'created', ['Email: is not an email address; this person is imported without one']],
      [9, 'rejected', ['Client ID: is already in line 3']],
      [11, 'rejected', [': has a quotation mark that is not closed, or one inside a cell']],
    ],
  );
  const people = await list('/customers?fields=first_name,last_name,email,date_of_birth&sort=id');
  assert.deepEqual(
    people.map((p) => [p.first_name, p.last_name, p.email, p.date_of_birth]),
    [
      ['Ada', 'Okafor', 'ada.okafor@example.com', '1990-12-10'],
      ['Sean', "O'Neill, Jr.", 'SEAN@example.com', '1988-03-14'],
      ['Zoe', 'Okafor', '', '2015-05-02'],
      ['Émilie', 'Tremblay', 'emilie.tremblay@example.com', null],
      ['Linh', 'Nguyen', '', '1980-01-01'],
      ['Luc', 'Moreau', '', '1979-07-19'],
      ['Rita', 'Santos', 'rita.santos@example.com', '1995-11-30'],
    ],
  );
});

test('memberships from TeamUp continue with their remaining uses, for the people of another file', async () => {
  const file = await upload(world, fixture('teamup-memberships.csv'), { source: 'teamup' });
  assert.deepEqual([file.kind, file.product, file.missing], ['memberships', 'teamup', ['answers']]);
  const answers = [
    { property: 'uses_left', value: 'Unlimited', meaning: 'as_sold' },
    { property: 'uses_left', value: 'seven', meaning: 'left_out' },
  ];
  await world.patch(`/imports/${file.id}`, { as: world.machine, body: { answers } });
  const moved = await moveIn(file.id);
  assert.deepEqual(moved.counts, { created: 4, changed: 0, unchanged: 0, rejected: 4, rows: 8, done: 8 });
  assert.deepEqual(
    moved.fates.filter(([, , issues]) => issues.length > 0),
    [
      [5, 'rejected', ['Membership Name: is no membership here: create one with this name first']],
      [6, 'rejected', ['Customer Email: is no customer here: import the customers first']],
      [8, 'rejected', ['Classes Remaining: means that the row is left out']],
      [
        9,
        'rejected',
        [
          'Classes Remaining: can’t be set: "Monthly Unlimited" has no limit of uses here. Set its allotment first, or leave the cell empty',
        ],
      ],
    ],
  );
  const held = await list('/customer_memberships?expand=customer,membership&sort=id');
  assert.deepEqual(
    held.map((m) => [
      m.customer.first_name,
      m.membership.name,
      m.status,
      m.start_date,
      m.expiration_date,
      m.billed_price.string,
    ]),
    [
      ['Ada', '10 Class Pass', 'active', '2026-01-05', '2026-12-31', '180.00'],
      ['Sean', 'Monthly Unlimited', 'active', '2026-01-15', null, '95.00'],
      ['Émilie', '10 Class Pass', 'completed', '2025-01-05', '2025-06-30', '180.00'],
      ['Rita', '10 Class Pass', 'hold', '2026-02-01', '2026-08-01', '1180.00'],
    ],
  );
  const left = async (id: number) =>
    (await world.get(`/customer_memberships/${id}/usage`, { as: world.machine })).body.usage_periods[0].remaining_count;
  assert.deepEqual([await left(held[0].id), await left(held[1].id), await left(held[3].id)], [4, null, 12]);
});

test('a schedule from Momence, written by Excel as UTF-16, uses existing venues and creates the others', async () => {
  const studio = await newVenue(world, { name: 'Harbour Studio' });
  const file = await upload(world, fixture('momence-sessions.csv'), { source: 'momence' });
  assert.deepEqual(
    [file.kind, file.product, file.encoding, file.delimiter, file.missing],
    ['schedule', 'momence', 'utf-16le', '\t', []],
  );
  const moved = await moveIn(file.id);
  assert.deepEqual(moved.counts, { created: 3, changed: 0, unchanged: 0, rejected: 3, rows: 6, done: 6 });
  const events = await list('/events?expand=venue,offering_type&sort=start');
  assert.deepEqual(
    events.map((e) => [
      e.name,
      ...[e.starts_at, e.ends_at].map((at) => new Date(at).toISOString()),
      e.venue.name,
      e.offering_type.name,
      e.max_occupancy,
    ]),
    [
      ['Vinyasa Flow', '2026-03-09T22:00:00.000Z', '2026-03-09T23:15:00.000Z', 'Harbour Studio', 'Yoga', 12],
      ['Morning Yoga', '2026-03-10T13:00:00.000Z', '2026-03-10T14:00:00.000Z', 'Harbour Studio', 'Yoga', 8],
      ['Reformer', '2026-03-10T16:00:00.000Z', '2026-03-10T16:50:00.000Z', 'Annexe Été', 'Pilates', 6],
    ],
  );
  assert.equal(events[0].venue.id, studio);
});

test('bookings from Glofox, in Windows-1252 with the day first, find their people and events and cost nothing', async () => {
  const file = await upload(world, fixture('glofox-bookings.csv'));
  assert.deepEqual(
    [file.kind, file.product, file.encoding, file.delimiter, file.date_format],
    ['bookings', null, 'windows-1252', ';', 'DD/MM/YYYY'],
  );
  const moved = await moveIn(file.id);
  assert.deepEqual(moved.counts, { created: 3, changed: 0, unchanged: 0, rejected: 3, rows: 6, done: 6 });
  assert.deepEqual(
    moved.fates.filter(([, fate]) => fate === 'rejected'),
    [
      [4, 'rejected', ['Booking Status: is not booked any more']],
      [6, 'rejected', ['email: is no customer here: import the customers first']],
      [7, 'rejected', ['Date: is no event here: import the schedule first']],
    ],
  );
  const events = (await list('/events?fields=id')).map(({ id }) => id).join(',');
  const booked = await list(`/attendances?event=${events}&expand=customer,event`);
  assert.deepEqual(
    booked.map((a) => [a.customer.first_name, a.event.name, a.status, a.customer_membership]).toSorted(),
    [
      ['Ada', 'Vinyasa Flow', 'registered', null],
      ['Rita', 'Reformer', 'registered', null],
      ['Sean', 'Vinyasa Flow', 'registered', null],
    ],
  );
});

test('staff whose name is an address are rejected, and line breaks in names become spaces', async () => {
  const file = await upload(
    world,
    'First name;Last name;Email;Role\nwww.evil.example;Marsh;evil.staff@example.com;Teacher\n"Ka\nren";Marsh;karen.staff@example.com;Desk\n',
    { kind: 'staff' },
  );
  const moved = await moveIn(file.id);
  assert.deepEqual([moved.counts.created, moved.counts.rejected], [1, 1]);
  const staff = await list('/staff');
  assert.ok(!staff.some(({ email }) => email === 'evil.staff@example.com'));
  assert.equal(staff.find(({ email }) => email === 'karen.staff@example.com').first_name, 'Ka ren');
});

test('staff from a spreadsheet become staff without permissions, and those who teach become instructors', async () => {
  const file = await upload(world, fixture('staff.csv'));
  assert.deepEqual([file.kind, file.product, file.source], ['staff', null, 'file']);
  const moved = await moveIn(file.id);
  assert.deepEqual(moved.counts, { created: 2, changed: 0, unchanged: 0, rejected: 2, rows: 4, done: 4 });
  const staff = (await list('/staff')).filter(({ email }) => ['kim@example.com', 'lou@example.com'].includes(email));
  assert.deepEqual(
    staff.map((s) => [s.first_name, s.last_name, s.permissions.super_admin]),
    [
      ['Kim', 'Reyes', false],
      ['Lou', 'Marsh', false],
    ],
  );
  assert.deepEqual(
    (await list('/instructors')).map(({ name }) => name),
    ['Kim Reyes'],
  );
});

test('an Excel workbook is read as it is, with days as days, numbers unchanged, and empty rows skipped', async () => {
  const bytes = await workbook(
    ['Member ID', 'First name', 'Last name', 'Email', 'Birthday', 'Phone number'],
    [
      ['M1', 'Noor', 'Haddad', 'noor@example.com', { date: '1991-04-05' }, 4169671111],
      [null, null, null, null, null, null],
      ['M2', 'Theo', 'Marsh', 'theo@example.com', { date: '1985-12-31' }, null],
    ],
  );
  const file = await upload(world, bytes, { file_name: 'members.xlsx' });
  assert.deepEqual(
    [file.kind, file.product, file.format, file.encoding, file.delimiter, file.missing],
    ['customers', null, 'xlsx', null, null, []],
  );
  assert.deepEqual((await moveIn(file.id)).counts.created, 2);
  const [noor] = await list('/customers?query=noor@example.com&fields=first_name,date_of_birth');
  assert.deepEqual([noor.first_name, noor.date_of_birth], ['Noor', '1991-04-05']);
});

test('a workbook that would unpack to more than the limit is refused before it is unpacked', async () => {
  const bytes = await workbook(['Email'], [['a@example.com']]);
  // The directory states the size of the first entry.
  const at = bytes.indexOf(Buffer.from('PK\x01\x02'));
  bytes.writeUInt32LE(900 * 1024 * 1024, at + 24);
  assert.match(await refusal(bytes), /too large/);
});

test('a small workbook that unpacks to many times its size is refused', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => [`a${i}@example.com`, 'x'.repeat(32_000)]);
  const large = await workbook(['Email', 'Note'], rows);
  assert.ok(large.length < 300_000, String(large.length));
  assert.match(await refusal(large), /too large/);
});

test('different spellings of one address in a file are one person, also compared with existing customers', async () => {
  const [plain, apart, unseen] = ['zoë@example.com', 'zoe\u0308@example.com', 'zo\u200bë@example.com'];
  const first = await upload(world, `First name,Last name,Email\nZoë,Ruiz,${apart}\n`, {});
  assert.equal((await moveIn(first.id)).counts.created, 1);
  const [zoe] = await list('/customers?query=Ruiz');
  assert.equal(zoe.email, plain);
  const second = await upload(world, `First name,Last name,Email\nZoë,Ruiz,${unseen}\n`, {});
  const { counts } = await moveIn(second.id);
  assert.deepEqual([counts.created, counts.unchanged], [0, 1]);
});

test('a file of quotation marks is refused for its lines, and other requests are served meanwhile', async () => {
  const sent = refusal(Buffer.from(`Email,Name\n${'"a\n'.repeat(60_000)}`));
  const first = await Promise.race([sent, world.get('/venues', { as: world.machine })]);
  assert.ok(typeof first !== 'string');
  assert.match(await sent, /has more than 50000 rows/);
});

test('a later file updates differences by the ids of its source, and values that it does not have stay', async () => {
  const csv = 'Client ID,First Name,Last Name,Email\n100001,Ada,Okafor-Price,ada.new@example.com\n100002,,,\n';
  const file = await upload(world, csv, { source: 'mindbody' });
  const moved = await moveIn(file.id);
  assert.deepEqual(moved.counts, { created: 0, changed: 1, unchanged: 1, rejected: 0, rows: 2, done: 2 });
  const [ada] = await list('/customers?query=Okafor-Price');
  assert.deepEqual([ada.first_name, ada.email], ['Ada', 'ada.okafor@example.com']);
});

test('everybody imported is invited when the owner requests it, at once or in waves, and nobody twice', async () => {
  const [file] = (await list('/imports?sort=id')).filter(({ kind }) => kind === 'customers');
  const jobs = () =>
    world.work(world.harbour, ({ tx, providerId }) =>
      tx.rows<{ customer_id: number }>(
        sql`SELECT customer_id FROM customer_invitation WHERE provider_id = ${providerId}`,
      ),
    );
  assert.equal((await jobs()).length, 0);
  const preview = await world.post(`/imports/${file.id}/invite?dry_run=true`, { as: world.machine });
  assert.deepEqual([preview.status, preview.body.invited], [200, 4]);
  assert.equal((await jobs()).length, 0);
  const invite = async (body: object): Promise<any> =>
    (await world.post(`/imports/${file.id}/invite`, { as: world.machine, body })).body;
  const { people, ...wave } = await invite({ limit: 1 });
  assert.deepEqual([wave, people.length], [{ invited: 1, waiting: 0, later: 3 }, 1]);
  assert.deepEqual(await invite({ per_day: 1 }).then(({ invited, later }) => [invited, later]), [1, 2]);
  const planned = () => get(`/imports/${file.id}`).then(({ invites_per_day: n }) => n);
  assert.deepEqual([(await jobs()).length, await planned()], [2, 1]);
  world.setNow(NOW + 25 * 3_600_000);
  await until('the wave of the next day is sent', async () => (await jobs()).length === 3);
  world.setNow(NOW);
  const stopped = await world.post(`/imports/${file.id}/stop_inviting`, { as: world.machine });
  assert.deepEqual([stopped.status, await planned()], [200, null]);
  assert.equal((await world.post(`/imports/${file.id}/stop_inviting`, { as: world.machine })).status, 409);
  assert.deepEqual(await invite({}).then(({ invited, later }) => [invited, later]), [1, 0]);
  assert.deepEqual(await invite({}), { invited: 0, waiting: 0, later: 0, people: [] });
  assert.equal((await jobs()).length, 4);
});

test('nobody else can see or create an import', async () => {
  const [file] = await list('/imports');
  const path = `/imports/${file.id}`;
  assert.equal((await world.get(path, { as: world.meadowMachine })).status, 404);
  assert.equal((await world.get(`${path}/rows`, { as: world.meadowMachine })).status, 404);
  const desk = world.staff(['customers']);
  assert.equal((await world.get(path, { as: desk })).status, 403);
  const body = { file: Buffer.from('Email\na@example.com\n').toString('base64') };
  assert.equal((await world.post('/imports', { as: desk, body })).status, 403);
});

test('ambiguous dates require an answer, and a wrong mapping can be corrected', async () => {
  const csv = 'Mail;Geburtsdatum;Spitzname\nmia@example.com;01/02/1990;Mia\n';
  const file = await upload(world, csv);
  assert.deepEqual([file.kind, file.date_format, file.missing], ['customers', null, ['date_format']]);
  const refused = await world.post(`/imports/${file.id}/run`, { as: world.machine });
  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
  const body = { date_format: 'DD/MM/YYYY', columns: [{ heading: 'Spitzname', property: 'first_name' }] };
  const put = await world.patch(`/imports/${file.id}`, { as: world.machine, body });
  assert.deepEqual([put.body.date_format, put.body.missing], ['DD/MM/YYYY', []]);
  assert.deepEqual((await moveIn(file.id)).counts.created, 1);
  const [mia] = await list('/customers?query=mia@example.com&fields=first_name,date_of_birth');
  assert.deepEqual([mia.first_name, mia.date_of_birth], ['Mia', '1990-02-01']);
  const wrong = await world.patch(`/imports/${file.id}`, {
    as: world.machine,
    body: { columns: [{ heading: 'Rufname', property: 'uses_left' }] },
  });
  assert.deepEqual(Object.keys(wrong.body.field_errors), ['columns.0.heading', 'columns.0.property']);
});

test('columns become answers to questions by their names, and an unreadable answer is left out', async () => {
  const made = async (body: object) =>
    (await world.post('/customer_fields', { as: world.machine, body })).body as { id: number; key: string };
  const choices = ['S', 'M'].map((value, order) => ({ value, order }));
  const nuts = await made({ label: 'Allergy', type: 'boolean', explanation_required_condition: 'optional' });
  const size = await made({ label: 'Shirt size', type: 'choice', choices, is_sensitive: true });
  const shoe = await made({ label: 'Shoe', type: 'integer' });
  const csv = `Email;Allergy;SHIRT SIZE;Schuhe
pia@example.com;Ja: Nüsse;m;41
quo@example.com;vielleicht;L;42
`;
  const file = await upload(world, csv);
  assert.deepEqual(
    file.columns.map((c: any) => c.property),
    ['email', `answer:${nuts.key}`, `answer:${size.key}`, null],
  );
  assert.ok(file.properties.includes(`answer:${shoe.key}`));
  const columns = [{ heading: 'Schuhe', property: `answer:${shoe.key}` }];
  assert.equal((await world.patch(`/imports/${file.id}`, { as: world.machine, body: { columns } })).status, 200);
  const { fates: rows } = await moveIn(file.id);
  assert.deepEqual(rows, [
    [2, 'created', []],
    [3, 'created', ['Allergy: must be a yes or no', 'SHIRT SIZE: choose one of: S, M']],
  ]);
  const answersOf = async (email: string) => {
    const [{ id }] = await list(`/customers?query=${email}&fields=id`);
    const values = await list(`/customer_field_values?customers=${id}`);
    return [nuts, size, shoe].map(({ id: field }) => values.find((one: any) => one.field === field)?.value);
  };
  assert.deepEqual(await answersOf('pia@example.com'), [{ answer: true, explanation: 'Nüsse' }, 'M', 41]);
  assert.deepEqual(await answersOf('quo@example.com'), [undefined, undefined, 42]);
});

test('deleting an import deletes its rows, and the imported objects stay', async () => {
  const file = await upload(world, 'Email\nstays@example.com\n');
  await work(world, file.id, 'run');
  assert.equal((await world.delete(`/imports/${file.id}`, { as: world.machine })).status, 204);
  assert.equal((await world.get(`/imports/${file.id}`, { as: world.machine })).status, 404);
  assert.equal((await list('/customers?query=stays@example.com')).length, 1);
});

/** Returns the refusal of a file. */
async function refusal(file: Buffer | string): Promise<string> {
  const answer = await world.post('/imports', {
    as: world.machine,
    body: { file: Buffer.from(file).toString('base64') },
  });
  assert.equal(answer.status, 400, answer.text);
  return answer.body.field_errors.file[0];
}

test('files that are not tables, or too large, are refused with a remedy', async () => {
  assert.match(await refusal(Buffer.from([0x50, 0x4b, 3, 4, 20, 0])), /no workbook, or a damaged one/);
  assert.match(await refusal(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1])), /Save it as CSV/);
  assert.match(await refusal('%PDF-1.7\n'), /is a PDF/);
  assert.match(await refusal('Email\n'), /no rows/);
  assert.match(await refusal('\n\n'), /is empty\. The first line must name the columns/);
  assert.match(await refusal('Email,Email\na,b\n'), /two columns named "Email"/);
  assert.match(
    await refusal(`${Array.from({ length: 201 }, (_, i) => `c${i}`).join(',')}\n${'x,'.repeat(200)}x\n`),
    /201 columns/,
  );
  assert.match(await refusal(`Email\n${'a@example.com\n'.repeat(50_001)}`), /more than 50000 rows/);
  assert.match(await refusal(`"Email\n${'x'.repeat(2000)}\n`), /cannot be read/);
});

test('a character that a sample cuts in half does no harm', async () => {
  const file = await upload(world, `Email,First Name\nsmile@example.com,${'x'.repeat(79)}😀${'x'.repeat(300)}\n`);
  assert.equal(file.columns[1].samples[0].length, 80);
  await work(world, file.id, 'check');
  assert.equal((await fates(world, file.id))[0][1], 'created');
});

test('a cell that is not text, or far too long, rejects only its row', async () => {
  const file = await upload(
    world,
    `Email,First Name\nok@example.com,Ok\nlong@example.com,${'x'.repeat(10_001)}\nnul@example.com,a\0b\n`,
  );
  await work(world, file.id, 'check');
  assert.deepEqual(await fates(world, file.id), [
    [2, 'created', []],
    [3, 'rejected', ['First Name: is longer than 10000 characters']],
    [4, 'rejected', ['First Name: isn’t text']],
  ]);
});

test('rows are deleted after 30 days, and the import says so', async () => {
  const file = await upload(world, 'Email\nlater@example.com\n');
  world.setNow(NOW + 31 * 86_400_000);
  try {
    const { imports } = await import('./index.ts');
    await world.app.db.acrossTenants('a test sweeps', (tx) => imports.sweep!(tx, world.now, world.app.installation));
    const { body } = await world.get(`/imports/${file.id}`, { as: world.machine });
    assert.equal(body.has_rows, false);
    assert.deepEqual(body.columns[0].samples, []);
    assert.deepEqual(await fates(world, file.id), []);
    assert.equal((await world.post(`/imports/${file.id}/run`, { as: world.machine })).status, 409);
  } finally {
    world.setNow(NOW);
  }
});
