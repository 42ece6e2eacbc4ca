import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { creditOf, lockAccounts, post, postAll, type LedgerLine, type Posting } from './index.ts';
import { newCustomers } from '../../../test/schedule-world.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const work = <T>(act: (work: Work) => Promise<T>): Promise<T> => world.work(world.harbour, act);
const rows = (query: ReturnType<typeof sql>) => work(({ tx }) => tx.rows<Record<string, any>>(query));

let last = 0;
const posting = (lines: readonly LedgerLine[], over: Partial<Posting> = {}): Posting => ({
  kind: 'credit_given',
  about: { object: 'account_entry', id: (last += 1) },
  explanation: 'A gift.',
  lines,
  ...over,
});

const given = (customer: number, amount: number): LedgerLine[] => [
  { account: 'credit_given', amount },
  { account: 'credit', customer, amount: -amount },
];

const spent = (customer: number, amount: number): LedgerLine[] => [
  { account: 'credit', customer, amount },
  { account: 'receivable', customer, amount: -amount },
];

const balances = async (customer: number): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await rows(
        sql`SELECT account, amount_minor AS n FROM customer_balance
          WHERE provider_id = ${world.harbour} AND customer_id = ${customer} AND amount_minor <> 0 ORDER BY account`,
      )
    ).map(({ account, n }) => [account, n]),
  );

test('a transaction keeps its lines in their order, and balances are the sums of lines', async () => {
  const [a, b] = await newCustomers(world, 2);
  const one = posting([
    { account: 'receivable', customer: a, amount: 1130 },
    { account: 'revenue', detail: 'pack_membership', amount: -1000 },
    { account: 'rounding', amount: 0 },
    { account: 'tax', detail: '7', amount: -130 },
  ]);
  const two = posting([...given(b, 500), ...given(a, 200)]);
  await work((w) => postAll(w, [one, two]));
  const lines = await rows(sql`SELECT t.object_id, l.account, l.detail, l.customer_id, l.amount_minor
    FROM ledger_line l JOIN ledger_transaction t ON t.provider_id = l.provider_id AND t.id = l.transaction_id
    WHERE l.provider_id = ${world.harbour} AND t.object_id = ANY(${[one.about.id, two.about.id]}::bigint[])
    ORDER BY l.id`);
  assert.deepEqual(
    lines.map((line) => Object.values(line)),
    [
      [one.about.id, 'receivable', null, a, 1130],
      [one.about.id, 'revenue', 'pack_membership', null, -1000],
      [one.about.id, 'tax', '7', null, -130],
      [two.about.id, 'credit_given', null, null, 500],
      [two.about.id, 'credit', null, b, -500],
      [two.about.id, 'credit_given', null, null, 200],
      [two.about.id, 'credit', null, a, -200],
    ],
  );
  assert.deepEqual([await balances(a), await balances(b)], [{ credit: -200, receivable: 1130 }, { credit: -500 }]);
  await work((w) => post(w, posting(spent(a, 150))));
  assert.deepEqual(await balances(a), { credit: -50, receivable: 980 });
  assert.equal(await work((w) => creditOf(w, a)), 50);
  assert.equal(await work((w) => creditOf(w, b + 1_000_000)), 0);
});

test('a transaction whose lines are all zero is not posted', async () => {
  const nothing = posting([{ account: 'rounding', amount: 0 }]);
  await work((w) => postAll(w, [nothing]));
  await work((w) => postAll(w, []));
  assert.deepEqual(await rows(sql`SELECT FROM ledger_transaction WHERE object_id = ${nothing.about.id}`), []);
});

test('the database refuses a transaction whose debits and credits differ, and rolls back everything with it', async () => {
  const [customer] = await newCustomers(world, 1);
  const wrong = posting([
    { account: 'credit_given', amount: 100 },
    { account: 'credit', customer, amount: -99 },
  ]);
  await assert.rejects(
    work((w) => postAll(w, [posting(given(customer, 5)), wrong])),
    /debits and credits .* differ/,
  );
  assert.deepEqual(await balances(customer), {});
  // Two transactions that differ by the same amount do not balance each other.
  const [more, less] = [posting(given(customer, 5)), posting(given(customer, 5))];
  const moved = { ...more, lines: [...more.lines, { account: 'rounding', amount: 3 } as const] };
  const back = { ...less, lines: [...less.lines, { account: 'rounding', amount: -3 } as const] };
  await assert.rejects(
    work((w) => postAll(w, [moved, back])),
    /differ/,
  );
});

test('nothing is posted twice', async () => {
  const [customer] = await newCustomers(world, 1);
  const once = posting(given(customer, 100));
  await work((w) => post(w, once));
  await assert.rejects(
    work((w) => post(w, once)),
    /ledger_transaction_once/,
  );
  await work((w) => post(w, { ...once, kind: 'credit_taken_back', lines: once.lines.map(opposite) }));
  assert.deepEqual(await balances(customer), {});
});

const opposite = (line: LedgerLine): LedgerLine => ({ ...line, amount: -line.amount });

test('the database refuses to change any column of a posting, to delete it, and to write a balance', async () => {
  const [customer] = await newCustomers(world, 1);
  await work((w) => post(w, posting(given(customer, 100))));
  const mine = `provider_id = ${world.harbour}`;
  const refused = (text: string, why: RegExp) =>
    assert.rejects(
      work(({ tx }) => tx.run(raw(text))),
      why,
      text,
    );
  const columns = await rows(
    sql`SELECT table_name::text AS t, column_name::text AS c FROM information_schema.columns
      WHERE table_name IN ('ledger_transaction', 'ledger_line')`,
  );
  assert.ok(columns.length > 10);
  for (const { t, c } of columns)
    if (c !== 'customer_id') await refused(`UPDATE ${t} SET ${c} = ${c} WHERE ${mine}`, /the ledger stays/);
  for (const t of ['ledger_transaction', 'ledger_line'])
    await refused(`DELETE FROM ${t} WHERE ${mine}`, /the ledger stays/);
  await refused(`UPDATE customer_balance SET amount_minor = -5 WHERE ${mine}`, /a balance is what the lines/);
  await refused(`DELETE FROM customer_balance WHERE ${mine}`, /a balance is what the lines/);
  await refused(
    `INSERT INTO customer_balance (provider_id, customer_id, account, amount_minor)
      VALUES (${world.harbour}, ${customer}, 'unbilled', 5)`,
    /a balance is what the lines/,
  );
});

test('each account belongs to a customer or to the business, and names its detail if there are several', async () => {
  const [customer] = await newCustomers(world, 1);
  const other: LedgerLine = { account: 'rounding', amount: -1 };
  for (const [line, why] of [
    [{ account: 'receivable', amount: 1 }, /ledger_line_of_customer/],
    [{ account: 'rounding', customer, amount: 1 }, /ledger_line_of_customer/],
    [{ account: 'clearing', amount: 1 }, /ledger_line_detail/],
    [{ account: 'pocket', amount: 1 }, /ledger_line_account_check/],
  ] as [LedgerLine, RegExp][])
    await assert.rejects(
      work((w) => post(w, posting([line, other]))),
      why,
    );
});

test('two concurrent connections cannot spend the same credit, although neither locked the account', async () => {
  const [customer] = await newCustomers(world, 1);
  await work((w) => post(w, posting(given(customer, 1000))));
  const attempts = await Promise.allSettled(
    Array.from({ length: 6 }, () => work((w) => post(w, posting(spent(customer, 400))))),
  );
  const refused = attempts.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 4);
  for (const { reason } of refused) assert.match(String(reason), /customer_balance_credit/);
  assert.deepEqual(await balances(customer), { credit: -200, receivable: -800 });
});

test('the first to lock the accounts sees the remaining credit, and two that lock the same accounts never deadlock', async () => {
  const customers = await newCustomers(world, 3);
  await work((w) =>
    postAll(
      w,
      customers.map((customer) => posting(given(customer, 1000))),
    ),
  );
  const spend = (order: readonly number[]) =>
    work(async (w) => {
      await lockAccounts(w, order);
      let taken = 0;
      for (const customer of order) {
        const amount = Math.min(700, await creditOf(w, customer));
        await post(w, posting(spent(customer, amount)));
        taken += amount;
      }
      return taken;
    });
  const taken = await Promise.all([spend(customers), spend(customers.toReversed()), spend(customers)]);
  assert.deepEqual(
    taken.toSorted((a, b) => b - a),
    [2100, 900, 0],
  );
  for (const customer of customers) assert.deepEqual(await balances(customer), { receivable: -1000 });
});

test('merging two customers merges their lines and balances', async () => {
  const [kept, merged] = await newCustomers(world, 2);
  await work((w) => postAll(w, [posting(given(kept, 300)), posting(given(merged, 500)), posting(spent(merged, 100))]));
  const answer = await world.post(`/customers/${kept}/merge`, { as: world.machine, body: { from: merged } });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([await balances(kept), await balances(merged)], [{ credit: -700, receivable: -100 }, {}]);
  await work((w) => post(w, posting(spent(kept, 700))));
  await assert.rejects(
    work((w) => post(w, posting(spent(kept, 1)))),
    /customer_balance_credit/,
  );
});
