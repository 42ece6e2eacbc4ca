import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PaymentWorld } from './test/payment-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startPayment } from './index.ts';

let p: PaymentWorld;
before(async () => {
  p = await PaymentWorld.start();
});
after(() => p.close());

const add = (body: object) => p.world.post('/payment_processors', { as: p.world.machine, body });
const SECRET = 's'.repeat(40);

// Guards against: Keys of payment processors in the wrong hands
test('a secret setting is sealed, and shown in no response, feed item or audit entry', async () => {
  const made = await add({ kind: 'sandbox', name: 'Try out', settings: { signing_secret: SECRET } });
  assert.equal(made.status, 201, made.text);
  const { id, type, kind, settings, secrets, message_url, is_enabled } = made.body;
  assert.deepEqual(
    { type, kind, settings, secrets, is_enabled },
    {
      type: 2,
      kind: 'sandbox',
      settings: {},
      secrets: ['signing_secret'],
      is_enabled: true,
    },
  );
  assert.equal(message_url, `${p.world.url}/payment_messages/${p.world.harbour}/${id}`);
  const [row] = await p.rows<{ whole: string }>(
    sql`SELECT (p.*)::text AS whole FROM payment_processor p WHERE id = ${id}`,
  );
  assert.ok(!row.whole.includes(SECRET));
  const audit = await p.world.get(`/audit_entries?object=payment_processor&object_id=${id}`, { as: p.world.machine });
  assert.ok(audit.body.count > 0);
  for (const text of [made.text, audit.text]) assert.ok(!text.includes(SECRET) && !text.includes('"sealed"'));
});

test('a setting that is unknown or invalid is refused by its name', async () => {
  const wrong = await add({ kind: 'sandbox', name: 'Try out', settings: { signing_secret: 'short', colour: 'red' } });
  assert.equal(wrong.status, 400);
  assert.deepEqual(Object.keys(wrong.body.field_errors).toSorted(), ['settings.colour', 'settings.signing_secret']);
  const offline = await add({ kind: 'offline', name: 'Cash', settings: { signing_secret: SECRET } });
  assert.deepEqual(Object.keys(offline.body.field_errors), ['settings.signing_secret']);
});

test('renaming a processor keeps its secrets, and payments still find them', async () => {
  const { id } = (await add({ kind: 'sandbox', name: 'Try out' })).body;
  const named = await p.world.patch(`/payment_processors/${id}`, { as: p.world.machine, body: { name: 'Practice' } });
  assert.deepEqual([named.status, named.body.name, named.body.secrets], [200, 'Practice', ['signing_secret']]);
  const { id: payment } = await p.paid({ processor: id });
  assert.equal((await p.payment(payment)).status, 'succeeded');
});

test('a processor that is turned off takes no new payments, but those that have begun continue and can be refunded', async () => {
  const { id } = (await add({ kind: 'sandbox', name: 'Try out' })).body;
  const begun = await p.start({ processor: id });
  const off = await p.world.patch(`/payment_processors/${id}`, { as: p.world.machine, body: { is_enabled: false } });
  assert.equal(off.body.is_enabled, false, off.text);
  await assert.rejects(p.start({ processor: id }), /Try out is turned off/);
  await p.drive(begun.id);
  assert.equal((await p.payment(begun.id)).status, 'succeeded');
  const customer = p.world.customer(begun.payer);
  const seen = (await p.world.get('/payment_processors', { as: customer })).body.results;
  assert.ok(!seen.some((one: any) => one.id === id));
  assert.ok(seen.every((one: any) => one.message_url === null && one.settings === null && one.secrets === null));
});

test('customers can neither record payments at the desk, nor use unknown scenarios of the sandbox', async () => {
  const asking = (processor: number, scenario: string | null) =>
    p.world.work(p.world.harbour, async (work) => {
      Object.assign(work.viewer, { mode: 'customer' });
      await startPayment(work, {
        processor,
        payer: await p.world.newCustomer(),
        amount: 1,
        payee: { name: 'test_sale', id: 1 },
        description: 'A class',
        returnTo: '',
        cancelTo: '',
        scenario,
      });
    });
  await assert.rejects(asking(p.desk, null), /Only staff can record/);
  await assert.rejects(asking(p.sandbox, 'constructor'), /Must be one of: success, /);
  await assert.rejects(asking(p.desk, 'success'), /Only the sandbox plays scenarios/);
  await assert.rejects(asking(999_999_999, null), /There is no payment processor with the id 999999999/);
});
