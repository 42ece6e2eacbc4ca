/**
 * Two years of payments by ten members, as in docs/algorithms/two-years-of-money.md: their actions, and every resulting
 * invoice, payment and posting, all on the clock of a test business.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { advance, nowAtHarbour, startTestBusiness } from '../worlds/test-business.ts';
import { checkLedger } from '../../areas/money/ledger/index.ts';
import { CheckoutWorld } from '../../areas/commerce/checkouts/test/world.ts';
import { formatDecimal } from '../../kernel/base/values/money.ts';
import { idsFromOne, restartIds } from '../database.ts';
import { iso } from '../schedule-world.ts';
import { rare } from '../rare.ts';
import { parseInstant, wallAt } from '../../kernel/base/values/zone.ts';
import { sql, type Sql } from '../../kernel/base/db/sql.ts';
import { workedTable } from '../worked-table.ts';
import type { World } from '../world.ts';

const STORY = 'docs/algorithms/two-years-of-money.md';
const ZONE = 'America/Toronto';
const BEGINS = '2028-01-05';
const ENDS = '2030-01-05';

let world: World;
let c: CheckoutWorld;
let code: string;
/** by name: ids of memberships and plans, of customers, and of their current customer memberships */
const products = new Map<string, { membership: number; plan: number }>();
const people = new Map<string, number>();
const owned = new Map<string, number>();

before(async () => {
  world = await startTestBusiness();
  // The story contains ids.
  await restartIds(world.databaseUrl, idsFromOne);
  world.setNow(parseInstant(`${BEGINS}T10:00`, ZONE)!);
  c = await CheckoutWorld.of(world);
  const plan = async (name: string, price: string, over: object = {}) =>
    products.set(name, await c.m.recurring([], { price, ...over }, { name }));
  await plan('Club', '60.00');
  await plan('Gold', '90.00');
  await plan('Year', '50.00', { committed_billing_periods: 12, commitment_expiration_scheme: 'stop_contract' });
  await done('POST', '/purchase_fees', {
    name: 'HST',
    kind: 'tax',
    type: 'percent',
    percentage: '13',
    is_taxable: false,
    purchase_types: ['recurring_membership'],
  });
  code = await c.code({ applicable_billing_cycles: 3 });
});
after(() => c.close());

async function done(method: string, path: string, body?: object): Promise<any> {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`);
  return answer.body;
}

async function person(name: string): Promise<number> {
  if (!people.has(name)) people.set(name, await world.newCustomer({ first_name: name }));
  return people.get(name)!;
}

const mine = (name: string): number => owned.get(name)!;

const ACTS: Record<string, (name: string, ...words: string[]) => Promise<unknown>> = {
  buys: async (name, product, how, ...more) => {
    const customer = await person(name);
    const checkout = await c.open(customer);
    await c.add(checkout, { item_type: 'MEM_RECUR', ...products.get(product)! });
    if (more.includes('code')) await c.patch(checkout, { discount_code: code });
    await c.pay(
      checkout,
      how === 'with' ? { payment_processor: c.sandbox, save_payment_method: true } : { payment_processor: c.desk },
    );
    const { results } = await c.read(`/customer_memberships?customer=${customer}&sort=id`);
    const bought = results.at(-1);
    owned.set(name, bought.id);
  },
  pays: async (name) => {
    const { results } = await c.read(`/invoices?payer=${await person(name)}&sort=id&page_size=100`);
    for (const { id, outstanding_amount: left } of results.filter((one: any) => one.outstanding_amount.decimal > 0))
      await done('POST', `/invoices/${id}/record_payment`, { amount: left.string, payment_processor: c.desk });
  },
  is: async (name, what, amount) =>
    done('POST', '/account_entries', {
      customer: await person(name),
      kind: what === 'credited' ? 'credit' : 'charge',
      amount,
      explanation: what === 'credited' ? 'An apology.' : 'A lost key.',
    }),
  rests: async (name, from, _to, to) =>
    done('POST', '/customer_membership_holds', {
      customer_membership: mine(name),
      start_date: from,
      end_date: to ?? null,
      extend_expirations: true,
    }),
  returns: async (name) => {
    const { results } = await done('GET', `/customer_membership_holds?customer_membership=${mine(name)}`);
    await done('POST', `/customer_membership_holds/${results.at(-1).id}/end`, {});
  },
  cancels: (name) => done('POST', `/customer_memberships/${mine(name)}/cancel`, {}),
  upgrades: async (name, product) =>
    owned.set(name, (await done('POST', `/customer_memberships/${mine(name)}/upgrade`, products.get(product)!)).id),
  prices: async (_name, product, price) =>
    done('POST', '/customer_memberships/bulk_edit_prices', {
      membership: products.get(product)!.membership,
      billed_price: price,
    }),
};

const live = async (day: string): Promise<void> => {
  const to = parseInstant(`${day}T10:00`, ZONE)!;
  if ((await nowAtHarbour(world)) < to) await advance(world, { to: iso(to) });
};

const rows = (query: Sql) => world.work(world.harbour, ({ tx }) => tx.rows<Record<string, any>>(query));
const dayOf = (at: number): string => wallAt(at, ZONE).date;
const amount = (minor: number): string => formatDecimal({ minor, currency: 'CAD' });
const nameOf = (customer: number | null): string => [...people].find(([, id]) => id === customer)?.[0] ?? '';

const invoices = async (): Promise<string[]> =>
  (
    await rows(sql`
      SELECT issued_on, customer_id, total_minor, paid_minor, credit_minor, due_minor, status FROM invoice
      WHERE provider_id = ${world.harbour} ORDER BY id`)
  ).map((row) =>
    [
      row.issued_on,
      nameOf(row.customer_id),
      amount(row.total_minor),
      amount(row.paid_minor),
      amount(row.credit_minor),
      amount(row.due_minor),
      row.status,
    ].join(' | '),
  );

const payments = async (): Promise<string[]> =>
  (
    await rows(sql`
      SELECT p.created_at, p.customer_id, p.amount_minor, p.status, k.kind FROM payment p
      JOIN payment_processor k ON k.provider_id = p.provider_id AND k.id = p.payment_processor_id
      WHERE p.provider_id = ${world.harbour} ORDER BY p.id`)
  ).map((row) =>
    [dayOf(row.created_at), nameOf(row.customer_id), row.kind, amount(row.amount_minor), row.status].join(' | '),
  );

const ledger = async (): Promise<string[]> =>
  (
    await rows(sql`
      SELECT concat_ws(' ', account, detail) AS account, customer_id AS customer,
        sum(amount_minor) FILTER (WHERE amount_minor > 0)::bigint AS debits,
        -sum(amount_minor) FILTER (WHERE amount_minor < 0)::bigint AS credits, sum(amount_minor)::bigint AS balance
      FROM ledger_line WHERE provider_id = ${world.harbour} GROUP BY account, detail, customer_id ORDER BY 1, 2`)
  ).map((row) =>
    [row.account, nameOf(row.customer), amount(row.debits ?? 0), amount(row.credits ?? 0), amount(row.balance)].join(
      ' | ',
    ),
  );

const expected = (heading: string): string[] =>
  workedTable(STORY, heading).map((row) => Object.values(row).join(' | '));

const MIDDLE = '2028-07-15';

/** Performs the members' actions from one day until another. */
async function liveFrom(first: string, until: string): Promise<void> {
  for (const { day, who, does } of workedTable(STORY, 'What they do')) {
    if (day < first || day >= until) continue;
    await live(day);
    const [verb, ...words] = does.split(' ');
    await ACTS[verb](who, ...words);
  }
  await live(until);
}

test('after half a year of ten members, every payment matches the story, and the ledger agrees with everything that was posted to it', async () => {
  await liveFrom(BEGINS, MIDDLE);
  const ofHalf = (rows: string[]): string[] => rows.filter((row) => row < MIDDLE);
  assert.deepEqual(ofHalf(await invoices()).length, ofHalf(expected('Every invoice')).length);
  assert.deepEqual(ofHalf(await payments()).toSorted(), ofHalf(expected('Every payment')));
  assert.deepEqual(await world.work(world.harbour, checkLedger), []);
});

rare('after two years, every invoice, every payment and the whole ledger match the story', async () => {
  await liveFrom(MIDDLE, ENDS);
  assert.deepEqual((await invoices()).toSorted(), expected('Every invoice'));
  assert.deepEqual((await payments()).toSorted(), expected('Every payment'));
  assert.deepEqual((await ledger()).toSorted(), expected('What the ledger has at the end'));
  assert.deepEqual(await world.work(world.harbour, checkLedger), []);
});
