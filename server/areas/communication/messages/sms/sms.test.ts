/** Text messages: numbers, codes, the service that sends them, and hours at which nobody is disturbed. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { iso, newVenue } from '../../../../test/schedule-world.ts';
import { queueMessage } from '../index.ts';
import { readPhone } from './phone.ts';
import { readSmsUrl } from '../../../../kernel/base/sms/twilio.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { until } from '../../../../test/storm.ts';

interface Sent {
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly callback: string;
  readonly authorization: string;
}

/** A service with Twilio's API. */
class SmsService {
  readonly sent: Sent[] = [];
  refuse: ((to: string) => { status: number; code: number } | null) | null = null;
  readonly #server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const to = form.get('To')!;
    const refused = this.refuse?.(to);
    if (!refused)
      this.sent.push({
        to,
        from: form.get('From')!,
        body: form.get('Body')!,
        callback: form.get('StatusCallback')!,
        authorization: request.headers.authorization!,
      });
    response
      .writeHead(refused?.status ?? 201, { 'content-type': 'application/json' })
      .end(JSON.stringify(refused ? { code: refused.code, message: 'refused' } : { sid: `SM${this.sent.length}` }));
  });

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `twilio+http://AC1:${TOKEN}@127.0.0.1:${(this.#server.address() as AddressInfo).port}?from=${encodeURIComponent('+15550100')}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const TOKEN = 'very-secret';
const HOUR = 3_600_000;
let service: SmsService;
let world: World;
before(async () => {
  service = new SmsService();
  world = await startWorld({ worker: true, env: { SMS_URL: await service.listen() } });
});
after(async () => {
  await world.close();
  service.close();
});

const path = (customer: number, more = '') => `/customers/${customer}/sms_account${more}`;
let numbers = 0;
/** Valid numbers that belong to nobody. */
const newNumber = () => `416 555 0${String(100 + ++numbers).padStart(3, '0')}`;
const last = (to: string) =>
  until(`a text message to ${to} comes`, async () => service.sent.findLast((s) => s.to === to));
const dialled = (number: string) => `+1${number.replaceAll(' ', '')}`;

async function verified(over: object = {}): Promise<{ customer: number; number: string }> {
  const customer = await world.newCustomer(over);
  const number = newNumber();
  const as = world.customer(customer);
  await world.put(path(customer), { as, body: { phone_number: number, country: 'CA', enabled: true } });
  const code = /^(\d{6}) /.exec((await last(dialled(number))).body)![1];
  assert.equal(
    (await world.post(path(customer, '/verify'), { as, body: { verification_code: code } })).body.status,
    'OK',
  );
  return { customer, number: dialled(number) };
}

let keys = 0;
const queue = (customer: number, purpose: 'transactional' | 'marketing', text = `News ${++keys}`) =>
  world.work(world.harbour, (work) =>
    queueMessage(work, {
      channel: 'sms',
      purpose,
      kind: 'broadcast_message',
      to: { customer },
      subject: null,
      text,
      key: `sms:${++keys}`,
    }),
  );
const read = async (id: number) => (await world.get(`/messages/${id}?expand=body`, { as: world.machine })).body;
const settled = (id: number, status: string) =>
  until(`message ${id} is ${status}`, async () => ((await read(id)).status === status ? read(id) : null));

// Guards against: Guessing the code for a phone number, or flooding somebody with codes
test('a number is checked, sent a code, and verified by it alone, and the code is stored nowhere', async () => {
  const customer = await world.newCustomer();
  const as = world.customer(customer);
  assert.equal((await world.get(path(customer), { as })).status, 404);
  for (const [phone_number, country, field] of [
    ['123', 'CA', 'phone_number'],
    ['416 555 0100', 'XX', 'country'],
    ['+44 7400 123456', 'CA', 'country'],
  ]) {
    const refused = await world.put(path(customer), { as, body: { phone_number, country, enabled: true } });
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, [field]]);
  }
  const number = newNumber();
  const made = await world.put(path(customer), { as, body: { phone_number: number, country: 'CA', enabled: true } });
  assert.deepEqual(made.body, {
    verified: false,
    country: 'CA',
    full_number: dialled(number),
    phone_number: number,
    enabled: true,
  });
  assert.equal((await queue(customer, 'transactional')).skipped, 'not_verified');
  const { body, from, authorization } = await last(dialled(number));
  assert.deepEqual([from, authorization], ['+15550100', `Basic ${Buffer.from(`AC1:${TOKEN}`).toString('base64')}`]);
  const code = /^(\d{6}) is your code for Harbour/.exec(body)![1];
  const wrong = await world.post(path(customer, '/verify'), {
    as,
    body: { verification_code: code === '000000' ? '111111' : '000000' },
  });
  assert.equal(wrong.status, 400);
  assert.equal(
    (
      await world.post(path(customer, '/verify'), {
        as: world.customer(await world.newCustomer()),
        body: { verification_code: code },
      })
    ).status,
    404,
  );
  assert.equal((await world.post(path(customer, '/verify'), { as, body: { verification_code: code } })).status, 200);
  assert.equal((await world.get(path(customer), { as })).body.verified, true);
  const kept = () =>
    world.app.db.acrossTenants('a test looks for the code', (tx) =>
      tx.rows(
        sql`SELECT status, text_part FROM message WHERE kind = 'verification_code' AND customer_id = ${customer}`,
      ),
    );
  assert.ok(!JSON.stringify(await kept()).includes(code));
  await until('the code is forgotten', async () => (await kept())[0].text_part === null);
  // A different number has to be verified again.
  await world.put(path(customer), { as, body: { phone_number: newNumber(), country: 'CA', enabled: true } });
  assert.equal((await world.get(path(customer), { as })).body.verified, false);
});

// Guards against: Guessing the code for a phone number, or flooding somebody with codes
test('a code ends after five wrong ones or when it expires, and nobody is sent more than five an hour', async () => {
  const customer = await world.newCustomer();
  const as = world.customer(customer);
  const number = newNumber();
  await world.put(path(customer), { as, body: { phone_number: number, country: 'CA', enabled: true } });
  const code = /^(\d{6})/.exec((await last(dialled(number))).body)![1];
  const guesses = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      world.post(path(customer, '/verify'), {
        as,
        body: { verification_code: String((Number(code) + n + 1) % 1_000_000).padStart(6, '0') },
      }),
    ),
  );
  assert.deepEqual(guesses.map((g) => g.status).toSorted(), [400, 400, 400, 400, 400, 409, 409, 409]);
  assert.equal(
    (await world.post(path(customer, '/verify'), { as, body: { verification_code: code } })).status,
    409,
    'the right one is too late',
  );
  const more = [];
  for (let n = 0; n < 5; n++)
    more.push((await world.post(path(customer, '/verify'), { as, body: { verification_code: null } })).status);
  assert.deepEqual(more, [200, 200, 200, 200, 429]);
  const other = await world.newCustomer();
  const sameNumber = await world.put(path(other), {
    as: world.customer(other),
    body: { phone_number: number, country: 'CA', enabled: true },
  });
  assert.deepEqual([sameNumber.status, sameNumber.body.code], [429, 'rate_limited'], 'nor is a number, whatever asks');
  world.setNow(world.now + 2 * HOUR);
  assert.equal((await world.post(path(customer, '/verify'), { as, body: {} })).status, 200);
  const fresh = await until('a new code comes', async () =>
    service.sent.filter((s) => s.to === dialled(number)).length === 6 ? last(dialled(number)) : null,
  );
  world.setNow(world.now + HOUR / 2);
  assert.equal(
    (await world.post(path(customer, '/verify'), { as, body: { verification_code: /^(\d{6})/.exec(fresh.body)![1] } }))
      .status,
    409,
  );
});

// Guards against: Suppressing somebody's messages with a forged bounce, or a forged report of the SMS service
test('reports on a message are accepted from the service, and from nobody else', async () => {
  const { customer, number } = await verified();
  const { id } = await queue(customer, 'transactional');
  await settled(id!, 'sent');
  const { callback } = await last(number);
  const report = (status: string, more: Record<string, string> = {}, token = TOKEN) => {
    const form = new URLSearchParams({ MessageStatus: status, ...more });
    const fields = [...form]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => name + value)
      .join('');
    return fetch(callback, {
      method: 'POST',
      headers: {
        'x-twilio-signature': createHmac('sha1', token)
          .update(callback + fields)
          .digest('base64'),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
    });
  };
  assert.equal((await report('delivered', {}, 'guessed')).status, 403);
  assert.equal(
    (await fetch(callback, { method: 'POST', body: new URLSearchParams({ MessageStatus: 'delivered' }) })).status,
    403,
  );
  assert.equal((await read(id!)).status, 'sent');
  assert.equal((await report('delivered')).status, 204);
  assert.equal((await read(id!)).status, 'delivered');
  assert.equal((await report('failed', { ErrorCode: '30005' })).status, 204);
  assert.equal((await read(id!)).status, 'delivered', 'what arrived has arrived');
});

test('a number that the service reports as invalid is no longer written to', async () => {
  const { customer, number } = await verified();
  service.refuse = (to) => (to === number ? { status: 400, code: 21211 } : null);
  const { id } = await queue(customer, 'transactional');
  await settled(id!, 'bounced');
  service.refuse = null;
  await until('it is suppressed', async () => (await queue(customer, 'transactional')).skipped === 'suppressed');
});

test('news by text message waits for the recipient’s morning, even in the night of a clock change, and other messages do not', async () => {
  const london = await newVenue(world, { timezone: 'Europe/London' });
  const [here, there] = [
    await verified({ is_opted_into_sms_marketing: true }),
    await verified({ is_opted_into_sms_marketing: true, venue: london }),
  ];
  // 30 October 2027: 22:30 in London, whose clocks go back at 02:00; 17:30 in Toronto.
  world.setNow(Date.parse('2027-10-30T21:30:00Z'));
  const [a, b, c] = [
    await queue(here.customer, 'marketing'),
    await queue(there.customer, 'marketing'),
    await queue(there.customer, 'transactional'),
  ];
  await settled(a.id!, 'sent');
  await settled(c.id!, 'sent');
  assert.match(
    (await last(here.number)).body,
    new RegExp(`^News .*\\n\\nUnsubscribe: ${world.url}/unsubscribe/[0-9a-f]{32}$`, 's'),
  );
  assert.doesNotMatch((await last(there.number)).body, /unsubscribe/);
  const waiting = await until('it is put off', async () =>
    (await read(b.id!)).send_at.startsWith('2027-10-31') ? read(b.id!) : null,
  );
  assert.deepEqual(
    [waiting.status, iso(Date.parse(waiting.send_at)), waiting.attempts],
    ['queued', '2027-10-31T08:00:00.000Z', 0],
  );
  world.setNow(Date.parse('2027-10-31T08:00:01Z'));
  await settled(b.id!, 'sent');
  assert.equal(
    (await world.patch('/communication/settings', { as: world.machine, body: { sms_quiet_hours: null } })).body
      .sms_quiet_hours,
    null,
  );
  world.setNow(Date.parse('2027-11-01T02:00:00Z'));
  await settled((await queue(there.customer, 'marketing')).id!, 'sent');
});

test('numbers are read in international form, and addresses of services as intended', () => {
  assert.deepEqual(readPhone('(416) 555-0100', 'ca'), { full: '+14165550100', country: 'CA' });
  assert.deepEqual(readPhone('07400 123456', 'GB'), { full: '+447400123456', country: 'GB' });
  assert.deepEqual(readSmsUrl('twilio://AC1:t%2Fk@api.twilio.com?from=+15550100'), {
    account: 'AC1',
    token: 't/k',
    from: '+15550100',
    origin: 'https://api.twilio.com',
  });
  for (const wrong of [
    'twilio://api.twilio.com?from=+1',
    'twilio+http://a:b@example.com?from=+15550100',
    'https://a:b@example.com?from=+15550100',
    'twilio://a:b@example.com',
    'x',
  ])
    assert.equal(readSmsUrl(wrong), null, wrong);
});
