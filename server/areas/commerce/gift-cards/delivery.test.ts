import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AddressRefused } from '../../../kernel/base/mail/mailer.ts';
import { deliverJob, sweepDeliveries } from './deliver.ts';
import { seed, slug } from '../../../test/seeds.ts';
import { newCards } from './test/cards.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
  world.setNow(Date.parse('2026-06-10T16:00:00Z'));
});
after(() => world.close());

const ask = async (method: string, path: string, body?: unknown, as = world.machine) => {
  const answer = await world.ask(method, path, { as, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
};
const refused = async (method: string, path: string, body?: unknown, as = world.machine) => {
  const { status, body: said } = await world.ask(method, path, { as, body });
  return [status, said.code, ...Object.keys(said.field_errors ?? {})];
};
const address = () => `${slug()}@example.com`;
const suppress = (to: string, reason: string) => ask('POST', '/communication/suppressions', { address: to, reason });
const deliver = (card: number) =>
  world.work(world.harbour, (work) => deliverJob.run(work, { gift_card: card, provider_id: world.harbour }));
const rows = (statement: ReturnType<typeof sql>) => world.work(world.harbour, ({ tx }) => tx.rows<any>(statement));
const mailsTo = async (to: string): Promise<string[]> =>
  (
    await rows(
      sql`SELECT text_part FROM mail_outbox WHERE provider_id = ${world.harbour} AND recipient = ${to} ORDER BY id`,
    )
  ).map((row) => row.text_part);
const told = (customer: number) =>
  rows(
    sql`SELECT status FROM message WHERE provider_id = ${world.harbour} AND kind = 'gift_card_undelivered'
      AND customer_id = ${customer}`,
  );
const later = (minutes: number) => world.setNow(world.now + minutes * 60_000);

for (const [reason, problem] of [
  ['bounced', 'bounced'],
  ['complained', 'complained'],
  ['manual', 'manual'],
  ['unsubscribed', null],
] as const)
  test(`a gift card for an address that is suppressed as ${reason} is ${problem ? 'not sent, and its buyer is notified' : 'sent: it is no marketing'}`, async () => {
    const to = address();
    const { card, purchaser } = await newCards(world, { email: to.toUpperCase() });
    await suppress(to, reason);
    await deliver(card);
    const shown = await ask('GET', `/gift_cards/${card}`);
    assert.deepEqual(
      [shown.delivery_status, shown.delivery_problem, shown.status, shown.delivery_help === null],
      problem ? ['failed', problem, 'scheduled', false] : ['sent', null, 'delivered', true],
    );
    assert.equal((await mailsTo(to.toUpperCase())).length, problem ? 0 : 1);
    assert.equal((await told(purchaser)).length, problem ? 1 : 0);
    const failed = await ask('GET', `/gift_cards?delivery_status=failed&purchaser=${purchaser}`);
    assert.equal(failed.count, problem ? 1 : 0);
    // Nothing retries it until somebody has changed something.
    await deliver(card);
    assert.equal((await told(purchaser)).length, problem ? 1 : 0);
  });

test('the email has the message of the buyer, even in a text of the business that has no place for it', async () => {
  const to = address();
  const message = 'Happy birthday!\nSee you soon';
  const send = async () => deliver((await newCards(world, { email: to, message })).card);
  await send();
  const body = 'Your code: {{gift_card.code}}';
  const config = await ask('PATCH', '/gift_cards/config', { redemption_email_template: { subject: 'A gift', body } });
  assert.equal(config.redemption_email_template.body, body);
  await send();
  await ask('PATCH', '/gift_cards/config', {
    redemption_email_template: { subject: 'A gift', body: `${body}\n\n{{purchaser.name}}: {{gift_card.message}}` },
  });
  await send();
  const [ours, without, own] = await mailsTo(to);
  assert.match(ours, /worth \$50\.00\.\n\nHappy birthday!\nSee you soon\n\nYour code:/);
  assert.match(without, /^Happy birthday!\nSee you soon\n\nYour code: /);
  assert.match(own, /^Your code: [^]*: Happy birthday!\nSee you soon/);
});

test('the buyer corrects the message until it is sent, and it holds no addresses', async () => {
  const { card, purchaser } = await newCards(world, { email: address(), message: 'Hapy birthday!' });
  const buyer = world.customer(purchaser);
  const changed = await ask('PATCH', `/gift_cards/${card}`, { message: 'Happy birthday!' }, buyer);
  assert.equal(changed.message, 'Happy birthday!');
  assert.deepEqual(await refused('PATCH', `/gift_cards/${card}`, { message: 'Go to www.evil.example' }, buyer), [
    400,
    'parameter_invalid',
    'message',
  ]);
  await deliver(card);
  assert.deepEqual(await refused('PATCH', `/gift_cards/${card}`, { message: 'Too late' }, buyer), [409, 'conflict']);
});

test('an address that the mail server refuses permanently is reported too, and any other failure is retried', async () => {
  const { card, purchaser } = await newCards(world, { email: address() });
  const { installation } = world.app;
  const { send } = installation.mailer;
  try {
    installation.mailer.send = async () => {
      throw new Error('the mail server is away');
    };
    await assert.rejects(deliver(card), /away/);
    assert.equal((await ask('GET', `/gift_cards/${card}`)).delivery_status, 'scheduled');
    installation.mailer.send = async () => {
      throw new AddressRefused('no such mailbox');
    };
    await deliver(card);
  } finally {
    installation.mailer.send = send;
  }
  const shown = await ask('GET', `/gift_cards/${card}`);
  assert.deepEqual([shown.delivery_status, shown.delivery_problem], ['failed', 'refused']);
  assert.equal((await told(purchaser)).length, 1);
});

test('the buyer enters another address and the card is sent there, while staff see why it failed and the buyer what to do', async () => {
  const [wrong, right] = [address(), address()];
  const { card, purchaser } = await newCards(world, { email: wrong });
  await suppress(wrong, 'bounced');
  await deliver(card);
  const buyer = world.customer(purchaser);
  const shown = await ask('GET', `/gift_cards/${card}`, undefined, buyer);
  assert.deepEqual([shown.delivery_status, shown.delivery_problem], ['failed', null]);
  assert.match(shown.delivery_help, /Correct the address, or print it/);
  later(1);
  assert.deepEqual(await refused('PATCH', `/gift_cards/${card}`, { recipient_email: wrong }, buyer), [
    400,
    'parameter_invalid',
    'recipient_email',
  ]);
  assert.deepEqual(await refused('POST', `/gift_cards/${card}/deliver`), [400, 'parameter_invalid', 'recipient_email']);
  const other = world.customer(await world.newCustomer());
  assert.deepEqual(await refused('PATCH', `/gift_cards/${card}`, { recipient_email: right }, other), [
    404,
    'not_found',
  ]);
  await ask('PATCH', `/gift_cards/${card}`, { recipient_email: right }, buyer);
  await deliver(card);
  assert.equal((await mailsTo(right)).length, 1);
  assert.equal((await ask('GET', `/gift_cards/${card}`)).delivery_status, 'sent');
  // Somebody else has the code now.
  assert.deepEqual(await refused('PATCH', `/gift_cards/${card}`, { recipient_email: address() }, buyer), [
    409,
    'conflict',
  ]);
  assert.deepEqual(await refused('POST', `/gift_cards/${card}/print`, {}, buyer), [409, 'conflict']);
});

test('a printed card shows its code once, and that code is the only valid one', async () => {
  const { card, purchaser } = await newCards(world, { email: null, name: null });
  const before = await ask('GET', `/gift_cards/${card}`);
  assert.deepEqual(
    [before.delivery_status, before.recipient_email, before.recipient_name, before.code, before.page],
    ['to_print', '', '', null, null],
  );
  assert.deepEqual(await refused('POST', `/gift_cards/${card}/deliver`), [409, 'conflict']);
  const buyer = world.customer(purchaser);
  const preview = await ask('POST', `/gift_cards/${card}/print?dry_run=true`, {}, buyer);
  assert.equal(preview.code, null);
  const first = await ask('POST', `/gift_cards/${card}/print`, {}, buyer);
  assert.match(first.code, /^[A-Z0-9]{4}(-[A-Z0-9]{4}){3}$/);
  assert.ok(first.page.includes(first.code) && first.page.includes('$50.00'));
  assert.deepEqual([first.delivery_status, first.status], ['printed', 'delivered']);
  assert.equal((await ask('GET', `/gift_cards/${card}`)).code, null);
  // Responses are stored by the real time.
  world.resetNow();
  const key = { 'idempotency-key': slug() };
  const again = await world.ask('POST', `/gift_cards/${card}/print`, { as: world.machine, body: {}, headers: key });
  const replayed = await world.ask('POST', `/gift_cards/${card}/print`, { as: world.machine, body: {}, headers: key });
  assert.deepEqual([again.status, replayed.status, replayed.body.code], [200, 200, null]);
  const customer = await world.newCustomer();
  assert.deepEqual(await refused('POST', '/gift_cards/redeem', { code: first.code }, world.customer(customer)), [
    409,
    'gift_card_code_invalid',
  ]);
  await ask('POST', '/gift_cards/redeem', { code: again.body.code }, world.customer(customer));
  assert.equal((await ask('GET', `/customers/${customer}/account_balance`)).credit.string, '50.00');
  assert.deepEqual(await refused('POST', `/gift_cards/${card}/print`), [409, 'gift_card_redeemed']);
  const stored = await rows(
    sql`SELECT (SELECT string_agg(after::text, '') FROM audit_entry
      WHERE provider_id = ${world.harbour} AND object = 'gift_card' AND object_id = ${card}) AS audit`,
  );
  assert.ok(!stored[0].audit.includes(again.body.code.replaceAll('-', '')));
});

test('a printed card shows the picture that its buyer chose, at an address that can be loaded', async () => {
  const image = await seed(world, 'image');
  const { card } = await newCards(world, { email: null, name: null });
  const without = await ask('POST', `/gift_cards/${card}/print`, {});
  assert.ok(!without.page.includes('<img'));
  await rows(sql`UPDATE gift_card SET image_id = ${image} WHERE provider_id = ${world.harbour} AND id = ${card}`);
  const { page, image: shown } = await ask('POST', `/gift_cards/${card}/print`, {});
  assert.match(shown.url, /^http.*\/images\//);
  assert.ok(page.includes(`<img src="${shown.url}"`), page);
});

test('a printed card becomes an emailed one when somebody gives it an address', async () => {
  const { card, purchaser } = await newCards(world, { email: null, name: null });
  const to = address();
  const buyer = world.customer(purchaser);
  assert.deepEqual(await refused('PATCH', `/gift_cards/${card}`, { recipient_email: to }, buyer), [
    400,
    'parameter_invalid',
    'recipient_name',
  ]);
  await ask('PATCH', `/gift_cards/${card}`, { recipient_email: to, recipient_name: 'Grace' }, buyer);
  await world.work(world.harbour, ({ tx }) => sweepDeliveries(tx, world.now));
  await deliver(card);
  assert.equal((await mailsTo(to)).length, 1);
});

test('the response for a card can be sent back, even if no email would be sent to its address any more', async () => {
  const to = address();
  const cards = [await newCards(world, { email: null, name: null }), await newCards(world, { email: to })];
  await suppress(to, 'bounced');
  for (const { card, purchaser } of cards) {
    const { recipient_email, recipient_name } = await ask('GET', `/gift_cards/${card}`);
    const body = { recipient_email, recipient_name };
    const after = await ask('PATCH', `/gift_cards/${card}`, body, world.customer(purchaser));
    assert.deepEqual({ recipient_email: after.recipient_email, recipient_name: after.recipient_name }, body);
  }
  // Without an address, the code is printed.
  const emptied = await ask('PATCH', `/gift_cards/${cards[1].card}`, { recipient_email: '' });
  assert.deepEqual([emptied.recipient_email, emptied.delivery_status], ['', 'to_print']);
});
