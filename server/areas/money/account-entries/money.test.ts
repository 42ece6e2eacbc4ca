import assert from 'node:assert/strict';
import { plain, priceOfCharged } from '../../pricing/fees/index.ts';
import { after, before, test } from 'node:test';
import {
  accountReasons,
  addEntry,
  creditAccounts,
  giveCredit,
  openEntries,
  settleEntries,
  voidEntries,
  voidEntriesOf,
  type NewEntry,
} from './index.ts';
import { billed } from '../invoices/test/invoicing.ts';
import { creditOf, lockAccounts, post } from '../ledger/index.ts';
import { feedEnd, feedSince, newCustomers } from '../../../test/schedule-world.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

let world: World;
const NOON = Date.parse('2026-06-10T16:00:00Z');
before(async () => {
  world = await startWorld();
  world.setNow(NOON);
});
after(() => world.close());

const work = <T>(act: (work: Work) => Promise<T>): Promise<T> => world.work(world.harbour, act);
const as = () => world.machine;

/** Settles entries of one customer as an invoice does. */
const settle = (customer: number, ids: readonly number[], invoice: number): Promise<void> =>
  work(async (w) => {
    await lockAccounts(w, [customer]);
    await settleEntries(w, ids, invoice);
  });

let last = 7_000_000;
const penalty = (customer: number, over: Partial<NewEntry> = {}): NewEntry => ({
  customer,
  kind: 'charge',
  amount: 1000,
  reason: accountReasons.items.find(({ name }) => name === 'penalty')!,
  subject: (last += 1),
  customerMembership: null,
  explanation: 'One absence too many.',
  dueOn: '2026-06-10',
  period: null,
  ...over,
});

/** Creates an invoice and returns its id. */
const newInvoice = async (): Promise<number> => (await billed(world, await world.newCustomer())).id;

/** Returns the balances of a customer's accounts and the revenue, by transaction. */
const balances = (customer: number) =>
  work(async ({ tx }) =>
    Object.fromEntries(
      (
        await tx.rows<{ account: string; n: number }>(
          sql`SELECT account, amount_minor AS n FROM customer_balance
            WHERE provider_id = ${world.harbour} AND customer_id = ${customer} AND amount_minor <> 0 ORDER BY account`,
        )
      ).map(({ account, n }) => [account, n]),
    ),
  );

const revenue = (detail: string) =>
  work(async ({ tx }) => {
    const row = await tx.one<{ n: number }>(
      sql`SELECT coalesce(-sum(amount_minor), 0)::bigint AS n FROM ledger_line
        WHERE provider_id = ${world.harbour} AND account = 'revenue' AND detail = ${detail}`,
    );
    return row!.n;
  });

const entry = async (id: number, caller = as()) => (await world.get(`/account_entries/${id}`, { as: caller })).body;
const add = (body: unknown, caller = as(), query = '') => world.post(`/account_entries${query}`, { as: caller, body });

test('a charge is owed and counts as revenue when it is decided, and neither once it is voided', async () => {
  const [customer] = await newCustomers(world, 1);
  const before = await revenue('membership_penalty_fee');
  const charge = await work((w) => addEntry(w, penalty(customer)));
  await work((w) => addEntry(w, penalty(customer, { kind: 'credit', amount: 300 })));
  assert.deepEqual(
    [await balances(customer), (await revenue('membership_penalty_fee')) - before],
    [{ unbilled: 700 }, 700],
  );
  await work((w) => voidEntries(w, [charge], 'A mistake.'));
  assert.deepEqual(
    [await balances(customer), (await revenue('membership_penalty_fee')) - before],
    [{ unbilled: -300 }, -300],
  );
});

test('the revenue type of an entry is that of its invoice line, regardless of its reason', async () => {
  const [customer] = await newCustomers(world, 1);
  await work((w) => addEntry(w, penalty(customer, { revenue: 'pack_membership' })));
  const [open] = await work((w) => openEntries(w, customer));
  assert.equal(open.revenue, 'pack_membership');
  assert.equal(await revenue('pack_membership'), 1000);
});

test('a penalty is charged once: the database refuses another charge of it until the first is voided', async () => {
  const [customer] = await newCustomers(world, 1);
  const of = penalty(customer);
  const first = await work((w) => addEntry(w, of));
  await assert.rejects(
    work((w) => addEntry(w, of)),
    /account_entry_once/,
  );
  await work((w) => voidEntries(w, [first], 'A mistake.'));
  const second = await work((w) => addEntry(w, of));
  // An invoiced penalty is still charged.
  const invoice = await newInvoice();
  await settle(customer, [second], invoice);
  await assert.rejects(
    work((w) => addEntry(w, of)),
    /account_entry_once/,
  );
});

test('open entries are invoiced once, all or none of them', async () => {
  const [customer] = await newCustomers(world, 1);
  const late = await work((w) => addEntry(w, penalty(customer, { dueOn: '2026-07-01' })));
  const early = await work((w) => addEntry(w, penalty(customer, { amount: 250, explanation: 'Once more.' })));
  const open = (dueBy?: string) => work((w) => openEntries(w, customer, { dueBy }));
  assert.deepEqual(await open('2026-06-30'), [
    {
      id: early,
      kind: 'charge',
      amount: 250,
      price: priceOfCharged(plain(250)),
      reason: 'penalty',
      explanation: 'Once more.',
      dueOn: '2026-06-10',
      revenue: 'membership_penalty_fee',
      byHand: false,
      waits: false,
    },
  ]);
  assert.deepEqual(
    (await open()).map(({ id }) => id),
    [early, late],
  );
  const [one, two] = [await newInvoice(), await newInvoice()];
  const since = await feedEnd(world);
  await settle(customer, [late, early], one);
  assert.deepEqual([await open(), (await entry(early)).status], [[], 'invoiced']);
  const twice = (ids: number[]) => settle(customer, ids, two);
  await assert.rejects(twice([early]), /was voided, credited or invoiced in the meantime/);
  const raced = await work((w) => addEntry(w, penalty(customer)));
  await assert.rejects(twice([raced, late]), /in the meantime/);
  assert.equal((await entry(raced)).status, 'open', 'all of them or none');
  assert.deepEqual(
    (await feedSince(world, since))
      .filter(({ kind }) => kind !== 'account_entry.created')
      .map(({ kind, payload }: any) => [kind, payload.account_entry]),
    [
      ['account_entry.invoiced', late],
      ['account_entry.invoiced', early],
    ],
  );
});

test('two connections cannot put the same entry on two invoices', async () => {
  const [customer] = await newCustomers(world, 1);
  const id = await work((w) => addEntry(w, penalty(customer)));
  const invoices = [await newInvoice(), await newInvoice(), await newInvoice()];
  const attempts = await Promise.allSettled(invoices.map((one) => settle(customer, [id], one)));
  assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('an entry is settled while another transaction refers to it and waits for its account', async () => {
  const [customer] = await newCustomers(world, 1);
  const id = await work((w) => addEntry(w, penalty(customer)));
  const invoice = await newInvoice();
  await work(async (w) => {
    // Like the item of a checkout, which has a foreign key.
    await w.tx.run(sql`SELECT FROM account_entry WHERE provider_id = ${world.harbour} AND id = ${id} FOR KEY SHARE`);
    await work(async (other) => {
      await other.tx.run(sql`SET LOCAL lock_timeout = '2s'`);
      await lockAccounts(other, [customer]);
      await settleEntries(other, [id], invoice);
    });
    await lockAccounts(w, [customer]);
  });
  assert.equal((await entry(id)).status, 'invoiced');
});

test('tests fail if an entry is written before its account is locked', async () => {
  const [customer] = await newCustomers(world, 1);
  const id = await work((w) => addEntry(w, penalty(customer)));
  const invoice = await newInvoice();
  await assert.rejects(
    work((w) => settleEntries(w, [id], invoice)),
    /before their account is locked/,
  );
});

test('the database guarantees one end of an entry: one invoice, and neither voided nor credited', async () => {
  const [customer] = await newCustomers(world, 1);
  const id = await work((w) => addEntry(w, penalty(customer, { kind: 'credit' })));
  const [one, two] = [await newInvoice(), await newInvoice()];
  await settle(customer, [id], one);
  const change = (set: string, changed = id) =>
    work(async (w) => {
      await lockAccounts(w, [customer]);
      await w.tx.run(raw(`UPDATE account_entry SET ${set} WHERE provider_id = ${world.harbour} AND id = ${changed}`));
    });
  for (const set of [
    `settled_invoice_id = ${two}`,
    `voided_at = now(), void_explanation = 'No.'`,
    'credited_at = now()',
    'settled_invoice_id = NULL',
    `settled_invoice_id = NULL, voided_at = now(), void_explanation = 'No.'`,
  ])
    await assert.rejects(change(set), /stays as it was decided/, set);
  const charge = await work((w) => addEntry(w, penalty(customer)));
  world.setNow(world.now + 1000);
  await assert.rejects(change('credited_at = now()', charge), /account_entry_check/, 'a charge is never credit');
});

test('an invoiced charge is reversed by a credit, once, and the penalty stays charged', async () => {
  const [customer] = await newCustomers(world, 1);
  const of = penalty(customer);
  const charge = await work((w) => addEntry(w, of));
  const invoice = await newInvoice();
  await settle(customer, [charge], invoice);
  const takeBack = () => work((w) => voidEntriesOf(w, 'membership_penalty', [of.subject!], 'The penalty was voided.'));
  await takeBack();
  await takeBack();
  const [back, ...more] = (await world.get(`/account_entries?customer=${customer}&status=open`, { as: as() })).body
    .results;
  assert.deepEqual(
    [back.kind, back.amount.string, back.reverses, back.explanation, back.subject.id, back.due_date, more],
    [
      'credit',
      '10.00',
      charge,
      'The penalty was voided. The charge had already been invoiced.',
      of.subject,
      '2026-06-10',
      [],
    ],
  );
  assert.deepEqual([(await entry(charge)).status, await balances(customer)], ['invoiced', {}]);
  const refused = await world.post(`/account_entries/${back.id}/void`, { as: as(), body: { explanation: 'No.' } });
  assert.deepEqual(
    [refused.status, refused.body.message],
    [409, `The entry takes back account entry ${charge}, so it can’t be voided.`],
  );
});

test('staff add a charge that is open and due today by default, and the customer reads the reason', async () => {
  const [customer] = await newCustomers(world, 1);
  const body = { customer, kind: 'charge', amount: '12.50', explanation: 'A lost key.' };
  const preview = await add(body, as(), '?dry_run=true');
  assert.deepEqual(await balances(customer), {});
  const { status, body: made } = await add(body);
  assert.equal(status, 201);
  const { id: _, created_at: _at, amount, ...shown } = made;
  assert.deepEqual(shown, {
    object: 'account_entry',
    customer,
    kind: 'charge',
    status: 'open',
    reason: 'flat_fee',
    explanation: 'A lost key.',
    subject: { object: null, id: null },
    customer_membership: null,
    due_date: '2026-06-10',
    period_start_date: null,
    period_end_date: null,
    returned_line_item: null,
    returned_entry: null,
    reverses: null,
    credited_at: null,
    voided_at: null,
    void_explanation: null,
  });
  const { effect, object, detail } = preview.body.effects.find((one: any) => one.effect === 'charge');
  assert.deepEqual([effect, object, detail.amount_minor, amount.string], ['charge', 'account_entry', 1250, '12.50']);
  assert.deepEqual(await balances(customer), { unbilled: 1250 });
  assert.equal((await entry(made.id, world.customer(customer))).explanation, 'A lost key.');
  assert.equal((await add({ ...body, due_date: '2026-08-01' })).body.due_date, '2026-08-01');
});

test('staff void open entries, once, with a reason', async () => {
  const [customer] = await newCustomers(world, 1);
  const { id } = (await add({ customer, kind: 'charge', amount: '12.50', explanation: 'A lost key.' })).body;
  const voided = (explanation: string) =>
    world.post(`/account_entries/${id}/void`, { as: as(), body: { explanation } });
  const first = await voided('Found again.');
  assert.deepEqual([first.status, first.body.status, first.body.void_explanation], [200, 'voided', 'Found again.']);
  assert.equal((await voided('Twice.')).body.void_explanation, 'Found again.');
  assert.deepEqual(await balances(customer), {});
  const other = (await add({ customer, kind: 'charge', amount: '2', explanation: 'A towel.' })).body.id;
  const invoice = await newInvoice();
  await settle(customer, [other], invoice);
  const refused = await world.post(`/account_entries/${other}/void`, { as: as(), body: { explanation: 'No.' } });
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /on an invoice/);
});

test('account credit from staff can be spent immediately and cannot be voided', async () => {
  const [customer] = await newCustomers(world, 1);
  const body = { customer, kind: 'credit', amount: '20.00', explanation: 'Sorry for the cold water.' };
  const { body: given } = await add(body);
  assert.deepEqual([given.status, given.reason, given.credited_at !== null], ['credited', 'goodwill', true]);
  assert.deepEqual([await balances(customer), await work((w) => creditOf(w, customer))], [{ credit: -2000 }, 2000]);
  assert.equal((await work((w) => giveCredit(w, { customer, amount: 5, explanation: 'More.' }))) > given.id, true);
  assert.equal(await work((w) => creditOf(w, customer)), 2005);
  const refused = await world.post(`/account_entries/${given.id}/void`, { as: as(), body: { explanation: 'No.' } });
  assert.deepEqual(
    [refused.status, refused.body.message],
    [409, 'The customer already has this credit, so it can’t be voided. Charge the account instead.'],
  );
});

test('given credit is reversed by a charge, even if it is spent', async () => {
  const [customer] = await newCustomers(world, 1);
  const gift = await work((w) => giveCredit(w, { customer, amount: 500, explanation: 'Sorry.' }));
  await work((w) =>
    post(w, {
      kind: 'spent',
      about: { object: 'account_entry', id: gift },
      explanation: 'Spent.',
      lines: [
        { account: 'credit', customer, amount: 500 },
        { account: 'rounding', amount: -500 },
      ],
    }),
  );
  await work((w) => voidEntries(w, [gift], 'It was meant for somebody else.'));
  const [back] = await work((w) => openEntries(w, customer));
  assert.deepEqual([back.kind, back.amount, back.reason, back.revenue], ['charge', 500, 'goodwill', 'flat_fee']);
  assert.deepEqual(await balances(customer), { unbilled: 500 });
});

test('an invalid charge or credit is refused by the name of the property, and only some staff may add one', async () => {
  const [customer] = await newCustomers(world, 1);
  const charge = { customer, kind: 'charge', amount: '1.00', explanation: 'A towel.' };
  const fields = async (over: object) => Object.keys((await add({ ...charge, ...over })).body.field_errors);
  assert.deepEqual(await fields({ amount: '0.00' }), ['amount']);
  assert.deepEqual(await fields({ amount: '1.005' }), ['amount']);
  assert.deepEqual(await fields({ kind: 'credit', due_date: '2026-07-01' }), ['due_date']);
  assert.deepEqual(await fields({ customer: 999_999_999 }), ['customer']);
  const status = async (caller?: string) => (await add(charge, caller as string)).status;
  assert.equal(await status(world.staff(['customer_payments'])), 201);
  assert.equal(await status(world.staff(['customers', 'revenue', 'pos'])), 403);
  assert.equal(await status(world.customer(customer)), 403);
});

test('a credit that no invoice has included in time becomes account credit once its day has ended', async () => {
  const [customer, other] = await newCustomers(world, 2);
  const credit = (over: Partial<NewEntry>) => work((w) => addEntry(w, penalty(customer, { kind: 'credit', ...over })));
  const [yesterday, today, invoiced, voided] = [
    await credit({ dueOn: '2026-06-09', amount: 100 }),
    await credit({ dueOn: '2026-06-10', amount: 200 }),
    await credit({ dueOn: '2026-06-09', amount: 400 }),
    await credit({ dueOn: '2026-06-09', amount: 800 }),
  ];
  const charge = await work((w) => addEntry(w, penalty(other, { dueOn: '2026-06-09' })));
  const invoice = await newInvoice();
  await settle(customer, [invoiced], invoice);
  await work((w) => voidEntries(w, [voided], 'A mistake.'));
  const statuses = async () => [
    (await entry(yesterday)).status,
    (await entry(today)).status,
    (await entry(invoiced)).status,
    (await entry(voided)).status,
    (await entry(charge)).status,
  ];
  const since = await feedEnd(world);
  await work(creditAccounts);
  await work(creditAccounts);
  assert.deepEqual(await statuses(), ['credited', 'open', 'invoiced', 'voided', 'open']);
  assert.deepEqual(
    (await feedSince(world, since)).map(({ kind, payload }: any) => [kind, payload.account_entry]),
    [['account_entry.credited', yesterday]],
  );
  assert.equal(await work((w) => creditOf(w, customer)), 100);
  world.setNow(NOON + 86_400_000);
  await work(creditAccounts);
  assert.deepEqual(await statuses(), ['credited', 'credited', 'invoiced', 'voided', 'open']);
  assert.equal(await work((w) => creditOf(w, customer)), 300);
  // It can be spent, so a charge reverses it.
  await work((w) => voidEntries(w, [today], 'The hold was deleted.'));
  const [back] = await work((w) => openEntries(w, customer));
  assert.deepEqual(
    [back.kind, back.amount, back.explanation],
    ['charge', 200, 'The hold was deleted. The credit had already been added to the account credit.'],
  );
  world.setNow(NOON);
});
