/** From the ledger to a real mail server and back: what is sent, to whom, and what is not. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { queueMessage, queueMessages, type NewMessage } from './index.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';
import { clockFile, TestClock } from '../../../test/clock.ts';

let mailbox: Mailbox;
let world: World;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: {
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'Rollcall <no-reply@rollcall.example>',
      MAIL_BOUNCES: 'bounces@rollcall.example',
    },
  });
});
after(async () => {
  await world.close();
  await mailbox.close();
});

let keys = 0;
const letter = (to: NewMessage['to'], over: Partial<NewMessage> = {}): NewMessage => ({
  channel: 'email',
  purpose: 'transactional',
  kind: 'event_reminder',
  to,
  subject: `Letter ${++keys}`,
  text: 'See you at the pier.',
  key: `letter:${keys}`,
  ...over,
});

const queue = (message: NewMessage) => world.work(world.harbour, (work) => queueMessage(work, message));
const read = async (id: number) => (await world.get(`/messages/${id}?expand=body`, { as: world.machine })).body;
const settled = (id: number, status: string) =>
  until(`message ${id} is ${status}`, async () => ((await read(id)).status === status ? read(id) : null));
const addressOf = async (customer: number): Promise<string> =>
  (await world.get(`/customers/${customer}`, { as: world.machine })).body.email;

test('a message is sent once, in text and HTML, with the name of the business, and the ledger says so', async () => {
  const customer = await world.newCustomer();
  const message = letter({ customer }, { text: 'Bring <boots> & a friend.\n\nhttps://example.com/a?b=1&c=2' });
  const [first, again] = [await queue(message), await queue({ ...message, text: 'Something else' })];
  assert.equal(first.skipped, null);
  assert.deepEqual(again, first);
  const mail = await mailbox.next(await addressOf(customer), new RegExp(`^${message.subject}$`));
  assert.match(mail.raw, /^From: "?Harbour"? <no-reply@rollcall\.example>/m);
  assert.match(mail.raw, /^Message-ID: <[0-9a-f]{32}@rollcall\.example>/m);
  assert.doesNotMatch(mail.raw, /List-Unsubscribe/i);
  assert.match(mail.text, /Bring <boots> & a friend/);
  assert.match(mail.raw.replaceAll('=\r\n', ''), /Bring &lt;boots&gt; &amp; a friend/);
  const kept = await settled(first.id!, 'sent');
  assert.equal(kept.recipient, await addressOf(customer));
  assert.equal(kept.confirmed, true);
  assert.equal(kept.attempts, 1);
  assert.match(kept.body.text, /Bring <boots>/);
});

// Guards against: Reading somebody's messages
test('customers read their own messages, and nobody else does except staff who look after customers', async () => {
  const [customer, other] = [await world.newCustomer(), await world.newCustomer()];
  const { id } = await queue(letter({ customer }));
  const list = (as: string) => world.get(`/customers/${customer}/messages?fields=id`, { as });
  assert.deepEqual((await list(world.customer(customer))).body.results, [{ id }]);
  assert.equal((await list(world.customer(other))).status, 404);
  assert.equal((await world.get(`/messages/${id}`, { as: world.customer(other) })).status, 404);
  assert.equal((await list(world.staff(['customers']))).status, 200);
  assert.equal((await list(world.staff(['attendances']))).status, 403);
  assert.equal((await world.get(`/messages/${id}`, { as: world.meadowMachine })).status, 404);
});

// Guards against: News to people who did not agree, or no longer do
test('news goes only to those who agreed to it, and unsent messages say why', async () => {
  const [yes, no] = [await world.newCustomer({ is_opted_into_broadcast_messages: true }), await world.newCustomer()];
  const gone = await world.newCustomer({ is_opted_into_broadcast_messages: true });
  await world.work(world.harbour, async ({ tx }) => {
    const { sql } = await import('../../../kernel/base/db/sql.ts');
    await tx.run(sql`UPDATE customer SET deleted_at = now() WHERE id = ${gone}`);
  });
  const news = [yes, no, gone].map((customer) =>
    letter({ customer }, { purpose: 'marketing', kind: 'broadcast_message' }),
  );
  const queued = await world.work(world.harbour, (work) => queueMessages(work, news));
  assert.deepEqual(
    queued.map((q) => q.skipped),
    [null, 'no_consent', 'gone'],
  );
  assert.deepEqual(await read(queued[1].id!).then((m) => [m.status, m.reason, m.attempts]), [
    'skipped',
    'no_consent',
    0,
  ]);
  await mailbox.next(await addressOf(yes), new RegExp(news[0].subject!));
});

// Guards against: News to people who did not agree, or no longer do
test('one click on the link of an email ends the news, without a log-in and without the person’s data in the address', async () => {
  const customer = await world.newCustomer({ is_opted_into_broadcast_messages: true });
  const news = () => letter({ customer }, { purpose: 'marketing', kind: 'broadcast_message' });
  await queue(news());
  const mail = await mailbox.next(await addressOf(customer), /Letter/);
  assert.match(mail.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
  const url = /^List-Unsubscribe: <([^>]+)>/m.exec(mail.raw.replaceAll(/\r\n[ \t]+/g, ' '))![1];
  assert.match(new URL(url).pathname, /^\/unsubscribe\/[0-9a-f]{32}$/);
  assert.ok(mail.text.includes(url));
  const shown = await fetch(url);
  assert.equal(shown.status, 200);
  assert.match(await shown.text(), /<form method="post" action="\/unsubscribe\/[0-9a-f]{32}">/);
  assert.equal((await queue(news())).skipped, null, 'looking at the page changes nothing');
  await mailbox.next(await addressOf(customer), /Letter/);
  const clicks = await Promise.all(
    [1, 2, 3].map(() =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      }),
    ),
  );
  assert.deepEqual(
    clicks.map((c) => c.status),
    [200, 200, 200],
  );
  assert.equal((await queue(news())).skipped, 'no_consent');
  const { body } = await world.get(`/customers/${customer}?fields=is_opted_into_broadcast_messages`, {
    as: world.machine,
  });
  assert.equal(body.is_opted_into_broadcast_messages, false);
  // If staff tick the box, that is not the person's own consent.
  await world.patch(`/customers/${customer}`, { as: world.machine, body: { is_opted_into_broadcast_messages: true } });
  assert.equal((await queue(news())).skipped, 'suppressed');
  assert.equal((await queue(letter({ customer }))).skipped, null, 'what is about the own bookings still comes');
  await mailbox.next(await addressOf(customer), /Letter/);
  // The person themself may agree again.
  await world.patch(`/customers/${customer}`, {
    as: world.customer(customer),
    body: { is_opted_into_broadcast_messages: false },
  });
  await world.patch(`/customers/${customer}`, {
    as: world.customer(customer),
    body: { is_opted_into_broadcast_messages: true },
  });
  assert.equal((await queue(news())).skipped, null);
  const rows = await world.work(world.harbour, async ({ tx }) => {
    const { sql } = await import('../../../kernel/base/db/sql.ts');
    return tx.rows(sql`SELECT granted, how FROM consent_change WHERE customer_id = ${customer} ORDER BY id`);
  });
  assert.deepEqual(
    rows.map((r) => [r.granted, r.how]),
    [
      [true, 'program'],
      [false, 'unsubscribe_link'],
      [true, 'program'],
      [false, 'customer'],
      [true, 'customer'],
    ],
  );
});

test('a link that was never issued leads nowhere', async () => {
  for (const token of ['0'.repeat(32), 'x', '%00', "'; DROP TABLE message"]) {
    for (const method of ['GET', 'POST'])
      assert.equal((await fetch(`${world.url}/unsubscribe/${encodeURIComponent(token)}`, { method })).status, 404);
  }
});

// Guards against: News to people who did not agree, or no longer do
test('a message planned for later waits, and is checked again when it is due', async () => {
  const [stays, leaves] = [
    await world.newCustomer({ is_opted_into_broadcast_messages: true }),
    await world.newCustomer({ is_opted_into_broadcast_messages: true }),
  ];
  const later = (customer: number) =>
    letter({ customer }, { purpose: 'marketing', kind: 'broadcast_message', sendAt: world.now + 3_600_000 });
  const [a, b] = [await queue(later(stays)), await queue(later(leaves))];
  await world.patch(`/customers/${leaves}`, {
    as: world.customer(leaves),
    body: { is_opted_into_broadcast_messages: false },
  });
  await settled((await queue(letter({ customer: stays }))).id!, 'sent');
  assert.equal((await read(a.id!)).status, 'queued');
  world.setNow(world.now + 3_700_000);
  await settled(a.id!, 'sent');
  const skipped = await settled(b.id!, 'skipped');
  assert.equal(skipped.reason, 'no_consent');
});

test('a message of a process whose clock is ahead is due for the others immediately', async () => {
  const customer = await world.newCustomer();
  const { now } = world;
  world.setNow(now + 3_600_000);
  // The clock of the database is right.
  new TestClock({ file: clockFile(world.databaseUrl), goesOn: true }).run(now);
  const { id } = await queue(letter({ customer }));
  world.setNow(now);
  assert.ok(Date.parse((await read(id!)).send_at) <= world.now);
  await settled(id!, 'sent');
});

test('an email about logging in is in the ledger of the customer, without its text', async () => {
  // Jobs wait for the clock of the database.
  world.resetNow();
  const email = `ada${++keys}@example.com`;
  const made = await world.post('/customers', {
    as: world.machine,
    body: { first_name: 'Ada', last_name: 'King', email },
  });
  await mailbox.next(email, /Harbour invites you/);
  const entry = await until(
    'the ledger has it',
    async () =>
      (await world.get(`/customers/${made.body.id}/messages?expand=body`, { as: world.machine })).body.results[0],
  );
  assert.deepEqual(
    [entry.kind, entry.recipient, entry.status, entry.body],
    ['invitation', email, 'sent', { text: null, html: null }],
  );
});

test('while the mail server is unreachable, messages wait and are retried', async () => {
  const alone = await startWorld({
    worker: true,
    env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@rollcall.example' },
  });
  const customer = await alone.newCustomer();
  const made = await alone.work(alone.harbour, (work) =>
    queueMessages(
      work,
      Array.from({ length: 8 }, (_, n) => letter({ customer }, { key: `away:${n}` })),
    ),
  );
  const preview = (times: number) =>
    until(`all were tried ${times} times`, async () => {
      const { results } = (await alone.get(`/customers/${customer}/messages`, { as: alone.machine })).body;
      return (
        results.length === made.length &&
        results.every((m: any) => m.status === 'queued' && m.attempts >= times && /ECONNREFUSED/.test(m.error))
      );
    });
  await preview(1);
  alone.setNow(alone.now + 60_000);
  await preview(2);
  await alone.close();
});
