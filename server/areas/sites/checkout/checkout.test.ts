/**
 * The page of a checkout without a browser: who has access, what its forms refuse, and that everything happens once.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { createUser } from '../../people/identity/index.ts';
import { feedEnd, feedSince } from '../../../test/schedule-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { times } from '../../../test/storm.ts';

const PASSWORD = 'otter kettle midnight ferry';
const BACK = 'https://shop.example.com/back?cart=7';

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { domains: ['shop.example.com'] } });
});
after(() => c?.close());

const initiate = (path: string, body: object, as = world.machine, headers = {}) =>
  world.post(`${path}/initiate_purchase`, { as, headers, body: { return_to: BACK, ...body } });

/** Creates a page and returns its path, as a browser opens it. */
async function address(path: string, body: object, as = world.machine): Promise<string> {
  const answer = await initiate(path, body, as);
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.body.next_url.startsWith(`${world.url}/account/${world.harbour}/checkout?ticket=rck_`), answer.text);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return answer.body.next_url.slice(world.url.length);
}

const plain = (text: string): string =>
  text
    .slice(text.indexOf('<main'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');

/** Returns the hidden fields of the payment form. */
const kept = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.slice(text.indexOf('checkout/pay?')).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
      .map(([, name, value]) => [name, value])
      .filter(([name]) => name !== 'form_token'),
  );

const form = (name: string) => `/account/${world.harbour}/checkout/${name}`;

/** Sends the payment form as a page showed it, and returns the text of the next page. */
async function paid(
  visitor: PageClient,
  shown: string,
  over: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const answer = await visitor.post(form('pay'), { ...kept(shown), ...over });
  if (answer.status !== 303) return { status: answer.status, text: answer.text };
  return visitor.get(answer.headers.get('location')!);
}

const ownedBy = async (customer: number): Promise<any[]> =>
  (await world.get(`/customer_memberships?customer=${customer}`, { as: world.machine })).body.results;
const free = (over: Record<string, unknown> = {}) =>
  c.m.pack(3, { name: 'Try us', description: 'Three times.\n\nOn us.', one_time_fee: '0.00', ...over });

async function write(membership: number, base_terms: string): Promise<{ id: number; version: number }> {
  const [terms] = (await world.get(`/membership_terms?membership=${membership}`, { as: world.machine })).body.results;
  const answer = await world.patch(`/membership_terms/${terms.id}`, { as: world.machine, body: { base_terms } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

let people = 0;
/** Creates a customer of Harbour who is logged in. */
async function someone(values: object = {}): Promise<{ id: number; visitor: PageClient }> {
  const email = `payer${++people}@example.com`;
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const visitor = new PageClient(world.url);
  await visitor.get(`/account/${world.harbour}/log-in`);
  assert.equal((await visitor.post(`/account/${world.harbour}/log-in`, { email, password: PASSWORD })).status, 303);
  return { id: await world.newCustomer({ user_id: userId, email, first_name: 'Ada', ...values }), visitor };
}

test('anybody with an address that staff created sees the purchase, agrees to the terms, and gets it once', async () => {
  const [membership, customer] = [await free({ visible_to_customers: false }), await world.newCustomer()];
  const terms = await write(membership, 'Be kind.\n\nBe <on> time.');
  const at = await address(`/memberships/${membership}`, { customer });
  const visitor = new PageClient(world.url);
  const since = await feedEnd(world);
  const shown = await visitor.get(at);
  assert.equal(shown.status, 200);
  assert.match(plain(shown.text), /Try us Three times\. On us\. Free .*Terms of Try us Be kind\. Be &lt;on&gt; time\./);
  assert.deepEqual(await feedSince(world, since), [], 'looking buys nothing');
  const unwilling = await paid(visitor, shown.text);
  assert.deepEqual([unwilling.status, /Agree to the terms to continue/.test(unwilling.text)], [422, true]);
  assert.deepEqual(await ownedBy(customer), []);
  const done = await paid(visitor, shown.text, { agree: 'on' });
  const [owned] = await ownedBy(customer);
  const back = `https://shop.example.com/back?cart=7&amp;purchase=completed&amp;customer_membership=${owned.id}`;
  assert.ok(done.text.includes(`href="${back}"`), done.text);
  const agreed = await world.work(world.harbour, ({ tx }) =>
    tx.one(
      sql`SELECT membership_terms_id AS terms, version, how, actor LIKE 'checkout:%' AS by_link FROM terms_consent
        WHERE customer_id = ${customer}`,
    ),
  );
  assert.deepEqual(agreed, { terms: terms.id, version: 1, how: 'online', by_link: true });
  const again = await paid(visitor, shown.text, { agree: 'on' });
  assert.match(plain(again.text), /It's all set/, 'a form that is sent twice is done');
  assert.equal((await ownedBy(customer)).length, 1);
});

test('only one of several people who pay at the same time is charged, and all see the completed checkout', async () => {
  const [event, customer] = [await c.event({ price: '15.00' }), await world.newCustomer()];
  const at = await address(`/events/${event}`, { customer });
  const open = await times(4, async () => {
    const visitor = new PageClient(world.url);
    return { visitor, shown: await visitor.get(at) };
  });
  await Promise.all(open.map(({ visitor, shown }) => paid(visitor, shown.text, { outcome: 'success' })));
  const pages = await Promise.all(open.map(({ visitor }) => visitor.get(at)));
  for (const { text } of pages) assert.match(plain(text), /You're booked We received your payment of \$15\.00/);
  const payments = await c.owner.query('SELECT status FROM payment WHERE customer_id = $1', [customer]);
  assert.deepEqual(payments.rows, [{ status: 'succeeded' }]);
});

// Guards against: The address of a checkout page that falls into the wrong hands
test('what a customer requested is paid by that customer while logged in, or by the manager of the child’s family', async () => {
  const membership = await free({ visible_to_customers: true });
  const family = await world.work(
    world.harbour,
    async ({ tx }) =>
      (await tx.one<{ id: number }>(sql`INSERT INTO family (provider_id) VALUES (${world.harbour}) RETURNING id`))!.id,
  );
  const [ada, other] = [await someone({ family_id: family, family_role: 'manager' }), await someone()];
  const child = await world.newCustomer({ family_id: family, family_role: 'child', first_name: 'Kim' });
  const path = `/memberships/${membership}`;
  const at = await address(path, { customer: ada.id }, world.customer(ada.id));
  const stranger = new PageClient(world.url);
  const away = await stranger.get(at);
  const logIn = `/account/${world.harbour}/log-in?return_to=${encodeURIComponent(at)}`;
  assert.deepEqual([away.status, away.headers.get('location')], [303, logIn]);
  const refused = await other.visitor.get(at);
  assert.equal(refused.status, 410);
  const { text } = await ada.visitor.get(at);
  await other.visitor.get(`/account/${world.harbour}/profile`);
  assert.equal((await other.visitor.post(form('pay'), kept(text))).status, 410);
  assert.deepEqual(await ownedBy(ada.id), []);
  assert.match(plain((await paid(ada.visitor, text)).text), /It's all set/);
  const forChild = await address(path, { customer: child }, world.customer(ada.id));
  const shown = await ada.visitor.get(forChild);
  assert.match(plain(shown.text), /For Kim/);
  assert.match(plain((await paid(ada.visitor, shown.text)).text), /It's all set/);
  assert.equal((await ownedBy(child)).length, 1);
  const foreign = await initiate(path, { customer: other.id }, world.customer(ada.id));
  assert.equal(foreign.status, 400, 'somebody of another family is nobody that Ada sees');
});

test('creating the address reserves a place, and a full event is refused immediately', async () => {
  const event = await c.event({ price: '15.00', max_occupancy: 1 });
  await address(`/events/${event}`, { customer: await world.newCustomer() });
  const late = await initiate(`/events/${event}`, { customer: await world.newCustomer() });
  assert.equal(late.body.code, 'event_full');
});

test('an event is paid with the default membership, unless a drop-in or another membership is requested', async () => {
  const [membership, customer] = [await c.m.pack(5), await world.newCustomer()];
  const sold = await world.post('/customer_memberships', { as: world.machine, body: { membership, customer } });
  assert.equal(sold.status, 201, sold.text);
  const price = { as: world.machine, body: { dropin_price: '15.00' } };
  assert.equal((await world.patch(`/offering_types/${c.m.offering}`, price)).status, 200);
  const itemOf = async (body: object) => {
    const event = await c.memberEvent();
    assert.equal((await initiate(`/events/${event}`, { customer, ...body })).status, 200);
    const items = await c.owner.query('SELECT item_type FROM checkout_item WHERE event_id = $1', [event]);
    return items.rows[0].item_type;
  };
  assert.equal(await itemOf({}), 'CLASS_MEM');
  assert.equal(await itemOf({ customer_membership: sold.body.id }), 'CLASS_MEM');
  assert.equal(await itemOf({ select_drop_in: true }), 'CLASS_DRP');
  const both = { customer, customer_membership: sold.body.id, select_drop_in: true };
  const answer = await initiate(`/events/${await c.memberEvent()}`, both);
  assert.deepEqual(Object.keys(answer.body.field_errors), ['select_drop_in']);
});

test('an unavailable item is refused at the request, and the page says so if it becomes unavailable later', async () => {
  const once = await free({ allow_repeat_purchases: false });
  const customer = await world.newCustomer();
  const path = `/memberships/${once}`;
  const [at, other] = [await address(path, { customer }), await address(path, { customer })];
  const visitor = new PageClient(world.url);
  assert.match(plain((await paid(visitor, (await visitor.get(at)).text)).text), /It's all set/);
  const page = await paid(visitor, (await visitor.get(other)).text);
  assert.ok(page.status >= 400, page.text);
  assert.match(plain(page.text), /There is a problem .*Cancel/);
  assert.deepEqual(Object.keys((await initiate(path, { customer })).body.field_errors), ['membership']);
  const { membership } = await c.m.recurring([], { price: '0.00' });
  const foreign = (await c.m.recurring()).plan;
  const wrong = await initiate(`/memberships/${membership}`, { customer, payment_plan: foreign });
  assert.deepEqual(Object.keys(wrong.body.field_errors), ['plan']);
  const slot = await initiate(path, { customer, appointment_slot: 'x' });
  assert.deepEqual(Object.keys(slot.body.field_errors), ['appointment_slot']);
  assert.equal((await initiate(path, { customer }, world.staff(['attendances']))).status, 403);
  assert.equal((await initiate(path, { customer: await world.newCustomer() }, world.meadowMachine)).status, 404);
});

test('terms or a price that changed since the page was opened are shown again, and need a new consent', async () => {
  const [membership, customer] = [await c.m.pack(4, { one_time_fee: '40.00' }), await world.newCustomer()];
  await write(membership, 'Be kind.');
  const at = await address(`/memberships/${membership}`, { customer });
  const visitor = new PageClient(world.url);
  const shown = await visitor.get(at);
  await write(membership, 'Be kind and bring cake.');
  const answer = await paid(visitor, shown.text, { agree: 'on', outcome: 'success' });
  assert.equal(answer.status, 409);
  assert.match(plain(answer.text), /have changed since you opened this page.*bring cake/);
  const price = { as: world.machine, body: { one_time_fee: '45.00' } };
  assert.equal((await world.patch(`/memberships/${membership}`, price)).status, 200);
  const dearer = await paid(visitor, answer.text, { agree: 'on', outcome: 'success' });
  assert.equal(dearer.status, 409);
  assert.match(plain(dearer.text), /The price has changed: the total is \$45\.00 now.*Pay \$45\.00/);
  assert.deepEqual(await ownedBy(customer), []);
  const done = await paid(visitor, dearer.text, { agree: 'on', outcome: 'success' });
  assert.match(plain(done.text), /We received your payment of \$45\.00/);
});

/** Returns the payment of the customer. */
async function paymentOf(customer: number): Promise<{ id: number; attempts: number }> {
  const { rows } = await c.owner.query('SELECT id, attempts FROM payment WHERE customer_id = $1', [customer]);
  return { id: Number(rows[0].id), attempts: rows[0].attempts };
}

test('people who paid at the bank see so before its webhook arrives, and a reload asks the processor only now and then', async () => {
  const [event, customer] = [await c.event({ price: '15.00' }), await world.newCustomer()];
  const at = await address(`/events/${event}`, { customer });
  const visitor = new PageClient(world.url);
  const { text } = await visitor.get(at);
  await visitor.post(form('pay'), { ...kept(text), outcome: 'extra_step' });
  const read = async () => plain((await visitor.get(at)).text);
  await c.play((await paymentOf(customer)).id, 'succeed', 'lost');
  assert.match(await read(), /You're booked/, 'paid, and no message comes');
  const late = await world.newCustomer();
  const other = await address(`/events/${event}`, { customer: late });
  const waiting = new PageClient(world.url);
  const shown = await waiting.get(other);
  await waiting.post(form('pay'), { ...kept(shown.text), outcome: 'late' });
  const look = async () => plain((await waiting.get(other)).text);
  const { now } = world;
  assert.match(await look(), /Your payment is being confirmed/);
  const { id, attempts } = await paymentOf(late);
  await c.play(id, 'succeed', 'lost');
  world.setNow(now);
  assert.match(await look(), /Your payment is being confirmed/, 'it was asked a moment ago');
  world.setNow(now + 60_000);
  const all = await times(3, look);
  assert.ok(all.some((page) => page.includes("You're booked")));
  assert.match(await look(), /You're booked/);
  assert.equal((await paymentOf(late)).attempts, attempts, 'looking uses up none of the attempts of the engine');
  world.setNow(now);
});

const offers = (text: string) => /Sandbox card ending in 4242/.test(text);

test('a logged-in payer saves a method and pays with it the next time, and nobody else is offered it', async () => {
  const [ada, bea] = [await someone(), await someone()];
  const buy = async (customer = ada.id, as?: string) => address(`/events/${await c.event()}`, { customer }, as);
  const sandbox = String(c.sandbox);
  const first = await ada.visitor.get(await buy());
  assert.match(plain(first.text), /Save my payment method for next time/);
  const done = await paid(ada.visitor, first.text, { way: sandbox, save: 'on', outcome: 'success' });
  assert.match(plain(done.text), /You're booked/);
  const [card] = (await world.get(`/payment_methods?customer=${ada.id}`, { as: world.machine })).body.results;
  const at = await buy();
  const way = `${c.sandbox}.${card.id}`;
  for (const visitor of [new PageClient(world.url), bea.visitor]) {
    const { text } = await visitor.get(at);
    assert.deepEqual([offers(text), /Save my/.test(text)], [false, false], 'the address alone is not the payer');
    const answer = await paid(visitor, text, { way, outcome: 'success' });
    assert.deepEqual([answer.status, /Choose how you would like to pay/.test(answer.text)], [422, true]);
  }
  const shown = await ada.visitor.get(at);
  assert.match(
    plain(shown.text),
    /Sandbox card ending in 4242, valid until 12\/\d{4} \(test\) Card \(enter new details\)/,
  );
  assert.match(shown.text, new RegExp(`value="${way}" checked`));
  assert.match(plain((await paid(ada.visitor, shown.text, { way, outcome: 'success' })).text), /You're booked/);
  const [payment] = (await world.get(`/payments?customer=${ada.id}&sort=-id`, { as: world.machine })).body.results;
  assert.equal(payment.payment_method, card.id);
  const own = await buy(bea.id, world.customer(bea.id));
  assert.ok(!offers((await bea.visitor.get(own)).text), 'of somebody else');
  await c.owner.query('UPDATE payment_method SET expiration_year = 2020 WHERE id = $1', [card.id]);
  assert.ok(!offers((await ada.visitor.get(await buy())).text), 'it has expired');
});

test('nobody pays at the desk unless the business allows it, or with a processor that it does not have', async () => {
  const customer = await world.newCustomer();
  const at = await address(`/memberships/${await c.m.pack(5)}`, { customer });
  const visitor = new PageClient(world.url);
  const { text } = await visitor.get(at);
  for (const way of ['desk', String(c.desk), '999999', '']) {
    const answer = await paid(visitor, text, { way, outcome: 'success' });
    assert.equal(answer.status, 422, way);
    assert.match(plain(answer.text), /Choose how you would like to pay/);
  }
  assert.deepEqual(await ownedBy(customer), []);
});

// Guards against: The address of a checkout page that falls into the wrong hands
test('the browser continues only to https sites of the business, or to an address that the application registered', async () => {
  const [membership, customer] = [await free(), await world.newCustomer()];
  const path = `/memberships/${membership}`;
  for (const return_to of [
    'http://shop.example.com/',
    'javascript:alert(1)',
    '//shop.example.com',
    'https://a@shop.example.com/',
    'https://shop.example.com/#x',
    'com.example.app:/back',
    'http://localhost:3000/back',
    '',
    '/account/1/profile',
    'https://shop.example.com:8443/',
    'https://evil.example/',
    'https://shop.example.com.evil.example/',
    'https://xshop.example.com/',
    'https://kiosk.example.com/',
  ]) {
    const answer = await initiate(path, { customer, return_to });
    assert.deepEqual([answer.status, Object.keys(answer.body.field_errors)], [400, ['return_to']], return_to);
  }
  const made = await world.post('/applications', {
    as: world.machine,
    body: {
      name: 'Kiosk',
      domain: 'kiosk.example.com',
      scopes: ['read_write'],
      is_public: true,
      allowed_callback_urls: ['com.example.app:/back'],
    },
  });
  assert.equal(made.status, 201, made.text);
  const kiosk = await initiate(path, { customer, return_to: 'https://kiosk.example.com/thanks' });
  assert.equal(kiosk.status, 200, 'the domain of an application of the business');
  const ada = await someone();
  const token = world.token(
    [{ mode: 'customer', providerId: world.harbour, customerId: ada.id }],
    'person',
    'application',
    { applicationId: made.body.id },
  );
  const at = await address(path, { customer: ada.id, return_to: 'com.example.app:/back' }, token);
  const done = await paid(ada.visitor, (await ada.visitor.get(at)).text);
  assert.match(done.text, /href="com\.example\.app:\/back\?purchase=completed/);
  assert.match(plain(done.text), /Continue to com\.example\.app/);
  const foreign = await initiate(path, { customer: ada.id, return_to: 'com.example.app:/other' }, token);
  assert.equal(foreign.status, 400);
});

// Guards against: The address of a checkout page that falls into the wrong hands
test('the address is never stored or shown again, and a new one invalidates it', async () => {
  const [membership, customer] = [await free(), await world.newCustomer()];
  const headers = { 'idempotency-key': 'pay-once' };
  const first = await initiate(`/memberships/${membership}`, { customer }, world.machine, headers);
  const again = await initiate(`/memberships/${membership}`, { customer }, world.machine, headers);
  assert.deepEqual(again.body, { ...first.body, next_url: null });
  const secret = new URL(first.body.next_url).searchParams.get('ticket')!;
  const stored = await c.owner.query(
    'SELECT to_jsonb(k)::text AS row FROM checkout k UNION ALL SELECT to_jsonb(i)::text FROM idempotency_key i',
  );
  assert.ok(stored.rows.length > 1 && stored.rows.every(({ row }) => !row.includes(secret)));
  const visitor = new PageClient(world.url);
  const elsewhere = await visitor.get(`/account/${world.meadow}/checkout?ticket=${secret}`);
  assert.equal(elsewhere.status, 410, 'another business knows nothing of it');
  for (const ticket of ['', 'rck_x', 'x'.repeat(300)])
    assert.equal((await visitor.get(`/account/${world.harbour}/checkout?ticket=${ticket}`)).status, 410);
  const [open] = (await world.get(`/checkouts?customer=${customer}`, { as: world.machine })).body.results;
  const next = await world.post(`/checkouts/${open.id}/page`, { as: world.machine });
  assert.equal(next.status, 200, next.text);
  assert.equal((await visitor.get(first.body.next_url.slice(world.url.length))).status, 410);
  assert.equal((await visitor.get(next.body.next_url.slice(world.url.length))).status, 200);
});

test('the page links to how cancellations work, and asks once to agree to what is asked at a purchase', async () => {
  const newPolicy = async (body: object) =>
    (await world.post('/policies', { as: world.machine, body: { text: 'Be on time.', ...body } })).body.id;
  const terms = await newPolicy({ name: 'House rules', when_required: ['purchase'] });
  const refunds = await newPolicy({ name: 'Refunds', purpose: 'refund' });
  const { id: customer, visitor } = await someone();
  const page = await address(`/memberships/${await free()}`, { customer });
  const shown = await visitor.get(page);
  assert.match(plain(shown.text), /House rules Refunds .*I agree: House rules/);
  const refused = await paid(visitor, shown.text);
  assert.deepEqual([refused.status, /Tick the box to agree/.test(plain(refused.text))], [422, true]);
  assert.equal((await paid(visitor, shown.text, { policies: 'on' })).status, 200);
  const { results } = (await world.get(`/policy_agreements?customer=${customer}`, { as: world.machine })).body;
  assert.deepEqual(
    results.map((one: any) => one.policy),
    [terms],
  );
  const next = await visitor.get(await address(`/memberships/${await free()}`, { customer }));
  assert.match(plain(next.text), /House rules Refunds/);
  assert.doesNotMatch(plain(next.text), /I agree: House rules/);
  for (const id of [terms, refunds])
    await world.patch(`/policies/${id}`, { as: world.machine, body: { status: 'archived' } });
});
