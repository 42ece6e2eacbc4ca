/** Emails that don't arrive: refused immediately, deferred, or reported later by another server. */
import { findTenant } from '../../platform/providers/index.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fc, runs } from '../../../test/properties.ts';
import { queueMessage, takeBounce } from './index.ts';
import { Mailbox, type ReceivedMail } from '../../../test/outside/mailbox.ts';
import { readDeliveryStatus } from './rules/report.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { Tenants } from '../../../kernel/work/unit/tenants.ts';
import { until } from '../../../test/storm.ts';
import type { Own } from '../../../kernel/work/unit/background-work.ts';

let mailbox: Mailbox;
let world: World;
let own: Own;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'no-reply@rollcall.example', MAIL_BOUNCES: 'bounces@rollcall.example' },
  });
  own = {
    db: world.app.db,
    tenants: new Tenants(world.app.db, findTenant),
    registry: world.app.registry,
    now: () => world.now,
  };
});
after(async () => {
  await world.close();
  await mailbox.close();
});

let keys = 0;
const queue = (customer: number, purpose: 'transactional' | 'marketing' = 'transactional') =>
  world.work(world.harbour, (work) =>
    queueMessage(work, {
      channel: 'email',
      purpose,
      kind: 'event_reminder',
      to: { customer },
      subject: `Letter ${++keys}`,
      text: 'Words.',
      key: `bounce:${keys}`,
    }),
  );
const read = async (id: number) => (await world.get(`/messages/${id}`, { as: world.machine })).body;
const settled = (id: number, status: string) =>
  until(`message ${id} is ${status}`, async () => ((await read(id)).status === status ? read(id) : null));
const addressOf = async (customer: number): Promise<string> =>
  (await world.get(`/customers/${customer}`, { as: world.machine })).body.email;
const suppressed = async (address: string) =>
  (await world.get(`/communication/suppressions?address=${encodeURIComponent(address)}`, { as: world.machine })).body
    .results;

interface Sent {
  readonly id: number;
  readonly customer: number;
  readonly email: string;
  readonly mail: ReceivedMail;
  readonly token: string;
}

async function sent(over: object = {}): Promise<Sent> {
  const customer = await world.newCustomer(over);
  const email = await addressOf(customer);
  const { id } = await queue(customer);
  const mail = await mailbox.next(email, /Letter/);
  await settled(id!, 'sent');
  return { id: id!, customer, email, mail, token: /^Message-ID: <([0-9a-f]{32})@/m.exec(mail.raw)![1] };
}

/** Writes a report in the form of a mail server. */
const dsn = (
  { email, mail }: Sent,
  {
    to,
    action = 'failed',
    status = '5.1.1',
    returned = true,
  }: { to: string; action?: string; status?: string; returned?: boolean },
): Buffer =>
  Buffer.from(
    [
      'From: Mail Delivery System <mailer-daemon@mx.example.net>',
      `To: ${to}`,
      'Subject: Undelivered Mail Returned to Sender',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
      '',
      '--b1',
      'Content-Type: text/plain',
      '',
      'I am sorry.',
      '',
      '--b1',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.net',
      '',
      `Final-Recipient: rfc822; ${email}`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; 550 5.1.1',
      '  no such user',
      '',
      ...(returned ? ['--b1', 'Content-Type: message/rfc822', '', mail.raw] : []),
      '--b1--',
      '',
    ].join('\r\n'),
    'latin1',
  );

/** A report that its mailbox is full. */
const soft = (one: Sent) => takeBounce(own, dsn(one, { to: bounceTo(one.token), status: '5.2.2' }), null);

const bounceTo = (token: string) => `bounces+${token}@rollcall.example`;

test('a mailbox that another server reports as gone is no longer written to, by the token in the envelope address', async () => {
  const one = await sent();
  assert.equal(one.mail.from, bounceTo(one.token), 'the envelope names the message');
  assert.equal(await takeBounce(own, dsn(one, { to: bounceTo(one.token), returned: false }), null), 'noted');
  assert.equal((await read(one.id)).status, 'bounced');
  const [entry] = await suppressed(one.email);
  assert.deepEqual([entry.reason, entry.message], ['bounced', one.id]);
  assert.equal((await queue(one.customer)).skipped, 'suppressed');
  assert.equal((await world.delete(`/communication/suppressions/${entry.id}`, { as: world.machine })).status, 204);
  assert.equal((await queue(one.customer)).skipped, null);
});

test('a report is also matched by the email that it returns, or by the address that the mail server names', async () => {
  const [returned, named] = [await sent(), await sent()];
  assert.equal(await takeBounce(own, dsn(returned, { to: 'bounces@rollcall.example' }), null), 'noted');
  assert.equal(
    await takeBounce(own, dsn(named, { to: 'x@example.net', returned: false }), bounceTo(named.token)),
    'noted',
  );
  assert.deepEqual([(await read(returned.id)).status, (await read(named.id)).status], ['bounced', 'bounced']);
});

// Guards against: Suppressing somebody's messages with a forged bounce, or a forged report of the SMS service
test('nobody suppresses an address by inventing a report', async () => {
  const one = await sent();
  for (const to of [
    bounceTo('0'.repeat(32)),
    'bounces@rollcall.example',
    `bounces+${one.token.slice(0, 31)}@rollcall.example`,
  ]) {
    assert.equal(await takeBounce(own, dsn(one, { to, returned: false }), null), 'not ours');
  }
  assert.equal(
    await takeBounce(
      own,
      Buffer.from(`From: ada@example.com\r\nTo: ${bounceTo(one.token)}\r\nSubject: I am away\r\n\r\nUntil Monday.`),
      null,
    ),
    'no report',
  );
  assert.equal((await read(one.id)).status, 'sent');
  assert.deepEqual(await suppressed(one.email), []);
});

test('a full mailbox is counted, and given up after five emails in a month', async () => {
  const one = await sent();
  await soft(one);
  await soft(one);
  assert.deepEqual(await suppressed(one.email), []);
  for (let i = 0; i < 4; i++) {
    assert.deepEqual(await suppressed(one.email), []);
    const { id } = await queue(one.customer);
    const mail = await mailbox.next(one.email, /Letter/);
    await settled(id!, 'sent');
    const next = { ...one, id: id!, mail, token: /^Message-ID: <([0-9a-f]{32})@/m.exec(mail.raw)![1] };
    await soft(next);
  }
  assert.equal((await suppressed(one.email))[0].reason, 'bounced');
});

test('a complaint about an email stops all email to that address', async () => {
  const one = await sent();
  const report = Buffer.from(
    [
      'From: <feedback@mx.example.net>',
      `To: ${bounceTo(one.token)}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
      '',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      'Version: 1',
      '',
      '--b--',
      '',
    ].join('\r\n'),
  );
  assert.equal(await takeBounce(own, report, null), 'noted');
  assert.equal((await suppressed(one.email))[0].reason, 'complained');
});

test('the command reads a report from the pipe of a mail server', async () => {
  const one = await sent();
  const root = join(import.meta.dirname, '../../../..');
  const child = spawn(
    process.execPath,
    [join(root, 'bin/rollcall.mjs'), 'mail', 'bounce', '--to', bounceTo(one.token)],
    { env: { ...process.env, DATABASE_URL: world.databaseUrl }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (part) => (output += part));
  child.stdin.end(dsn(one, { to: 'bounces@rollcall.example', returned: false }));
  const [code] = await once(child, 'exit');
  assert.deepEqual([code, output.trim()], [0, 'noted']);
  assert.equal((await read(one.id)).status, 'bounced');
});

test('an address that the mail server refuses for good fails that one message and is no longer written to', async () => {
  const [bad, good] = [await world.newCustomer(), await world.newCustomer()];
  const email = await addressOf(bad);
  mailbox.refuse(email, { code: 550, message: '5.1.1 no such user' });
  const [a, b] = [await queue(bad), await queue(good)];
  assert.match((await settled(a.id!, 'bounced')).error, /5\.1\.1/);
  await settled(b.id!, 'sent');
  assert.equal(await until('the address is suppressed', async () => (await suppressed(email))[0]?.reason), 'bounced');
  assert.doesNotMatch((await read(a.id!)).error, /@example/);
});

test('a temporary refusal by the mail server is retried later under the same Message-ID, and a permanent one is not the fault of the address', async () => {
  // The next attempt is not due before this test says so.
  world.stopNow();
  const [busy, policy] = [await world.newCustomer(), await world.newCustomer()];
  const [busyAt, policyAt] = [await addressOf(busy), await addressOf(policy)];
  mailbox.refuse(busyAt, { code: 451, message: '4.7.1 greylisted' });
  mailbox.refuse(policyAt, { code: 554, message: '5.7.1 rejected by policy' });
  const [a, b] = [await queue(busy), await queue(policy)];
  await settled(b.id!, 'failed');
  assert.deepEqual(await suppressed(policyAt), []);
  const waiting = await until('it was tried', async () => ((await read(a.id!)).error ? read(a.id!) : null));
  assert.deepEqual([waiting.status, waiting.attempts], ['queued', 1]);
  assert.ok(Date.parse(waiting.send_at) > world.now + 10_000);
  mailbox.refuse(busyAt, null);
  world.setNow(world.now + 60_000);
  const done = await settled(a.id!, 'sent');
  assert.equal(done.attempts, 2);
});

// Guards against: Suppressing somebody's messages with a forged bounce, or a forged report of the SMS service
test('processing any input ends, and changes nothing without a token', async () => {
  const before = await world.app.db.acrossTenants('a test counts', (tx) =>
    tx.one(sql`SELECT count(*) AS n FROM suppression`),
  );
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.string({ maxLength: 2000 }).map((s) => Buffer.from(s)),
    fc
      .string({ maxLength: 500 })
      .map((s) =>
        Buffer.from(
          `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${s}\r\n--b--`,
        ),
      ),
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (bytes) =>
      assert.notEqual(await takeBounce(own, Buffer.from(bytes), null), 'noted'),
    ),
    runs(200),
  );
  assert.deepEqual(
    await world.app.db.acrossTenants('a test counts', (tx) => tx.one(sql`SELECT count(*) AS n FROM suppression`)),
    before,
  );
  fc.assert(fc.property(fc.string({ maxLength: 3000 }), (text) => void readDeliveryStatus(text)));
});
