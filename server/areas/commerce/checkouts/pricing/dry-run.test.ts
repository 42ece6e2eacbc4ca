import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../test/world.ts';
import { everything } from '../../../../test/rare.ts';
import { fc, runs } from '../../../../test/properties.ts';
import { row } from '../../../../test/schedule-world.ts';
import { startBeside, startWorld, type World } from '../../../../test/world.ts';
import { lockCheckout } from '../rows.ts';
import { ownViewer } from '../../../../kernel/work/access/viewer.ts';
import { pay } from '../payment/pay.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { wireMoney } from '../../../../kernel/base/values/money.ts';
import { Work } from '../../../../kernel/work/unit/work.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import { readerIn } from '../../../../kernel/base/languages/languages.ts';

const CURRENCIES = ['CAD', 'JPY', 'KWD'] as const;
type Currency = (typeof CURRENCIES)[number];

interface Place {
  readonly currency: Currency;
  readonly c: CheckoutWorld;
  /** this business, seen by a process that read its currency after it was set */
  readonly server: World;
  readonly sold: { pack: number; prepaid: number; club: { membership: number; plan: number } };
}

const places = new Map<Currency, Place>();

/** Returns a business with this currency, in its own installation: a business's currency never changes. */
async function placeOf(currency: Currency): Promise<Place> {
  const c = await CheckoutWorld.of(await startWorld());
  const sold = {
    pack: await c.m.pack(10),
    prepaid: await c.m.prepaid({ duration: 3, duration_unit: 'months' }),
    club: await c.m.recurring(),
  };
  await c.joiningFee(sold.club.plan, '9.99');
  await c.owner.query('SET session_replication_role = replica');
  await c.owner.query('UPDATE provider SET currency = $1 WHERE provider_id = $2', [currency, c.world.harbour]);
  await c.owner.query('SET session_replication_role = DEFAULT');
  return { currency, c, sold, server: await startBeside(c.world) };
}

before(async () => {
  await Promise.all(CURRENCIES.map(async (currency) => places.set(currency, await placeOf(currency))));
});
after(async () => {
  for (const { c } of places.values()) await c.close();
});

const minor = fc.integer({ min: 1, max: 50_000 });
const staffPrice = fc.option(fc.integer({ min: 0, max: 50_000 }));
const item = fc.record({
  kind: fc.constantFrom('drop-in', 'drop-in', 'pack', 'prepaid', 'club', 'charge'),
  forChild: fc.boolean(),
  price: minor,
  quantity: fc.integer({ min: 1, max: 4 }),
  staffPrice,
});
const fee = fc.record({
  tax: fc.boolean(),
  flat: fc.option(fc.integer({ min: 1, max: 900 })),
  percentage: fc.integer({ min: 0, max: 300_000 }).map((n) => (n / 10_000).toFixed(4)),
  taxable: fc.boolean(),
  on: fc.subarray(['event', 'membership', 'joining_fee'], { minLength: 1 }),
});
const history = fc.record({
  items: fc.array(item, { minLength: 1, maxLength: 4 }),
  code: fc.option(
    fc.oneof(
      fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
      fc.record({ flat: fc.integer({ min: 1, max: 9000 }) }),
    ),
  ),
  credit: fc.option(minor),
  pays: fc.constantFrom('sandbox', 'desk', 'later'),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** Number of histories that each business goes through in one run. */
const EACH = 2;
/** Properties common to all histories of a run, so that each needs few of its own. */
const batch = fc.record({
  fees: fc.array(fee, { maxLength: 3 }),
  includesTax: fc.boolean(),
  histories: fc.array(history, { minLength: EACH * CURRENCIES.length, maxLength: EACH * CURRENCIES.length }),
});
type Batch = typeof batch extends fc.Arbitrary<infer T> ? T : never;

async function setFees({ world, owner }: CheckoutWorld, { fees, includesTax }: Batch): Promise<void> {
  await owner.query('UPDATE purchase_fee SET archived_at = now() WHERE provider_id = $1', [world.harbour]);
  await owner.query('UPDATE provider SET prices_include_tax = $1 WHERE provider_id = $2', [includesTax, world.harbour]);
  for (const [n, { tax, flat, percentage, taxable, on }] of fees.entries())
    await row(world, 'purchase_fee', {
      name: `Fee ${n}`,
      kind: tax ? 'tax' : 'fee',
      type: flat === null ? 'percent' : 'flat',
      percentage: flat === null ? percentage : null,
      amount_minor: flat,
      is_taxable: taxable && !tax,
      purchase_types: on,
    });
}

/** Fills a checkout according to the history, and returns its id. */
async function fill({ currency, c, server, sold }: Place, history: History, ask: Ask): Promise<string> {
  const { world } = c;
  const amount = (minor: number) => wireMoney({ minor, currency }).string;
  const family = await row(world, 'family', {});
  const payer = await world.newCustomer({ family_id: family, family_role: 'manager' });
  const child = await world.newCustomer({ family_id: family, family_role: 'child' });
  const entry = async (kind: string, customer: number, minor: number): Promise<number> => {
    const explanation = 'As agreed.';
    return (await ask('POST', '/account_entries', { customer, kind, amount: amount(minor), explanation })).id;
  };
  if (history.credit !== null) await entry('credit', payer, history.credit);
  const code =
    history.code === null
      ? null
      : await c.code(
          'percent' in history.code
            ? { discount_percent: String(history.code.percent) }
            : { discount_type: 'flat', discount_percent: null, discount_minor: history.code.flat },
        );
  const { id } = await ask('POST', '/checkouts', { customer: payer, use_account_credit: history.credit !== null });
  const once = new Set<string>();
  for (const { kind, forChild, price, quantity, staffPrice } of history.items) {
    const customer = forChild ? child : payer;
    // A customer can't buy a plan twice in one checkout.
    if (kind === 'club' && once.size === once.add(`club ${customer}`).size) continue;
    const what = {
      'drop-in': async () => ({ item_type: 'CLASS_DRP', event: await c.event({ price: String(price / 100) }) }),
      pack: async () => ({ item_type: 'MEM_PK', membership: sold.pack }),
      prepaid: async () => ({ item_type: 'MEM_PP', membership: sold.prepaid }),
      club: async () => ({ item_type: 'MEM_RECUR', ...sold.club }),
      charge: async () => ({ item_type: 'ACCT_ENTRY', account_entry: await entry('charge', customer, price) }),
    }[kind as 'pack'];
    const { checkout_items: all } = await ask('POST', `/checkouts/${id}/add_item`, { ...(await what()), customer });
    const mine = all.findLast((one: any) => one.item_type !== 'JOINING_FEE');
    if (kind === 'pack') await ask('POST', `/checkouts/${id}/items/${mine.id}/quantity`, { quantity });
    if (kind !== 'charge' && staffPrice !== null)
      await ask('POST', `/checkouts/${id}/items/${mine.id}/price`, { unit_price: amount(staffPrice) });
  }
  if (code !== null) {
    const answer = await server.patch(`/checkouts/${id}`, {
      as: world.machine,
      body: { discount_code: code },
    });
    // A code that takes nothing off is refused; the history continues without it.
    assert.ok(answer.status === 200 || answer.body.code === 'discount_code_not_applicable', answer.text);
  }
  return id;
}

type Ask = (method: string, path: string, body: object) => Promise<any>;

/** Returns what was billed and posted for a checkout in the database, without the ids that differ in every attempt. */
async function booksOf({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>, checkout: number, since: number) {
  const invoice = (await tx.one<{ id: number }>(
    sql`SELECT invoice_id AS id FROM checkout WHERE provider_id = ${providerId} AND id = ${checkout}`,
  ))!.id;
  const rows = (query: ReturnType<typeof sql>) => tx.rows<Record<string, unknown>>(query);
  return {
    invoice: await rows(sql`SELECT status, customer_id, list_minor, discount_minor, included_minor, pre_tax_minor,
        fees_minor, rounding_minor, total_minor, discount_code, due_on::text
      FROM invoice WHERE provider_id = ${providerId} AND id = ${invoice}`),
    lines: await rows(sql`SELECT position, type, description, customer_id, billed_object, billed_name, quantity,
        list_minor, discount_minor, included_minor, pre_tax_minor, fees_minor, rounding_minor, total_minor,
        account_entry_id
      FROM invoice_line WHERE provider_id = ${providerId} AND invoice_id = ${invoice} ORDER BY position`),
    fees: await rows(sql`SELECT l.position, f.purchase_fee_id, f.kind, f.name, f.explanation, f.amount_minor
      FROM invoice_line_fee f JOIN invoice_line l ON l.provider_id = f.provider_id AND l.id = f.line_id
      WHERE f.provider_id = ${providerId} AND f.invoice_id = ${invoice} ORDER BY f.id`),
    ledger: await rows(sql`SELECT t.kind, t.object, l.account, l.detail, l.customer_id, l.amount_minor
      FROM ledger_transaction t JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id
      WHERE t.provider_id = ${providerId} AND t.id > ${since}::bigint ORDER BY l.id`),
    balances: await rows(sql`SELECT b.customer_id, b.account, b.amount_minor FROM customer_balance b
      WHERE b.provider_id = ${providerId} AND b.amount_minor <> 0 ORDER BY 1, 2`),
    payments: await rows(sql`SELECT amount_minor, payment_processor_id, customer_id FROM payment
      WHERE provider_id = ${providerId} AND payee = 'checkout' AND payee_id = ${checkout}`),
    bookings:
      await rows(sql`SELECT a.event_id AS event, a.customer_id AS customer, a.status, a.comped FROM checkout_item i
      JOIN attendance a ON a.provider_id = i.provider_id AND a.id = i.result_id
      WHERE i.provider_id = ${providerId} AND i.checkout_id = ${checkout} AND i.result_object = 'attendance'
      ORDER BY i.id`),
  };
}

class Undone extends Error {}

/** Returns the result of a dry run from its transaction, before the rollback. */
async function dryRunInside(
  { currency, c }: Place,
  checkout: number,
  since: number,
  { pays }: History,
  processor: number | null,
) {
  const { app, harbour, now } = c.world;
  const { installation, registry } = app;
  let books: Awaited<ReturnType<typeof booksOf>> | undefined;
  const trial = app.db.transaction(harbour, async (tx) => {
    const reader = readerIn('CA');
    const tenant = { providerId: harbour, zone: 'America/Toronto', currency, words: DEFAULT_WORDS, reader };
    const viewer = ownViewer(harbour, 'test');
    const work = new Work({ tx, registry, tenant, viewer, now, requestId: 'test', installation });
    const to = { returnTo: 'https://studio.example', cancelTo: 'https://studio.example' };
    const later = pays === 'later';
    await pay(work, await lockCheckout(work, checkout), { ...to, processor, later, asIfPaid: true });
    books = await booksOf(work, checkout, since);
    throw new Undone();
  });
  await assert.rejects(trial, Undone);
  return books!;
}

/** Returns the response without what only the payment itself has, and without the times of both. */
function shownOf({
  effects: _effects,
  payment,
  invoice,
  expires_at: _until,
  updated_at: _at,
  ended_at: _ended,
  checkout_items,
  ...checkout
}: any) {
  const items = checkout_items.map(({ result, ...one }: any) => ({ ...one, result: result.object }));
  return { ...checkout, paid: payment !== null, billed: invoice !== null, items };
}

/** Goes through a history up to its payment, which is previewed before it is made. */
async function live(place: Place, history: History): Promise<void> {
  const { c, server } = place;
  const { harbour, machine } = c.world;
  const ask: Ask = async (method, path, body) => {
    const answer = await server.ask(method, path, { as: machine, body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const id = await fill(place, history, ask);
  const { rows } = await c.owner.query('SELECT coalesce(max(id), 0)::int AS last FROM ledger_transaction');
  const processor = history.pays === 'later' ? null : c[history.pays];
  const body = history.pays === 'later' ? { pay_later: true } : { payment_processor: processor };

  const inside = await dryRunInside(place, Number(id), rows[0].last, history, processor);
  const shown = await ask('POST', `/checkouts/${id}/pay?dry_run=true`, body);
  const paid = await ask('POST', `/checkouts/${id}/pay`, body);
  assert.deepEqual(shownOf(shown), shownOf(paid));
  assert.equal(paid.status, 'completed');

  const books = await c.world.work(harbour, (work) => booksOf(work, Number(id), rows[0].last));
  assert.deepEqual(inside, books);
  const of = (name: string) => shown.effects.filter(({ effect }: any) => effect === name);
  assert.deepEqual(
    of('booked').map(({ detail: { event, customer } }: any) => ({ event, customer })),
    books.bookings.map(({ event, customer }) => ({ event, customer })),
  );
  assert.equal(of('payment').length, books.payments.length);
  assert.deepEqual(
    of('checkout_completed').map(({ detail }: any) => detail.total_minor),
    [books.invoice[0].total_minor],
  );
}

const BATCHES = everything ? 5 : 2;

test('a dry run of paying shows what paying does, in every amount, line and effect', async () => {
  let lived = 0;
  await fc.assert(
    fc.asyncProperty(batch, async ({ histories, ...around }) => {
      const done = await Promise.allSettled(
        [...places.values()].map(async (place, n) => {
          await setFees(place.c, { histories, ...around });
          // One after the other: the comparison covers everything posted at the business in the meantime.
          for (const one of histories.slice(n * EACH, (n + 1) * EACH)) {
            await live(place, one);
            lived++;
          }
        }),
      );
      // All settle before the next ones begin.
      for (const one of done) if (one.status === 'rejected') throw one.reason;
    }),
    runs(BATCHES),
  );
  assert.ok(process.env.PROPERTY_RUNS || lived >= BATCHES * 6, `only ${lived} histories`);
  for (const { c } of places.values()) await c.balanced();
});
