import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { accountReasons, addEntry, creditAccounts, giveCredit, voidEntries } from '../account-entries/index.ts';
import { ACCOUNTS, CUSTOMER_ACCOUNTS, DETAILED_ACCOUNTS } from './accounts.ts';
import { creditOf, post, type LedgerLine } from './index.ts';
import { HoldWorld, NOON } from '../../../test/worlds/hold-world.ts';
import { newCustomers } from '../../../test/schedule-world.ts';
import { parseDecimal } from '../../../kernel/base/values/money.ts';
import { workedTable } from '../../../test/worked-table.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const STORY = 'docs/algorithms/ledger.md';

let h: HoldWorld;
before(async () => {
  h = await HoldWorld.start();
});
after(() => h.close());

/** The date at noon by the calendar of the business. */
const NOON_DAY = wallAt(NOON, 'America/Toronto').date;

const work = <T>(act: (work: Work) => Promise<T>): Promise<T> => h.world.work(h.world.harbour, act);
const minor = (text: string): number => parseDecimal(text, 'CAD')!;

let last = 0;
/** Posts an event of a new object. */
const posted = (lines: readonly LedgerLine[]) =>
  work((w) =>
    post(w, {
      kind: 'planned',
      about: { object: 'account_entry', id: 5_000_000 + (last += 1) },
      explanation: 'So.',
      lines,
    }),
  );

const owes = (customer: number, amount: number): LedgerLine[] => [
  { account: 'receivable', customer, amount },
  { account: 'revenue', detail: 'flat_fee', amount: -amount },
];
const spends = (customer: number, amount: number): LedgerLine[] => [
  { account: 'credit', customer, amount },
  { account: 'credit_given', amount: -amount },
];

const balance = (customer: number, as = h.world.machine) => h.get(`/customers/${customer}/account_balance`, as);

/** Returns what the account exists once for. */
function oneForEach(account: string): string {
  if ((CUSTOMER_ACCOUNTS as readonly string[]).includes(account)) return 'customer';
  return (DETAILED_ACCOUNTS as readonly string[]).includes(account) ? 'detail' : 'business';
}

test('the documented accounts are those of the ledger, and say which exist more than once', () => {
  assert.deepEqual(
    workedTable(STORY, 'Accounts').map((row) => [row.account, row['one for each']]),
    ACCOUNTS.map((account) => [account, oneForEach(account)]),
  );
});

/** Formats the debits (1) or the credits (-1) of a transaction, as in the table. */
const side = (lines: any[], sign: number): string =>
  lines
    .filter(({ amount }) => Math.sign(amount.decimal) === sign)
    .map(
      ({ account, detail, amount }) =>
        `${[account, detail].filter(Boolean).join(' ')} ${amount.string.replace('-', '')}`,
    )
    .join();

test('account entries post what the worked postings say', async () => {
  h.world.setNow(NOON);
  const { customer, owned } = await h.holder((await h.m.recurring()).membership);
  const entry = (kind: 'charge' | 'credit', amount: number, reason: string, subject: number) =>
    work((w) =>
      addEntry(w, {
        customer,
        kind,
        amount,
        reason: accountReasons.items.find(({ name }) => name === reason)!,
        subject,
        customerMembership: owned,
        explanation: 'What was agreed.',
        dueOn: '2026-06-09',
        period: null,
      }),
    );
  let [penalty, credit] = [0, 0];
  const byStaff = (kind: string, amount: string) =>
    h.world.post('/account_entries', { as: h.world.machine, body: { customer, kind, amount, explanation: 'So.' } });
  const ACTS: Record<string, () => Promise<unknown>> = {
    'a penalty of 10.00': async () => (penalty = await entry('charge', 1000, 'penalty', 6_000_000)),
    'the penalty is voided': () => work((w) => voidEntries(w, [penalty], 'A mistake.')),
    'a credit of 4.00 for an upgrade': async () => (credit = await entry('credit', 400, 'upgrade', owned)),
    'the day of the credit ends': () => work(creditAccounts),
    'the credit is voided after that': () => work((w) => voidEntries(w, [credit], 'A mistake.')),
    'staff charge 12.50': () => byStaff('charge', '12.50'),
    'staff give 20.00': () => byStaff('credit', '20.00'),
  };
  const rows = workedTable(STORY, 'Worked postings');
  assert.deepEqual(
    rows.map((row) => row['what happens']),
    Object.keys(ACTS),
  );
  for (const { 'what happens': what, debit, credit: other } of rows) {
    await ACTS[what]();
    const [latest] = (await h.get(`/ledger_transactions?customer=${customer}&sort=-id`)).results;
    assert.deepEqual([side(latest.lines, 1), side(latest.lines, -1)], [debit, other], what);
  }
});

for (const row of workedTable(STORY, 'Worked spending'))
  test(`${row.connections} connections that each spend ${row['each spends']} of ${row.credit} credit leave ${row.left}`, async () => {
    const [customer] = await newCustomers(h.world, 1);
    const [credit, each] = [minor(row.credit), minor(row['each spends'])];
    if (credit > 0) await work((w) => giveCredit(w, { customer, amount: credit, explanation: 'A gift.' }));
    const attempts = await Promise.allSettled(
      Array.from({ length: Number(row.connections) }, () => posted(spends(customer, each))),
    );
    assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, Number(row.succeed));
    assert.equal(await work((w) => creditOf(w, customer)), minor(row.left));
  });

for (const row of workedTable(STORY, 'Worked merges'))
  test(`merging a balance of ${row['merged owes']} into ${row['kept owes']} gives ${row['owes then']}`, async () => {
    const [kept, merged] = await newCustomers(h.world, 2);
    for (const [customer, owed, credit] of [
      [kept, row['kept owes'], row['kept can spend']],
      [merged, row['merged owes'], row['merged can spend']],
    ] as [number, string, string][]) {
      await posted(owes(customer, minor(owed)));
      if (minor(credit) > 0)
        await work((w) => giveCredit(w, { customer, amount: minor(credit), explanation: 'A gift.' }));
    }
    const answer = await h.world.post(`/customers/${kept}/merge`, { as: h.world.machine, body: { from: merged } });
    assert.equal(answer.status, 200, answer.text);
    const { owed, credit } = await balance(kept);
    assert.deepEqual([owed.string, credit.string], [row['owes then'], row['can spend then']]);
    const { results } = await h.get(`/ledger_transactions?customer=${merged}`);
    assert.deepEqual(results, []);
  });

test('a transaction shows the event, its object and its lines, and is filtered by account, customer, kind, object and time', async () => {
  h.world.setNow(NOON);
  const [customer, other] = await newCustomers(h.world, 2);
  await posted(owes(customer, 1130));
  h.world.setNow(NOON + 3600_000);
  await work((w) => giveCredit(w, { customer, amount: 500, explanation: 'Sorry.' }));
  await posted(owes(other, 1));
  const list = async (query: string) => (await h.get(`/ledger_transactions?sort=id&${query}`)).results;
  const [first, second, ...more] = await list(`customer=${customer}`);
  assert.equal(more.length, 0);
  const { id, about, lines, posted_at, ...shown } = first;
  assert.deepEqual(shown, { object: 'ledger_transaction', kind: 'planned', explanation: 'So.' });
  assert.deepEqual(
    lines.map((line: any) => [line.object, line.account, line.detail, line.customer, line.amount.string]),
    [
      ['ledger_line', 'receivable', null, customer, '11.30'],
      ['ledger_line', 'revenue', 'flat_fee', null, '-11.30'],
    ],
  );
  const at = Date.parse(posted_at);
  assert.ok(at >= NOON && at <= h.world.now, posted_at);
  assert.deepEqual(await h.get(`/ledger_transactions/${id}`), first);
  const found = async (query: string) => (await list(`customer=${customer}&${query}`)).map((one: any) => one.id);
  assert.deepEqual(await found('account=receivable'), [first.id]);
  assert.deepEqual(await found('account=credit,receivable'), [first.id, second.id]);
  assert.deepEqual(await found('kind=account_entry_created'), [second.id]);
  assert.deepEqual(await found(`about_object=account_entry&about_id=${about.id}`), [first.id]);
  const between = new Date(NOON + 1800_000).toISOString();
  assert.deepEqual(
    [await found(`posted_at_lte=${between}`), await found(`posted_at_gte=${between}`)],
    [[first.id], [second.id]],
  );
  assert.deepEqual(await found(`posted_on_gte=${NOON_DAY}&posted_on_lte=${NOON_DAY}`), [first.id, second.id]);
  assert.deepEqual(
    [await found(`posted_on_lte=${addDays(NOON_DAY, -1)}`), await found(`posted_on_gte=${addDays(NOON_DAY, 1)}`)],
    [[], []],
  );
  assert.equal((await h.world.get('/ledger_transactions?account=pocket', { as: h.world.machine })).status, 400);
});

test('the ledger is for staff who see revenue, and each business sees only its own', async () => {
  const [customer] = await newCustomers(h.world, 1);
  await posted(owes(customer, 100));
  const [{ id }] = (await h.get(`/ledger_transactions?customer=${customer}`)).results;
  const status = async (as?: string) => [
    (await h.world.get('/ledger_transactions', { as })).status,
    (await h.world.get(`/ledger_transactions/${id}`, { as })).status,
  ];
  assert.deepEqual(await status(h.world.staff(['revenue'])), [200, 200]);
  assert.deepEqual(await status(h.world.staff(['customers', 'customer_payments', 'pos'])), [403, 403]);
  assert.deepEqual(await status(h.world.customer(customer)), [403, 403]);
  assert.deepEqual(await status(h.world.meadowMachine), [200, 404]);
  assert.deepEqual(await status(), [401, 401]);
});

test('customers, their family, and staff for customers or money see what a customer owes and can spend', async () => {
  h.world.setNow(NOON);
  const [customer, stranger] = await newCustomers(h.world, 2);
  const nothing = await balance(customer);
  assert.deepEqual(
    Object.entries(nothing).map(([name, value]: any) => [name, value.string ?? value]),
    [
      ['customer', customer],
      ['owed', '0.00'],
      ['unbilled', '0.00'],
      ['credit', '0.00'],
      ['held_credit', '0.00'],
      ['unapplied', '0.00'],
    ],
  );
  await posted(owes(customer, 1130));
  await work((w) => giveCredit(w, { customer, amount: 500, explanation: 'Sorry.' }));
  await posted([
    { account: 'credit', customer, amount: 200 },
    { account: 'credit_held', customer, amount: -200 },
  ]);
  await posted([
    { account: 'clearing', detail: '1', amount: 40 },
    { account: 'unapplied', customer, amount: -40 },
  ]);
  const body = { customer, kind: 'charge', amount: '12.50', explanation: 'A key.' };
  await h.world.post('/account_entries', { as: h.world.machine, body });
  const mine = await balance(customer, h.world.customer(customer));
  assert.deepEqual(
    [mine.owed, mine.unbilled, mine.credit, mine.held_credit, mine.unapplied].map(({ string }) => string),
    ['11.30', '12.50', '3.00', '2.00', '0.40'],
  );
  assert.deepEqual(await balance(customer, h.world.staff(['customers'])), mine);
  const status = async (as?: string) => (await h.world.get(`/customers/${customer}/account_balance`, { as })).status;
  assert.deepEqual(
    [
      await status(h.world.customer(stranger)),
      await status(h.world.staff(['pos'])),
      await status(h.world.meadowMachine),
    ],
    [404, 403, 404],
  );
});

test('a customer shows their available credit if it is expanded', async () => {
  const [customer] = await newCustomers(h.world, 1);
  const credit = async (as = h.world.machine) =>
    (await h.get(`/customers/${customer}?fields=credit_balance`, as)).credit_balance;
  assert.equal((await credit()).string, '0.00');
  await work((w) => giveCredit(w, { customer, amount: 700, explanation: 'Sorry.' }));
  assert.deepEqual([(await credit()).string, (await credit(h.world.customer(customer))).string], ['7.00', '7.00']);
  assert.equal(await credit(h.world.staff(['pos'])), null);
  assert.ok(!('credit_balance' in (await h.get(`/customers/${customer}`))), 'it is read only when asked for');
});
