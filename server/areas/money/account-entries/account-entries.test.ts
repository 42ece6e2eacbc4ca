import assert from 'node:assert/strict';
import { bill } from '../../../test/worlds/billed.ts';
import { after, before, test } from 'node:test';
import { accountReasons, addEntries, voidEntriesOf, type NewEntry } from './index.ts';
import { book, feedEnd, feedSince, newCustomers, newEvent, row } from '../../../test/schedule-world.ts';
import { HoldWorld, NOON } from '../../../test/worlds/hold-world.ts';
import { readPenalties } from '../../../test/worlds/penalty-world.ts';
import { whatKeeps } from '../../communication/crm/deletion/deletion-blockers.ts';
import { seed } from '../../../test/seeds.ts';

let h: HoldWorld;
before(async () => {
  h = await HoldWorld.start();
});
after(() => h.close());

const list = async (query: string, as = h.world.machine): Promise<any[]> =>
  (await h.get(`/account_entries?sort=id&${query}`, as)).results;

const ids = async (query: string, as = h.world.machine): Promise<number[]> =>
  (await list(query, as)).map(({ id }) => id);

/**
 * Creates a customer with a plan for 30.00 a month from today, and puts it on hold: a credit in June, a charge in
 * August.
 */
async function onHold() {
  h.world.setNow(NOON);
  const owner = await h.holder((await h.m.recurring([], { price: '30.00' })).membership);
  const hold = await h.hold(owner.owned, '2026-06-25', '2026-08-19');
  const [credit, charge] = await list(`customer_membership=${owner.owned}`);
  return { ...owner, hold, credit, charge };
}

/** Creates a customer with a pack who cancels late once more than is free. */
async function penalised() {
  h.world.setNow(NOON);
  const membership = await h.m.pack(10);
  const owner = await h.holder(membership);
  const body = {
    name: 'House rules',
    memberships: [membership],
    late_cancel_rule: { price: '10.00', max_infractions: 1, days: 30 },
  };
  const system = await h.world.post('/membership_penalty_systems', { as: h.world.machine, body });
  assert.equal(system.status, 201, system.text);
  for (let i = 0; i < 2; i++) {
    const { id: event } = await newEvent(h.world, h.m.place, { in: 24 });
    await book(h.world, event, owner.customer);
    const cancelled = { customer: owner.customer, is_late_cancel: true };
    await h.world.post(`/events/${event}/unregister`, { as: h.world.machine, body: cancelled });
  }
  await readPenalties(h.world);
  const [penalty] = (await h.get(`/membership_penalties?customer_membership=${owner.owned}`)).results;
  return { ...owner, system: system.body.id as number, penalty };
}

test('a hold credits and charges the account of the customer who owns the membership, and states the days and the reason', async () => {
  const { customer, owned, credit, charge } = await onHold();
  const { id, amount, explanation, created_at, returned_line_item, ...shown } = credit;
  assert.deepEqual(shown, {
    object: 'account_entry',
    customer,
    kind: 'credit',
    status: 'open',
    reason: 'hold',
    subject: { object: 'customermembership', id: owned },
    customer_membership: owned,
    due_date: '2026-06-25',
    period_start_date: '2026-06-10',
    period_end_date: '2026-07-09',
    reverses: null,
    returned_entry: null,
    credited_at: null,
    voided_at: null,
    void_explanation: null,
  });
  assert.equal(typeof returned_line_item, 'number');
  assert.deepEqual([amount.string, amount.iso_currency_code], ['15.00', 'cad']);
  assert.match(explanation, /^Credit of \$15\.00: the hold covers 15 of 30 days /);
  const at = Date.parse(created_at);
  assert.ok(at >= NOON && at <= h.world.now, created_at);
  assert.deepEqual(
    [charge.kind, charge.reason, charge.customer, charge.due_date],
    ['charge', 'reactivation', customer, '2026-08-20'],
  );
  assert.deepEqual(await h.get(`/account_entries/${id}`), credit);
});

test('an upgrade credits the new membership, which can be expanded, and its dry run shows this', async () => {
  const { customer, owned } = await h.holder((await h.m.recurring()).membership);
  const { membership } = await h.m.recurring([], { price: '90.00' });
  h.world.setNow(NOON + 9 * 86_400_000);
  const upgrade = (query: string) =>
    h.world.post(`/customer_memberships/${owned}/upgrade${query}`, { as: h.world.machine, body: { membership } });
  const preview = await upgrade('?dry_run=true');
  assert.deepEqual(await ids(`customer=${customer}`), []);
  const done = await upgrade('');
  assert.equal(done.status, 200, done.text);
  const [credit, ...more] = await list(`customer=${customer}&expand=customer_membership,customer`);
  assert.deepEqual([credit.kind, credit.reason, credit.amount.string, more], ['credit', 'upgrade', '28.00', []]);
  assert.deepEqual(credit.subject, { object: 'customermembership', id: done.body.id });
  assert.deepEqual(
    [credit.customer_membership.id, credit.customer_membership.status, credit.customer.id],
    [done.body.id, 'active', customer],
  );
  const { object, detail } = preview.body.effects.find((one: any) => one.effect === 'credit');
  assert.deepEqual(
    [object, detail.amount_minor, detail.reason, detail.explanation, detail.due_date],
    ['customermembership', 2800, 'upgrade', credit.explanation, credit.due_date],
  );
});

test("a penalty's entry is for the penalty, belongs to the membership, and names its charge; voiding one voids the other", async () => {
  const { customer, owned, system, penalty } = await penalised();
  const [charge, ...more] = await list(`customer_membership=${owned}`);
  assert.deepEqual(
    [charge.kind, charge.reason, charge.amount.string, charge.customer, charge.due_date, more],
    ['charge', 'penalty', '10.00', customer, penalty.due_date, []],
  );
  assert.deepEqual(charge.subject, { object: 'membership_penalty', id: penalty.id });
  assert.equal(penalty.account_entry, charge.id);
  assert.deepEqual(await ids(`subject_object=membership_penalty&subject_id=${penalty.id}`), [charge.id]);
  const path = `/membership_penalty_systems/${system}/void_pending`;
  assert.equal((await h.world.post(path, { as: h.world.machine, body: {} })).status, 200);
  const { voided_at, void_explanation, ...rest } = await h.get(`/account_entries/${charge.id}`);
  assert.deepEqual([voided_at === null, void_explanation], [false, 'The penalty was voided.']);
  assert.equal(rest.status, 'voided');
  assert.deepEqual(
    { ...rest, status: 'open', voided_at: null, void_explanation: null },
    charge,
    'nothing else has changed',
  );
});

test('an entry that no longer applies is voided with a reason, in the feed and the audit too; another entry replaces it', async () => {
  const { customer, owned, hold, credit, charge } = await onHold();
  const since = await feedEnd(h.world);
  assert.equal((await h.edit(hold, { days_to_add: 5 })).status, 200);
  const [first, second, third] = await list(`customer_membership=${owned}`);
  assert.deepEqual(first, credit, 'what says the same stays');
  assert.deepEqual(
    [second.id, second.void_explanation, third.voided_at],
    [charge.id, 'The hold or its membership changed, so the amount was calculated again.', null],
  );
  const payload = (entry: any) => ({
    account_entry: entry.id,
    customer,
    customer_membership: owned,
    subject: { object: 'customermembership', id: owned },
    kind: 'charge',
    reason: 'reactivation',
    amount: entry.amount.string,
  });
  assert.deepEqual(
    (await feedSince(h.world, since))
      .filter((f) => f.kind.startsWith('account_entry.'))
      .map((f) => [f.kind, f.payload]),
    [
      ['account_entry.voided', payload(second)],
      ['account_entry.created', payload(third)],
    ],
  );
  const [entry] = (await h.get(`/audit_entries?object=account_entry&object_id=${second.id}`)).results;
  assert.deepEqual(entry.changes.map((change: any) => change.name).toSorted(), ['void_explanation', 'voided_at']);
  assert.equal((await h.end(hold)).status, 200);
  assert.deepEqual(
    (await list(`customer_membership=${owned}`)).map((one) => one.void_explanation),
    ['The hold was deleted.', second.void_explanation, 'The hold was deleted.'],
  );
});

test('several entries need as few statements as one and keep their order, and so does voiding the entries of several objects', async () => {
  const [reason] = accountReasons.items.filter(({ name }) => name === 'penalty');
  const customers = await newCustomers(h.world, 3);
  const entries = customers.map((customer, n): NewEntry => ({
    customer,
    kind: n % 2 === 0 ? 'charge' : 'credit',
    amount: n + 1,
    reason,
    subject: 9_000_000 + n,
    customerMembership: null,
    explanation: `Number ${n}.`,
    dueOn: `2026-07-0${n + 1}`,
    period: n === 1 ? { start: '2026-07-01', end: '2026-07-31' } : null,
  }));
  const counted = <T>(act: (work: Parameters<typeof addEntries>[0]) => Promise<T>) =>
    h.world.work(h.world.harbour, async (work) => {
      let statements = 0;
      const { send } = work.tx;
      work.tx.send = (commands) => ((statements += commands.length), send.call(work.tx, commands));
      return [await act(work), statements, work.effects.map((one) => `${one.effect} ${one.detail.amount_minor}`)];
    });
  const [made, statements, effects] = await counted((work) => addEntries(work, entries));
  // One statement for the accounts, one for the entries, one for the ledger.
  assert.deepEqual([statements, effects], [3, ['charge 1', 'credit 2', 'charge 3']]);
  assert.deepEqual(
    (await list(`customer=${customers.join()}`)).map((one) => [
      one.id,
      one.customer,
      one.amount.string,
      one.period_end_date,
    ]),
    customers.map((customer, n) => [(made as number[])[n], customer, `0.0${n + 1}`, n === 1 ? '2026-07-31' : null]),
  );
  const subjects = entries.map(({ subject }) => subject!);
  const voided = await counted((work) => voidEntriesOf(work, reason.subject!, subjects, 'All of it was a mistake.'));
  // Statements for the customers, the locks of their accounts, the entries, and the ledger.
  assert.deepEqual(voided.slice(1), [4, ['charge_voided 1', 'credit_voided 2', 'charge_voided 3']]);
  const again = await counted((work) => voidEntriesOf(work, reason.subject!, subjects, 'Twice.'));
  assert.deepEqual(again[2], [], 'what is voided is not voided again');
  assert.deepEqual(
    (await list(`customer=${customers.join()}`)).map((one) => one.void_explanation),
    Array(3).fill('All of it was a mistake.'),
  );
});

test('the database refuses to change any column of an entry, to delete it, and to void it twice', async () => {
  const { credit } = await onHold();
  const columns: string[] = (
    await h.rows(`SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'account_entry'`)
  ).map(({ name }) => name);
  const refused = (text: string) =>
    assert.rejects(h.rows(text, [credit.id]), /an account entry stays as it was decided/, text);
  // Merging two records of one person also merges their accounts.
  const free = ['customer_id', 'voided_at', 'void_explanation', 'settled_invoice_id', 'credited_at'];
  for (const column of columns.filter((name) => !free.includes(name)))
    await refused(`UPDATE account_entry SET ${column} = ${column} WHERE id = $1`);
  await refused('DELETE FROM account_entry WHERE id = $1');
  await h.rows(`UPDATE account_entry SET voided_at = now(), void_explanation = 'A mistake.' WHERE id = $1`, [
    credit.id,
  ]);
  for (const change of [
    `void_explanation = 'Another.'`,
    'voided_at = now()',
    'voided_at = NULL, void_explanation = NULL',
    'settled_invoice_id = 1',
    'credited_at = now()',
  ])
    await refused(`UPDATE account_entry SET ${change} WHERE id = $1`);
});

test('entries are filtered by customer, membership, subject, kind, reason, days, and whether they are voided', async () => {
  const { customer, owned, hold, credit, charge } = await onHold();
  const mine = (query: string) => ids(`customer=${customer}&${query}`);
  assert.deepEqual(await mine(''), [credit.id, charge.id]);
  assert.deepEqual(await ids(`customer_membership=${owned}`), [credit.id, charge.id]);
  assert.deepEqual(await mine(`subject_object=customermembership&subject_id=${owned}`), [credit.id, charge.id]);
  assert.deepEqual(await mine('subject_object=membership_penalty'), []);
  assert.deepEqual(
    [await mine('kind=credit'), await mine('kind=charge,credit')],
    [[credit.id], [credit.id, charge.id]],
  );
  assert.deepEqual([await mine('reason=reactivation'), await mine('reason=penalty,upgrade')], [[charge.id], []]);
  assert.deepEqual(
    [await mine('due_date_gte=2026-06-26'), await mine('due_date_lte=2026-06-25')],
    [[charge.id], [credit.id]],
  );
  const [earlier, later] = [-3600_000, 3600_000].map((ms) => new Date(NOON + ms).toISOString());
  assert.deepEqual(await mine(`created_at_gte=${earlier}&created_at_lte=${later}`), [credit.id, charge.id]);
  assert.deepEqual([await mine(`created_at_gte=${later}`), await mine(`created_at_lte=${earlier}`)], [[], []]);
  const latest = await h.get(`/account_entries?customer=${customer}&sort=-due_date`);
  assert.deepEqual(
    latest.results.map((one: any) => one.id),
    [charge.id, credit.id],
  );
  await h.edit(hold, { make_open_ended: true });
  assert.deepEqual([await mine('voided=true'), await mine('voided=false')], [[charge.id], [credit.id]]);
  const wrong = await h.world.get('/account_entries?reason=kindness', { as: h.world.machine });
  assert.deepEqual(wrong.body.field_errors, {
    reason: [
      `Must be one of: ${accountReasons.items
        .map(({ name }) => name)
        .toSorted()
        .join(', ')}.`,
    ],
  });
});

test('customers see the entries of their family, staff see amounts by permission, and nobody sees those of others', async () => {
  const family_id = await row(h.world, 'family', {});
  const [parent, child, friend] = [
    await h.world.newCustomer({ family_id, family_role: 'manager' }),
    await h.world.newCustomer({ family_id, family_role: 'child' }),
    await h.world.newCustomer(),
  ];
  const { id: owned } = await h.m.give(child, (await h.m.recurring()).membership);
  await bill(h.world, owned);
  await h.m.share(owned, friend);
  await h.hold(owned, '2026-06-25', null);
  const [credit] = await list(`customer_membership=${owned}`);
  const path = `/account_entries/${credit.id}`;
  for (const who of [parent, child]) {
    assert.deepEqual(await ids('', h.world.customer(who)), [credit.id]);
    assert.deepEqual(await h.get(path, h.world.customer(who)), credit);
  }
  assert.deepEqual(await ids('', h.world.customer(friend)), [], 'with whom it is shared does not pay');
  const plain = await h.get(path, h.world.staff([]));
  assert.deepEqual([plain.amount, plain.explanation, plain.kind], [null, null, 'credit']);
  for (const permission of ['customers', 'customer_payments', 'revenue'] as const)
    assert.deepEqual(await h.get(path, h.world.staff([permission])), credit);
  const status = async (as?: string) => (await h.world.get(path, { as })).status;
  assert.deepEqual(
    [await status(h.world.customer(friend)), await status(h.world.meadowMachine), await status()],
    [404, 404, 401],
  );
  assert.equal((await h.get('/account_entries', h.world.meadowMachine)).count, 0);
});

test('an account moves when two records of a person are merged, and a customer with entries is not deleted', async () => {
  const { customer: merged, owned, hold, credit, charge } = await onHold();
  await h.edit(hold, { make_open_ended: true });
  const [kept] = await newCustomers(h.world, 1);
  const answer = await h.world.post(`/customers/${kept}/merge`, { as: h.world.machine, body: { from: merged } });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    (await list(`customer_membership=${owned}`)).map((one) => [one.id, one.customer, one.voided_at !== null]),
    [
      [credit.id, kept, false],
      [charge.id, kept, true],
    ],
  );
  const entry = await seed(h.world, 'account_entry');
  const { customer } = await h.get(`/account_entries/${entry}`);
  const found = await h.get(`/customers?ids=${customer}&can_delete=false`);
  assert.equal(found.count, 1);
  const why = await h.world.work(h.world.harbour, (work) => whatKeeps(work, [customer]));
  assert.match(why.get(customer)!, /1 account entry/);
});
