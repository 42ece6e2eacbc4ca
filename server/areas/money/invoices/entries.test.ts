import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addEntry, openEntries, accountReasons } from '../account-entries/index.ts';
import { billed, payWith, type Over } from './test/invoicing.ts';
import { checkLedger, creditOf } from '../ledger/index.ts';
import { issueCreditNote, issueInvoice, voidInvoice, type Issued } from './index.ts';
import { newCustomers, row } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

let world: World;
before(async () => {
  world = await startWorld();
  const tax = { kind: 'tax', type: 'percent', percentage: '13', is_taxable: false, purchase_types: ['event'] };
  await row(world, 'purchase_fee', { name: 'HST', ...tax });
});
after(() => world.close());

const work = <T>(act: (work: Work) => Promise<T>): Promise<T> => world.work(world.harbour, act);
const customer = async (): Promise<number> => (await newCustomers(world, 1))[0];

const entry = (of: number, kind: 'charge' | 'credit', amount: number): Promise<number> =>
  work((w) =>
    addEntry(w, {
      customer: of,
      kind,
      amount,
      reason: accountReasons.items.find(({ name }) => name === 'flat_fee')!,
      subject: null,
      customerMembership: null,
      explanation: `A ${kind} of ${amount}.`,
      dueOn: '2026-06-01',
      period: null,
      ...(kind === 'credit' && { revenue: 'flat_fee' as const }),
    }),
  );

/** Invoices all open entries on the account. */
const collect = (of: number): Promise<Issued> =>
  work(async (w) => {
    const open = await openEntries(w, of);
    return issueInvoice(w, {
      payer: of,
      about: { object: 'customer', id: of },
      dueOn: '2026-06-01',
      discountCode: null,
      lines: open.map(({ id, kind, amount, explanation, revenue }) => {
        const total = kind === 'charge' ? amount : -amount;
        const price = { listPrice: total, discount: 0, includedTaxes: 0, preTax: total, lines: [], rounding: 0, total };
        return {
          type: revenue,
          description: explanation,
          billed: null,
          customer: of,
          quantity: 1,
          price,
          accountEntry: id,
        };
      }),
    });
  });

const balance = async (of: number, account: string): Promise<number> =>
  (
    await work(({ tx }) =>
      tx.rows<{ n: number }>(sql`SELECT amount_minor AS n FROM customer_balance
        WHERE provider_id = ${world.harbour} AND customer_id = ${of} AND account = ${account}`),
    )
  )[0]?.n ?? 0;

test('an invoice collects charges and credits of an account, each once, and they are no longer open', async () => {
  const payer = await customer();
  await entry(payer, 'charge', 3000);
  await entry(payer, 'credit', 1000);
  assert.equal(await balance(payer, 'unbilled'), 2000);
  const { id, total } = await collect(payer);
  assert.deepEqual([total, await balance(payer, 'unbilled'), await balance(payer, 'receivable')], [2000, 0, 2000]);
  assert.deepEqual(await work((w) => openEntries(w, payer)), []);
  const invoice = (await world.get(`/invoices/${id}?expand=line_items,adjustments`, { as: world.machine })).body;
  assert.deepEqual(
    [invoice.line_items, invoice.adjustments].map((lines) => lines.map((one: any) => (one.amount ?? one.price).string)),
    [['30.00'], ['-10.00']],
  );
});

test('two concurrent invoices do not both collect an entry', async () => {
  const payer = await customer();
  await entry(payer, 'charge', 3000);
  const both = await Promise.allSettled([collect(payer), collect(payer)]);
  // The second finds nothing open, or an entry that is no longer open.
  assert.equal(both.filter((one) => one.status === 'fulfilled' && one.value.total === 3000).length, 1);
  assert.equal(await balance(payer, 'receivable'), 3000);
});

test('a voided invoice forgives the charges that it collected, and leaves its credits to the customer', async () => {
  const payer = await customer();
  await entry(payer, 'charge', 3000);
  await entry(payer, 'credit', 1000);
  const { id } = await collect(payer);
  await work((w) => voidInvoice(w, id, 'A mistake.'));
  assert.deepEqual(
    [await balance(payer, 'receivable'), await balance(payer, 'unbilled'), await work((w) => creditOf(w, payer))],
    [0, 0, 1000],
  );
});

test('after invoices were paid, voided, and partly credited, the ledger agrees with them', async () => {
  const [a, b] = await newCustomers(world, 2);
  const lines: Over[] = [{ list: 999 }, { list: 4001, discount: 333 }, { list: 17 }];
  const one = await billed(world, a, lines);
  const two = await billed(world, b, lines);
  const three = await billed(world, b, lines);
  await payWith(world, a, one.id, 2000);
  for (const amount of [1, 100, 333, 7])
    await work((w) =>
      issueCreditNote(w, { invoice: one.id, lines: [{ line: one.lines[1].id, amount }], why: 'A part.', to: 'credit' }),
    );
  await work((w) => voidInvoice(w, two.id, 'A mistake.'));
  await work((w) =>
    issueCreditNote(w, {
      invoice: three.id,
      lines: three.lines.map(({ id: line }) => ({ line })),
      why: 'All.',
      to: 'credit',
    }),
  );
  await entry(a, 'charge', 700);
  await collect(a);
  assert.deepEqual(await work((w) => checkLedger(w)), []);
  await work(({ tx }) =>
    tx.run(sql`UPDATE invoice SET customer_id = ${b} WHERE provider_id = ${world.harbour} AND id = ${one.id}`),
  );
  const found = await work((w) => checkLedger(w));
  assert.ok(JSON.stringify(found).includes(`customer ${a}`), JSON.stringify(found));
});
