import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type pg from 'pg';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { beside, until } from '../../../../test/storm.ts';
import { billed, payWith } from '../../invoices/test/invoicing.ts';
import { checkLedger, post } from '../index.ts';
import { JOURNAL_COLUMNS } from './journal.ts';
import { main } from '../../../../cli.ts';
import { parseDecimal } from '../../../../kernel/base/values/money.ts';
import { Records } from '../../../../kernel/base/csv/records.ts';
import { row } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import { workedTable } from '../../../../test/worked-table.ts';

let world: World;
let owner: pg.Client;
const NOON = Date.parse('2026-06-10T16:00:00Z');
const DAY = 86_400_000;
before(async () => {
  world = await startWorld();
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

const ask = async (method: string, path: string, body?: unknown, as = world.machine) => {
  const answer = await world.ask(method, path, { as, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
};
const refused = async (method: string, path: string, body?: unknown, as = world.machine) => {
  const answer = await world.ask(method, path, { as, body });
  assert.ok(answer.status >= 400, `${method} ${path}: ${answer.status}`);
  return [answer.status, answer.body.error?.code ?? answer.body.code, answer.text] as const;
};
const day = (at = world.now) => wallAt(at, 'America/Toronto').date;

let last = 7_000_000;
const gift = (customer: number, amount: number, explanation = 'A gift.') =>
  world.work(world.harbour, (work) =>
    post(work, {
      kind: 'credit_given',
      about: { object: 'account_entry', id: (last += 1) },
      explanation,
      lines: [
        { account: 'credit_given', amount },
        { account: 'credit', customer, amount: -amount },
      ],
    }),
  );

/** Parses the lines of an export by the names of their columns. */
function rowsOf(text: string): Record<string, string>[] {
  const records = new Records(',', ({ line, reason }) => assert.fail(`line ${line} ${reason}`));
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .flatMap((line) => records.take(line));
  const [heading, ...rows] = [...lines, ...records.end()];
  return rows.map(({ cells }) => Object.fromEntries(heading.cells.map((name, n) => [name, cells[n]])));
}

const minor = (text: string) => parseDecimal(text, 'CAD')!;
const tell = (list: any[], ...names: string[]) =>
  list.map((one) => names.map((name) => one[name]?.string ?? one[name]));
const mine = (all: string[]) => all.filter((one) => one.startsWith('closed_periods'));

const journal = async (from: string, to: string): Promise<Record<string, string>[]> =>
  rowsOf(await ask('GET', `/ledger/journal?from=${from}&to=${to}`));

test('the guide describes every column of the export, in their order', () => {
  const described = workedTable('docs/guide/accounting.md', 'Columns').map(({ column }) => column);
  assert.deepEqual(described, [...JOURNAL_COLUMNS]);
});

test('the journal of a period sums to its trial balance, which sums to zero', async () => {
  world.setNow(NOON);
  const [a, b] = [await world.newCustomer(), await world.newCustomer()];
  const fee = await ask('POST', '/purchase_fees', {
    name: 'HST',
    kind: 'tax',
    type: 'percent',
    percentage: '13',
    purchase_types: ['event'],
  });
  await gift(b, 300, '=SUM(A1:A9), "or" so');
  world.setNow(NOON + DAY);
  const invoice = await billed(world, a, [{ list: 4000 }]);
  await payWith(world, a, invoice.id, 2000);
  await gift(b, 500);
  const today = day();
  const balance = await ask('GET', `/ledger/trial_balance?from=${today}&to=${today}`);
  const rows = await journal(today, today);
  for (const { account, detail, debits, credits, opening, closing } of balance.accounts) {
    const mine = rows.filter((row) => row.account === account && row.detail === (detail ?? ''));
    const sum = (side: string) => mine.reduce((all, row) => all + minor(row[side]), 0);
    assert.deepEqual([sum('debit'), sum('credit')], [minor(debits.string), minor(credits.string)], account);
    assert.equal(minor(closing.string), minor(opening.string) + minor(debits.string) - minor(credits.string));
  }
  const { totals } = balance;
  assert.deepEqual([totals.opening.string, totals.closing.string], ['0.00', '0.00']);
  assert.equal(totals.debits.string, totals.credits.string);
  const found = Object.fromEntries(balance.accounts.map((one: any) => [one.account, one.closing.string]));
  assert.deepEqual(
    [found.receivable, found.credit, found.credit_given],
    ['25.20', '-8.00', '8.00'],
    'what was given on the day before is in the opening balance',
  );
  assert.deepEqual(tell(balance.revenue, 'type', 'amount'), [['event_registration', '40.00']]);
  assert.deepEqual(tell(balance.tax, 'purchase_fee', 'name', 'rate', 'amount'), [[fee.id, 'HST', '13%', '5.20']]);
  assert.deepEqual(tell(balance.clearing, 'name', 'received', 'paid_out', 'balance'), [
    ['Cash', '20.00', '0.00', '20.00'],
  ]);
  assert.deepEqual(tell(balance.liabilities.slice(0, 1), 'account', 'opening', 'change', 'closing'), [
    ['credit', '3.00', '5.00', '8.00'],
  ]);
  assert.equal(balance.is_closed, false);
  assert.deepEqual(
    [...new Set(rows.map((row) => row.date))],
    [today],
    'the day before is not in the journal of this day',
  );
  assert.equal(balance.transactions, new Set(rows.map((row) => row.transaction)).size);
  const taxed = rows.find((row) => row.account === 'tax')!;
  assert.deepEqual(
    [taxed.detail, taxed.detail_name, taxed.debit, taxed.credit, taxed.currency],
    [String(fee.id), 'HST 13%', '0.00', '5.20', 'CAD'],
  );
});

test('cash in a drawer besides payments has its own figures, under the name of the drawer', async () => {
  const from = '2019-03-01';
  const [at, posted] = [Date.parse('2019-03-01T15:00:00Z'), world.now];
  const drawer = await row(world, 'payment_processor', { kind: 'offline', name: 'Front till' });
  world.setNow(at);
  await world.work(world.harbour, (work) =>
    post(work, {
      kind: 'paid_in',
      about: { object: 'account_entry', id: (last += 1) },
      explanation: 'The float.',
      lines: [
        { account: 'cash', detail: String(drawer), amount: 15_000 },
        { account: 'cash_transfer', amount: -15_000 },
      ],
    }),
  );
  world.setNow(posted);
  const balance = await ask('GET', `/ledger/trial_balance?from=${from}&to=${from}`);
  assert.deepEqual(tell(balance.cash, 'payment_processor', 'name', 'put_in', 'taken_out', 'balance'), [
    [drawer, 'Front till', '150.00', '0.00', '150.00'],
  ]);
});

test('user input is never a formula in the export, and JSON has the same lines', async () => {
  const from = day(NOON);
  const answer = await world.get(`/ledger/journal?from=${from}&to=${day()}`, { as: world.machine });
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(answer.headers.get('content-disposition'), `attachment; filename="journal-${from}-${day()}.csv"`);
  assert.ok(answer.text.includes(`,"'=SUM(A1:A9), ""or"" so",`), answer.text);
  const json = await ask('GET', `/ledger/journal?from=${from}&to=${day()}&format=json`);
  assert.deepEqual([json.from, json.to, json.currency], [from, day(), 'CAD']);
  const plain = rowsOf(answer.text).map((row) => ({ ...row, explanation: row.explanation.replace(/^'=/, '=') }));
  assert.deepEqual(
    json.lines.map((line: object) => Object.values(line).map((value) => String(value ?? ''))),
    plain.map((row) => Object.values(row)),
  );
  const empty = await ask('GET', '/ledger/journal?from=2001-01-01&to=2001-01-02&format=json');
  assert.deepEqual(empty.lines, []);
  assert.equal((await refused('GET', '/ledger/journal?from=2026-01-02&to=2026-01-01'))[0], 400);
  assert.equal((await refused('GET', '/ledger/trial_balance?from=2026-01-02'))[0], 400);
  for (const range of ['from=0001-01-01&to=2026-01-01', 'from=2026-01-01&to=9999-12-31'])
    for (const path of ['journal', 'trial_balance'])
      assert.equal((await refused('GET', `/ledger/${path}?${range}`))[0], 400, range);
  assert.equal((await refused('POST', '/accounting_periods/close', { through: '0001-01-01' }))[0], 400);
  const { status, text } = await world.ask('HEAD', `/ledger/journal?from=${from}&to=${day()}`, { as: world.machine });
  assert.deepEqual([status, text], [200, '']);
});

test('a journal of many batches has every line once, in the order of posting', async () => {
  const [customer] = [await world.newCustomer()];
  const id = (last += 1);
  last += 2600;
  await world.work(world.harbour, async ({ tx, providerId }) => {
    await tx.run({
      texts: [
        `WITH t AS (INSERT INTO ledger_transaction (provider_id, kind, object, object_id, explanation, posted_at,
          posted_on)
        SELECT ${providerId}, 'credit_given', 'account_entry', ${id} + n, 'Gift ' || n,
          '2020-03-05T10:00Z'::timestamptz + n / 10 * interval '1 second', '2020-03-05'
        FROM generate_series(0, 2499) n RETURNING id)
        INSERT INTO ledger_line (provider_id, transaction_id, account, customer_id, amount_minor)
        SELECT ${providerId}, t.id, a.account, a.customer, a.amount FROM t,
          (VALUES ('credit_given', NULL::bigint, 7), ('credit', ${customer}, -7)) AS a (account, customer, amount)`,
      ],
      holes: [],
    });
  });
  const rows = await journal('2020-03-05', '2020-03-05');
  assert.equal(rows.length, 5000);
  assert.equal(new Set(rows.map(({ line }) => line)).size, 5000);
  const places = rows.map(({ posted_at, transaction }) => [Date.parse(posted_at), Number(transaction)]);
  assert.deepEqual(
    places,
    places.toSorted(([at, one], [after, other]) => at - after || one - other),
  );
});

test('exports have the accountant’s code of the detail, else of the account, else none', async () => {
  const sent = [
    { account: 'revenue', code: '8400' },
    { account: 'revenue', detail: 'event_registration', code: '8410' },
    { account: 'credit', detail: null, code: '1700' },
  ];
  const { codes } = await ask('PATCH', '/ledger/account_codes', { codes: sent });
  assert.deepEqual(codes, [
    { account: 'credit', detail: null, code: '1700' },
    { account: 'revenue', detail: null, code: '8400' },
    { account: 'revenue', detail: 'event_registration', code: '8410' },
  ]);
  const rows = await journal(day(NOON), day());
  const of = (account: string) => [...new Set(rows.filter((r) => r.account === account).map((r) => r.account_code))];
  assert.deepEqual([of('revenue'), of('credit'), of('receivable')], [['8410'], ['1700'], ['']]);
  const less = await ask('PATCH', '/ledger/account_codes', {
    codes: [{ account: 'revenue', detail: 'event_registration', code: null }],
  });
  assert.equal(less.codes.length, 2);
  assert.deepEqual(await ask('PATCH', '/ledger/account_codes', { codes: [] }), less, 'nothing is named or changed');
  assert.deepEqual(
    [...new Set((await journal(day(NOON), day())).filter((r) => r.account === 'revenue').map((r) => r.account_code))],
    ['8400'],
  );
  for (const wrong of [
    [{ account: 'credit', detail: '7', code: '1' }],
    [
      { account: 'tax', code: '1' },
      { account: 'tax', detail: null, code: '2' },
    ],
    [{ account: 'tax', code: '=1' }],
    [{ account: 'nothing', code: '1' }],
  ])
    assert.equal((await refused('PATCH', '/ledger/account_codes', { codes: wrong }))[0], 400);
});

test('nothing is posted on a closed day, regardless of the writer, until the period is reopened', async () => {
  world.setNow(NOON + 5 * DAY);
  const customer = await world.newCustomer();
  const yesterday = addDays(day(), -1);
  assert.equal((await refused('POST', '/accounting_periods/close', { through: day() }))[0], 400, 'today is not over');
  assert.equal((await refused('POST', '/accounting_periods/close', { through: addDays(day(), 30) }))[0], 400);
  const preview = await ask('POST', '/accounting_periods/close?dry_run=true', { through: yesterday });
  const effects = (name: string) => preview.effects.filter(({ effect }: any) => effect === name);
  assert.ok(effects('total').some(({ detail }: any) => detail.account === 'receivable' && detail.closing === '25.20'));
  assert.deepEqual(
    effects('still_open').map(({ detail }: any) => [detail.account, detail.customers, detail.amount]),
    [['receivable', 1, '25.20']],
  );
  assert.equal((await ask('GET', '/accounting_periods')).count, 0, 'it was only tried');

  const period = await ask('POST', '/accounting_periods/close', { through: yesterday });
  const { totals, is_closed } = await ask('GET', `/ledger/trial_balance?from=${period.start_date}&to=${yesterday}`);
  assert.deepEqual(
    [period.status, period.start_date, period.end_date, period.debits.string, is_closed],
    ['closed', '2019-03-01', yesterday, totals.debits.string, true],
  );
  assert.equal((await refused('POST', '/accounting_periods/close', { through: yesterday }))[0], 400);
  await gift(customer, 100);

  world.setNow(NOON + 4 * DAY);
  await assert.rejects(gift(customer, 100), /accounting period of .* is closed/);
  const [status, , text] = await refused('POST', '/account_entries', {
    customer,
    kind: 'credit',
    amount: '1.00',
    explanation: 'Late.',
  });
  assert.equal(status, 409);
  assert.match(text, /Repeat the request, or have the accounting period reopened/);

  world.setNow(NOON + 6 * DAY);
  const later = await ask('POST', '/accounting_periods/close', { through: addDays(day(), -1) });
  assert.equal(later.start_date, addDays(yesterday, 1));
  const path = `/accounting_periods/${period.id}/reopen`;
  const [notLast, , why] = await refused('POST', path, { reason: 'A bill came late.' });
  assert.equal(notLast, 409);
  assert.match(why, new RegExp(`Reopen accounting period ${later.id} first`));
  const bookkeeper = world.staff(['revenue']);
  const reason = { reason: 'A bill came late.' };
  assert.equal((await refused('POST', `/accounting_periods/${later.id}/reopen`, reason, bookkeeper))[0], 403);
  for (const { id } of [later, period]) {
    const reopened = await ask('POST', `/accounting_periods/${id}/reopen`, reason);
    assert.deepEqual([reopened.status, reopened.reopen_reason], ['reopened', 'A bill came late.']);
    const again = await ask('POST', `/accounting_periods/${id}/reopen`, { reason: 'Another.' });
    assert.equal(again.reopen_reason, 'A bill came late.', 'once is enough');
  }
  world.setNow(NOON + 4 * DAY);
  await gift(customer, 100);
  world.setNow(NOON + 6 * DAY);
  const audit = await ask('GET', `/audit_entries?object=accounting_period&object_id=${later.id}`);
  assert.ok(audit.results.some(({ after }: any) => after?.reopen_reason === 'A bill came late.'));
});

test('closing waits for postings in progress on those days, and includes them in its totals', async () => {
  const yesterday = world.now - DAY;
  const customer = await world.newCustomer();
  const { promise: wait, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: underWay, resolve: posted } = Promise.withResolvers<void>();
  const posting = world.work(world.harbour, async (work) => {
    const late = Object.assign(Object.create(work), { now: yesterday, tx: work.tx, tenant: work.tenant });
    Object.defineProperty(late, 'providerId', { value: work.providerId });
    await post(late, {
      kind: 'credit_given',
      about: { object: 'account_entry', id: (last += 1) },
      explanation: 'Just before midnight.',
      lines: [
        { account: 'credit_given', amount: 12_345 },
        { account: 'credit', customer, amount: -12_345 },
      ],
    });
    posted();
    await wait;
  });
  await underWay;
  const closing = ask('POST', '/accounting_periods/close', { through: day(yesterday) });
  await until('it waits for the posting', async () => {
    const { rows } = await owner.query(
      `SELECT count(*)::int AS n FROM pg_locks
        WHERE locktype = 'advisory' AND classid = 771041 AND objid = $1 AND NOT granted`,
      [world.harbour % 2_147_483_647],
    );
    return rows[0].n > 0;
  });
  goOn();
  await posting;
  const period = await closing;
  const kept = await owner.query(
    `SELECT closing_minor::int AS n FROM accounting_period_total
      WHERE provider_id = $1 AND accounting_period_id = $2 AND account = 'credit'`,
    [world.harbour, period.id],
  );
  const balance = await ask('GET', `/ledger/trial_balance?from=${day(yesterday)}&to=${day(yesterday)}`);
  const credit = balance.accounts.find(({ account }: any) => account === 'credit');
  assert.equal(kept.rows[0].n, parseDecimal(credit.closing.string, 'CAD'));
  assert.ok(parseDecimal(credit.credits.string, 'CAD')! >= 12_345);
});

test('a trial balance from the closed balances equals one of the whole ledger', async () => {
  const [period] = (await ask('GET', '/accounting_periods?status=closed')).results;
  const customer = await world.newCustomer();
  await gift(customer, 777);
  const range = `from=${addDays(day(), -2)}&to=${day()}`;
  const after = `from=${day()}&to=${day()}`;
  const read = async () => [
    await ask('GET', `/ledger/trial_balance?${range}`),
    (await ask('GET', `/ledger/trial_balance?${after}`)).accounts,
  ];
  const closed = await read();
  await ask('POST', `/accounting_periods/${period.id}/reopen`, { reason: 'To compare.' });
  const [open, accounts] = await read();
  assert.deepEqual([{ ...open, is_closed: null }, accounts], [{ ...closed[0], is_closed: null }, closed[1]]);
});

test('a business cannot move to a time zone in which today is closed', async () => {
  world.setNow(Date.parse('2026-07-01T14:00:00Z'));
  await ask('POST', '/accounting_periods/close', { through: '2026-06-30' });
  const path = `/providers/${world.harbour}`;
  world.setNow(Date.parse('2026-07-01T05:00:00Z'));
  const [status, , text] = await refused('PATCH', path, { timezone: 'Pacific/Honolulu' });
  assert.equal(status, 400);
  assert.match(text, /It is 2026-06-30 there, and the books are closed through 2026-06-30/);
  await ask('PATCH', path, { timezone: 'America/New_York' });
  await ask('PATCH', path, { timezone: 'America/Toronto' });
  world.setNow(Date.parse('2026-07-01T14:00:00Z'));
});

test('the ledger check finds postings that a closed period did not have when it was closed', async () => {
  const found = () => world.work(world.harbour, (work) => checkLedger(work));
  assert.deepEqual(mine(await found()), []);
  const customer = await world.newCustomer();
  await owner.query('SET session_replication_role = replica');
  const plant = async (at: string, sign: number) => {
    const { rows } = await owner.query(
      `INSERT INTO ledger_transaction (provider_id, kind, object, object_id, explanation, posted_at, posted_on)
       VALUES ($1, 'planted', 'account_entry', $2, 'Smuggled.', $3, $4) RETURNING id`,
      [world.harbour, (last += 1), `${at}T12:00:00Z`, at],
    );
    await owner.query(
      `INSERT INTO ledger_line (provider_id, transaction_id, account, customer_id, amount_minor)
       VALUES ($1, $2, 'credit_given', NULL, $4), ($1, $2, 'credit', $3, -$4::bigint)`,
      [world.harbour, rows[0].id, customer, sign * 250],
    );
  };
  await plant('2026-06-12', 1);
  const [credit, given] = mine(await found());
  assert.match(credit, /^closed_periods: period \d+, credit: -.* CAD expected, and -.* CAD found\.$/);
  assert.match(given, /credit_given/);
  await plant('2026-06-13', -1);
  await owner.query('SET session_replication_role = origin');
  assert.deepEqual(mine(await found()), []);
});

test('a closed period stays unchanged: the database refuses any other change', async () => {
  for (const [statement, why] of [
    [`UPDATE accounting_period SET end_on = end_on + 1 WHERE provider_id = $1`, /stays as it is/],
    [`DELETE FROM accounting_period WHERE provider_id = $1`, /stays as it is/],
    [`UPDATE accounting_period_total SET debits_minor = 0 WHERE provider_id = $1`, /stays as it is/],
    [`DELETE FROM accounting_period_total WHERE provider_id = $1`, /stays as it is/],
    [
      `UPDATE accounting_period SET reopened_at = NULL, reopen_reason = NULL
        WHERE provider_id = $1 AND reopened_at IS NOT NULL`,
      /stays as it is/,
    ],
    [
      `INSERT INTO accounting_period (provider_id, start_on, end_on, transactions, debits_minor, closed_at, created_at,
        updated_at)
       SELECT provider_id, end_on, end_on, 0, 0, now(), now(), now() FROM accounting_period
       WHERE provider_id = $1 AND reopened_at IS NULL`,
      /accounting_period_once/,
    ],
  ] as const)
    await assert.rejects(owner.query(statement, [world.harbour]), why, statement);
});

test('the command line writes the same journal and the same totals', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-journal-'));
  const was = process.env.DATABASE_URL;
  process.env.DATABASE_URL = world.databaseUrl;
  const [from, to] = [day(NOON), day(NOON + 10 * DAY)];
  const written = async (...options: string[]): Promise<string> => {
    const out = join(folder, 'file');
    const code = await main([
      'ledger',
      'export',
      String(world.harbour),
      '--from',
      from,
      '--to',
      to,
      '--out',
      out,
      ...options,
    ]);
    assert.equal(code, 0);
    return readFileSync(out, 'utf8');
  };
  try {
    const csv = await written();
    assert.equal(csv.replace(/^\uFEFF/, ''), await ask('GET', `/ledger/journal?from=${from}&to=${to}`));
    const json = JSON.parse(await written('--format', 'json'));
    assert.deepEqual(json, await ask('GET', `/ledger/journal?from=${from}&to=${to}&format=json`));
    const totals = JSON.parse(await written('--totals'));
    const balance = await ask('GET', `/ledger/trial_balance?from=${from}&to=${to}`);
    assert.deepEqual(
      totals.accounts.map((one: any) => [one.account, one.detail, one.closing]),
      balance.accounts.map((one: any) => [one.account, one.detail, one.closing.string]),
    );
  } finally {
    rmSync(folder, { recursive: true });
    if (was === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = was;
  }
});
