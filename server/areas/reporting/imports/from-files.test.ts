/** A studio moves in at the command line. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Desk } from '../../../test/desk.ts';
import { importFiles } from './from-files.ts';
import { progressJob } from '../../platform/bulk/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { Database } from '../../../kernel/base/db/database.ts';

let world: World;
let desk: Desk;
const folder = mkdtempSync(join(tmpdir(), 'rollcall-import-'));
before(async () => {
  world = await startWorld({ own: true });
  desk = new Desk(world.databaseUrl);
  const memberships = await MembershipWorld.of(world);
  await memberships.recurring([], { price: '80.00' }, { name: 'Monthly' });
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  desk?.remove();
  await world?.close();
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const list = async (path: string): Promise<any[]> => (await world.get(path, { as: world.machine })).body.results;

const run = (...args: string[]) => desk.run(['import', ...args, '--business', String(world.harbour)]);

const FILES = (): string[] => [
  write(
    'plans.csv',
    'Email,Membership,Start Date,Status\nona@example.com,Monthly,2026-01-31,Active\nbo@example.com,Monthly,2026-01-31,Alumni\n',
  ),
  write('people.csv', 'Email,First Name,Shoe\nona@example.com,Ona,38\nbo@example.com,Bo,\nno mail,,\n'),
];

test('a word without a known meaning is printed as a question, and nothing is imported', async () => {
  const { code, out } = await run(...FILES());
  assert.equal(code, 1, out);
  assert.match(out, /Recognized: people\.csv\n {2}3 rows of customers, ids from "file", names of columns in line 1/);
  assert.match(
    out,
    /Question: what does "Alumni" mean in "Status" \(status, 1 row\)\? running, ending, paused, ended, left_out/,
  );
  assert.deepEqual([await list('/customers'), await list('/imports')], [[], []]);
});

test('a check prints what would happen to each file, writes the reports, and keeps nothing', async () => {
  const settings = write('settings.json', JSON.stringify({ answers: { Status: { Alumni: 'ended' } } }));
  const { code, out, err } = await run(
    ...FILES(),
    '--check',
    '--settings',
    settings,
    '--reports',
    join(folder, 'checked'),
  );
  assert.equal(code, 1, out + err);
  assert.match(out, /Checked: people\.csv\n {2}2 new, 0 changed, 0 unchanged, 1 left out/);
  assert.match(out, /Not imported: the column "Shoe" \(1 value\)/);
  assert.match(
    out,
    /Checked: plans\.csv\n {2}2 new, 0 changed, 0 unchanged, 0 left out\n {2}Would be billed on [\d-]+, once somebody approves it: 80\.00 CAD \(1 charge\)/,
  );
  assert.match(out, /Nothing was imported: this was a check\.\n$/);
  const report = readFileSync(join(folder, 'checked', 'people.csv.report.csv'), 'utf8');
  assert.match(report, /\n4,left out,.*has neither a name nor an email address/);
  assert.deepEqual([await list('/customers'), await list('/imports')], [[], []]);
});

test('the import brings all files in their order, and again changes nothing', async () => {
  const settings = join(folder, 'settings.json');
  const first = await run(...FILES(), '--settings', settings);
  assert.equal(first.code, 1, 'a row was left out');
  assert.match(first.out, /Imported: plans\.csv\n {2}2 new/);
  assert.deepEqual(
    (await list('/customers?sort=id')).map((one) => one.first_name),
    ['Ona', 'Bo'],
  );
  assert.deepEqual(
    (await list('/customer_memberships?sort=id&fields=status,awaits_approval')).map(
      ({ status, awaits_approval: waits }) => [status, waits],
    ),
    [
      ['active', true],
      ['completed', false],
    ],
  );
  assert.deepEqual(
    (await list('/imports')).map(({ status, can_undo: can }) => [status, can]),
    [
      ['complete', true],
      ['complete', true],
    ],
  );
  const again = await run(...FILES(), '--settings', settings);
  assert.match(again.out, /Imported: people\.csv\n {2}0 new, 0 changed, 2 unchanged, 1 left out/);
  assert.equal((await list('/customers')).length, 2);
});

test('an import that somebody cancels ends, and keeps what was imported until then', async () => {
  const { db } = world.app;
  const customers = async () => (await world.get('/customers?page_size=1', { as: world.machine })).body.count;
  const known = await customers();
  const rows = Array.from({ length: 600 }, (_, n) => `n${n}@example.com,N${n}\n`);
  let cancelled = false;
  const transaction: Database['transaction'] = async (business, act, ...more) => {
    const result = await db.transaction(business, act, ...more);
    if (!cancelled)
      cancelled = await world.work(world.harbour, async (work) => {
        const begun = await work.tx.one<{ job_id: number }>(
          sql`SELECT job_id FROM import WHERE status = 'running' AND done_count = 500`,
        );
        return begun !== undefined && progressJob(work, begun.job_id, { state: 'cancelled' });
      });
    return result;
  };
  const { tenant, viewer, registry, installation } = await world.work(world.harbour, async (work) => work);
  await assert.rejects(
    importFiles({
      db: { transaction, looking: db.looking.bind(db) } as Database,
      registry,
      installation,
      tenant,
      viewer,
      now: () => world.now,
      files: [
        {
          name: 'many.csv',
          bytes: Buffer.from(`Email,First Name\n${rows.join('')}`),
          place: {},
          correction: { kind: 'customers' },
        },
      ],
      answers: {},
      checkOnly: false,
      onFile: () => {},
      onReport: async () => {},
    }),
    /cancelled/,
  );
  assert.ok(cancelled);
  assert.equal(await customers(), known + 500);
});

test('columns, the kind and the row with the names are said in the settings', async () => {
  const file = write('odd.csv', 'A report\nWho,Post\nIda,ida@example.com\n');
  const settings = write(
    'odd.json',
    JSON.stringify({
      files: { 'odd.csv': { kind: 'customers', heading_line: 2, columns: { Who: 'first_name', Post: 'email' } } },
    }),
  );
  const { code, out, err } = await run(file, '--settings', settings);
  assert.equal(code, 0, out + err);
  assert.equal((await list('/customers?query=ida@example.com')).length, 1);
});

test('wrong settings, a file that is no table and a business that is not named are refused with the remedy', async () => {
  const file = write('people.csv', 'Email\nona@example.com\n');
  const wrong = write('wrong.json', '{ "files": { "people.csv": { "kind": "members" } }, "answer": {} }');
  assert.match((await run(file, '--settings', wrong)).err, /answer is unknown; known here: source, answers, files/);
  assert.match((await run(write('old.csv', '%PDF-1.7'))).err, /The file is a PDF/);
  const { code, err } = await desk.run(['import', file]);
  assert.equal(code, 1);
  assert.match(err, /choose one:\n {2}--business \d+/);
  assert.equal((await desk.run(['import'])).code, 2);
});
