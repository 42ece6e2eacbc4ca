/** Tests of the worker: it completes what was begun, and emails the people who run the business. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectPayee, PaymentWorld } from './test/payment-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';

let p: PaymentWorld;
before(async () => {
  const world = await startWorld({ worker: true });
  const owner = await world.post('/staff', {
    as: world.machine,
    body: { first_name: 'Kim', last_name: 'Lee', email: 'kim@example.com', permissions: { super_admin: true } },
  });
  assert.equal(owner.status, 201, owner.text);
  connectPayee();
  p = await PaymentWorld.at(world);
});
after(() => p.close());

const mails = (kind: string) =>
  p.rows<{ subject: string; text_part: string }>(sql`SELECT subject, text_part FROM message WHERE kind = ${kind}`);

const mail = (kind: string): Promise<{ subject: string; text_part: string }> =>
  until(`a mail of ${kind}`, async () => (await mails(kind))[0] ?? null);

test('the worker completes a payment that nobody asked about, and sends a refund', async () => {
  const { id } = await p.start({ gone: 'answer' });
  p.world.setNow(p.world.now + 2 * 60_000);
  await until('the money has gone back', async () => (await p.refunds(id))[0]?.status === 'succeeded');
});

test('the people who run the business are emailed about a dispute, its end, and a refund that was returned', async () => {
  const { id } = await p.paid({ scenario: 'disputed' });
  const { text_part: disputed } = await mail('payment_disputed');
  assert.match(
    disputed,
    /^A bank took back \$10\.00 that .+ paid on .+\.\n\nAnswer at your payment processor by \w+, \w+ \d+, \d{4}\./,
  );
  await p.play(id, 'lose_dispute');
  assert.match((await mail('payment_dispute_decided')).text_part, /keeps the \$10\.00 paid on/);
  const { id: other } = await p.paid({ scenario: 'refund_fails' });
  const body = { reason: 'You were ill.' };
  const refund = await p.world.post(`/payments/${other}/refund`, { as: p.world.machine, body });
  const { text_part: failed } = await mail('payment_refund_failed');
  assert.equal(refund.status, 201, refund.text);
  assert.match(failed, /^The refund of \$10\.00 to .+ came back/);
  assert.match(failed, new RegExp(`\n\nhttps?://\\S+/dashboard/${p.world.harbour}/sales\\?tab=payments&of=refunds$`));
});

test('the people who run the business are emailed in its language, with its days and amounts', async () => {
  const { world } = p;
  const body = { language: 'de' };
  const changed = await world.patch(`/providers/${world.harbour}`, { as: world.machine, body });
  assert.equal(changed.status, 200, changed.text);
  const { id } = await p.paid({ scenario: 'disputed' });
  const [row] = await until('a second dispute is reported', async () => {
    const rows = await p.rows<{ subject: string; text_part: string; language: string; button: string }>(
      sql`SELECT subject, text_part, language, button FROM message WHERE kind = 'payment_disputed' ORDER BY id DESC`,
    );
    return rows.length > 1 ? rows : null;
  });
  assert.ok(id > 0);
  assert.deepEqual([row.language, row.button], ['de', 'Rückbuchung ansehen']);
  assert.match(row.subject, /^Eine Zahlung über 10,00\s\S+ wurde zurückgebucht$/);
  assert.match(row.text_part, /^Eine Bank hat .+ bezahlt hat\.\n\nAntworten Sie Ihrem Zahlungsanbieter bis \p{L}+/u);
});
