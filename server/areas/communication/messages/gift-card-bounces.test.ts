/** Gift cards whose email another server reports as undeliverable, after it was handed over. */
import { findTenant } from '../../platform/providers/index.ts';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Mailbox, type ReceivedMail } from '../../../test/outside/mailbox.ts';
import { newCards } from '../../commerce/gift-cards/test/cards.ts';
import { returnedJob } from '../../commerce/gift-cards/bounced.ts';
import { slug } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { takeBounce } from './index.ts';
import { Tenants } from '../../../kernel/work/unit/tenants.ts';
import { until } from '../../../test/storm.ts';
import type { Own } from '../../../kernel/work/unit/background-work.ts';

let mailbox: Mailbox;
let world: World;
let own: Own;
const ADMIN = `admin-${slug()}@example.com`;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'no-reply@rollcall.example', MAIL_BOUNCES: 'bounces@rollcall.example' },
  });
  const { db, registry } = world.app;
  own = { db, registry, tenants: new Tenants(db, findTenant), now: () => world.now };
  const body = { first_name: 'Kim', last_name: 'Lee', email: ADMIN, permissions: { super_admin: true } };
  assert.equal((await world.post('/staff', { as: world.machine, body })).status, 201);
});
after(async () => {
  await world.close();
  await mailbox.close();
});

const CODE = /[A-Z0-9]{4}(-[A-Z0-9]{4}){3}/;
const address = () => `${slug()}@example.com`;
const read = async (card: number) => (await world.get(`/gift_cards/${card}`, { as: world.machine })).body;
const becomes = (card: number, delivery: string) =>
  until(`card ${card} is ${delivery}`, async () => {
    const shown = await read(card);
    return shown.delivery_status === delivery ? shown : null;
  });
const suppressed = async (to: string): Promise<string[]> =>
  (await world.get(`/communication/suppressions?address=${to}`, { as: world.machine })).body.results.map(
    ({ reason }: any) => reason,
  );
const told = async (customer: number): Promise<number> =>
  (await world.work(world.harbour, ({ tx }) =>
    tx.one<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM message
        WHERE provider_id = ${world.harbour} AND kind = 'gift_card_undelivered' AND customer_id = ${customer}`,
    ),
  ))!.n;

/** Sends a card, and returns it with its email. */
async function sent() {
  const to = address();
  const { card, purchaser } = await newCards(world, { email: to });
  await world.post(`/gift_cards/${card}/deliver`, { as: world.machine, body: {} });
  const mail = await mailbox.next(to, /./);
  await becomes(card, 'sent');
  return { card, purchaser, to, mail };
}

/** Reports as another mail server does, to the sender of the envelope. */
const reported = (to: string, { from }: ReceivedMail, status = '5.1.1', action = 'failed') =>
  takeBounce(
    own,
    Buffer.from(
      [
        'From: Mail Delivery System <mailer-daemon@mx.example.net>',
        `To: ${from}`,
        'Subject: Undelivered Mail Returned to Sender',
        'MIME-Version: 1.0',
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
        '',
        '--b1',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; mx.example.net',
        '',
        `Final-Recipient: rfc822; ${to}`,
        `Action: ${action}`,
        `Status: ${status}`,
        '--b1--',
        '',
      ].join('\r\n'),
    ),
    null,
  );

test('the buyer and the business are notified once if the email of a gift card bounces, and a different address gets a working code', async () => {
  const { card, purchaser, to, mail } = await sent();
  assert.match(mail.from, /^bounces\+[0-9a-f]{32}@rollcall\.example$/);
  assert.equal(await reported(to, mail), 'noted');
  const shown = await becomes(card, 'failed');
  assert.deepEqual([shown.delivery_problem, shown.status, await suppressed(to)], ['bounced', 'delivered', ['bounced']]);
  const buyer = world.customer(purchaser);
  const email = (await world.get(`/customers/${purchaser}`, { as: world.machine })).body.email;
  assert.match((await mailbox.next(email, /could not be sent/)).text, new RegExp(to));
  assert.match((await mailbox.next(ADMIN, /could not be sent/)).text, new RegExp(`gift card of \\$50\\.00 .* ${to}`));
  assert.equal(await reported(to, mail), 'noted');
  const other = address();
  const again = await world.patch(`/gift_cards/${card}`, { as: buyer, body: { recipient_email: other } });
  assert.equal(again.status, 200, again.text);
  const second = await mailbox.next(other, /./);
  await becomes(card, 'sent');
  // A report on the first email now says nothing about the second.
  assert.equal(await reported(to, mail), 'not ours');
  const [[first], [code]] = [CODE.exec(mail.text)!, CODE.exec(second.text)!];
  const recipient = world.customer(await world.newCustomer());
  const redeem = async (sentCode: string) =>
    (await world.post('/gift_cards/redeem', { as: recipient, body: { code: sentCode } })).status;
  assert.deepEqual([await redeem(first), await redeem(code)], [409, 200]);
  assert.equal(await told(purchaser), 1);
});

test('after a full mailbox, the same address is tried again, and a mere delay changes nothing', async () => {
  const { card, purchaser, to, mail } = await sent();
  assert.equal(await reported(to, mail, '4.4.1', 'delayed'), 'noted');
  assert.equal((await read(card)).delivery_status, 'sent');
  assert.equal(await reported(to, mail, '5.2.2'), 'noted');
  await becomes(card, 'failed');
  assert.deepEqual(await suppressed(to), []);
  const body = { recipient_email: to };
  assert.equal((await world.patch(`/gift_cards/${card}`, { as: world.customer(purchaser), body })).status, 200);
  await mailbox.next(to, /./);
  await becomes(card, 'sent');
});

test('nobody is notified that the email of a card bounced if the card was redeemed or printed since', async () => {
  const [redeemed, printed] = [await sent(), await sent()];
  const [code] = CODE.exec(redeemed.mail.text)!;
  const recipient = world.customer(await world.newCustomer());
  assert.equal((await world.post('/gift_cards/redeem', { as: recipient, body: { code } })).status, 200);
  const print = await world.post(`/gift_cards/${printed.card}/print`, { as: world.machine, body: {} });
  assert.equal(print.body.delivery_status, 'printed');
  assert.equal(await reported(redeemed.to, redeemed.mail), 'noted');
  assert.equal(await reported(printed.to, printed.mail), 'not ours');
  const sent_at = new Date((await read(redeemed.card)).last_sent_at).toISOString();
  await world.work(world.harbour, (work) => returnedJob.run(work, { gift_card: redeemed.card, sent_at }));
  assert.deepEqual([await told(redeemed.purchaser), await told(printed.purchaser)], [0, 0]);
});
