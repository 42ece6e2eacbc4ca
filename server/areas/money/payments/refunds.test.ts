import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PaymentWorld } from './test/payment-world.ts';

let p: PaymentWorld;
before(async () => {
  p = await PaymentWorld.start();
});
after(() => p.close());

const refund = (id: number, body: object, query = '') =>
  p.world.post(`/payments/${id}/refund${query}`, { as: p.world.machine, body: { reason: 'You were ill.', ...body } });

const DISPUTED = { clearing: 0, dispute: 1000 };

test('a part of a payment is refunded, then the rest, and never more than was paid', async () => {
  const { id } = await p.paid();
  const first = await refund(id, { amount: '3.00' });
  assert.deepEqual([first.status, first.body.status, first.body.amount.string], [201, 'started', '3.00'], first.text);
  assert.deepEqual(await p.balances([id]), { clearing: 700, revenue: -700 }, 'from now on it is not ours');
  const more = await refund(id, { amount: '7.01' });
  assert.deepEqual(
    [more.status, more.body.field_errors.amount],
    [400, ['Must be at most 7.00: no more can be refunded.']],
  );
  const rest = await refund(id, {});
  assert.equal(rest.body.amount.string, '7.00');
  await p.settle();
  assert.deepEqual(
    (await p.refunds(id)).map((one) => one.status),
    ['succeeded', 'succeeded'],
  );
  assert.deepEqual(await p.balances([id]), {});
  assert.equal((await p.payment(id)).refunded_amount.string, '10.00');
  const none = await refund(id, {});
  assert.deepEqual([none.status, none.body.message], [409, 'Nothing of this payment can be refunded anymore.']);
});

test('a dry run of a refund lists its effects, and changes nothing', async () => {
  const { id, payer } = await p.paid();
  const preview = await refund(id, { amount: '4.00' }, '?dry_run=true');
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(
    preview.body.effects.find((one: any) => one.effect === 'refund'),
    {
      effect: 'refund',
      object: 'payment',
      id,
      detail: { amount: '4.00', customer: payer, explanation: 'You were ill.' },
    },
  );
  await p.settle();
  assert.deepEqual([await p.refunds(id), await p.balances([id])], [[], { clearing: 1000, revenue: -1000 }]);
});

test('a payment at the desk is refunded immediately', async () => {
  const { id } = await p.start({ processor: p.desk });
  assert.equal((await refund(id, {})).body.status, 'succeeded');
  assert.deepEqual(await p.balances([id]), {});
});

test('a refund that the bank returns, even days later, is owed to the customer again and can be retried', async () => {
  const { id } = await p.paid({ scenario: 'refund_returns' });
  const { body } = await refund(id, {});
  await p.settle();
  const [failed] = await p.refunds(id);
  assert.deepEqual([failed.status, failed.failure], ['failed', 'The account that paid no longer exists.']);
  assert.ok(failed.succeeded_at, 'it had arrived once');
  assert.deepEqual(await p.balances([id]), { clearing: 1000, unapplied: -1000 }, 'no longer sold, and not given back');
  const again = await p.world.post(`/payment_refunds/${body.id}/retry`, { as: p.world.machine, body: {} });
  assert.deepEqual([again.status, again.body.amount.string], [201, '10.00'], again.text);
  const twice = await p.world.post(`/payment_refunds/${body.id}/retry`, { as: p.world.machine, body: {} });
  assert.equal(twice.status, 409, 'it is under way already');
});

// Guards against: Charging somebody twice, or keeping money for nothing
test('a failed refund is retried once, even if as much is owed to the customer for another payment', async () => {
  const { id, payer } = await p.paid({ scenario: 'refund_fails' });
  const other = await p.paid({ scenario: 'refund_fails', payer });
  const failed: number[] = [];
  for (const payment of [id, other.id]) failed.push((await refund(payment, { amount: '4.00' })).body.id);
  await p.settle();
  const retry = (refunded: number) =>
    p.world.post(`/payment_refunds/${refunded}/retry`, { as: p.world.machine, body: {} });
  const answers = await Promise.all([retry(failed[0]), retry(failed[0])]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409]);
  const again = answers.find(({ status }) => status === 201)!.body;
  const refused = answers.find(({ status }) => status === 409)!.body;
  assert.match(refused.message, new RegExp(`as refund ${again.id}`));
  assert.deepEqual([again.retries, again.retried_by], [failed[0], null]);
  const read = async (of: number) => (await p.world.get(`/payment_refunds/${of}`, { as: p.world.machine })).body;
  assert.equal((await read(failed[0])).retried_by, again.id);
  await p.settle();
  assert.equal((await retry(failed[0])).status, 409, 'it stays so, whatever becomes of the other one');
  assert.equal((await read(again.id)).status, 'failed');
  const third = await retry(again.id);
  assert.deepEqual([third.status, third.body.retries], [201, again.id], third.text);
});

test('a pending refund stays pending until the processor reports its result', async () => {
  const { id } = await p.paid({ scenario: 'refund_pending' });
  await refund(id, {});
  await p.settle();
  assert.deepEqual(
    (await p.refunds(id)).map((one) => one.status),
    ['pending'],
  );
  assert.equal((await p.play(id, 'complete_refunds', 'lost')).status, 200);
  p.world.setNow(p.world.now + 3_600_000);
  await p.settle();
  assert.deepEqual(
    (await p.refunds(id)).map((one) => one.status),
    ['succeeded'],
    'it was asked about',
  );
});

test('a dispute takes the money out of clearing and stops refunds, and winning it returns the money', async () => {
  const { id } = await p.paid({ scenario: 'disputed' });
  await p.settle();
  const [dispute] = (await p.payment(id, '?expand=disputes')).disputes;
  assert.deepEqual([dispute.status, dispute.amount.string, dispute.closed_at], ['open', '10.00', null]);
  assert.ok(dispute.answer_by);
  const { clearing = 0, dispute: taken } = await p.balances([id]);
  assert.deepEqual({ clearing, dispute: taken }, DISPUTED);
  assert.equal((await refund(id, {})).status, 409, 'it would be paid twice');
  await p.play(id, 'lose_dispute');
  assert.equal((await p.payment(id, '?expand=disputes')).disputes[0].status, 'lost');
  await p.play(id, 'win_dispute');
  const after = (await p.payment(id, '?expand=disputes')).disputes;
  assert.deepEqual([after.length, after[0].status], [1, 'won']);
  assert.deepEqual(await p.balances([id]), { clearing: 1000, revenue: -1000 });
  assert.equal((await refund(id, {})).status, 201);
});

test('only successful payments can be refunded; those in progress can be cancelled instead', async () => {
  const { id } = await p.paid({ scenario: 'late' });
  const refused = await refund(id, {});
  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
  assert.match(refused.body.message, /Cancel it instead/);
});

// Guards against: Charging somebody twice, or keeping money for nothing
test('two concurrent refunds of the same payment never exceed the amount that was paid', async () => {
  const { id } = await p.paid();
  const answers = await Promise.all([refund(id, { amount: '6.00' }), refund(id, { amount: '6.00' })]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400]);
  await p.settle();
  assert.deepEqual(await p.balances([id]), { clearing: 400, revenue: -400 });
});
