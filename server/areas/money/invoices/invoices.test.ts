import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applyCredit, applyPayment, issueCreditNote, voidInvoice } from './index.ts';
import { bill, billed, paid, payWith } from './test/invoicing.ts';
import { creditOf, post } from '../ledger/index.ts';
import { feedEnd, feedSince, newCustomers, row } from '../../../test/schedule-world.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

let world: World;
let vat: number;
before(async () => {
  world = await startWorld();
  const tax = { kind: 'tax', type: 'percent', percentage: '13', is_taxable: false, purchase_types: ['event'] };
  vat = await row(world, 'purchase_fee', { name: 'HST', ...tax });
});
after(() => world.close());

const work = <T>(act: (work: Work) => Promise<T>): Promise<T> => world.work(world.harbour, act);
const rows = <T = Record<string, any>>(query: Sql): Promise<T[]> => work(({ tx }) => tx.rows<T>(query));
const customer = async (): Promise<number> => (await newCustomers(world, 1))[0];

const pay = (payer: number, invoice: number, amount: number) => payWith(world, payer, invoice, amount);

const give = (to: number, amount: number) =>
  work((w) =>
    post(w, {
      kind: 'credit_given',
      about: { object: 'customer', id: to },
      explanation: 'A gift.',
      lines: [
        { account: 'credit_given', amount },
        { account: 'credit', customer: to, amount: -amount },
      ],
    }),
  );

const stored = async (id: number): Promise<Record<string, any>> =>
  (await rows(sql`SELECT * FROM invoice WHERE provider_id = ${world.harbour} AND id = ${id}`))[0];

/** Returns the postings about an object of an invoice, as `account:detail amount`. */
const posted = async (kind: string, id: number): Promise<string[]> =>
  (
    await rows(sql`SELECT l.account, l.detail, l.amount_minor FROM ledger_transaction t
      JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id
      WHERE t.provider_id = ${world.harbour} AND t.kind = ${kind} AND t.object_id = ${id} ORDER BY l.id`)
  ).map((line) => `${line.account}${line.detail ? `:${line.detail}` : ''} ${line.amount_minor}`);

const balances = async (of: number): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await rows(sql`SELECT account, amount_minor FROM customer_balance
        WHERE provider_id = ${world.harbour} AND customer_id = ${of} AND amount_minor <> 0 ORDER BY account`)
    ).map((one) => [one.account, one.amount_minor]),
  );

const refused = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

test('an invoice has a number, stores the totals of each line and tax, and reports them to the ledger and the feed', async () => {
  const payer = await customer();
  const since = await feedEnd(world);
  const made = await billed(world, payer, [{}, { list: 2000, discount: 500, type: 'joining_fee', quantity: 2 }]);
  assert.equal(made.total, 4520 + 1695);
  const invoice = await stored(made.id);
  assert.match(invoice.number, /^INV-\d{6}$/);
  assert.deepEqual(
    [invoice.status, invoice.list_minor, invoice.discount_minor, invoice.pre_tax_minor, invoice.fees_minor],
    ['open', 6000, 500, 5500, 715],
  );
  assert.deepEqual([invoice.due_minor, invoice.paid_at, invoice.parties.seller.name], [6215, null, 'Harbour']);
  assert.deepEqual(await posted('invoice_issued', made.id), [
    'receivable 6215',
    'revenue:event_registration -4000',
    `tax:${vat} -520`,
    'revenue:joining_fee -1500',
    `tax:${vat} -195`,
  ]);
  assert.deepEqual(await balances(payer), { receivable: 6215 });
  const [item] = await feedSince(world, since);
  assert.deepEqual([item.kind, item.payload.amount, item.payload.invoice], ['invoice.created', '62.15', made.id]);
});

test('an invoice with nothing due is paid when it is issued', async () => {
  const { id } = await billed(world, await customer(), [{ list: 1000, discount: 1000 }]);
  const { status, paid_at } = await stored(id);
  assert.deepEqual([status, paid_at === null], ['paid', false]);
  assert.deepEqual(await posted('invoice_issued', id), []);
});

test('credit and payments pay an invoice, which is paid when nothing is left', async () => {
  const payer = await customer();
  await give(payer, 1000);
  const { id } = await billed(world, payer, [{}], { pendingOffline: true });
  assert.equal((await stored(id)).status, 'pending_offline');
  await work((w) => applyCredit(w, { invoice: id, amount: 1000, from: 'credit' }));
  await pay(payer, id, 520);
  assert.deepEqual([(await stored(id)).status, (await stored(id)).due_minor], ['pending_offline', 3000]);
  const since = await feedEnd(world);
  await pay(payer, id, 3000);
  const { status, paid_at, due_minor } = await stored(id);
  assert.deepEqual([status, paid_at === null, due_minor], ['paid', false, 0]);
  assert.deepEqual(
    (await feedSince(world, since)).map((item) => item.kind),
    ['invoice.payment_applied', 'invoice.paid'],
  );
  assert.deepEqual([await balances(payer), await work((w) => creditOf(w, payer))], [{}, 0]);
});

test('an invoice refuses more than the amount due, a payment that was already used, and credit that is not there', async () => {
  const payer = await customer();
  const { id } = await billed(world, payer);
  await assert.rejects(pay(payer, id, 4521), refused('invoice_not_due'));
  const by = await paid(world, payer, 200);
  const apply = () => work((w) => applyPayment(w, { invoice: id, ...by, amount: 100, from: 'clearing' }));
  await apply();
  await assert.rejects(apply(), /invoice_charge_once/);
  const credit = work((w) => applyCredit(w, { invoice: id, amount: 1, from: 'credit' }));
  await assert.rejects(credit, /customer_balance_credit/);
  assert.equal((await stored(id)).due_minor, 4420);
});

test('a credit note for a part of a line credits its share of the tax, and becomes account credit', async () => {
  const payer = await customer();
  const { id, lines } = await billed(world, payer);
  await pay(payer, id, 4520);
  const since = await feedEnd(world);
  const note = await work((w) =>
    issueCreditNote(w, {
      invoice: id,
      lines: [{ line: lines[0].id, amount: 1130 }],
      why: 'Half an hour late.',
      to: 'credit',
    }),
  );
  assert.match(note.number, /^CN-\d{6}$/);
  assert.deepEqual([note.total, note.reduces, note.toCredit, note.toRefund], [1130, 0, 1130, 0]);
  assert.deepEqual(await posted('credit_note_issued', note.id), [
    'revenue:event_registration 1000',
    `tax:${vat} 130`,
    'credit -1130',
  ]);
  const { total_minor, fees_minor, credits_invoice_id, reason } = await stored(note.id);
  assert.deepEqual([total_minor, fees_minor, credits_invoice_id, reason], [-1130, -130, id, 'Half an hour late.']);
  assert.equal(await work((w) => creditOf(w, payer)), 1130);
  assert.deepEqual(
    (await feedSince(world, since)).map((item) => [item.kind, item.payload.is_credit_note, item.payload.amount]),
    [['invoice.created', true, '-11.30']],
  );
});

test('the amount due is reduced first, and money is refunded only as far as money was paid', async () => {
  const payer = await customer();
  await give(payer, 520);
  const { id, lines } = await billed(world, payer);
  await work((w) => applyCredit(w, { invoice: id, amount: 520, from: 'credit' }));
  await pay(payer, id, 1000);
  const note = await work((w) =>
    issueCreditNote(w, { invoice: id, lines: [{ line: lines[0].id }], why: 'It was cancelled.', to: 'unapplied' }),
  );
  assert.deepEqual([note.total, note.reduces, note.toRefund, note.toCredit], [4520, 3000, 1000, 520]);
  assert.deepEqual([(await stored(id)).status, (await stored(id)).due_minor], ['paid', 0]);
  assert.deepEqual(await balances(payer), { credit: -520, unapplied: -1000 });
});

test('credit notes never exceed the billed amount, however many there are', async () => {
  const { id, lines } = await billed(world, await customer());
  const [{ id: line }] = lines;
  const credit = (amount?: number) =>
    work((w) => issueCreditNote(w, { invoice: id, lines: [{ line, amount }], why: 'A mistake.', to: 'credit' }));
  await assert.rejects(credit(4521), refused('credit_exceeds_invoice'));
  await credit(4000);
  await assert.rejects(credit(521), refused('credit_exceeds_invoice'));
  await credit();
  await assert.rejects(credit(), refused('credit_exceeds_invoice'));
  await assert.rejects(credit(1), refused('credit_exceeds_invoice'));
});

test('a voided invoice keeps its number, is not due, and can be neither paid nor voided again', async () => {
  const payer = await customer();
  const { id, number, lines } = await billed(world, payer);
  await work((w) => voidInvoice(w, id, 'A mistake.'));
  const after = await stored(id);
  assert.deepEqual([after.status, after.number, after.due_minor], ['voided', number, 0]);
  assert.deepEqual(await balances(payer), {});
  await assert.rejects(pay(payer, id, 1), refused('invoice_voided'));
  await assert.rejects(
    work((w) => voidInvoice(w, id, 'Twice.')),
    refused('invoice_voided'),
  );
  const note = { invoice: id, lines: [{ line: lines[0].id }], why: 'A mistake.', to: 'credit' as const };
  await assert.rejects(
    work((w) => issueCreditNote(w, note)),
    refused('invoice_voided'),
  );
});

test('an invoice that was partly paid cannot be voided', async () => {
  const payer = await customer();
  const { id } = await billed(world, payer);
  await pay(payer, id, 1);
  await assert.rejects(
    work((w) => voidInvoice(w, id, 'A mistake.')),
    refused('invoice_partly_paid'),
  );
});

test('the numbers of a series have no gaps, even after rollbacks', async () => {
  const payer = await customer();
  const first = (await stored((await billed(world, payer)).id)).sequence;
  const undone = work(async (w) => {
    await bill(w, payer);
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  assert.equal((await stored((await billed(world, payer)).id)).sequence, first + 1);
});

test('the database refuses to change any column of an issued invoice, and to delete it', async () => {
  const payer = await customer();
  const { id, lines } = await billed(world, payer);
  await pay(payer, id, 100);
  await give(payer, 10);
  await work((w) => applyCredit(w, { invoice: id, amount: 10, from: 'credit' }));
  // Merging two records of one person changes these; the columns for the state of an invoice are tested below.
  const free: Record<string, string[]> = {
    invoice: ['customer_id', 'status', 'paid_at', 'voided_at', 'void_explanation', 'reminded_at', 'updated_at'],
    invoice_line: ['customer_id'],
  };
  for (const table of ['invoice', 'invoice_line', 'invoice_line_fee', 'invoice_charge', 'invoice_credit']) {
    const key = table === 'invoice' ? sql`id = ${id}` : sql`invoice_id = ${id}`;
    const columns = await rows<{ name: string }>(
      sql`SELECT column_name AS name FROM information_schema.columns
        WHERE table_name = ${table} AND is_generated = 'NEVER'`,
    );
    assert.ok(columns.length > 4);
    for (const { name } of columns.filter((one) => !free[table]?.includes(one.name)))
      await assert.rejects(
        rows(sql`UPDATE ${raw(table)} SET ${raw(name)} = ${raw(name)} WHERE provider_id = ${world.harbour} AND ${key}`),
        /stays as it was issued/,
        `${table}.${name}`,
      );
    await assert.rejects(
      rows(sql`DELETE FROM ${raw(table)} WHERE provider_id = ${world.harbour} AND ${key}`),
      /stays as it was issued/,
    );
  }
  const line = sql`SELECT provider_id, invoice_id, 9, type, description, customer_id, 1, 100, 0, 0, 100, 0, 0, 100
    FROM invoice_line
    WHERE provider_id = ${world.harbour} AND id = ${lines[0].id}`;
  const columns = raw(
    'provider_id, invoice_id, position, type, description, customer_id, quantity, list_minor, discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor, total_minor',
  );
  await assert.rejects(rows(sql`INSERT INTO invoice_line (${columns}) ${line}`), /invoice_lines/);
  const change = (set: string) =>
    rows(sql`UPDATE invoice SET ${raw(set)} WHERE provider_id = ${world.harbour} AND id = ${id}`);
  await assert.rejects(change(`status = 'paid', paid_at = now()`), /invoice_paid/);
  await assert.rejects(change(`status = 'voided', voided_at = now(), void_explanation = 'No.'`), /invoice_voided/);
});

test('the database itself refuses an overpayment and too large a credit note, regardless of the writer', async () => {
  const { id, lines } = await billed(world, await customer());
  const now = new Date(world.now).toISOString();
  const overpaid = row(world, 'invoice_credit', { invoice_id: id, amount_minor: 4521, created_at: now });
  await assert.rejects(overpaid, /invoice_never_overpaid/);
  const note = await work((w) =>
    issueCreditNote(w, { invoice: id, lines: [{ line: lines[0].id, amount: 1000 }], why: 'A mistake.', to: 'credit' }),
  );
  // Another credit note, written past our code, for as much as the whole invoice.
  const beyond = work(async ({ tx }) => {
    const [other] = await tx.rows<{ id: number }>(sql`
      INSERT INTO invoice (provider_id, series, customer_id, status, about_object, about_id, credits_invoice_id, reason,
        issued_on, due_on,
        parties, list_minor, discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor, total_minor,
        reduces_minor, to_credit_minor, paid_at, created_at, updated_at)
      SELECT provider_id, series, customer_id, status, about_object, about_id, credits_invoice_id, reason,
        issued_on, due_on,
        parties, -4520, 0, 0, -4520, 0, 0, -4520, 0, 4520, paid_at, created_at, updated_at
      FROM invoice WHERE provider_id = ${world.harbour} AND id = ${note.id} RETURNING id`);
    await tx.run(sql`
      INSERT INTO invoice_line (provider_id, invoice_id, position, type, description, customer_id, quantity, list_minor,
        discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor, total_minor, credits_line_id)
      SELECT provider_id, ${other.id}, 1, type, description, customer_id, 1, -4520, 0, 0, -4520, 0, 0, -4520, id
      FROM invoice_line WHERE provider_id = ${world.harbour} AND id = ${lines[0].id}`);
  });
  await assert.rejects(beyond, /invoice_line_credited/);
});
