/**
 * The value of a part of a period: the amount billed for it and not yet credited, with its taxes, no matter what
 * credits or charges it.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { BillingWorld } from './test/world.ts';
import { completeOver } from '../../memberships/customer-memberships/renewals/complete.ts';
import { creditAccounts } from '../../money/account-entries/credit.ts';
import { ownContext } from '../../../test/own-context.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { settleDue } from '../../memberships/customer-memberships/index.ts';
import { newCards } from '../gift-cards/test/cards.ts';
import { startBeside, startWorld } from '../../../test/world.ts';

const START = '2033-02-01';

let b: BillingWorld;
let small: { membership: number; plan: number };
let big: { membership: number; plan: number };
let tax: number | null = null;
before(async () => {
  b = await BillingWorld.of(await startWorld());
  small = await b.m.recurring([], { price: '60.00' });
  big = await b.m.recurring([], { price: '100.00' });
});
after(() => b.close());
beforeEach(() => at(START));
afterEach(async () => {
  if (tax !== null) await b.done('PATCH', `/purchase_fees/${tax}`, { archived: true });
  tax = null;
  await b.c.balanced();
});

const at = (day: string) => b.world.setNow(Date.parse(`${day}T16:00Z`));

/** Moves to a day, after everything scheduled until then has run. */
async function day(to: string): Promise<void> {
  at(to);
  for (const job of [settleDue, completeOver]) await backgroundWork(ownContext(b.world), b.world.harbour, 'test', job);
  await b.bill();
  await b.charges();
  await backgroundWork(ownContext(b.world), b.world.harbour, 'test', creditAccounts);
}

async function taxed(): Promise<void> {
  const fee = {
    name: 'VAT',
    kind: 'tax',
    type: 'percent',
    percentage: '15',
    purchase_types: ['recurring_membership', 'membership'],
  };
  tax = (await b.done('POST', '/purchase_fees', fee)).id;
}

interface Sold {
  readonly checkout: any;
  readonly customer: number;
  readonly owned: number;
  readonly invoice: number;
}

async function sale(
  customer: number,
  item: Record<string, unknown>,
  { code = null as string | null, pay = {} as object, credit = false } = {},
): Promise<Sold> {
  const id = await b.c.open(customer, {
    ...(code !== null && { discount_code: code }),
    ...(credit && { use_account_credit: true }),
  });
  const added = await b.c.add(id, item);
  const free = added.amount_due?.string === '0.00';
  const checkout = await b.c.pay(id, free ? {} : { payment_processor: b.c.sandbox, ...pay });
  assert.equal(checkout.status, 'completed');
  return { checkout, customer, owned: checkout.checkout_items[0].result.id, invoice: checkout.invoice };
}

/** Sells a `MEM_RECUR` of 60.00 a month. */
const sell = async (how: { code?: string; pay?: object } = {}): Promise<Sold> =>
  sale(await b.world.newCustomer(), { item_type: 'MEM_RECUR', ...small }, how);

const upgradeItem = (from: number, to = big) => ({
  item_type: 'MEM_RECUR_UP',
  ...to,
  upgrade_from_customer_membership: from,
});

/** Returns the current price of upgrading the sold membership. */
async function dueOf({ customer, owned }: Sold, to = big): Promise<string> {
  const id = await b.c.open(customer);
  const { amount_due } = await b.c.add(id, upgradeItem(owned, to));
  assert.equal((await b.c.ask('DELETE', `/checkouts/${id}`)).status, 204);
  return amount_due.string;
}

const hold = (owned: number, start_date: string, end_date: string | null, query = '') =>
  b.done('POST', `/customer_membership_holds${query}`, { customer_membership: owned, start_date, end_date });

const resolution = async (id: number) => {
  const { resolution: said } = await b.read(`/customer_membership_holds/${id}/payment_resolution`);
  return [said.credit.string, said.charge.string];
};

const entries = async (customer: number): Promise<string[]> =>
  (await b.read(`/account_entries?customer=${customer}&voided=false&sort=id`)).results.map(
    (one: any) => `${one.kind} ${one.amount.string}`,
  );

const creditOf = async (customer: number): Promise<number> => 0 - ((await b.c.balances(customer)).credit ?? 0);

/** Upgrades the membership as staff and returns the id of the next one, whose first period is due and not billed. */
const upgraded = async ({ owned }: Sold): Promise<number> =>
  (await b.done('POST', `/customer_memberships/${owned}/upgrade`, big)).id;

/** Settles holds whose periods were billed in the meantime. */
const settle = () => backgroundWork(ownContext(b.world), b.world.harbour, 'test', settleDue);

const entriesOpen = async (customer: number): Promise<string[]> => {
  const { rows } = await b.c.owner.query(
    `SELECT kind || ' ' || round(amount_minor / 100.0, 2) || CASE
      WHEN num_nonnulls(returns_line_id, returns_entry_id) = 0 THEN ' waits' ELSE '' END AS said
     FROM account_entry WHERE provider_id = $1 AND customer_id = $2
       AND num_nonnulls(voided_at, settled_invoice_id, credited_at) = 0 ORDER BY id`,
    [b.world.harbour, customer],
  );
  return rows.map(({ said }) => said);
};

const refundAll = async ({ invoice }: Sold, body: object = {}) =>
  b.c.ask('POST', `/invoices/${invoice}/credit`, { reason: 'They asked.', give_back: 'refund', ...body });

const free = () => b.c.code({ discount_percent: '100', applicable_billing_cycles: 1200 });

test('a hold across a renewal that a code makes free charges nothing afterwards', async () => {
  const sold = await sell({ code: await free() });
  const { id } = await hold(sold.owned, '2033-02-23', '2033-03-04');
  assert.deepEqual(await resolution(id), ['0.00', '0.00']);
  for (const one of ['2033-02-23', '2033-03-01', '2033-03-05', '2033-03-06']) await day(one);
  assert.deepEqual(await entries(sold.customer), []);
  const invoices = await b.invoices(sold.customer);
  assert.ok(invoices.every((one: any) => one.total_amount_due.string === '0.00'));
});

test('a hold in a free period credits nothing', async () => {
  const sold = await sell({ code: await free() });
  const { id } = await hold(sold.owned, '2033-02-05', '2033-02-24');
  assert.deepEqual(await resolution(id), ['0.00', '0.00']);
  await day('2033-02-26');
  assert.equal(await creditOf(sold.customer), 0);
});

test('half of a period is worth half of its discounted price', async () => {
  const sold = await sell({ code: await b.c.code({ discount_percent: '50', applicable_billing_cycles: 1200 }) });
  const { id } = await hold(sold.owned, '2033-02-02', '2033-02-15');
  assert.deepEqual(await resolution(id), ['15.00', '0.00']);
});

test('the charge after a hold has the discount of its cycle, and none if the code has ended', async () => {
  for (const [cycles, charge] of [
    [2, '20.33'],
    [1, '40.65'],
  ] as const) {
    at(START);
    const sold = await sell({ code: await b.c.code({ discount_percent: '50', applicable_billing_cycles: cycles }) });
    const { id } = await hold(sold.owned, '2033-02-23', '2033-03-10');
    assert.equal((await resolution(id))[1], charge);
  }
});

test('an upgrade credits nothing that was refunded, voided or disputed', async () => {
  const pack = await b.m.pack(10, { one_time_fee: '100.00' });
  const packed = await sale(await b.world.newCustomer(), { item_type: 'MEM_PK', membership: pack });
  await b.done('POST', `/payments/${packed.checkout.payment}/refund`, { reason: 'They asked.' });
  assert.equal(await dueOf(packed), '100.00');

  const voided = await sell({ pay: { payment_processor: undefined, pay_later: true } });
  assert.equal(await dueOf(voided), '40.00');
  await b.done('POST', `/invoices/${voided.invoice}/void`, { reason: 'A mistake.' });
  assert.equal(await dueOf(voided), '100.00');

  const lost = await sell();
  await b.c.play(lost.checkout.payment, 'dispute');
  await b.c.play(lost.checkout.payment, 'lose_dispute');
  assert.equal(await dueOf(lost), '100.00');
});

test('after a partial refund, a period is worth the rest', async () => {
  const sold = await sell();
  assert.equal((await refundAll(sold, { amount: '20.00' })).status, 201);
  assert.equal(await dueOf(sold), '60.00');
  const { id } = await hold(sold.owned, '2033-02-02', '2033-02-15');
  assert.deepEqual(await resolution(id), ['20.00', '0.00']);
});

test('a hold credits nothing once everything was refunded, and a dry run says so', async () => {
  const sold = await sell();
  await refundAll(sold);
  const dry = await hold(sold.owned, '2033-02-05', '2033-02-14', '?dry_run=true');
  assert.ok(!dry.effects.some(({ effect }: any) => effect === 'credit'));
  const { id } = await hold(sold.owned, '2033-02-05', '2033-02-14');
  assert.deepEqual(await resolution(id), ['0.00', '0.00']);
});

test('a credit includes its part of the tax, and so does a charge after a renewal', async () => {
  await taxed();
  const sold = await sell();
  const { id } = await hold(sold.owned, '2033-02-02', '2033-02-15');
  assert.deepEqual(await resolution(id), ['34.50', '0.00']);
  await day('2033-02-16');
  assert.equal(await creditOf(sold.customer), 3450);
  const { rows } = await b.c.owner.query(
    `SELECT e.amount_minor::int AS amount, f.kind, f.amount_minor::int AS tax FROM account_entry e
      JOIN account_entry_fee f ON f.provider_id = e.provider_id AND f.account_entry_id = e.id
     WHERE e.customer_id = $1`,
    [sold.customer],
  );
  assert.deepEqual(rows, [{ amount: 3450, kind: 'tax', tax: 450 }]);

  at(START);
  const other = await sell();
  const over = await hold(other.owned, '2033-02-23', '2033-03-10');
  assert.equal((await resolution(over.id))[1], '46.75');
  for (const one of ['2033-02-23', '2033-02-24', '2033-03-11']) await day(one);
  await b.done('PATCH', '/billing_settings', { invoice_charges: true });
  await day('2033-03-12');
  await b.done('PATCH', '/billing_settings', { invoice_charges: false });
  const charged = (await b.invoices(other.customer)).at(-1);
  assert.deepEqual(
    [
      charged.total_amount_due.string,
      charged.line_items[0].price.string,
      charged.taxes.map((one: any) => one.amount.string),
    ],
    ['46.75', '40.65', ['6.10']],
  );
});

test('an amount that an upgrade or a hold has credited is not refunded or voided again', async () => {
  const sold = await sell();
  await sale(sold.customer, upgradeItem(sold.owned));
  const refused = await b.refused('POST', `/payments/${sold.checkout.payment}/refund`, { reason: 'They asked.' });
  assert.match(refused.message, /already returned to the customer's account/);

  const later = await sell({ pay: { payment_processor: undefined, pay_later: true } });
  await sale(later.customer, upgradeItem(later.owned));
  assert.match(
    (await b.refused('POST', `/invoices/${later.invoice}/void`, { reason: 'A mistake.' })).message,
    /already returned/,
  );

  const rested = await sell();
  await hold(rested.owned, '2033-02-02', '2033-02-15');
  assert.match(
    (await b.refused('POST', `/invoices/${rested.invoice}/credit`, { reason: 'x', amount: '40.00' })).message,
    /At most 30\.00/,
  );
  assert.equal((await refundAll(rested, { amount: '30.00' })).status, 201);
});

test('an amount that a bank has returned to a customer is not credited to them again', async () => {
  const sold = await sell();
  await b.c.play(sold.checkout.payment, 'dispute');
  await b.c.play(sold.checkout.payment, 'lose_dispute');
  for (const give_back of ['refund', 'account_credit']) {
    const refused = await b.refused('POST', `/invoices/${sold.invoice}/credit`, { reason: 'They asked.', give_back });
    assert.equal(refused.code, 'credit_exceeds_invoice');
    assert.match(refused.message, /60\.00 of this invoice was disputed/);
    assert.ok(!/account credit/.test(refused.message));
  }
  assert.equal(await creditOf(sold.customer), 0);
});

test('the remaining credit of an earlier upgrade pays for the next one on the same day', async () => {
  const dear = await b.m.recurring([], { price: '200.00' });
  const sold = await sale(await b.world.newCustomer(), { item_type: 'MEM_RECUR', ...dear });
  const cheap = await sale(sold.customer, upgradeItem(sold.owned, small));
  assert.equal(await dueOf(cheap, dear), '0.00');
  const again = await sale(sold.customer, upgradeItem(cheap.owned, dear));
  assert.equal(again.checkout.amount_due.string, '0.00');
  await day('2033-02-03');
  assert.equal(await creditOf(sold.customer), 0);
});

test('each of several packs sold on one line is worth its part', async () => {
  const pack = await b.m.pack(10, { one_time_fee: '100.00' });
  const customer = await b.world.newCustomer();
  const id = await b.c.open(customer);
  const added = await b.c.add(id, { item_type: 'MEM_PK', membership: pack });
  await b.done('POST', `/checkouts/${id}/items/${added.checkout_items[0].id}/quantity`, { quantity: 3 });
  const checkout = await b.c.pay(id, { payment_processor: b.c.sandbox });
  const { results } = await b.read(`/customer_memberships?customer=${customer}&sort=id`);
  assert.equal(results.length, 3);
  for (const { id: owned } of results) assert.equal(await dueOf({ checkout, customer, owned, invoice: 0 }), '0.00');
});

test('a membership that was never billed credits nothing', async () => {
  const { customer, id } = await b.member();
  const { id: held } = await hold(id, '2033-02-05', '2033-02-14');
  assert.deepEqual(await resolution(held), ['0.00', '0.00']);
  assert.equal(await dueOf({ checkout: null, customer, owned: id, invoice: 0 }), '100.00');
});

test('a hold from the first day of a billed period credits its days, and charges nothing', async () => {
  const sold = await sell();
  const { id } = await hold(sold.owned, START, '2033-02-14');
  assert.deepEqual(await resolution(id), ['30.00', '0.00']);
});

test('a hold that begins before its period is billed returns a part of the amount billed then, and no more', async () => {
  const sold = await sell();
  await hold(await upgraded(sold), '2033-02-01', '2033-02-14');
  await b.bill();
  assert.deepEqual(await entriesOpen(sold.customer), ['credit 50.00 waits']);
  await settle();
  assert.deepEqual(await entriesOpen(sold.customer), ['credit 50.00']);
  const [, invoice] = await b.invoices(sold.customer);
  assert.match(
    (await b.refused('POST', `/invoices/${invoice.id}/credit`, { reason: 'x', amount: '60.00' })).message,
    /At most 50\.00/,
  );
});

test('a credit that waits for the bill of its period neither becomes account credit nor is deducted on an invoice', async () => {
  const sold = await sell();
  await hold(await upgraded(sold), '2033-02-01', '2033-02-14');
  at('2033-02-03');
  await backgroundWork(ownContext(b.world), b.world.harbour, 'test', creditAccounts);
  // Only the rest of the first membership was credited.
  assert.equal(await creditOf(sold.customer), 6000);
  await b.bill();
  const [, invoice] = await b.invoices(sold.customer);
  assert.equal(invoice.line_items.length, 1);
});

const minor = (amount: any): number => Math.round(Number(amount.string) * 100);

/** Returns what the customer pays in the end, in minor units: invoices and open charges, without credits. */
async function billedInAll(customer: number): Promise<number> {
  const { results } = await b.read(`/account_entries?customer=${customer}&voided=false&status=open`);
  const amounts = [
    ...(await b.invoices(customer)).map((one: any) => minor(one.total_amount_due)),
    ...results.map((one: any) => (one.kind === 'charge' ? minor(one.amount) : -minor(one.amount))),
  ];
  return amounts.reduce((sum, one) => sum + one, -(await creditOf(customer)));
}

// 60.00 for February, and 17 of 31 days of March: the part before the hold and the one after it, each rounded.
for (const [from, to, net] of [
  ['2033-03-01', '2033-03-14', 9290],
  ['2033-03-02', '2033-03-15', 9291],
] as const)
  test(`a hold from ${from} costs the same whether it is made just before or just after the renewal is billed`, async () => {
    const [early, late] = [await sell(), await sell()];
    await day('2033-02-28');
    b.world.setNow(Date.parse('2033-03-01T05:00:30Z'));
    await hold(early.owned, from, to);
    await b.bill();
    await hold(late.owned, from, to);
    for (const one of ['2033-03-01', '2033-03-02', '2033-03-15', '2033-03-16']) {
      await day(one);
      await settle();
    }
    assert.deepEqual([await billedInAll(early.customer), await billedInAll(late.customer)], [net, net]);
  });

test('the kept customer of a merge gets back no more of a period than what still stands on its bill', async () => {
  await taxed();
  const [sold, kept] = [await sell(), await b.world.newCustomer()];
  assert.equal((await refundAll(sold, { amount: '23.00' })).status, 201);
  await hold(sold.owned, '2033-02-02', '2033-02-08');
  await b.done('POST', `/customers/${sold.customer}/merge`, { into: kept });
  // The 46.00 that the refund left, of 69.00 with its tax, count once: 11.50 for the hold, and 34.50 for the rest.
  assert.equal(await dueOf({ ...sold, customer: kept }), '69.00');
  await sale(kept, upgradeItem(sold.owned));
  assert.equal((await refundAll(sold, { amount: '0.01' })).status, 409);
});

test('a period that a gift card paid for gives account credit back, once, and never the card again', async () => {
  const customer = await b.world.newCustomer();
  const { card } = await newCards(b.world, { amount: 6000 });
  await b.done('POST', `/gift_cards/${card}/redeem`, { customer });
  const sold = await sale(customer, { item_type: 'MEM_RECUR', ...small }, { credit: true });
  assert.equal(await creditOf(customer), 0);
  await hold(sold.owned, '2033-02-02', '2033-02-15');
  const refused = await refundAll(sold, { amount: '30.01', give_back: 'account_credit' });
  assert.equal(refused.status, 409);
  assert.equal((await refundAll(sold, { amount: '30.00', give_back: 'account_credit' })).status, 201);
  assert.equal(await creditOf(customer), 3000);
  assert.equal((await b.read(`/gift_cards/${card}`)).status, 'redeemed');
});

test('taxes that changed before a period was billed are returned as they were billed', async () => {
  await taxed();
  const sold = await sell();
  const { id } = await hold(await upgraded(sold), '2033-02-01', '2033-02-14');
  assert.deepEqual(await resolution(id), ['57.50', '0.00']);
  await b.done('PATCH', `/purchase_fees/${tax}`, { percentage: '10' });
  await b.bill();
  await settle();
  assert.deepEqual(await resolution(id), ['55.00', '0.00']);
});

test('an upgrade bills the period of the membership that it ends, and returns a part of that bill', async () => {
  const sold = await sell();
  const owned = await upgraded(sold);
  const dear = await b.m.recurring([], { price: '250.00' });
  assert.equal(await dueOf({ ...sold, owned }, dear), '150.00');
  await sale(sold.customer, upgradeItem(owned, dear));
  const [, invoice] = await b.invoices(sold.customer);
  assert.equal(invoice.total_amount_due.string, '40.00');
  assert.match(
    (await b.refused('POST', `/invoices/${invoice.id}/credit`, { reason: 'x' })).message,
    /already returned to the customer's account/,
  );
});

test('a membership that another one replaces before its first day is not billed', async () => {
  const { customer, id } = await b.member({ over: { start_date: '2033-03-01', bill_first_period: true } });
  await b.done('POST', `/customer_memberships/${id}/upgrade`, big);
  await day('2033-03-02');
  assert.deepEqual(
    (await b.invoices(customer)).map((one: any) => one.total_amount_due.string),
    ['100.00', '100.00'],
  );
});

test('a membership that continues pays for the rest of a period that began on hold and was never billed', async () => {
  const sold = await sell();
  await hold(sold.owned, '2033-02-20', null);
  for (const one of ['2033-02-20', '2033-03-01', '2033-03-05']) await day(one);
  await b.done('POST', `/customer_memberships/${sold.owned}/cancel`, { forced_expiration_date: '2033-03-10' });
  for (const one of ['2033-03-11', '2033-03-15']) await day(one);
  await b.done('POST', `/customer_memberships/${sold.owned}/reactivate`);
  // 17 of 31 days.
  assert.equal((await entries(sold.customer)).at(-1), 'charge 32.90');
});

test('a membership that continues in a period already charged after a hold is not charged again', async () => {
  const sold = await sell();
  await hold(sold.owned, '2033-02-20', '2033-03-04');
  for (const one of ['2033-02-20', '2033-03-01', '2033-03-05']) await day(one);
  await b.done('POST', `/customer_memberships/${sold.owned}/cancel`, { forced_expiration_date: '2033-03-10' });
  for (const one of ['2033-03-11', '2033-03-15']) await day(one);
  const before = await entries(sold.customer);
  await b.done('POST', `/customer_memberships/${sold.owned}/reactivate`);
  assert.deepEqual(await entries(sold.customer), before);
});

test('a charge that was partly returned is not voided', async () => {
  const sold = await sell();
  await hold(sold.owned, '2033-02-23', '2033-03-10');
  for (const one of ['2033-02-23', '2033-03-01']) await day(one);
  at('2033-03-11');
  await settle();
  await hold(sold.owned, '2033-03-20', '2033-03-24');
  const { results } = await b.read(`/account_entries?customer=${sold.customer}&kind=charge`);
  const refused = await b.refused('POST', `/account_entries/${results[0].id}/void`, { explanation: 'A mistake.' });
  assert.match(refused.message, /9\.68 of this charge was already returned/);
});

/** Runs `act` at a business whose currency has no decimals. */
async function inYen(act: () => Promise<void>): Promise<void> {
  const [cad, world] = [b, await startWorld()];
  await b.c.owner.query('SET session_replication_role = replica');
  await b.c.owner.query(`UPDATE provider SET currency = 'JPY' WHERE provider_id = $1`, [world.harbour]);
  await b.c.owner.query('SET session_replication_role = DEFAULT');
  b = await BillingWorld.of(await startBeside(world));
  try {
    at(START);
    await act();
    await b.c.balanced();
  } finally {
    await b.close();
    b = cad;
    tax = null;
  }
}

test('parts of a period are whole units if the currency has no decimals, even if prices include the tax', () =>
  inYen(async () => {
    await taxed();
    await b.done('PATCH', `/providers/${b.world.harbour}`, { prices_include_tax: true });
    const plan = await b.m.recurring([], { price: '5999' });
    const sold = await sale(await b.world.newCustomer(), { item_type: 'MEM_RECUR', ...plan });
    const { id } = await hold(sold.owned, '2033-02-02', '2033-02-04');
    // 3 of 28 days of 5999, of which 5217 is before tax.
    assert.deepEqual(await resolution(id), ['643', '0']);
    await day('2033-02-05');
    const { rows } = await b.c.owner.query(
      `SELECT amount_minor::int AS amount, fees_minor::int AS tax FROM account_entry WHERE customer_id = $1
        AND voided_at IS NULL`,
      [sold.customer],
    );
    assert.deepEqual(rows, [{ amount: 643, tax: 84 }]);
    const dear = await b.m.recurring([], { price: '9999' });
    // 24 of the 28 billed days are left.
    assert.equal(await dueOf(sold, dear), String(9999 - 5142));
  }));
