import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { createProvider } from '../../providers/index.ts';
import { ownViewer } from '../../../kernel/access/viewer.ts';
import { Database } from '../../../kernel/db/database.ts';
import { raw, sql } from '../../../kernel/db/sql.ts';
import { freshDatabase } from '../../../test/database.ts';
import { importCustomers, openCustomers, type CustomerMapping, type CustomerSummary } from './index.ts';
import type { Rejection } from '../../../kernel/csv/read-csv.ts';

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
  providerId = await db.acrossTenants('a test has a business', (tx) => createProvider(tx, { name: 'Studio', timezone: 'Europe/Paris', currency: 'EUR', country: 'FR' }));
});

async function run(text: string, mapping: CustomerMapping | null = null): Promise<{ summary: CustomerSummary; rejected: Rejection[] }> {
  const path = join(folder, 'customers.csv');
  writeFileSync(path, text);
  const rejected: Rejection[] = [];
  const file = await openCustomers(path, mapping, (r) => rejected.push(r));
  const summary = await importCustomers({
    db,
    tenant: { providerId, zone: 'Europe/Paris', currency: 'EUR' },
    viewer: ownViewer(providerId, 'import'),
    file,
    now: Date.now,
    onRejected: (r) => rejected.push(r),
    onProgress: () => {},
  });
  return { summary, rejected };
}

const rows = (table: string) => db.transaction(providerId, (tx) => tx.rows(sql`SELECT * FROM ${raw(table)} WHERE provider_id = ${providerId} ORDER BY id`));
const PEOPLE = 'First Name,Last Name,E-Mail,Date of Birth,Shoe size\nAda,Lovelace,Ada@Example.com,1990-12-10,38\nGrace,"Hopper, Rear Adm.",grace@example.com,,\n';

test('people land by the names of the columns, and columns that nobody asked for are ignored', async () => {
  const { summary, rejected } = await run(PEOPLE);
  assert.deepEqual([summary.made, rejected], [2, []]);
  assert.deepEqual((await rows('customer')).map((c) => [c.first_name, c.last_name, c.email, c.date_of_birth]), [
    ['Ada', 'Lovelace', 'Ada@Example.com', '1990-12-10'], ['Grace', 'Hopper, Rear Adm.', 'grace@example.com', null],
  ]);
});

test('running it twice changes nothing, whatever the case of the addresses', async () => {
  await run(PEOPLE);
  const before = [await rows('customer'), await rows('feed_item'), await rows('audit_entry')];
  const { summary } = await run(PEOPLE.replace('Ada@Example.com', 'ada@example.com'));
  assert.deepEqual([summary.made, summary.changed, summary.unchanged], [0, 0, 2]);
  assert.deepEqual([await rows('customer'), await rows('feed_item'), await rows('audit_entry')], before);
});

test('a person who is known is changed where the file says something else; an empty cell changes nothing', async () => {
  await run(PEOPLE);
  const { summary } = await run('email,last_name,date_of_birth\nada@example.com,King,\ngrace@example.com,,1906-12-09\n');
  assert.deepEqual([summary.changed, summary.unchanged], [2, 0]);
  assert.deepEqual((await rows('customer')).map((c) => [c.first_name, c.last_name, c.date_of_birth]), [['Ada', 'King', '1990-12-10'], ['Grace', 'Hopper, Rear Adm.', '1906-12-09']]);
  const updated = (await rows('feed_item')).filter((item) => item.kind === 'customer.updated');
  assert.deepEqual(updated.map((item) => item.payload.changed), [['last_name'], ['date_of_birth']]);
});

test('bad rows are told by line, column and value, and the others land', async () => {
  const { summary, rejected } = await run(
    `email,first_name,date_of_birth\nnobody,A,\n,B,\nc@example.com,C,31/12/1990\nd@example.com,D,2999-01-01\ne@example.com,E,\nE@example.com,E again,\nf@example.com,${'x'.repeat(300)},\n`,
  );
  assert.deepEqual([summary.made, summary.rejected], [1, 6]);
  assert.deepEqual(rejected.map((r) => [r.line, r.column]), [[2, 'email'], [3, 'email'], [4, 'date_of_birth'], [5, 'date_of_birth'], [7, 'email'], [8, 'first_name']]);
  assert.equal(rejected[2].value, '31/12/1990');
});

test('a mapping names the columns where their names do not', async () => {
  const { summary } = await run('Kontakt,Geboren\nada@example.com,10.12.1990\n', { email: '{Kontakt}', date_of_birth: '{Geboren}', date_format: 'DD/MM/YYYY' });
  assert.equal(summary.made, 1);
  assert.equal((await rows('customer'))[0].date_of_birth, '1990-12-10');
  await assert.rejects(run('Kontakt\nx\n'), /--mapping FILE/);
});
