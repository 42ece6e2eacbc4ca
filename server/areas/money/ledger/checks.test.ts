import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { accountReasons, addEntry } from '../account-entries/index.ts';
import { allProviders } from '../../../commands/provider.ts';
import { beside } from '../../../test/storm.ts';
import { differencesOf } from '../../../commands/ledger.ts';
import { examine } from '../../../commands/doctor/doctor.ts';
import { keepCheck, sweepChecks } from './check-job.ts';
import { main } from '../../../cli.ts';
import { newCustomers } from '../../../test/schedule-world.ts';
import { readConfig } from '../../../config.ts';
import { setCommandTime } from '../../../commands/command-time.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { workedTable } from '../../../test/worked-table.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const STORY = 'docs/algorithms/ledger.md';

let world: World;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ own: true });
  owner = await beside(world.databaseUrl);
  // Triggers prevent wrong rows; they are off for this connection.
  await owner.query('SET session_replication_role = replica');
});
after(async () => {
  await owner.end();
  await world.close();
});

const work = <T>(act: (work: Work) => Promise<T>): Promise<T> => world.work(world.harbour, act);

interface Charge {
  readonly customer: number;
  readonly entry: number;
  readonly transaction: number;
}

/** Charges a new customer 5.00. */
async function charged(): Promise<Charge> {
  const [customer] = await newCustomers(world, 1);
  return work(async (w) => {
    const entry = await addEntry(w, {
      customer,
      kind: 'charge',
      amount: 500,
      reason: accountReasons.items.find(({ name }) => name === 'flat_fee')!,
      subject: null,
      customerMembership: null,
      explanation: 'A towel.',
      dueOn: '2026-06-10',
      period: null,
    });
    const row = await w.tx.one<{ id: number }>(
      sql`SELECT id FROM ledger_transaction WHERE provider_id = ${world.harbour} AND object = 'account_entry'
        AND object_id = ${entry}`,
    );
    return { customer, entry, transaction: row!.id };
  });
}

/** Statements that corrupt the rows of a charge, each with the one that repairs it. */
const PLANTED: Record<string, (of: Charge) => [wrong: string, mend: string]> = {
  'a balance of 5.00 is 7.00': ({ customer }) => [
    `UPDATE customer_balance SET amount_minor = 700 WHERE customer_id = ${customer} AND account = 'unbilled'`,
    `UPDATE customer_balance SET amount_minor = 500 WHERE customer_id = ${customer} AND account = 'unbilled'`,
  ],
  'a line of 5.00 is missing': ({ customer, transaction }) => [
    `DELETE FROM ledger_line WHERE transaction_id = ${transaction} AND account = 'unbilled'`,
    `INSERT INTO ledger_line (provider_id, transaction_id, account, customer_id, amount_minor)
      VALUES (${world.harbour}, ${transaction}, 'unbilled', ${customer}, 500)`,
  ],
  'a charge of 5.00 became 6.00': ({ entry }) => [
    `UPDATE account_entry SET amount_minor = 600 WHERE id = ${entry}`,
    `UPDATE account_entry SET amount_minor = 500 WHERE id = ${entry}`,
  ],
  'a transaction has no lines': ({ transaction }) => [
    `CREATE TABLE taken AS SELECT * FROM ledger_line WHERE transaction_id = ${transaction};
     DELETE FROM ledger_line WHERE transaction_id = ${transaction}`,
    'INSERT INTO ledger_line SELECT * FROM taken; DROP TABLE taken',
  ],
};

const found = async (): Promise<string[]> => differencesOf(world.app.db, await allProviders(world.app.db));

for (const { 'what is wrong': what, reported } of workedTable(STORY, 'Worked differences'))
  test(`the check of the ledger finds that ${what}, and nothing once that is mended`, async () => {
    const of = await charged();
    const [wrong, mend] = PLANTED[what](of);
    await owner.query(wrong);
    const said = reported
      .replace('customer 1', `customer ${of.customer}`)
      .replace('transaction 1', `transaction ${of.transaction}`);
    const differences = await found();
    assert.ok(differences.includes(`Business ${world.harbour}: ${said}`), differences.join('\n'));
    await owner.query(mend);
    assert.deepEqual(await found(), []);
  });

test('every difference in the worked table is planted', () =>
  assert.deepEqual(
    workedTable(STORY, 'Worked differences').map((row) => row['what is wrong']),
    Object.keys(PLANTED),
  ));

/** Runs a command, and returns its exit code and output. */
async function run(...argv: string[]): Promise<[code: number, text: string]> {
  const [before, write] = [process.env.DATABASE_URL, process.stdout.write];
  let text = '';
  process.env.DATABASE_URL = world.databaseUrl;
  setCommandTime(() => world.now);
  process.stdout.write = ((chunk: string) => ((text += chunk), true)) as never;
  try {
    return [await main(argv), text];
  } finally {
    setCommandTime();
    process.stdout.write = write;
    if (before === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = before;
  }
}

test('the command names every difference and exits with 1, of a single business if one is named', async () => {
  const of = await charged();
  assert.deepEqual(await run('ledger', 'check'), [
    0,
    'The ledger of 2 businesses agrees with everything that it was posted for.\n',
  ]);
  const [wrong, mend] = PLANTED['a charge of 5.00 became 6.00'](of);
  await owner.query(wrong);
  const line = `Business ${world.harbour}: open_entries: customer ${of.customer}: 6.00 CAD expected, and 5.00 CAD found.\n`;
  const [code, text] = await run('ledger', 'check', '--provider', String(world.harbour));
  assert.deepEqual([code, text.startsWith(`${line}1 difference found`)], [1, true], text);
  assert.equal((await run('ledger', 'check', '--provider', String(world.meadow)))[0], 0);
  const [verified, all] = await run('verify', '--provider', String(world.harbour));
  assert.equal(verified, 1);
  assert.ok(all.includes(line) && all.includes('found, and nothing was changed.'), all);
  assert.deepEqual(await run('verify', '--provider', String(world.meadow)), [0, 'Everything agrees at 1 business.\n']);
  await owner.query(mend);
});

test('a business is checked once a night, and the doctor reports findings until they are repaired', async () => {
  const of = await charged();
  const queued = async (at: string): Promise<number[]> => {
    await world.app.db.acrossTenants('the test sweeps', (tx) => sweepChecks(tx, Date.parse(at)));
    const { rows } = await owner.query(
      `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
       WHERE t.id = j.task_id AND t.identifier = 'check_ledger' RETURNING j.payload ->> 'provider_id' AS id`,
    );
    return rows.map(({ id }) => Number(id));
  };
  // Toronto is four hours behind UTC in June. Meadow has nothing in its ledger.
  assert.deepEqual(await queued('2026-06-10T06:59:00Z'), [], 'its night has not come');
  assert.deepEqual(await queued('2026-06-10T07:00:00Z'), [world.harbour]);
  const [wrong, mend] = PLANTED['a charge of 5.00 became 6.00'](of);
  const wrongs = async () =>
    (await examine(world.databaseUrl, () => world.now, readConfig({ SECRET_KEY: undefined })))
      .map((finding) => finding.wrong)
      .filter((one) => one.includes('ledger'));
  const checked = (at: string) => {
    world.setNow(Date.parse(at));
    return work(keepCheck);
  };
  await owner.query(wrong);
  await checked('2026-06-10T07:00:00Z');
  assert.deepEqual(await wrongs(), [
    `On 2026-06-10, the ledger of business ${world.harbour} differed from what it was posted for in 1 place.`,
  ]);
  assert.deepEqual(await queued('2026-06-10T23:00:00Z'), [], 'it was checked that day');
  assert.deepEqual(await queued('2026-06-11T08:00:00Z'), [world.harbour]);
  await owner.query(mend);
  await checked('2026-06-11T08:00:00Z');
  assert.deepEqual(await wrongs(), []);
});
