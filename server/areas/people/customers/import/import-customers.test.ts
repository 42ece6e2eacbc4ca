import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { createUser } from '../../identity/index.ts';
import { createProvider } from '../../../platform/providers/index.ts';
import { ownViewer } from '../../../../kernel/work/access/viewer.ts';
import { Database } from '../../../../kernel/base/db/database.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { registry } from '../../../../app.ts';
import { freshDatabase } from '../../../../test/database.ts';
import {
  importCustomers,
  openCustomers,
  type CustomerImport,
  type CustomerMapping,
  type CustomerSummary,
} from './index.ts';
import { importNumbers, readPhoneOf } from '../../../communication/messages/index.ts';
import type { Rejection } from '../../../../kernel/base/csv/read-csv.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import { START } from '../../../../test/clock.ts';

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
    createProvider(tx, { name: 'Studio', timezone: 'Europe/Paris', currency: 'EUR', country: 'FR' }),
  );
});

type Options = Partial<Pick<CustomerImport, 'dateFormat' | 'invite' | 'dryRun'>>;

async function run(
  text: string,
  mapping: CustomerMapping | null = null,
  options: Options = {},
): Promise<{ summary: CustomerSummary; rejected: Rejection[]; notes: [number, string][]; ignored: readonly string[] }> {
  const path = join(folder, 'customers.csv');
  writeFileSync(path, text);
  const rejected: Rejection[] = [];
  const notes: [number, string][] = [];
  const file = await openCustomers(path, mapping, (r) => rejected.push(r));
  const summary = await importCustomers({
    db,
    registry: registry(),
    tenant: { providerId, zone: 'Europe/Paris', currency: 'EUR', words: DEFAULT_WORDS },
    viewer: ownViewer(providerId, 'import'),
    file,
    now: () => START,
    readPhone: (entered) => {
      const phone = readPhoneOf(entered, 'FR');
      return phone ? { ...phone, entered } : { problem: 'is not a phone number' };
    },
    keepPhones: importNumbers,
    ...options,
    onRejected: (r) => rejected.push(r),
    onNote: (line, note) => notes.push([line, note]),
    onProgress: () => {},
  });
  return { summary, rejected, notes, ignored: file.ignored };
}

const rows = (table: string, order = 'id') =>
  db.transaction(providerId, (tx) =>
    tx.rows(sql`SELECT * FROM ${raw(table)} WHERE provider_id = ${providerId} ORDER BY ${raw(order)}`),
  );
const PEOPLE =
  'First Name,Last Name,E-Mail,Date of Birth,Shoe size\nAda,Lovelace,Ada@Example.com,1990-12-10,38\nGrace,"Hopper, Rear Adm.",grace@example.com,,\n';

test('people are imported by the names of the columns, and other columns are ignored', async () => {
  const { summary, rejected } = await run(PEOPLE);
  assert.deepEqual([summary.made, rejected], [2, []]);
  assert.deepEqual(
    (await rows('customer')).map((c) => [c.first_name, c.last_name, c.email, c.date_of_birth]),
    [
      ['Ada', 'Lovelace', 'Ada@Example.com', '1990-12-10'],
      ['Grace', 'Hopper, Rear Adm.', 'grace@example.com', null],
    ],
  );
});

test('importing a file twice changes nothing, whatever the case of the addresses', async () => {
  await run(PEOPLE);
  const before = [await rows('customer'), await rows('feed_item'), await rows('audit_entry')];
  const { summary } = await run(PEOPLE.replace('Ada@Example.com', 'ada@example.com'));
  assert.deepEqual([summary.made, summary.changed, summary.unchanged], [0, 0, 2]);
  assert.deepEqual([await rows('customer'), await rows('feed_item'), await rows('audit_entry')], before);
});

test('a known person is changed if the file says something else, and an empty cell changes nothing', async () => {
  await run(PEOPLE);
  const { summary } = await run(
    'email,last_name,date_of_birth\nada@example.com,King,\ngrace@example.com,,1906-12-09\n',
  );
  assert.deepEqual([summary.changed, summary.unchanged], [2, 0]);
  assert.deepEqual(
    (await rows('customer')).map((c) => [c.first_name, c.last_name, c.date_of_birth]),
    [
      ['Ada', 'King', '1990-12-10'],
      ['Grace', 'Hopper, Rear Adm.', '1906-12-09'],
    ],
  );
  const updated = (await rows('feed_item')).filter((item) => item.kind === 'customer.updated');
  assert.deepEqual(
    updated.map((item) => item.payload.changed),
    [['last_name'], ['date_of_birth']],
  );
});

test('a row without a working address, or with a repeated one, is reported and skipped', async () => {
  const { summary, rejected } = await run('email,first_name\nnobody,A\n,B\ne@example.com,E\nE@example.com,E again\n');
  assert.deepEqual([summary.made, summary.rejected, summary.leftOut], [1, 3, 0]);
  assert.deepEqual(
    rejected.map((r) => [r.line, r.column, r.value]),
    [
      [2, 'email', 'nobody'],
      [3, 'email', ''],
      [5, 'email', 'E@example.com'],
    ],
  );
});

test('a wrong birthday, name or phone number skips that cell and not the person', async () => {
  const { summary, rejected } = await run(
    `email,first_name,last_name,date_of_birth,phone\nc@example.com,C,Cole,31/02/1990,\nd@example.com,D,Dow,2999-01-01,\nf@example.com,${'x'.repeat(300)},Fox,,\ng@example.com,G,Gray,1990-05-05,4.1E+09\nh@example.com,H,Hall,1990,0612345678\n`,
  );
  assert.deepEqual([summary.made, summary.rejected, summary.leftOut], [5, 0, 5]);
  assert.deepEqual(
    rejected.map((r) => [r.line, r.column, r.cellOnly]),
    [
      [2, 'date_of_birth', true],
      [3, 'date_of_birth', true],
      [4, 'first_name', true],
      [5, 'phone', true],
      [6, 'date_of_birth', true],
    ],
  );
  assert.equal(rejected[0].value, '31/02/1990');
  assert.deepEqual(
    (await rows('customer')).map((c) => [c.last_name, c.date_of_birth]),
    [
      ['Cole', null],
      ['Dow', null],
      ['Fox', null],
      ['Gray', '1990-05-05'],
      ['Hall', null],
    ],
  );
  assert.deepEqual(
    (await rows('sms_account', 'customer_id')).map((a) => [a.full_number, a.phone_number, a.country, a.verified_at]),
    [['+33612345678', '0612345678', 'FR', null]],
  );
});

test('people without a name are imported and noted, and columns that are not imported are named', async () => {
  const { summary, notes, ignored } = await run(
    `${PEOPLE}nameless@example.com,,,,`.replace('nameless@example.com,,,,', ',,nameless@example.com,,'),
  );
  assert.deepEqual([summary.made, notes, ignored], [3, [[4, 'has no name']], ['Shoe size']]);
});

const people = (...dates: string[]): string =>
  `email,dob\n${dates.map((date, i) => `p${i}@example.com,${date}\n`).join('')}`;

test('the order of day and month is detected in the file, and if it is ambiguous, requested before anything is written', async () => {
  const born = async () => (await rows('customer')).map((c) => c.date_of_birth);
  await run(people('03/04/1990', '3/14/1988', '32216', '1988-03-14', ''));
  assert.deepEqual(await born(), ['1990-03-04', '1988-03-14', '1988-03-14', '1988-03-14', null]);
  await run(people('03/04/1990', '14/03/1988'));
  assert.deepEqual((await born()).slice(0, 2), ['1990-04-03', '1988-03-14']);
  const before = await rows('customer');
  await assert.rejects(run(people('05/06/1990', '05/05/1991')), /"05\/06\/1990" \(line 2\).*Remedy: say --date-format/);
  await assert.rejects(
    run(people('14/03/1988', '03/14/1988')),
    /Some dates .* begin with the day.*others with the month/,
  );
  assert.deepEqual(await rows('customer'), before);
  const { summary } = await run(people('05/06/1990', '03/14/1988'), null, { dateFormat: 'DD/MM/YYYY' });
  assert.deepEqual([summary.leftOut, (await born()).slice(0, 2)], [1, ['1990-06-05', '1988-03-14']]);
});

test('a dry run reports exactly what would happen, and commits nothing', async () => {
  await run('email,last_name\nada@example.com,King\n');
  const text = `${PEOPLE}${',,x\n'}`
    .replace('Shoe size', 'Mobile')
    .replace('1990-12-10,38', '1990-12-10,06 12 34 56 78');
  const before = [
    await rows('customer'),
    await rows('feed_item'),
    await rows('audit_entry'),
    await rows('sms_account', 'customer_id'),
    await rows('customer_invitation', 'customer_id'),
  ];
  const preview = await run(text, null, { dryRun: true, invite: true });
  assert.deepEqual(
    [
      await rows('customer'),
      await rows('feed_item'),
      await rows('audit_entry'),
      await rows('sms_account', 'customer_id'),
      await rows('customer_invitation', 'customer_id'),
    ],
    before,
  );
  const done = await run(text, null, { invite: true });
  assert.deepEqual(preview, done);
  assert.deepEqual([done.summary.made, done.summary.changed, done.summary.invited], [1, 1, 2]);
});

/** Only the owner of the database can read the queue. */
async function invitationJobs(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const {
    rows: [{ n }],
  } = await client.query(
    `SELECT count(*)::int AS n FROM graphile_worker._private_jobs
      WHERE payload->>'kind' = 'invitation' AND (payload->>'provider_id')::bigint = $1`,
    [providerId],
  );
  await client.end();
  return n;
}

test('people in the file are invited with the import or later, each once, and not if they have an account', async () => {
  await run(PEOPLE);
  assert.equal(
    (await rows('customer_invitation', 'customer_id')).length,
    0,
    'nobody is written to without being asked',
  );
  const user = await db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, {
      email: `ada.${providerId}@example.com`,
      password: 'a good long password',
      firstName: 'Ada',
      lastName: 'L',
    }),
  );
  await db.transaction(providerId, (tx) =>
    tx.run(sql`UPDATE customer SET user_id = ${user} WHERE provider_id = ${providerId} AND first_name = 'Ada'`),
  );
  const later = await run(PEOPLE, null, { invite: true });
  assert.deepEqual([later.summary.unchanged, later.summary.invited], [2, 1]);
  assert.equal((await run(PEOPLE, null, { invite: true })).summary.invited, 0);
  const [grace] = (await rows('customer')).filter((c) => c.first_name === 'Grace');
  assert.deepEqual(
    (await rows('customer_invitation', 'customer_id')).map((i) => i.customer_id),
    [grace.id],
  );
  assert.equal(await invitationJobs(), 1);
});

test('a number that its customer has verified remains, and any other follows the file', async () => {
  const text = 'email,phone\nada@example.com,06 12 34 56 78\ngrace@example.com,+44 7400 123456\n';
  await run(text);
  assert.deepEqual(
    (await rows('sms_account', 'customer_id')).map((a) => [a.full_number, a.country]),
    [
      ['+33612345678', 'FR'],
      ['+447400123456', 'GB'],
    ],
  );
  assert.equal((await run(text)).summary.unchanged, 2);
  await db.transaction(providerId, (tx) =>
    tx.run(sql`UPDATE sms_account SET verified_at = now() WHERE provider_id = ${providerId} AND country = 'FR'`),
  );
  const { summary } = await run(text.replace('06 12 34 56 78', '06 99 99 99 99').replace('123456', '123457'));
  assert.deepEqual([summary.changed, summary.unchanged], [1, 1]);
  assert.deepEqual(
    (await rows('sms_account', 'customer_id')).map((a) => a.full_number),
    ['+33612345678', '+447400123457'],
  );
});

test('a broken line skips its person, and everybody after it is imported', async () => {
  const { summary, rejected } = await run(
    Buffer.from(
      `E-Mail;Vorname;Last Name\r\na@example.com;"J\u00f6rg;M\u00fcller\r\n${Array.from({ length: 20 }, (_, i) => `p${i}@example.com;"P";P${i}\r\n`).join('')}`,
      'latin1',
    ).toString('latin1'),
  );
  assert.deepEqual([summary.made, rejected.map((r) => r.line)], [20, [2]]);
});

test('a mapping assigns columns whose names do not explain themselves', async () => {
  const { summary } = await run('Kontakt,Geboren\nada@example.com,10.12.1990\n', {
    email: '{Kontakt}',
    date_of_birth: '{Geboren}',
    date_format: 'DD/MM/YYYY',
  });
  assert.equal(summary.made, 1);
  assert.equal((await rows('customer'))[0].date_of_birth, '1990-12-10');
  await assert.rejects(run('Kontakt\nx\n'), /--mapping FILE/);
});
