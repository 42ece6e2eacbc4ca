import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PaymentWorld, received } from './test/payment-world.ts';
import { openPaymentContext } from './context.ts';
import { readProcessor } from './rows.ts';
import { signatureOf, SIGNATURE } from './sandbox/sandbox.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { News } from './processor.ts';

let p: PaymentWorld;
before(async () => {
  p = await PaymentWorld.start();
});
after(() => p.close());

let last = 0;

/** Sends a message as the sandbox signs it, over HTTP. */
async function send(
  news: readonly News[],
  o: { id?: string; signature?: string; processor?: number; body?: string } = {},
) {
  const body = o.body ?? JSON.stringify({ id: o.id ?? `message_${++last}`, type: 'test', news });
  const { providerId } = p.outside.tenant;
  const row = await p.outside.db.transaction(providerId, (tx) => readProcessor({ tx, providerId }, p.sandbox));
  const signature = o.signature ?? signatureOf(openPaymentContext(p.outside, row!), body);
  return fetch(`${p.world.url}/payment_messages/${providerId}/${o.processor ?? p.sandbox}`, {
    method: 'POST',
    headers: { [SIGNATURE]: signature, 'content-type': 'application/json' },
    body,
  });
}

const succeeded = (id: number): News => ({
  about: { key: `payment-${id}` },
  payment: { state: 'succeeded', external: `sandbox_charge_x${id}` },
});

// Guards against: Forged or repeated messages of a payment processor
test('a message that arrives twice, even at the same time, is applied once', async () => {
  const { id } = await p.start();
  const answers = await Promise.all([1, 2, 3].map(() => send([succeeded(id)], { id: `thrice_${id}` })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204, 204],
  );
  assert.equal((await p.payment(id)).status, 'succeeded');
  assert.equal(received.filter((one) => one === `paid ${id}`).length, 1);
});

// Guards against: Forged or repeated messages of a payment processor
test('a message without a valid signature, or for an unknown business, changes nothing', async () => {
  const { id } = await p.start();
  assert.equal((await send([succeeded(id)], { signature: 'a'.repeat(64) })).status, 400);
  assert.equal((await send([succeeded(id)], { signature: '' })).status, 400);
  assert.equal((await send([succeeded(id)], { processor: 999_999_999 })).status, 404);
  assert.equal((await send([succeeded(id)], { processor: p.desk })).status, 404, 'a desk sends none');
  assert.equal((await p.payment(id)).status, 'started');
});

test('a message about an unknown payment is accepted, and changes nothing', async () => {
  assert.equal((await send([succeeded(999_999_999)])).status, 204);
  assert.equal((await send([])).status, 204);
});

test('a message above the size limit is refused', async () => {
  assert.equal((await send([], { body: ' '.repeat(600_000) })).status, 413);
});

test('a message that arrives before the response to the first request waits for it', async () => {
  await p.paid();
  const { id } = await p.start({ scenario: 'success' });
  // The sandbox numbers its charges, so the id of the next one is known in advance.
  const [{ next }] = await p.rows<{ next: number }>(sql`SELECT max(id) + 1 AS next FROM sandbox_charge`);
  const external = `sandbox_charge_${next}`;
  const dispute = { external: 'd1', state: 'open' as const, amount: 1000, reason: 'Unknown to the customer.' };
  assert.equal((await send([{ about: { external }, dispute }])).status, 204);
  assert.deepEqual((await p.payment(id, '?expand=disputes')).disputes, []);
  await p.drive(id);
  const { status, disputes, processor_reference } = await p.payment(id, '?expand=disputes');
  assert.deepEqual([processor_reference, status, disputes.length], [external, 'succeeded', 1]);
});

test('a dispute of a payment whose success was never reported shows that it was paid', async () => {
  const { id } = await p.start({ scenario: 'late' });
  const dispute = { external: `d${id}`, state: 'won' as const, amount: 1000, reason: 'Unknown to the customer.' };
  assert.equal((await send([{ about: { key: `payment-${id}` }, dispute }])).status, 204);
  const { status, disputes } = await p.payment(id, '?expand=disputes');
  assert.deepEqual([status, disputes[0].status], ['succeeded', 'won']);
  assert.deepEqual(await p.balances([id]), { clearing: 1000, revenue: -1000 });
});
