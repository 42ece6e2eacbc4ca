/** Limits that keep strangers from making a business, or all of them, pay for text messages. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { queueMessage } from '../index.ts';
import { readConfig } from '../../../../config.ts';
import { readPhone, readPhoneOf } from './phone.ts';
import { SECRET_KEY } from '../../../../test/secret-key.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

const QUOTA = 30;
let world: World;
before(async () => {
  world = await startWorld({ env: { SMS_QUOTA: String(QUOTA), SMS_COUNTRIES: 'GB,CA' } });
});
after(() => world?.close());

const put = (customer: number, phone_number: string, country: string, as = world.customer(customer)) =>
  world.put(`/customers/${customer}/sms_account`, { as, body: { phone_number, country, enabled: true } });

// Guards against: Running up a bill for text messages
test('numbers that cost the sender extra, and those that can’t receive text messages, are refused', () => {
  for (const [number, country] of [
    ['+1 900 234 5678', 'US'],
    ['+44 909 879 1234', 'GB'],
    ['+44 843 410 1234', 'GB'],
    ['+44 70 1234 5678', 'GB'],
    ['+44 7640 123456', 'GB'],
    ['+44 333 123 4567', 'GB'],
    ['+49 900 1234567', 'DE'],
    ['+33 899 123 456', 'FR'],
  ]) {
    const read = readPhone(number, country);
    assert.ok('problem' in read && read.field === 'phone_number', number);
    assert.equal(readPhoneOf(number, country), null, number);
  }
  assert.deepEqual(readPhoneOf('+44 7400 123456', 'CA'), { full: '+447400123456', country: 'GB' });
});

test('text messages go only to the country of the business and those of the operator', async () => {
  const customer = await world.newCustomer();
  const refused = await put(customer, '06 12 34 56 78', 'FR');
  assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['country']]);
  assert.match(refused.text, /CA, GB/);
  assert.equal((await put(customer, '07400 123456', 'GB')).status, 200);
  assert.equal((await put(customer, '416 555 0163', 'CA')).status, 200);
  // An imported number gets no code there either.
  await world.work(world.harbour, (work) =>
    work.tx.run(
      sql`UPDATE sms_account SET country = 'FR', full_number = '+33612345678'
        WHERE customer_id = ${customer} AND provider_id = ${world.harbour}`,
    ),
  );
  const code = await world.post(`/customers/${customer}/sms_account/verify`, {
    as: world.customer(customer),
    body: {},
  });
  assert.deepEqual([code.status, Object.keys(code.body.field_errors)], [400, ['country']]);
});

// Guards against: Running up a bill for text messages
test('one number gets ten codes a day from all businesses together', async () => {
  const [number, codes] = ['416 555 0171', []] as [string, number[]];
  for (const [business, as] of [
    [world.harbour, world.machine],
    [world.meadow, world.meadowMachine],
  ] as const)
    for (let n = 0; n < 6; n++) {
      const body = { first_name: 'Ada', last_name: 'King', email: `texts-${business}-${n}@example.com` };
      const { id } = (await world.post('/customers', { as, body })).body;
      codes.push((await put(id, number, 'CA', as)).status);
    }
  // Five an hour for each business; the sixth of each is refused before it is counted.
  assert.deepEqual(codes, [200, 200, 200, 200, 200, 429, 200, 200, 200, 200, 200, 429]);
  world.setNow(world.now + 2 * 3_600_000);
  const last = await put(await world.newCustomer(), number, 'CA', world.machine);
  assert.deepEqual([last.status, last.body.code], [429, 'rate_limited']);
  assert.ok(Number(last.headers.get('retry-after')) > 20 * 3600);
});

// Guards against: Running up a bill for text messages
test('a business sends no more text messages in a month than the operator allows, and the rest is skipped with that reason', async () => {
  const customer = await world.newCustomer();
  await put(customer, '416 555 0181', 'CA');
  const skipped: (string | null)[] = [];
  const ids: (number | null)[] = [];
  await world.work(world.harbour, async (work) => {
    await work.tx.run(
      sql`UPDATE sms_account SET verified_at = now()
        WHERE provider_id = ${world.harbour} AND customer_id = ${customer}`,
    );
    for (let n = 0; n < QUOTA; n++) {
      const queued = await queueMessage(work, {
        channel: 'sms',
        purpose: 'transactional',
        kind: 'event_reminder',
        to: { customer },
        subject: null,
        text: 'Tomorrow',
        key: `limit:${n}`,
      });
      skipped.push(queued.skipped);
      ids.push(queued.id);
    }
  });
  const sent = skipped.filter((one) => one === null).length;
  assert.ok(sent > 0 && sent < QUOTA, 'codes counted too');
  assert.deepEqual(
    skipped,
    Array.from({ length: QUOTA }, (_, n) => (n < sent ? null : 'quota')),
  );
  const refused = await put(await world.newCustomer(), '416 555 0182', 'CA');
  assert.equal(refused.status, 429);
  const { body } = await world.get(`/messages/${ids.at(-1)}`, { as: world.machine });
  assert.deepEqual([body.status, body.reason], ['skipped', 'quota']);
});

test('the preview of a broadcast says how many text messages are left, and names whom they do not reach', async () => {
  world.setNow(world.now + 40 * 86_400_000);
  const ids: number[] = [];
  for (const number of ['416 555 0191', '416 555 0192', '416 555 0193']) {
    const customer = await world.newCustomer();
    assert.equal((await put(customer, number, 'CA')).status, 200);
    ids.push(customer);
  }
  await world.work(world.harbour, async (work) => {
    await work.tx.run(
      sql`UPDATE sms_account SET verified_at = now()
        WHERE provider_id = ${world.harbour} AND customer_id = ANY(${ids}::bigint[])`,
    );
    await work.tx.run(
      sql`UPDATE sms_quota_use SET used = ${QUOTA - 2} WHERE provider_id = ${world.harbour} AND used = 3`,
    );
  });
  const previewed = async (channel: 'sms' | 'email', show: string) => {
    const target_recipients = { query_type: 'customer', query: { ids } };
    const body = { channel, use_case: 'general', target_recipients, show };
    const answer = await world.post('/communication/broadcast_messages/recipients_preview', {
      as: world.machine,
      body,
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const { recipients, targeted, excluded, sample, sms_quota, email_quota } = await previewed('sms', 'excluded');
  assert.deepEqual([recipients, targeted, excluded], [2, 3, [{ reason: 'quota', count: 1 }]]);
  assert.deepEqual(
    sample.map((one: any) => [one.customer, one.excluded]),
    [[ids[2], 'quota']],
  );
  assert.deepEqual([sms_quota.limit, sms_quota.used, sms_quota.remaining, email_quota], [QUOTA, QUOTA - 2, 2, null]);
  assert.deepEqual(
    (await previewed('sms', 'recipients')).sample.map((one: any) => one.customer),
    ids.slice(0, 2),
  );
  assert.equal((await previewed('email', 'all')).sms_quota, null);
});

const countries = (SMS_COUNTRIES: string) => readConfig({ SECRET_KEY, SMS_COUNTRIES }).smsCountries;

test('the list of countries is checked at startup', () => {
  assert.deepEqual([countries(''), countries('ca, US'), countries('*')], [[], ['CA', 'US'], null]);
  assert.throws(() => countries('Canada'), /SMS_COUNTRIES/);
});
