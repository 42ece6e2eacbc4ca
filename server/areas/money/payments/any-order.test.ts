/** Tests that the books agree with the processor in the end, in any order of events and reports. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askCancel } from './index.ts';
import { checkLedger } from '../ledger/index.ts';
import { openPaymentContext } from './context.ts';
import { EVENTS, play, type SandboxEvent } from './sandbox/play.ts';
import { fc, runs } from '../../../test/properties.ts';
import { gone, received, PaymentWorld } from './test/payment-world.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { readProcessor, type ProcessorRow } from './rows.ts';
import { row } from '../../../test/schedule-world.ts';
import { SCENARIOS } from './sandbox/scenarios.ts';
import { signatureOf, SIGNATURE } from './sandbox/sandbox.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { takeMessage } from './take-message.ts';

let p: PaymentWorld;
let processor: ProcessorRow;
before(async () => {
  p = await PaymentWorld.start();
  const { db, tenant } = p.outside;
  processor = (await db.transaction(tenant.providerId, (tx) =>
    readProcessor({ tx, providerId: tenant.providerId }, p.sandbox),
  ))!;
});
after(() => p.close());

const CHARGED = 1000;
const DAY = 86_400_000;

/** Events of a payment. The number selects one of several, if there are several. */
const act = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(EVENTS) as SandboxEvent[])).map((event) => ({ event })) },
  { weight: 4, arbitrary: fc.nat(9).map((message) => ({ message })) },
  { weight: 2, arbitrary: fc.constant({ drive: true }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 700 }).map((refund) => ({ refund })) },
  { weight: 1, arbitrary: fc.constant({ cancel: true }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((refunds) => ({ refunds })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }).map((hours) => ({ hours })) },
);
type Act = Partial<{
  event: SandboxEvent;
  message: number;
  drive: boolean;
  refund: number;
  cancel: boolean;
  refunds: number;
  hours: number;
}>;

const messagesOf = (id: number) =>
  p.rows<{ id: number; body: string }>(
    sql`SELECT id, body FROM sandbox_message
      WHERE body LIKE ${`%"payment-${id}"%`} OR body LIKE
        '%sandbox_charge_' || coalesce((SELECT id::text FROM sandbox_charge WHERE key = ${`payment-${id}`}),
          'none') || '"%' ORDER BY id`,
  );

/** Suppresses all messages except those that the test sends. */
const hush = () => p.rows(sql`UPDATE sandbox_message SET next_at = NULL WHERE next_at IS NOT NULL`);

async function deliver(id: number, nth: number): Promise<void> {
  const all = await messagesOf(id);
  const one = all[nth % Math.max(all.length, 1)];
  if (!one) return;
  const body = Buffer.from(JSON.stringify({ id: `sandbox_message_${one.id}`, ...JSON.parse(one.body) }));
  const headers = { [SIGNATURE]: signatureOf(openPaymentContext(p.outside, processor), body) };
  const taken = await takeMessage(p.outside, p.sandbox, { body, headers });
  assert.ok(taken === 'applied' || taken === 'known');
}

async function happen(id: number, one: Act): Promise<void> {
  try {
    if (one.event) await play(openPaymentContext(p.outside, processor), `payment-${id}`, one.event);
    else if (one.message !== undefined) await deliver(id, one.message);
    else if (one.drive) await p.drive(id);
    else if (one.cancel) await p.world.work(p.world.harbour, (work) => askCancel(work, id));
    else if (one.refund) {
      const body = { amount: (one.refund / 100).toFixed(2), reason: 'You were ill.' };
      await p.world.post(`/payments/${id}/refund`, { as: p.world.machine, body });
    } else if (one.refunds)
      for (const { id: refund } of (await p.refunds(id)).slice(0, one.refunds)) await p.driveRefund(refund);
    else if (one.hours) p.world.setNow(p.world.now + one.hours * 3_600_000);
  } catch (error) {
    // The event can't happen at this moment.
    if (!(error instanceof Problem)) throw error;
  }
  await hush();
}

/** Computes the balances that the books must have, from the payment's own rows. */
async function expected(id: number) {
  const [row] = await p.rows<{ status: string; taken: boolean | null; back: number; away: number; failed: number }>(sql`
    SELECT status, taken, refunded_minor AS back,
      (SELECT coalesce(sum(amount_minor), 0)::bigint FROM payment_dispute d
        WHERE d.payment_id = p.id AND status <> 'won') AS away,
      (SELECT coalesce(sum(amount_minor), 0)::bigint FROM payment_refund r
        WHERE r.payment_id = p.id AND status = 'failed') AS failed
    FROM payment p WHERE id = ${id}`);
  return row;
}

// Guards against: Charging somebody twice, or keeping money for nothing
test('any order of requests, messages, cancellations, refunds and disputes leaves balanced books and one final state', async () => {
  const scenario = fc.constantFrom(...Object.keys(SCENARIOS));
  const story = fc.tuple(scenario, fc.boolean(), fc.array(act, { maxLength: 12 }));
  await fc.assert(
    fc.asyncProperty(story, async ([name, isGone, acts]) => {
      p.world.resetNow();
      const { id, payer } = await p.start({ scenario: name, ...(isGone && { gone: 'answer' as const }) });
      for (const one of acts) await happen(id, one as Act);
      // Delivers all remaining messages, the newest first, and then asks about every open payment.
      for (let nth = (await messagesOf(id)).length; nth > 0; nth--) await deliver(id, nth - 1);
      for (let days = 0; days < 3; days++) {
        p.world.setNow(p.world.now + DAY);
        await hush();
        await p.settle();
      }
      const [charge] = await p.rows<{ state: string }>(
        sql`SELECT state FROM sandbox_charge WHERE key = ${`payment-${id}`}`,
      );
      const { status, taken, back, away } = await expected(id);
      const booked = received.filter((said) => said === `paid ${id}`).length;
      gone.delete(payer);
      if (charge?.state === 'pending') assert.ok(status === 'pending', 'nobody has decided');
      else assert.equal(status, charge?.state ?? 'failed', 'as the processor has it');
      assert.equal(booked, status === 'succeeded' && taken ? 1 : 0, 'taken once');
      const { clearing = 0, dispute = 0, ...others } = await p.balances([id]);
      assert.equal(clearing, status === 'succeeded' ? CHARGED - back - away : 0, 'what the processor still has');
      assert.equal(dispute, away);
      const rest = Object.values(others).reduce((sum, amount) => sum + amount, 0);
      assert.equal(clearing + dispute + rest, 0, 'balanced');
      if (taken === false) assert.equal(others.unapplied ?? 0, back - CHARGED, 'what was not taken is the customer’s');
    }),
    runs(40),
  );
});

test('two payments with the same reports in a different order end in the same state', async () => {
  const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
  await fc.assert(
    fc.asyncProperty(order, order, fc.boolean(), async (one, other, lost) => {
      p.world.resetNow();
      const ends = [];
      for (const these of [one, other]) {
        const { id } = await p.start({ scenario: 'late' });
        await p.drive(id);
        for (const event of ['fail', 'succeed', 'dispute', lost ? 'lose_dispute' : 'win_dispute'] as const)
          await play(openPaymentContext(p.outside, processor), `payment-${id}`, event);
        await hush();
        const [pending, ...messages] = await messagesOf(id);
        assert.deepEqual([JSON.parse(pending.body).type, messages.length], ['charge.pending', 4]);
        for (const nth of these) await deliver(id, nth + 1);
        const { status, taken, failure, disputes } = await p.payment(id, '?expand=disputes');
        const balances = await p.balances([id]);
        ends.push({ status, taken, failure, disputes: disputes.map((d: any) => d.status), balances });
      }
      assert.deepEqual(ends[0], ends[1]);
    }),
    runs(12),
  );
});

test('after any order of events the ledger checks find nothing, and they find a payment that is missing in the ledger', async () => {
  const { db, tenant } = p.outside;
  const checked = () =>
    db.looking(tenant.providerId, (tx) => checkLedger({ tx, tenant, providerId: tenant.providerId }));
  assert.deepEqual(await checked(), []);
  const customer = await p.world.newCustomer();
  const values = { payment_processor_id: p.sandbox, customer_id: customer, amount_minor: 700, payee: 'test_sale' };
  const said = { payee_id: 1, description: 'A class', return_to: '', cancel_to: '', status: 'succeeded', taken: true };
  await row(p.world, 'payment', { ...values, ...said, succeeded_at: new Date(p.world.now).toISOString() });
  const [difference, ...more] = await checked();
  assert.match(
    difference,
    new RegExp(`^payments: payment processor ${p.sandbox}: [\\d.]+ CAD expected, and [\\d.]+ CAD found`),
  );
  assert.deepEqual(more, []);
});
