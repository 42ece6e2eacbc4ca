import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { feedEnd, feedSince } from '../../../test/schedule-world.ts';
import { gone, received, PaymentWorld } from './test/payment-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

let p: PaymentWorld;
before(async () => {
  p = await PaymentWorld.start();
});
after(() => p.close());

const told = (id: number): string[] => received.filter((one) => new RegExp(`^\\w+ ${id}\\b`).test(one));
const HOUR = 3_600_000;

test('a payment that succeeds is taken once, and its money is in the clearing account of its processor', async () => {
  const since = await feedEnd(p.world);
  const { id, payer } = await p.paid();
  const { status, taken, amount, customer, action_url, trouble, subject } = await p.payment(id);
  assert.deepEqual(
    { status, taken, amount: amount.string, customer, action_url, trouble, subject },
    {
      status: 'succeeded',
      taken: true,
      amount: '10.00',
      customer: payer,
      action_url: null,
      trouble: null,
      subject: { object: 'customer', id: payer },
    },
  );
  await p.drive(id);
  await p.settle();
  assert.deepEqual(told(id), [`paid ${id}`]);
  assert.deepEqual(await p.balances([id]), { clearing: 1000, revenue: -1000 });
  const said = (await feedSince(p.world, since)).filter((item) => item.kind.startsWith('payment.'));
  assert.deepEqual(
    said.map(({ kind, payload }) => [kind, payload.payment, payload.amount]),
    [
      ['payment.created', id, '10.00'],
      ['payment.succeeded', id, '10.00'],
    ],
  );
});

test('a declined payment fails with a message for the customer and moves no money', async () => {
  const { id } = await p.paid({ scenario: 'declined' });
  const { status, failure } = await p.payment(id);
  assert.deepEqual([status, failure], ['failed', 'Your card was declined. Use another card, or ask your bank.']);
  assert.deepEqual(told(id), [`failed ${id}: ${failure}`]);
  assert.deepEqual(await p.balances([id]), {});
});

test('a customer confirms on the sandbox page, which opens only at its secret address, and returns', async () => {
  const { id } = await p.paid({ scenario: 'extra_step' });
  const { status, action_url } = await p.payment(id);
  assert.equal(status, 'action_required');
  const page = await fetch(action_url);
  assert.match(await page.text(), /A class: 10\.00 CAD/);
  assert.equal((await fetch(`${action_url.slice(0, -1)}~`)).status, 404, 'an address that was guessed');
  assert.equal((await p.payment(id)).status, 'action_required', 'looking changes nothing');
  const answered = await fetch(action_url, { method: 'POST', body: new URLSearchParams({ answer: 'pay' }) });
  assert.match(await answered.text(), /http-equiv="refresh" content="0; url=https:\/\/example\.com\/back"/);
  const after = await p.payment(id);
  assert.deepEqual([after.status, after.taken, after.action_url], ['succeeded', true, null]);
  const again = await fetch(action_url, { method: 'POST', body: new URLSearchParams({ answer: 'cancel' }) });
  assert.match(await again.text(), /Your payment is confirmed/, 'who is late changes nothing');
});

test('a payment at the desk is taken in the transaction that records it, and only staff can record it', async () => {
  const { id } = await p.start({ processor: p.desk });
  const { status, taken } = await p.payment(id);
  assert.deepEqual([status, taken, told(id)], ['succeeded', true, [`paid ${id}`]]);
  await assert.rejects(p.start({ processor: p.desk, gone: 'answer' }), /The last spot has gone/);
});

for (const how of ['answer', 'refusal'] as const)
  test(`money for what is no longer available (${how}) goes back, and nothing of the attempt is left`, async () => {
    const { id } = await p.paid({ gone: how });
    const { status, taken } = await p.payment(id);
    assert.deepEqual([status, taken, told(id)], ['succeeded', false, []]);
    await p.settle();
    const [refund, ...more] = await p.refunds(id);
    assert.deepEqual(
      [refund.status, refund.amount.string, refund.explanation, more],
      ['succeeded', '10.00', 'The last spot has gone.', []],
    );
    assert.deepEqual(await p.balances([id]), {}, 'it came and went');
  });

test('a payee that crashes loses no money: the payment is offered again', async () => {
  const { id, payer } = await p.paid({ gone: 'crash' });
  assert.equal((await p.payment(id)).status, 'started');
  assert.deepEqual(await p.balances([id]), {});
  gone.delete(payer);
  p.world.setNow(p.world.now + HOUR);
  await p.settle();
  assert.deepEqual([(await p.payment(id)).status, told(id)], ['succeeded', [`paid ${id}`]]);
});

test('after a lost response the processor is asked again, and nothing is charged twice', async () => {
  const { id } = await p.paid({ scenario: 'unheard' });
  assert.equal((await p.payment(id)).status, 'started', 'nobody knows');
  p.world.setNow(p.world.now + HOUR);
  await p.settle();
  assert.equal((await p.payment(id)).status, 'succeeded');
  const charges = await p.rows(sql`SELECT FROM sandbox_charge WHERE key = ${`payment-${id}`}`);
  assert.equal(charges.length, 1);
});

test('a missing message is made up for by asking the processor', async () => {
  const { id } = await p.paid({ scenario: 'late' });
  assert.equal((await p.payment(id)).status, 'pending');
  const played = await p.play(id, 'succeed', 'lost');
  assert.deepEqual([played.status, played.body.status], [200, 'pending'], played.text);
  await p.settle();
  assert.equal((await p.payment(id)).status, 'pending', 'it is not time to ask yet');
  p.world.setNow(p.world.now + HOUR);
  await p.settle();
  assert.equal((await p.payment(id)).status, 'succeeded');
});

test('a cancelled payment that is paid late nevertheless is offered once more, and taken', async () => {
  const { id } = await p.paid({ scenario: 'extra_step' });
  const cancelled = await p.world.post(`/payments/${id}/cancel`, { as: p.world.machine, body: {} });
  assert.equal(cancelled.status, 200, cancelled.text);
  await p.settle();
  assert.deepEqual([(await p.payment(id)).status, told(id)], ['failed', [`failed ${id}: The payment was cancelled.`]]);
  const late = await p.play(id, 'succeed');
  assert.deepEqual([late.status, late.body.status], [200, 'succeeded'], late.text);
  assert.deepEqual([(await p.payment(id)).taken, told(id).at(-1)], [true, `paid ${id}`]);
});

test('a customer who never returns leaves a payment that is cancelled after a day', async () => {
  const { id } = await p.paid({ scenario: 'extra_step' });
  p.world.setNow(p.world.now + 25 * HOUR);
  await p.settle();
  const { status, failure } = await p.payment(id);
  assert.deepEqual([status, failure], ['failed', 'The payment was cancelled.']);
});

test('a payment that could not begin for half a day no longer begins', async () => {
  const { id } = await p.start();
  p.world.setNow(p.world.now + 13 * HOUR);
  await p.settle();
  const { status, failure } = await p.payment(id);
  assert.deepEqual(
    [status, failure],
    ['failed', 'The payment could not be started, and nothing was charged. Try again.'],
  );
  assert.equal((await p.rows(sql`SELECT FROM sandbox_charge WHERE key = ${`payment-${id}`}`)).length, 0);
});

test('a processor without a response for weeks is no longer asked, and staff read what to do', async () => {
  const { id } = await p.paid({ scenario: 'late' });
  for (let day = 0; day < 60; day++) {
    p.world.setNow(p.world.now + 13 * HOUR);
    await p.settle();
  }
  assert.match((await p.payment(id)).trouble, /Check its dashboard, then ask again/);
  await p.play(id, 'succeed', 'lost');
  const checked = await p.world.post(`/payments/${id}/check`, { as: p.world.machine, body: {} });
  assert.equal(checked.status, 200, checked.text);
  await p.settle();
  assert.deepEqual([(await p.payment(id)).status, (await p.payment(id)).trouble], ['succeeded', null]);
  p.world.resetNow();
});
