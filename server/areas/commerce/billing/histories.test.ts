/**
 * Histories of a membership: it is sold with codes and taxes, paid or not, held, upgraded, cancelled and continued,
 * while its invoices are credited, refunded, voided and disputed. Credits never exceed the amount billed and not yet
 * credited, for any fee or tax; a dry run shows what will happen; and the books balance.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/date.ts';
import { BillingWorld } from './test/world.ts';
import { completeOver } from '../../memberships/customer-memberships/renewals/complete.ts';
import { creditAccounts } from '../../money/account-entries/credit.ts';
import { rare } from '../../../test/rare.ts';
import { fc, runs } from '../../../test/properties.ts';
import { ownContext } from '../../../test/own-context.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { settleDue } from '../../memberships/customer-memberships/index.ts';
import { startWorld } from '../../../test/world.ts';

let b: BillingWorld;
let plans: { membership: number; plan: number }[];
let pack: number;
let codes: (string | null)[];
let prepaid: number;
/** a tax, and a fee that is taxed */
let fees: number[];
let taxesChanged = true;
let today = '2033-02-01';
before(async () => {
  b = await BillingWorld.of(await startWorld());
  at();
  plans = [];
  for (const price of ['60.00', '99.99', '200.00', '0.05']) plans.push(await b.m.recurring([], { price }));
  pack = await b.m.pack(10, { one_time_fee: '99.95' });
  prepaid = await b.m.prepaid({ one_time_fee: '149.95', duration: 2, duration_unit: 'months' });
  codes = [null];
  for (const [discount_percent, applicable_billing_cycles] of [
    ['100', 1200],
    ['50', 1],
    ['33', 2],
  ])
    codes.push(await b.c.code({ discount_percent, applicable_billing_cycles }));
  const purchase_types = ['recurring_membership', 'membership'];
  fees = [];
  for (const fee of [
    { name: 'VAT', kind: 'tax', type: 'percent', percentage: '15' },
    { name: 'Service', kind: 'fee', type: 'percent', percentage: '3', is_taxable: true },
    { name: 'City', kind: 'tax', type: 'percent', percentage: '7.25' },
  ]) {
    const { id } = await b.done('POST', '/purchase_fees', { ...fee, purchase_types });
    await b.done('PATCH', `/purchase_fees/${id}`, { archived: true });
    fees.push(id);
  }
});
after(() => b.close());

const at = () => b.world.setNow(Date.parse(`${today}T16:00Z`));

async function pass(days: number): Promise<void> {
  for (let n = 0; n < days; n += 5) {
    today = addDays(today, Math.min(5, days - n));
    at();
    const { harbour } = b.world;
    for (const job of [settleDue, completeOver]) await backgroundWork(ownContext(b.world), harbour, 'test', job);
    await b.bill();
    await b.charges();
    await backgroundWork(ownContext(b.world), harbour, 'test', creditAccounts);
  }
}

interface Member {
  readonly customer: number;
  owned: number;
  /** payments of checkouts, the latest last */
  readonly payments: number[];
}

type Step = (member: Member, n: number) => Promise<unknown>;

const ask = (method: string, path: string, body: object = {}) => b.c.ask(method, path, body as never);

async function buy(member: Member, item: object, { code = null as string | null, later = false } = {}): Promise<void> {
  const opened = await ask('POST', '/checkouts', { customer: member.customer, ...(code && { discount_code: code }) });
  const { id } = opened.body;
  const added = await ask('POST', `/checkouts/${id}/add_item`, item);
  if (added.status >= 400) return;
  const isFree = added.body.amount_due.string === '0.00';
  const paid = await ask(
    'POST',
    `/checkouts/${id}/pay`,
    isFree ? {} : later ? { pay_later: true } : { payment_processor: b.c.sandbox },
  );
  assert.equal(paid.status, 200, paid.text);
  for (const name of ['total_price', 'credit']) assert.equal(paid.body[name].string, added.body[name].string);
  member.owned = paid.body.checkout_items[0].result.id;
  if (paid.body.payment) member.payments.push(paid.body.payment);
}

/** Makes a request and asserts that its dry run had shown the effect on the money. */
async function asSaid(method: string, path: string, body: object): Promise<void> {
  const said = await ask(method, `${path}?dry_run=true`, body);
  const done = await ask(method, path, body);
  assert.equal(said.status >= 400, done.status >= 400, `${said.text} ${done.text}`);
  if (done.status >= 400) return;
  const money = said.body.effects
    .filter((one: any) => ['credit', 'charge'].includes(one.effect))
    .map((one: any) => `${one.effect} ${one.detail.amount_minor}`);
  const { rows } = await b.c.owner.query(
    `SELECT kind || ' ' || amount_minor AS said FROM account_entry
      WHERE provider_id = $1 AND id > $2 AND reverses_id IS NULL ORDER BY id`,
    [b.world.harbour, entriesBefore],
  );
  assert.deepEqual(
    rows.map((row) => row.said),
    money,
    `${method} ${path}`,
  );
}

let entriesBefore = 0;
const lastEntry = async (): Promise<number> =>
  Number(
    (
      await b.c.owner.query(`SELECT coalesce(max(id), 0) AS id FROM account_entry WHERE provider_id = $1`, [
        b.world.harbour,
      ])
    ).rows[0].id,
  );

const invoicesOf = async ({ customer }: Member): Promise<any[]> =>
  (await b.read(`/invoices?payer=${customer}&sort=-id`)).results.filter((one: any) => !one.is_credit_note);

const noStep = () => Promise.resolve();

const STEPS: Readonly<Record<string, Step>> = {
  pass: (_member, n) => pass(1 + (n % 34)),
  hold: ({ owned }, n) =>
    asSaid('POST', '/customer_membership_holds', {
      customer_membership: owned,
      start_date: addDays(today, n % 25),
      end_date: n % 7 === 0 ? null : addDays(today, (n % 25) + (n % 31)),
    }),
  endHold: async ({ owned }) => {
    const { results } = await b.read(`/customer_membership_holds?customer_membership=${owned}&sort=-id`);
    if (results[0]) await ask('POST', `/customer_membership_holds/${results[0].id}/end`);
  },
  editHold: async ({ owned }, n) => {
    const { results } = await b.read(`/customer_membership_holds?customer_membership=${owned}&sort=-id`);
    const hold = results[n % Math.max(1, results.length)];
    if (hold)
      await ask('PATCH', `/customer_membership_holds/${hold.id}`, {
        ...(n % 2 === 0 && { start_date: addDays(today, n % 20) }),
        end_date: addDays(today, (n % 20) + (n % 17)),
      });
  },
  voidEntry: async ({ customer }, n) => {
    const { results } = await b.read(`/account_entries?customer=${customer}&status=open`);
    const entry = results[n % Math.max(1, results.length)];
    if (entry) await ask('POST', `/account_entries/${entry.id}/void`, { explanation: 'A mistake.' });
  },
  upgrade: (member, n) =>
    buy(
      member,
      { item_type: 'MEM_RECUR_UP', ...plans[n % plans.length], upgrade_from_customer_membership: member.owned },
      { later: n % 5 === 0 },
    ),
  upgradeByStaff: async (member, n) => {
    const wanted = { ...plans[n % plans.length] };
    const answer = await ask('POST', `/customer_memberships/${member.owned}/upgrade`, wanted);
    if (answer.status === 200) member.owned = answer.body.id;
  },
  downgrade: ({ owned }, n) => ask('POST', `/customer_memberships/${owned}/downgrade`, { ...plans[n % plans.length] }),
  cancel: ({ owned }, n) =>
    ask(
      'POST',
      `/customer_memberships/${owned}/cancel`,
      n % 2 === 0 ? {} : { forced_expiration_date: addDays(today, n % 20) },
    ),
  reactivate: ({ owned }) => ask('POST', `/customer_memberships/${owned}/reactivate`),
  credit: async (member, n) => {
    const found = await invoicesOf(member);
    const invoice = found[n % Math.max(1, found.length)];
    if (invoice)
      await ask('POST', `/invoices/${invoice.id}/credit`, {
        reason: 'They asked.',
        give_back: n % 2 === 0 ? 'refund' : 'account_credit',
        ...(n % 3 !== 0 && { amount: `${n % 41}.${10 + (n % 90)}` }),
      });
  },
  void: async (member) => {
    const open = (await invoicesOf(member)).find((one: any) => one.status !== 'paid' && one.status !== 'voided');
    if (open) await ask('POST', `/invoices/${open.id}/void`, { reason: 'A mistake.' });
  },
  refund: async ({ payments }, n) => {
    const payment = payments.at(-1);
    if (payment)
      await ask('POST', `/payments/${payment}/refund`, {
        reason: 'They asked.',
        ...(n % 2 === 0 && { amount: `${n % 30}.50` }),
      });
  },
  dispute: async ({ payments }, n) => {
    const payment = payments.at(-1);
    if (!payment) return;
    await ask('POST', `/sandbox/payments/${payment}`, { event: 'dispute' });
    await ask('POST', `/sandbox/payments/${payment}`, { event: n % 2 === 0 ? 'lose_dispute' : 'win_dispute' });
  },
  price: ({ owned }, n) =>
    ask('POST', '/customer_memberships/bulk_edit_prices', {
      customermembership_ids: [owned],
      billed_price: `${n % 90}.99`,
    }),
  bill: () => b.bill(),
  taxMeant: (_member, n) => {
    taxesChanged = true;
    return ask('PATCH', `/providers/${b.world.harbour}`, { prices_include_tax: n % 3 === 0 });
  },
  mistake: ({ owned }, n) =>
    n % 3 === 0 ? ask('POST', `/customer_memberships/${owned}/cancel`, { cancellation_reason: 'mistake' }) : noStep(),
  tax: (_member, n) => {
    taxesChanged = true;
    const change = n % 4 === 0 ? { archived: true } : { archived: false, percentage: String(5 + (n % 15)) };
    return ask('PATCH', `/purchase_fees/${fees[n % fees.length]}`, change);
  },
};

/** Actions that credit something or let time pass. */
const OFTEN = ['hold', 'hold', 'hold', 'pass', 'pass', 'upgrade', 'upgrade', 'tax'];

/** Rows credited beyond the billed amount: of a line, or of a fee or tax on it. */
const TOO_MUCH = `
  WITH returned AS (SELECT e.* FROM account_entry e
    WHERE e.provider_id = $1 AND e.customer_id = $2 AND e.kind = 'credit' AND e.reason IN ('hold', 'upgrade')
      AND e.voided_at IS NULL
      AND e.reverses_id IS NULL AND NOT EXISTS
      (SELECT FROM account_entry r WHERE r.provider_id = e.provider_id AND r.reverses_id = e.id)),
  of_line AS (SELECT l.id, l.total_minor, l.credited_minor, i.status,
      coalesce((SELECT sum(r.amount_minor) FROM returned r
        WHERE r.returns_line_id = l.id OR r.returns_entry_id = l.account_entry_id), 0) AS returned
    FROM invoice_line l JOIN invoice i ON i.provider_id = l.provider_id AND i.id = l.invoice_id
    WHERE l.provider_id = $1 AND l.customer_id = $2 AND l.credits_line_id IS NULL AND l.total_minor >= 0)
  SELECT 'line' AS what, id FROM of_line WHERE credited_minor + returned > total_minor
    OR (status = 'voided' AND returned > 0)
  UNION ALL SELECT 'fee', f.id FROM invoice_line_fee f JOIN of_line l ON l.id = f.line_id
  WHERE f.provider_id = $1 AND f.amount_minor <
      coalesce((SELECT -sum(t.amount_minor) FROM invoice_line c
        JOIN invoice_line_fee t ON t.provider_id = c.provider_id AND t.line_id = c.id
        WHERE c.provider_id = $1 AND c.credits_line_id = l.id AND t.purchase_fee_id = f.purchase_fee_id), 0)
      + coalesce((SELECT sum(t.amount_minor) FROM returned r
        JOIN account_entry_fee t ON t.provider_id = r.provider_id AND t.account_entry_id = r.id
        JOIN invoice_line x ON x.provider_id = $1 AND x.id = l.id
        WHERE (r.returns_line_id = l.id OR r.returns_entry_id = x.account_entry_id)
          AND t.purchase_fee_id = f.purchase_fee_id), 0)
  UNION ALL SELECT 'another part of its taxes', r.id FROM returned r
  JOIN invoice_line l ON l.provider_id = $1 AND l.id = r.returns_line_id AND l.total_minor > 0
    WHERE abs(r.fees_minor - r.amount_minor * l.fees_minor::numeric / l.total_minor) > 3
  UNION ALL SELECT 'returned of nothing', r.id FROM returned r
  WHERE num_nonnulls(r.credited_at, r.settled_invoice_id) > 0
    AND num_nonnulls(r.returns_line_id, r.returns_entry_id) = 0
  UNION ALL SELECT 'returned of a charge that is gone', r.id FROM returned r
  JOIN account_entry e ON e.provider_id = $1 AND e.id = r.returns_entry_id
    WHERE e.voided_at IS NOT NULL OR EXISTS (SELECT FROM account_entry back
    WHERE back.provider_id = $1 AND back.reverses_id = e.id)
  UNION ALL SELECT 'returned of the charge of the same hold', h.id FROM customer_membership_hold h
  JOIN returned r ON r.id = h.credit_entry_id AND r.returns_entry_id = h.charge_entry_id
    WHERE h.provider_id = $1
  UNION ALL SELECT 'waits for what was billed', r.id FROM returned r
  WHERE $3::boolean AND num_nonnulls(r.returns_line_id, r.returns_entry_id) = 0 AND EXISTS (
      SELECT FROM invoice_line l WHERE l.provider_id = $1 AND l.billed_object = 'customermembership'
        AND l.billed_id = r.customer_membership_id
        AND l.credits_line_id IS NULL AND l.period_start BETWEEN r.period_start AND r.period_end)`;

/** Returns what was credited beyond the billed amount. `inTheEnd`: true once nothing is waiting any more. */
const tooMuch = async ({ customer }: Member, inTheEnd = false) =>
  (await b.c.owner.query(TOO_MUCH, [b.world.harbour, customer, inTheEnd])).rows;

/** Removes the taxes, so that every history begins with the same prices. */
async function untaxed(): Promise<void> {
  if (!taxesChanged) return;
  taxesChanged = false;
  for (const fee of fees) await b.done('PATCH', `/purchase_fees/${fee}`, { archived: true });
  await b.done('PATCH', `/providers/${b.world.harbour}`, { prices_include_tax: false });
}

const steps = fc.array(fc.tuple(fc.constantFrom(...OFTEN, ...Object.keys(STEPS)), fc.integer({ min: 0, max: 9999 })), {
  minLength: 2,
  maxLength: 10,
});

async function lives(history: readonly (readonly [string, number])[], code: number, item: number): Promise<void> {
  await untaxed();
  const member: Member = { customer: await b.world.newCustomer(), owned: 0, payments: [] };
  await buy(
    member,
    item > 1
      ? { item_type: 'MEM_RECUR', ...plans[item - 2] }
      : item === 0
        ? { item_type: 'MEM_PK', membership: pack }
        : { item_type: 'MEM_PP', membership: prepaid },
    { code: codes[code], later: code === 0 && item % 2 === 0 },
  );
  assert.notEqual(member.owned, 0);
  for (const [name, n] of history) {
    entriesBefore = await lastEntry();
    const answer: any = await STEPS[name](member, n);
    assert.ok(!(answer?.status >= 500), `${name} ${n}: ${answer?.text}`);
    assert.deepEqual(await tooMuch(member), [], `after ${name} ${n}`);
  }
  await pass(3);
  await backgroundWork(ownContext(b.world), b.world.harbour, 'test', settleDue);
  assert.deepEqual(await tooMuch(member, true), [], 'in the end');
  await b.c.balanced();
  await ask('POST', `/customer_memberships/${member.owned}/cancel`, { forced_expiration_date: today });
}

const all = (runsEach: number) =>
  fc.assert(
    fc.asyncProperty(steps, fc.nat({ max: 3 }), fc.nat({ max: 5 }), (history, code, item) =>
      lives(history, code, item),
    ),
    runs(runsEach),
  );

test('whatever happens to a membership, credits never exceed the amount billed and not yet credited', () => all(20));

rare('credits never exceed the amount billed in many random histories', () => all(60));
