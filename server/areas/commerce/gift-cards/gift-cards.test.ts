import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkLedger } from '../../money/ledger/index.ts';
import { expireCards } from './expire.ts';
import { deliverJob, deliveryReader } from './deliver.ts';
import { feedEnd, feedSince } from '../../../test/schedule-world.ts';
import { newCards, withCode } from './test/cards.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
const NOON = Date.parse('2026-06-10T16:00:00Z');
before(async () => {
  world = await startWorld();
  world.setNow(NOON);
});
after(() => world.close());

const as = () => world.machine;
const got = async (path: string, token = as()) => {
  const { status, body, text } = await world.get(path, { as: token });
  assert.equal(status, 200, text);
  return body;
};
const post = (path: string, body: unknown = {}, token = as()) => world.post(path, { as: token, body });
const done = async (path: string, body: unknown = {}, token = as()) => {
  const answer = await post(path, body, token);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const settings = async (body: unknown) => {
  const { status, text, body: after } = await world.patch('/gift_cards/config', { as: as(), body });
  assert.equal(status, 200, text);
  return after;
};

/** Returns what the business owes for gift cards, as a positive number, and what it earned from expired ones. */
const owed = () =>
  world.work(world.harbour, async ({ tx }) => {
    const of = async (account: string) =>
      (await tx.one<{ n: number }>(
        sql`SELECT coalesce(-sum(amount_minor), 0)::bigint AS n FROM ledger_line
          WHERE provider_id = ${world.harbour} AND account = ${account}
            AND (account <> 'revenue' OR detail = 'gift_card')`,
      ))!.n;
    return { owed: await of('gift_card'), earned: await of('revenue') };
  });
const credit = async (customer: number) => (await got(`/customers/${customer}/account_balance`)).credit.string;
const balanced = async () => assert.deepEqual(await world.work(world.harbour, checkLedger), []);

const deliver = (card: number) =>
  world.work(world.harbour, (work) => deliverJob.run(work, { gift_card: card, provider_id: world.harbour }));
const mails = async (to: string) => {
  const { rows } = await world.work(world.harbour, async ({ tx }) => ({
    rows: await tx.rows<{ subject: string; text_part: string; html_part: string }>(
      sql`SELECT subject, text_part, html_part FROM mail_outbox
        WHERE provider_id = ${world.harbour} AND recipient = ${to} ORDER BY id`,
    ),
  }));
  return rows;
};
const codeIn = (text: string) => /[A-Z0-9]{4}(-[A-Z0-9]{4}){3}/.exec(text)![0];

test('a gift card is owed until it is redeemed, and then becomes account credit once', async () => {
  const before = await owed();
  const { card } = await newCards(world);
  assert.equal((await owed()).owed - before.owed, 5000);
  const customer = await world.newCustomer();
  const shown = await done(`/gift_cards/${card}/redeem`, { customer });
  assert.deepEqual([shown.status, shown.is_redeemed, shown.redeemed_by], ['redeemed', true, customer]);
  assert.equal(await credit(customer), '50.00');
  assert.equal((await owed()).owed, before.owed);
  const again = await post(`/gift_cards/${card}/redeem`, { customer: await world.newCustomer() });
  assert.deepEqual([again.status, again.body.code], [409, 'gift_card_redeemed']);
  const { results } = await got(`/account_entries?customer=${customer}`);
  assert.deepEqual(
    results.map((one: any) => [one.kind, one.reason, one.status, one.explanation, one.subject]),
    [['credit', 'gift_card', 'credited', 'Gift card of $50.00 for Ada.', { object: 'gift_card', id: card }]],
  );
  await balanced();
});

test('only one of several concurrent redemptions of a card succeeds', async () => {
  const { card } = await newCards(world);
  const code = await withCode(world, card);
  const people = await Promise.all(Array.from({ length: 5 }, () => world.newCustomer()));
  const answers = await Promise.all(people.map((one) => post('/gift_cards/redeem', { code }, world.customer(one))));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409]);
  const credits = await Promise.all(people.map(credit));
  assert.deepEqual(credits.toSorted(), ['0.00', '0.00', '0.00', '0.00', '50.00']);
  await balanced();
});

test('the email is sent on the day in the business’s time zone, with a code that exists nowhere else', async () => {
  const { card } = await newCards(world, { email: 'grace@example.com', name: 'Grace', deliverOn: '2026-06-12' });
  await deliver(card);
  assert.deepEqual(await mails('grace@example.com'), []);
  // 12 June in Toronto begins at four in the morning UTC.
  world.setNow(Date.parse('2026-06-12T03:59:00Z'));
  await deliver(card);
  assert.deepEqual(await mails('grace@example.com'), []);
  world.setNow(Date.parse('2026-06-12T04:01:00Z'));
  await deliver(card);
  await deliver(card);
  const [mail, ...more] = await mails('grace@example.com');
  assert.deepEqual(more, []);
  assert.match(mail.subject, /^Test \S+ sent you a gift card for /);
  assert.match(mail.text_part, /Hi Grace,[^]*\$50\.00/);
  assert.match(mail.html_part, new RegExp(codeIn(mail.text_part)));
  const shown = await got(`/gift_cards/${card}`);
  assert.deepEqual([shown.status, shown.is_delivered, shown.redeem_by], ['delivered', true, null]);
  const stored = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ row: string }>(
      sql`SELECT to_jsonb(c)::text AS row FROM gift_card c WHERE provider_id = ${world.harbour} AND id = ${card}`,
    ),
  );
  assert.ok(!stored!.row.includes(codeIn(mail.text_part).replaceAll('-', '')));
  const customer = await world.newCustomer();
  const typed = codeIn(mail.text_part).toLowerCase().replaceAll('-', ' ');
  await done('/gift_cards/redeem', { code: typed }, world.customer(customer));
  assert.equal(await credit(customer), '50.00');
  world.setNow(NOON);
});

test('a card that is sent again has a new code, and the previous one is no longer valid', async () => {
  const { card } = await newCards(world, { email: 'again@example.com' });
  await deliver(card);
  world.setNow(world.now + 1000);
  await done(`/gift_cards/${card}/deliver`);
  await deliver(card);
  const [first, second] = (await mails('again@example.com')).map(({ text_part }) => codeIn(text_part));
  assert.notEqual(first, second);
  const customer = world.customer(await world.newCustomer());
  const old = await post('/gift_cards/redeem', { code: first }, customer);
  assert.deepEqual([old.status, old.body.code], [409, 'gift_card_code_invalid']);
  await done('/gift_cards/redeem', { code: second }, customer);
});

test('a card with an unpaid invoice is neither sent nor redeemed, and is sent once it is paid', async () => {
  const { card, invoice } = await newCards(world, { email: 'late@example.com', paid: false });
  await deliver(card);
  assert.deepEqual(await mails('late@example.com'), []);
  const redeemed = await post(`/gift_cards/${card}/redeem`, { customer: await world.newCustomer() });
  assert.deepEqual([redeemed.status, redeemed.body.code], [409, 'gift_card_not_paid']);
  await done('/payment_processors', { kind: 'offline', name: 'Cash' });
  const desk = (await got('/payment_processors')).results.at(-1).id;
  await done(`/invoices/${invoice}/record_payment`, { payment_processor: desk });
  const queued = await world.work(world.harbour, async (work) => {
    await deliveryReader.read(work, [{ objectId: invoice, kind: 'invoice.paid' } as never]);
    return work.takeRecords().length;
  });
  assert.equal(queued, 1);
  await deliver(card);
  assert.equal((await mails('late@example.com')).length, 1);
  await balanced();
});

test('every code that can’t be redeemed is refused with the same text', async () => {
  const [unknown, used, voided] = [await newCards(world), await newCards(world), await newCards(world)];
  const codes = {
    unknown: 'ABCD-EFGH-JKMN-PQRS',
    'no code at all': 'hello',
    used: await withCode(world, used.card),
    voided: await withCode(world, voided.card),
  };
  await withCode(world, unknown.card);
  await done(`/gift_cards/${used.card}/redeem`, { customer: await world.newCustomer() });
  await done(`/invoices/${voided.invoice}/credit`, { reason: 'It was a mistake.' });
  const said = new Set<string>();
  for (const code of Object.values(codes)) {
    const { status, body } = await post('/gift_cards/redeem', { code }, world.customer(await world.newCustomer()));
    said.add(JSON.stringify([status, body.code, body.message]));
  }
  assert.equal(said.size, 1, [...said].join('\n'));
});

test('after five wrong codes there is a pause, even for a right one, and wrong ones count although they are refused', async () => {
  // The first pause is two seconds.
  world.stopNow();
  const { card } = await newCards(world);
  const code = await withCode(world, card);
  const customer = world.customer(await world.newCustomer());
  const guess = (one: string) => post('/gift_cards/redeem', { code: one }, customer);
  for (let n = 0; n < 6; n++) assert.equal((await guess('ABCD-EFGH-JKMN-PQRS')).status, 409);
  const paused = await guess(code);
  assert.deepEqual([paused.status, paused.body.code], [429, 'rate_limited']);
  assert.ok(Number(paused.headers.get('retry-after')) >= 1);
  world.setNow(NOON + 60_000);
  assert.equal((await guess(code)).status, 200);
  const trial = await world.post('/gift_cards/redeem?dry_run=true', { as: customer, body: { code } });
  assert.equal(trial.status, 400);
  world.setNow(NOON);
});

// Guards against: Guessing discount codes and codes of gift cards
test('a correct code, new or already redeemed by the same person, does not allow further guessing', async () => {
  world.stopNow();
  const { card } = await newCards(world);
  const code = await withCode(world, card);
  const customer = world.customer(await world.newCustomer());
  const guess = async (one: string) => (await post('/gift_cards/redeem', { code: one }, customer)).status;
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push(await guess('ABCD-EFGH-JKMN-PQRS'), await guess(code));
  assert.deepEqual(statuses, [409, 200, 409, 200, 409, 200, 409, 200]);
  for (let n = 0; n < 2; n++) assert.equal(await guess('ABCD-EFGH-JKMN-PQRS'), 409);
  assert.deepEqual([await guess(code), await guess('ABCD-EFGH-JKMN-PQRS')], [429, 429]);
  world.setNow(NOON);
});

test('a person who sends the same code twice redeems it once', async () => {
  const { card } = await newCards(world);
  const code = await withCode(world, card);
  const customer = await world.newCustomer();
  for (let n = 0; n < 2; n++) await done('/gift_cards/redeem', { code }, world.customer(customer));
  assert.equal(await credit(customer), '50.00');
});

test('a credit note voids whole cards that nobody has redeemed, the latest first', async () => {
  const before = await owed();
  const { card, invoice, line } = await newCards(world, { quantity: 3, amount: 2000 });
  const cards = (await got(`/gift_cards?sort=id&purchaser=${(await got(`/gift_cards/${card}`)).purchaser}`)).results;
  assert.equal(cards.length, 3);
  const take = (amount?: string) =>
    post(`/invoices/${invoice}/credit`, { line_items: [{ line_item: line, amount }], reason: 'A mistake.' });
  const part = await take('10.00');
  assert.deepEqual([part.status, part.body.code], [409, 'gift_card_in_part']);
  await done(`/gift_cards/${cards[0].id}/redeem`, { customer: await world.newCustomer() });
  const all = await take();
  assert.deepEqual([all.status, all.body.code], [409, 'gift_card_redeemed']);
  assert.equal((await take('20.00')).status, 201);
  const states = (await got(`/gift_cards?sort=id&purchaser=${cards[0].purchaser}`)).results;
  assert.deepEqual(
    states.map((one: any) => one.status),
    ['redeemed', 'scheduled', 'voided'],
  );
  assert.equal((await owed()).owed - before.owed, 2000);
  await balanced();
});

test('voiding an unpaid invoice voids its cards', async () => {
  const { card, invoice } = await newCards(world, { paid: false });
  await done(`/invoices/${invoice}/void`, { reason: 'A mistake.' });
  assert.equal((await got(`/gift_cards/${card}`)).status, 'voided');
  await balanced();
});

test('a card expires when its last day has ended, and its value then becomes revenue', async () => {
  await settings({ do_gift_cards_expire: true, redemption_expiration_days: 30 });
  const before = await owed();
  const { card } = await newCards(world, { email: 'expiring@example.com' });
  // Later changes don't affect what was agreed.
  await settings({ do_gift_cards_expire: false });
  await deliver(card);
  const [mail] = await mails('expiring@example.com');
  assert.match(mail.text_part, /Valid until: Friday, 10 July 2026/);
  assert.equal((await got(`/gift_cards/${card}`)).redeem_by, '2026-07-11T00:00:00-04:00');
  const code = codeIn(mail.text_part);
  // Sending it again doesn't extend it.
  world.setNow(Date.parse('2026-07-01T16:00:00Z'));
  await done(`/gift_cards/${card}/deliver`);
  await deliver(card);
  assert.equal((await got(`/gift_cards/${card}`)).redeem_by, '2026-07-11T00:00:00-04:00');
  world.setNow(Date.parse('2026-07-11T03:59:00Z'));
  await world.work(world.harbour, expireCards);
  assert.equal((await got(`/gift_cards/${card}`)).status, 'delivered');
  world.setNow(Date.parse('2026-07-11T04:00:01Z'));
  // Even before it is recorded.
  assert.equal((await got(`/gift_cards/${card}`)).status, 'expired');
  const late = await post('/gift_cards/redeem', { code }, world.customer(await world.newCustomer()));
  assert.equal(late.body.code, 'gift_card_code_invalid');
  await world.work(world.harbour, expireCards);
  await world.work(world.harbour, expireCards);
  const after = await owed();
  assert.deepEqual([after.owed - before.owed, after.earned - before.earned], [0, 5000]);
  const refused = await post(`/gift_cards/${card}/redeem`, { customer: await world.newCustomer() });
  assert.equal(refused.body.code, 'gift_card_expired');
  await balanced();
  world.setNow(NOON);
});

test('customers see the cards that they bought or redeemed, and nobody else does', async () => {
  const { card, purchaser } = await newCards(world);
  const [redeemer, stranger] = [await world.newCustomer(), await world.newCustomer()];
  const seen = async (customer: number) =>
    (await got('/gift_cards', world.customer(customer))).results.map(({ id }: { id: number }) => id);
  assert.deepEqual([await seen(purchaser), await seen(redeemer)], [[card], []]);
  await done(`/gift_cards/${card}/redeem`, { customer: redeemer });
  assert.deepEqual([await seen(purchaser), await seen(redeemer), await seen(stranger)], [[card], [card], []]);
  assert.equal((await world.get(`/gift_cards/${card}`, { as: world.staff(['customers']) })).status, 403);
  assert.equal((await world.get(`/gift_cards/${card}`, { as: world.staff(['store']) })).status, 200);
});

test('a template without the code, or with an unknown field, is refused by name', async () => {
  const refused = await world.patch('/gift_cards/config', {
    as: as(),
    body: { redemption_email_template: { subject: '{{gift_card.code}}', body: 'Hello {{recipient.nickname}}' } },
  });
  assert.equal(refused.status, 400);
  assert.match(refused.body.field_errors['redemption_email_template.body'].join(' '), /nickname/);
  assert.match(refused.body.field_errors['redemption_email_template.body'].join(' '), /Must contain/);
  assert.match(refused.body.field_errors['redemption_email_template.subject'].join(' '), /Must not contain/);
  const { results } = { results: (await got('/gift_cards/config/metadata')).template_variables };
  assert.ok(results.some((one: any) => one.name === 'gift_card.code' && one.sample_value));
});

test('every event of a card is in the feed', async () => {
  const from = await feedEnd(world);
  const { card, purchaser, invoice } = await newCards(world, { email: 'feed@example.com' });
  await deliver(card);
  await done(`/invoices/${invoice}/credit`, { reason: 'A mistake.' });
  const items = (await feedSince(world, from)).filter((one: any) => one.kind.startsWith('gift_card.'));
  assert.deepEqual(
    items.map((one: any) => [one.kind, one.payload.customer]),
    [
      ['gift_card.created', purchaser],
      ['gift_card.delivered', purchaser],
      ['gift_card.voided', purchaser],
    ],
  );
});
