/** Tests with real worker processes that are killed while they charge and refund. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { moneyAt, StripeWorld, type Business } from './test/stripe-world.ts';
import { SECRET_KEY } from '../../../../test/secret-key.ts';
import { inTurns } from '../../../../test/rare.ts';
import { serve, type Served } from '../../../../test/processes/durable.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startRefund } from '../start.ts';
import { until } from '../../../../test/storm.ts';

const PAYMENTS = 24;

let w: StripeWorld;
let harbour: Business;
let worker: Served | null = null;
before(async () => {
  w = await StripeWorld.start();
  harbour = w.harbour;
  harbour.messages.mode = 'lose';
});
after(async () => {
  worker?.process.kill('SIGKILL');
  await w.close();
});

const start = () =>
  serve(
    w.world.databaseUrl,
    { ROLE: 'worker', SECRET_KEY, PUBLIC_URL: w.world.url, OUTBOUND_ALLOW: '127.0.0.1/32' },
    'serve-shop',
  );

/** Rows that the dead worker had claimed would otherwise be due a minute later. */
const makeDue = (table: 'payment' | 'payment_refund') =>
  w.world.app.db.transaction(harbour.provider, (tx) =>
    tx.run(
      table === 'payment'
        ? sql`UPDATE payment SET next_at = now() WHERE provider_id = ${harbour.provider} AND next_at IS NOT NULL`
        : sql`UPDATE payment_refund SET next_at = now() WHERE provider_id = ${harbour.provider} AND next_at IS NOT NULL`,
    ),
  );

const left = async (table: 'payment' | 'payment_refund') =>
  w.world.app.db.looking(harbour.provider, async (tx) => {
    const found = await tx.one<{ n: number }>(
      table === 'payment'
        ? sql`SELECT count(*) AS n FROM payment WHERE provider_id = ${harbour.provider} AND status <> 'succeeded'`
        : sql`SELECT count(*) AS n FROM payment_refund WHERE provider_id = ${harbour.provider} AND status <> 'succeeded'`,
    );
    return found!.n;
  });

/**
 * Numbers of requests that Stripe has acted on when the worker is killed; after an odd number, it has responded to the
 * last.
 */
const KILLS = [2, 5, 4];

/** Starts payments or refunds, and kills the worker each time Stripe has acted on the given number of requests. */
async function killAt(request: string, table: 'payment' | 'payment_refund', begin: () => Promise<void>): Promise<void> {
  let begun = false;
  for (const n of inTurns(KILLS, KILLS.length)) {
    let seen = 0;
    const acted = Promise.withResolvers<void>();
    w.standIn.acted = async (name) => {
      if (name !== request || ++seen !== n) return;
      if (n % 2 === 0) await worker!.end('SIGKILL');
      acted.resolve();
    };
    worker ??= await start();
    if (!begun) await begin();
    begun = true;
    await makeDue(table);
    await acted.promise;
    await worker.end('SIGKILL');
    worker = null;
  }
  w.standIn.acted = () => {};
  w.standIn.forgetKeys();
  worker = await start();
  await makeDue(table);
  await until('all are through', async () => {
    if ((await left(table)) === 0) return true;
    await makeDue(table);
    return false;
  });
}

test('workers are killed while they charge and while they refund, and each customer pays once and is refunded once', async () => {
  const method = await w.saveCard(harbour, 'visa');
  const payments: number[] = [];
  await killAt('POST /v1/payment_intents', 'payment', async () => {
    for (let n = 0; n < PAYMENTS; n++) payments.push(await w.start(harbour, { method, amount: 1000 + n }));
  });
  const charges = harbour.account.objects.all('charge');
  assert.equal(charges.length, PAYMENTS);
  assert.deepEqual(
    new Set(charges.map(({ metadata }) => metadata.rollcall_payment)),
    new Set(payments.map((id) => `payment-${id}`)),
  );
  await killAt('POST /v1/refunds', 'payment_refund', async () => {
    for (const payment of payments)
      await w.world.work(harbour.provider, (work) => startRefund(work, { payment, amount: 400, why: 'Rain.' }));
  });
  const refunds = harbour.account.objects.all('refund');
  assert.equal(refunds.length, PAYMENTS);
  assert.equal(new Set(refunds.map(({ payment_intent }) => payment_intent)).size, PAYMENTS);
  assert.equal(await w.clearing(harbour), moneyAt(harbour.account));
  assert.equal(await worker!.end('SIGTERM'), 0);
  worker = null;
});
