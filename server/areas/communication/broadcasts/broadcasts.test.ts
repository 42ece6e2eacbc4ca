/** From the draft to the mailbox, with the clock moved: exactly who gets it, when, and what is recorded. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, iso, newEvent, newPlace, newVenue } from '../../../test/schedule-world.ts';
import {
  becomes,
  BROADCASTS,
  draft,
  messagesOf,
  newReader,
  read,
  send,
  sent,
  toCustomers,
  told,
  withNumber,
} from '../../../test/worlds/broadcast-world.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { inTurns, until } from '../../../test/storm.ts';

let mailbox: Mailbox;
let world: World;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <no-reply@rollcall.example>', EMAIL_QUOTA: '1000' },
  });
});
after(async () => {
  await world.close();
  await mailbox.close();
});

const halves = () => mailbox.mails.filter((m) => m.subject === 'Half of it');
const addressOf = async (customer: number): Promise<string> =>
  (await world.get(`/customers/${customer}`, { as: world.machine })).body.email;
const at = (text: string) => world.setNow(Date.parse(text));
const used = async () => (await world.get(`${BROADCASTS}/email_quota`, { as: world.machine })).body.used;
const cancel = (id: number) => world.post(`${BROADCASTS}/${id}/cancel`, { as: world.machine });
const found = async (filter: string, id: number) =>
  (await world.get(`/customers?fields=id&broadcast_message_${filter}=${id}`, { as: world.machine })).body.results.map(
    (c: any) => c.id,
  );

// Guards against: News to people who did not agree, or no longer do
test('news goes once to each customer who agreed, in text and HTML, with their name and an unsubscribe link, and the others have a reason', async () => {
  const [ada, bob, quiet] = [
    await newReader(world, { first_name: 'Ada <b>' }),
    await newReader(world, { first_name: 'Bob' }),
    await world.newCustomer(),
  ];
  const before = await used();
  const { id, status } = await sent(world, {
    target_recipients: toCustomers({ ids: [ada, bob, quiet] }),
    html: '<h1>Ahoy {{customer.first_name}}</h1>',
  });
  assert.equal(status, 'sending');
  const done = await becomes(world, id, 'sent');
  const mail = await mailbox.next(await addressOf(ada), /^News from Harbour$/);
  assert.match(mail.text, /^Dear Ada <b>, come to the pier\./);
  assert.match(mail.raw.replaceAll('=\r\n', ''), /<h1>Ahoy Ada &lt;b&gt;<\/h1>/);
  assert.match(mail.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
  assert.match(mail.raw, /^List-Unsubscribe:\s+<http/m);
  assert.match((await mailbox.next(await addressOf(bob), /News/)).text, /Dear Bob/);
  assert.deepEqual(done.recipient_counts, {
    customers: 3,
    targeted: 3,
    recipients: 2,
    excluded: [{ reason: 'no_consent', count: 1 }],
  });
  assert.deepEqual(done.delivery_counts, {
    queued: 0,
    sending: 0,
    sent: 2,
    kept: 0,
    delivered: 0,
    bounced: 0,
    failed: 0,
    skipped: 0,
  });
  assert.deepEqual([done.is_sent, typeof done.sent_at], [true, 'string']);
  assert.deepEqual([await found('recipients', id), await found('non_recipients', id)], [[ada, bob], [quiet]]);
  assert.deepEqual(await told(world, id), ['created', 'updated', 'sent']);
  assert.equal((await used()) - before, 2);
  const listed = await world.get(`${BROADCASTS}/${id}/messages?fields=customer,kind,purpose`, { as: world.machine });
  assert.deepEqual(
    listed.body.results,
    [ada, bob].map((customer) => ({ customer, kind: 'broadcast_message', purpose: 'marketing' })),
  );
  assert.equal((await world.get(`/customers/${quiet}/messages`, { as: world.machine })).body.count, 0);
});

test('a message that all customers must get also goes to those who want no news, without an unsubscribe link', async () => {
  const quiet = await world.newCustomer();
  const { id } = await sent(world, {
    target_recipients: toCustomers({ ids: [quiet] }),
    use_case: 'general',
    subject: 'We are closed',
  });
  assert.doesNotMatch((await mailbox.next(await addressOf(quiet), /We are closed/)).raw, /List-Unsubscribe/i);
  await becomes(world, id, 'sent');
});

test('a broadcast to booked customers reaches the parents of children, each once', async () => {
  const parent = await newReader(world);
  const children: number[] = [];
  for (const first_name of ['Byron', 'Allegra'])
    children.push(
      (
        await world.post(`/customers/${parent}/add_child`, {
          as: world.machine,
          body: { first_name, last_name: 'King' },
        })
      ).body.id,
    );
  const event = await newEvent(world, await newPlace(world));
  for (const child of children) assert.equal((await book(world, event.id, child)).status, 200);
  const { id } = await sent(world, {
    target_recipients: { query_type: 'attendance', query: { event: [event.id], status: ['registered'] } },
    use_case: 'general',
  });
  const done = await becomes(world, id, 'sent');
  assert.deepEqual(done.recipient_counts, { customers: 2, targeted: 1, recipients: 1, excluded: [] });
  assert.deepEqual([...(await messagesOf(world, id)).keys()], [parent]);
});

test('customers who were left out of one broadcast can be found by the next', async () => {
  const [reader, late] = [await newReader(world), await world.newCustomer()];
  const first = await sent(world, { target_recipients: toCustomers({ ids: [reader, late] }) });
  await becomes(world, first.id, 'sent');
  const second = await sent(world, {
    target_recipients: toCustomers({ broadcast_message_non_recipients: first.id }),
    use_case: 'general',
  });
  await becomes(world, second.id, 'sent');
  assert.deepEqual([...(await messagesOf(world, second.id)).keys()], [late]);
});

test('a broadcast that is sent, or being sent, can’t be changed, deleted, sent again or cancelled', async () => {
  const broadcast = await sent(world, { target_recipients: toCustomers({ ids: [await newReader(world)] }) });
  const done = await becomes(world, broadcast.id, 'sent');
  const refused = await Promise.all([
    world.patch(`${BROADCASTS}/${done.id}`, { as: world.machine, body: { message: 'Other' } }),
    world.delete(`${BROADCASTS}/${done.id}`, { as: world.machine }),
    send(world, done),
    cancel(done.id),
  ]);
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    Array.from({ length: 4 }, () => [409, 'conflict']),
  );
  assert.deepEqual(await read(world, done.id), done);
});

// Guards against: A broadcast that is sent twice, or to only half of its recipients
test('if many send one draft at the same time, one succeeds', async () => {
  const reader = await newReader(world);
  const made = await draft(world, { target_recipients: toCustomers({ ids: [reader] }), subject: 'Once' });
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(world, made)));
  assert.deepEqual(answers.map((a) => a.status).toSorted(), [200, 409, 409, 409, 409, 409]);
  await becomes(world, made.id, 'sent');
  const address = await addressOf(reader);
  assert.equal(mailbox.mails.filter((m) => m.to === address).length, 1);
});

// Guards against: News to people who did not agree, or no longer do
test('at one moment: nobody gets it earlier, all whom the filter then finds do, and only those who still agree', async () => {
  at('2027-01-10T12:00:00Z');
  const before = await used();
  const [stays, leaves] = [
    await newReader(world, { date_of_birth: '1911-03-01' }),
    await newReader(world, { date_of_birth: '1911-03-02' }),
  ];
  const made = await sent(world, {
    target_recipients: toCustomers({ age_gte: 110 }),
    defer_sending: { at: '2027-01-11T09:00:00-05:00' },
  });
  assert.deepEqual([made.status, made.scheduled_at, made.is_sent], ['scheduled', '2027-01-11T09:00:00-05:00', false]);
  assert.deepEqual(await told(world, made.id), ['created', 'updated', 'scheduled']);
  const changed = await world.patch(`${BROADCASTS}/${made.id}`, { as: world.machine, body: { message: 'Other' } });
  assert.match(changed.body.message, /it is scheduled\. Cancel it/);
  const joins = await newReader(world, { date_of_birth: '1911-03-03' });
  await world.patch(`/customers/${leaves}`, {
    as: world.customer(leaves),
    body: { is_opted_into_broadcast_messages: false },
  });
  at('2027-01-11T13:59:50Z');
  assert.equal((await messagesOf(world, made.id)).size, 0);
  at('2027-01-11T14:00:01Z');
  const done = await becomes(world, made.id, 'sent');
  assert.deepEqual(done.recipient_counts, {
    customers: 3,
    targeted: 3,
    recipients: 2,
    excluded: [{ reason: 'no_consent', count: 1 }],
  });
  assert.deepEqual([...(await messagesOf(world, made.id)).keys()], [stays, joins]);
  assert.deepEqual(await told(world, made.id), ['created', 'updated', 'scheduled', 'sent']);
  // Two were counted when it was scheduled, and two got it: one left, and another joined.
  assert.equal((await used()) - before, 2);
});

test('in local time: each recipient gets it at that time, even if a clock change skips it, and nobody early', async () => {
  at('2027-03-13T12:00:00Z');
  const zones = ['Asia/Tokyo', 'Europe/London', 'America/Toronto'];
  const people: number[] = [];
  for (const timezone of zones) people.push(await newReader(world, { venue: await newVenue(world, { timezone }) }));
  // A reader without a venue is in the zone of the business.
  people.push(await newReader(world));
  const made = await sent(world, {
    target_recipients: toCustomers({ ids: people }),
    defer_sending: { local_time: '2027-03-14T02:30' },
  });
  assert.deepEqual(
    [made.defer_sending, made.scheduled_at],
    [{ local_time: '2027-03-14T02:30:00' }, '2027-03-13T12:30:00-05:00'],
  );
  const arrived = async () =>
    [...(await messagesOf(world, made.id)).values()]
      .filter((m) => m.status === 'sent')
      .map((m) => m.customer_id)
      .toSorted((a, b) => a - b);
  const arrive = (n: number) => until(`${n} got it`, async () => (await arrived()).length === n);
  at('2027-03-13T17:30:01Z');
  await arrive(1);
  const planned = await messagesOf(world, made.id);
  assert.deepEqual(
    people.map((p) => iso(planned.get(p).send_at).slice(0, 16)),
    ['2027-03-13T17:30', '2027-03-14T02:30', '2027-03-14T07:30', '2027-03-14T07:30'],
  );
  assert.equal((await read(world, made.id)).status, 'sending');
  at('2027-03-14T02:30:01Z');
  await arrive(2);
  assert.deepEqual(await arrived(), people.slice(0, 2));
  at('2027-03-14T07:30:01Z');
  await arrive(4);
  await becomes(world, made.id, 'sent');
  assert.deepEqual(await told(world, made.id), ['created', 'updated', 'scheduled', 'sent']);
});

test('a text message with news waits while it is night for the recipient, but one that all must get does not', async () => {
  at('2027-04-10T02:30:00Z');
  const person = await newReader(world, { venue: await newVenue(world, { timezone: 'America/Toronto' }) });
  const early = await newReader(world, { venue: await newVenue(world, { timezone: 'Asia/Tokyo' }) });
  for (const customer of [person, early]) await withNumber(world, customer);
  const sms = (use_case: string) =>
    sent(world, { target_recipients: toCustomers({ ids: [person, early] }), channel: 'sms', subject: null, use_case });
  const [news, urgent] = [await sms('marketing'), await sms('general')];
  const done = await becomes(world, urgent.id, 'sent');
  assert.deepEqual(done.delivery_counts.kept, 2, 'no service for text messages is set');
  await until('one waits for the morning', async () => {
    const { status, send_at: when } = (await messagesOf(world, news.id)).get(person) ?? {};
    return status === 'queued' && iso(when).startsWith('2027-04-10T12:00:00');
  });
  await until('the other has it', async () => (await messagesOf(world, news.id)).get(early).status === 'kept');
  assert.equal((await read(world, news.id)).status, 'sending');
  at('2027-04-10T12:00:01Z');
  await becomes(world, news.id, 'sent');
  assert.equal((await messagesOf(world, news.id)).get(person).status, 'kept');
});

test('a number that two customers share gets a text message once', async () => {
  at('2027-04-11T16:00:00Z');
  const [one, other] = [await newReader(world), await newReader(world)];
  const number = await withNumber(world, one);
  await withNumber(world, other, { full_number: number });
  const { id } = await sent(world, {
    target_recipients: toCustomers({ ids: [one, other] }),
    channel: 'sms',
    subject: null,
  });
  const done = await becomes(world, id, 'sent');
  assert.deepEqual(done.recipient_counts, {
    customers: 2,
    targeted: 2,
    recipients: 1,
    excluded: [{ reason: 'duplicate', count: 1 }],
  });
  assert.deepEqual(await found('non_recipients', id), [other]);
});

test('cancelled before it begins, it reaches nobody and returns its quota', async () => {
  at('2027-06-10T12:00:00Z');
  const before = await used();
  const made = await sent(world, {
    target_recipients: toCustomers({ ids: [await newReader(world)] }),
    defer_sending: { at: '2027-06-10T13:00:00Z' },
  });
  assert.equal((await used()) - before, 1);
  const { body } = await cancel(made.id);
  assert.deepEqual([body.status, body.is_sent, typeof body.cancelled_at], ['cancelled', false, 'string']);
  assert.equal(await used(), before);
  at('2027-06-10T13:00:05Z');
  // Another one, due later, was sent: the worker has checked everything that was due.
  const next = await sent(world, { target_recipients: toCustomers({ ids: [await newReader(world)] }) });
  await becomes(world, next.id, 'sent');
  assert.equal((await messagesOf(world, made.id)).size, 0);
  assert.deepEqual(await told(world, made.id), ['created', 'updated', 'scheduled', 'cancelled']);
});

test('cancelled while it is sent, some people have it, and the rest never get it', async () => {
  at('2027-07-10T12:00:00Z');
  const before = await used();
  const [tokyo, toronto] = [
    await newReader(world, { venue: await newVenue(world, { timezone: 'Asia/Tokyo' }) }),
    await newReader(world),
  ];
  const made = await sent(world, {
    target_recipients: toCustomers({ ids: [tokyo, toronto] }),
    defer_sending: { local_time: '2027-07-11T09:00' },
  });
  at('2027-07-11T00:00:01Z');
  await until('the first has it', async () => (await messagesOf(world, made.id)).get(tokyo)?.status === 'sent');
  assert.equal((await cancel(made.id)).status, 200);
  const after = await messagesOf(world, made.id);
  assert.deepEqual(
    [after.get(tokyo).status, after.get(toronto).status, after.get(toronto).reason],
    ['sent', 'skipped', 'withdrawn'],
  );
  assert.equal((await used()) - before, 1, 'what was taken back is given back');
  assert.deepEqual([await found('recipients', made.id), await found('non_recipients', made.id)], [[tokyo], [toronto]]);
  assert.deepEqual(await told(world, made.id), ['created', 'updated', 'scheduled', 'cancelled']);
});

test('after a cancellation in the middle, exactly the recipients with a sent message received it', async () => {
  at('2027-07-20T12:00:00Z');
  const ids = await inTurns(300, () => newReader(world));
  const before = await used();
  const made = await sent(world, { target_recipients: toCustomers({ ids }), subject: 'Half of it' });
  await until('some have it', async () => halves().length >= 60);
  // Otherwise, all might have it before it is cancelled.
  const release = mailbox.hold();
  const answer = await cancel(made.id).finally(release);
  assert.equal(answer.status, 200, answer.text);
  const messages = await until('nothing is under way', async () => {
    const all = await messagesOf(world, made.id);
    return [...all.values()].some((m) => m.status === 'queued' || m.status === 'sending') ? null : all;
  });
  const has = new Set(halves().map((m) => m.to));
  const says = [...messages.values()].filter((m) => m.status === 'sent');
  assert.equal(has.size, halves().length, 'nobody has two');
  assert.deepEqual(says.map((m) => m.recipient).toSorted(), [...has].toSorted());
  assert.ok(has.size < 300, 'it came to an end before all was sent');
  assert.equal((await used()) - before, has.size);
  assert.equal((await read(world, made.id)).status, 'cancelled');
});

test('customers who join between scheduling and sending get it within the quota, and the rest are listed separately', async () => {
  at('2027-08-10T12:00:00Z');
  const first = await newReader(world, { date_of_birth: '1905-01-01' });
  const made = await sent(world, {
    target_recipients: toCustomers({ age_gte: 120 }),
    defer_sending: { at: '2027-08-10T13:00:00Z' },
  });
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE email_quota_use SET used = 999 WHERE provider_id = ${world.harbour} AND period = '2027-08-01'`),
  );
  const [second, third] = [
    await newReader(world, { date_of_birth: '1905-01-02' }),
    await newReader(world, { date_of_birth: '1905-01-03' }),
  ];
  at('2027-08-10T13:00:01Z');
  const done = await becomes(world, made.id, 'sent');
  assert.deepEqual(done.recipient_counts, {
    customers: 3,
    targeted: 3,
    recipients: 2,
    excluded: [{ reason: 'quota', count: 1 }],
  });
  assert.deepEqual(
    [await found('recipients', made.id), await found('non_recipients', made.id)],
    [[first, second], [third]],
  );
  assert.equal(await used(), 1000);
});

// Guards against: A broadcast that is sent twice, or to only half of its recipients
test('a filter that can no longer be read ends the broadcast instead of matching everybody', async () => {
  at('2027-09-10T12:00:00Z');
  const before = await used();
  const made = await sent(world, {
    target_recipients: toCustomers({ ids: [await newReader(world)] }),
    defer_sending: { at: '2027-09-10T13:00:00Z' },
  });
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE broadcast_message SET target_recipients = '{"query_type":"customer","query":{"mood":"good"}}'
        WHERE id = ${made.id}`,
    ),
  );
  at('2027-09-10T13:00:01Z');
  const ended = await becomes(world, made.id, 'cancelled');
  assert.match(ended.failure, /target_recipients\.query\.mood/);
  assert.equal((await messagesOf(world, made.id)).size, 0);
  assert.equal(await used(), before);
});

test('broadcast emails do not delay messages that somebody waits for', async () => {
  at('2027-10-10T12:00:00Z');
  const ids = await inTurns(150, () => newReader(world));
  const { queueMessage } = await import('../messages/index.ts');
  // Otherwise, all emails might be sent before there is anything to overtake them.
  const release = mailbox.hold();
  const { id } = await sent(world, { target_recipients: toCustomers({ ids }), use_case: 'general', subject: 'To all' });
  const mine = await until('it is on its way', async () => (await messagesOf(world, id)).size === 150)
    .then(() =>
      world.work(world.harbour, (work) =>
        queueMessage(work, {
          channel: 'email',
          purpose: 'transactional',
          kind: 'event_registration_confirmed',
          to: { customer: ids[149] },
          subject: 'Booked',
          text: 'You are booked.',
          key: 'booked:1',
        }),
      ),
    )
    .finally(release);
  await until(
    'the confirmation is sent',
    async () => (await world.get(`/messages/${mine.id}`, { as: world.machine })).body.status === 'sent',
  );
  await becomes(world, id, 'sent');
  const order = mailbox.mails.filter((m) => m.subject === 'To all' || m.subject === 'Booked').map((m) => m.subject);
  assert.ok(order.indexOf('Booked') < 149, 'it overtook letters that were queued before it');
});

const naming = (broadcast: number) => toCustomers({ broadcast_message_recipients: broadcast });

test('filters of broadcasts that name each other do not recurse: inside a filter, only records count', async () => {
  const reader = await newReader(world);
  const news = await sent(world, { target_recipients: toCustomers({ ids: [reader] }) });
  await becomes(world, news.id, 'sent');
  const first = await draft(world, { target_recipients: naming(news.id) });
  const second = await draft(world, { target_recipients: naming(first.id) });
  assert.deepEqual([await found('recipients', first.id), await found('recipients', second.id)], [[reader], []]);
  const body = { target_recipients: naming(second.id) };
  assert.equal((await world.patch(`${BROADCASTS}/${first.id}`, { as: world.machine, body })).status, 200);
  for (const { id } of [first, second]) assert.deepEqual(await found('recipients', id), []);
});
