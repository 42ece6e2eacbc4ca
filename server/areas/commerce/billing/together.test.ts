/** Renewals that share transactions: each is billed and paid as if it were alone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BillingWorld } from './test/world.ts';
import { billTogether, isPlain } from './bill-together.ts';
import { checkLedger } from '../../money/ledger/index.ts';
import { syncStartedPayments, type KnownPayment } from '../../money/payments/index.ts';
import { ownContext } from '../../../test/own-context.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { readDue } from './bill.ts';
import { renewDue } from '../../memberships/customer-memberships/renewals/renew.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld } from '../../../test/world.ts';

let b: BillingWorld;
before(async () => {
  b = await BillingWorld.of(await startWorld());
});
after(() => b.close());

/**
 * Creates members with a saved card each, in the order of their ids, whose next period begins on this day. The first
 * may have several plans.
 */
async function due(joined: string, day: string, tokens: readonly string[], plansOfFirst = 1): Promise<number[]> {
  b.world.setNow(Date.parse(`${joined}T14:00Z`));
  const customers: number[] = [];
  for (const token of tokens) {
    const { customer } = await b.member();
    customers.push(customer);
    await b.c.owner.query(
      `INSERT INTO payment_method (provider_id, customer_id, payment_processor_id, type, token, last_four)
       VALUES ($1, $2::bigint, $3, 'credit_card', 'sandbox_card_' || $2::bigint || $4, '4242')`,
      [b.world.harbour, customer, b.c.sandbox, token],
    );
  }
  for (let n = 1; n < plansOfFirst; n++) await b.member({ customer: customers[0] });
  b.world.setNow(Date.parse(`${day}T14:00Z`));
  await backgroundWork(ownContext(b.world), b.world.harbour, 'test', renewDue);
  return customers;
}

const read = (day: string) =>
  b.world.work(b.world.harbour, (work) => readDue(work, sql`p.state = 'due' AND p.period_start = ${day}::date`, 10));

const inOne = <T>(act: Parameters<typeof backgroundWork<T>>[3]) =>
  backgroundWork(ownContext(b.world), b.world.harbour, 'test', act);

async function drive(payments: readonly KnownPayment[]): Promise<void> {
  const own = ownContext(b.world);
  const tenant = (await own.tenants.of(b.world.harbour))!;
  await syncStartedPayments({ ...own, tenant, now: b.world.now }, payments);
}

const statuses = async (customers: readonly number[]): Promise<string[][]> => {
  const all: string[][] = [];
  for (const one of customers) all.push((await b.invoices(one)).map(({ status }) => status));
  return all;
};

const differences = () => b.world.work(b.world.harbour, (work) => checkLedger(work));

test('a member with two plans pays for each, a declined card fails alone, and the others are paid', async () => {
  const customers = await due('2030-03-10', '2030-04-10', ['', '_declined', ''], 2);
  await b.bill();
  assert.deepEqual(await statuses(customers), [['paid', 'paid'], ['retrying'], ['paid']]);
  assert.deepEqual(await differences(), []);
});

test('if one of them has changed since it was read, the transaction is rolled back and each is billed alone', async () => {
  const customers = await due('2030-05-11', '2030-06-11', ['', '']);
  const { due: periods, plans } = await read('2030-06-11');
  assert.deepEqual([periods.length, periods.every((one) => isPlain(one, plans))], [2, true]);
  await b.c.owner.query(`UPDATE payment_method SET removed_at = now() WHERE provider_id = $1 AND customer_id = $2`, [
    b.world.harbour,
    customers[0],
  ]);
  await assert.rejects(
    inOne((work) => billTogether(work, periods, plans)),
    /has changed/,
  );
  assert.deepEqual(await statuses(customers), [[], []]);
  await b.bill();
  assert.deepEqual(await statuses(customers), [['open'], ['paid']]);
});

test('an invoice that is paid at the desk in the meantime is not paid twice: its payment is refunded, and the others succeed', async () => {
  const customers = await due('2030-07-12', '2030-08-12', ['', '']);
  const { due: periods, plans } = await read('2030-08-12');
  const payments = (await inOne((work) => billTogether(work, periods, plans)))!;
  const [{ row }] = payments;
  await b.done('POST', `/invoices/${row.payee_id}/record_payment`, { payment_processor: b.c.desk });
  await drive(payments);
  assert.deepEqual(await statuses(customers), [['paid'], ['paid']]);
  const { rows } = await b.c.owner.query(
    `SELECT taken, status, refunded_minor = amount_minor AS refunded FROM payment WHERE id = ANY($1) ORDER BY id`,
    [payments.map((one) => one.row.id)],
  );
  assert.deepEqual(rows, [
    { taken: false, status: 'succeeded', refunded: true },
    { taken: true, status: 'succeeded', refunded: false },
  ]);
  assert.deepEqual(await differences(), []);
});

test('a payment whose message arrives before its response is paid once, and so are the others', async () => {
  const customers = await due('2030-09-13', '2030-10-13', ['', '', '']);
  const { due: periods, plans } = await read('2030-10-13');
  const payments = (await inOne((work) => billTogether(work, periods, plans)))!;
  // Requested and recorded by another process, as when a message arrives.
  await drive(payments.slice(1, 2));
  await drive(payments);
  assert.deepEqual(await statuses(customers), [['paid'], ['paid'], ['paid']]);
  const { rows } = await b.c.owner.query(
    `SELECT p.taken, count(c.id)::int AS charges FROM payment p
      LEFT JOIN invoice_charge c ON c.provider_id = p.provider_id AND c.payment_id = p.id
     WHERE p.id = ANY($1) GROUP BY p.id, p.taken ORDER BY p.id`,
    [payments.map((one) => one.row.id)],
  );
  assert.deepEqual(
    rows,
    payments.map(() => ({ taken: true, charges: 1 })),
  );
  assert.deepEqual(await differences(), []);
});
