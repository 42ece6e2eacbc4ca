/** Buying on a page: who may, what it shows, what it refuses, and that it happens once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../../people/identity/index.ts';
import { feedEnd, feedSince, newEvent } from '../../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../../test/membership-world.ts';
import { PageClient } from '../../../../test/page-client.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { times } from '../../../../test/storm.ts';

const PASSWORD = 'otter kettle midnight ferry';
const BACK = 'https://shop.example.com/back?cart=7';

let world: World;
let m: MembershipWorld;
before(async () => {
  world = await startWorld();
  m = await MembershipWorld.of(world);
  await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { domains: ['shop.example.com'] } });
});
after(() => world?.close());

const initiate = (membership: number, body: object, as = world.machine, headers = {}) =>
  world.post(`/memberships/${membership}/initiate_purchase`, { as, headers, body: { return_to: BACK, ...body } });

/** The address below ours, as a browser opens it. */
async function address(membership: number, body: object, as = world.machine): Promise<string> {
  const answer = await initiate(membership, body, as);
  assert.equal(answer.status, 200, answer.text);
  assert.ok(answer.body.next_url.startsWith(`${world.url}/account/${world.harbour}/purchase?ticket=rcb_`), answer.text);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return answer.body.next_url.slice(world.url.length);
}

const plain = (text: string): string =>
  text
    .slice(text.indexOf('<main'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');
const kept = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(ticket|terms|due)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

/** Opens the page and sends its form; where the browser goes on to, or what it shows. */
async function confirmed(
  visitor: PageClient,
  at: string,
  over: Record<string, string> = {},
): Promise<{ status: number; to: URL | null; text: string }> {
  return sendForm(visitor, (await visitor.get(at)).text, over);
}

async function sendForm(
  visitor: PageClient,
  shown: string,
  over: Record<string, string> = {},
): Promise<{ status: number; to: URL | null; text: string }> {
  const answer = await visitor.post(`/account/${world.harbour}/purchase`, { ...kept(shown), ...over });
  const to = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(answer.text)?.[1].replaceAll('&amp;', '&');
  return { status: answer.status, to: to === undefined ? null : new URL(to), text: plain(answer.text) };
}

const ownedBy = async (customer: number): Promise<any[]> =>
  (await world.get(`/customer_memberships?customer=${customer}`, { as: world.machine })).body.results;
const free = (over: Record<string, unknown> = {}) =>
  m.pack(3, { name: 'Try us', description: 'Three times.\n\nOn us.', one_time_fee: '0.00', ...over });

async function write(membership: number, base_terms: string): Promise<{ id: number; version: number }> {
  const [terms] = (await world.get(`/membership_terms?membership=${membership}`, { as: world.machine })).body.results;
  const answer = await world.patch(`/membership_terms/${terms.id}`, { as: world.machine, body: { base_terms } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

let people = 0;
/** A customer of Harbour who is logged in, and a token of its own. */
async function someone(values: object = {}): Promise<{ id: number; visitor: PageClient; email: string }> {
  const email = `buyer${++people}@example.com`;
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const visitor = new PageClient(world.url);
  await visitor.get(`/account/${world.harbour}/log-in`);
  assert.equal((await visitor.post(`/account/${world.harbour}/log-in`, { email, password: PASSWORD })).status, 303);
  return { id: await world.newCustomer({ user_id: userId, email, first_name: 'Ada', ...values }), visitor, email };
}

test('with the address that staff made somebody sees what it is, agrees to the terms, and gets it once', async () => {
  const [membership, customer] = [await free(), await world.newCustomer({ first_name: 'Grace' })];
  const terms = await write(membership, 'Be kind.\n\nBe <on> time.');
  const at = await address(membership, { customer });
  assert.deepEqual(await ownedBy(customer), [], 'nothing is bought yet');
  const visitor = new PageClient(world.url);
  const since = await feedEnd(world);
  const shown = await visitor.get(at);
  assert.equal(shown.status, 200);
  assert.match(
    plain(shown.text),
    /Try us For Grace Price Free From \w+day, \d+ \w+ \d{4} Three times. On us. Terms Be kind. Be &lt;on&gt; time. I agree to the terms Get it Cancel/,
  );
  assert.match(shown.text, /href="https:\/\/shop.example.com\/back\?cart=7&amp;purchase=cancelled"/);
  assert.deepEqual(await feedSince(world, since), [], 'looking buys nothing');
  const unwilling = await confirmed(visitor, at);
  assert.deepEqual([unwilling.status, /Agree to the terms to continue/.test(unwilling.text)], [422, true]);
  assert.deepEqual(await ownedBy(customer), []);
  const done = await confirmed(visitor, at, { agree: 'on' });
  const [owned] = await ownedBy(customer);
  assert.equal(
    done.to?.href,
    `https://shop.example.com/back?cart=7&purchase=completed&customer_membership=${owned.id}`,
  );
  assert.deepEqual(
    (await feedSince(world, since)).map((f) => f.kind),
    ['customer_membership.created', 'terms_consent.created'],
  );
  const agreed = await world.work(world.harbour, ({ tx }) =>
    tx.one(
      sql`SELECT membership_terms_id AS terms, version, how, actor LIKE 'purchase:%' AS by_link FROM terms_consent WHERE customer_id = ${customer}`,
    ),
  );
  assert.deepEqual(agreed, { terms: terms.id, version: 1, how: 'online', by_link: true });
  const again = await visitor.post(`/account/${world.harbour}/purchase`, { ...kept(shown.text), agree: 'on' });
  assert.match(again.text, new RegExp(`customer_membership=${owned.id}`), 'a form that is sent twice is done');
  assert.equal((await ownedBy(customer)).length, 1);
});

test('of several who confirm at once one buys, and all go on', async () => {
  const [membership, customer] = [await free(), await world.newCustomer()];
  const at = await address(membership, { customer });
  const open = await times(4, async () => {
    const visitor = new PageClient(world.url);
    return { visitor, shown: await visitor.get(at) };
  });
  const done = await Promise.all(open.map(({ visitor, shown }) => sendForm(visitor, shown.text)));
  const [owned, ...more] = await ownedBy(customer);
  assert.deepEqual(more, []);
  assert.ok(
    done.every(({ to }) => to?.searchParams.get('customer_membership') === String(owned.id)),
    JSON.stringify(done.map((d) => d.status)),
  );
});

test('what a customer asked for is finished by that customer, logged in, or by who manages the family of the child', async () => {
  const membership = await free({ visible_to_customers: true });
  const family = await world.work(
    world.harbour,
    async ({ tx }) =>
      (await tx.one<{ id: number }>(sql`INSERT INTO family (provider_id) VALUES (${world.harbour}) RETURNING id`))!.id,
  );
  const [ada, other] = [await someone({ family_id: family, family_role: 'manager' }), await someone()];
  const child = await world.newCustomer({ family_id: family, family_role: 'child', first_name: 'Kim' });
  const at = await address(membership, { customer: ada.id }, world.customer(ada.id));
  const stranger = await new PageClient(world.url).get(at);
  assert.equal(stranger.status, 303);
  assert.equal(
    stranger.headers.get('location'),
    `/account/${world.harbour}/log-in?return_to=${encodeURIComponent(at)}`,
  );
  assert.equal((await other.visitor.get(at)).status, 410);
  assert.equal((await confirmed(ada.visitor, at)).to?.searchParams.get('purchase'), 'completed');
  const forChild = await address(membership, { customer: child }, world.customer(ada.id));
  assert.match(plain((await ada.visitor.get(forChild)).text), /For Kim/);
  assert.equal((await confirmed(ada.visitor, forChild)).to?.searchParams.get('purchase'), 'completed');
  assert.equal((await ownedBy(child)).length, 1);
  assert.equal(
    (await initiate(membership, { customer: other.id }, world.customer(ada.id))).status,
    400,
    'somebody of another family is nobody that Ada sees',
  );
});

test('what has a price is not bought here, and the page says so', async () => {
  const { membership, plan } = await m.recurring([], { price: '0.00' });
  assert.equal(
    (await world.post('/joining_fees', { as: world.machine, body: { amount: '25.00', plans: [plan] } })).status,
    201,
  );
  for (const [id, price] of [
    [await m.pack(5), /Price \$120.00/],
    [membership, /Price Free every month Joining fee \$25.00, once/],
  ] as const) {
    const customer = await world.newCustomer();
    const at = await address(id, { customer });
    const visitor = new PageClient(world.url);
    const { text } = await visitor.get(at);
    assert.match(plain(text), price);
    assert.match(
      plain(text),
      /You can't pay online yet.*Buy this at the desk of Harbour\..*Go back to shop.example.com/,
    );
    assert.match(text, /purchase=at_desk/);
    assert.doesNotMatch(text, /Get it/);
    await visitor.get(`/account/${world.harbour}/log-in`);
    await visitor.post(`/account/${world.harbour}/purchase`, {
      ticket: new URL(at, world.url).searchParams.get('ticket')!,
      terms: '',
      due: id === membership ? '2500' : '12000',
      agree: 'on',
    });
    assert.deepEqual(await ownedBy(customer), []);
  }
});

test('a prepaid time that has begun shows the price of the days that are left', async () => {
  world.setNow(Date.parse('2026-07-17T15:00Z'));
  const summer = await m.prepaid({
    one_time_fee: '62.00',
    start_date: '2026-07-01',
    expiration_date: '2026-07-31',
    use_prorate: true,
  });
  const { price, display_price, one_time_fee } = (await world.get(`/memberships/${summer}`)).body;
  assert.deepEqual(
    [price.string, display_price.string, one_time_fee.string],
    ['30.00', '30.00', '62.00'],
    'and so do lists',
  );
  const { text } = await new PageClient(world.url).get(await address(summer, { customer: await world.newCustomer() }));
  assert.match(plain(text), /Price \$30.00 From Friday, 17 July 2026 Until Friday, 31 July 2026/);
  world.setNow(Date.now());
});

test('an event is booked with it, or nothing is bought', async () => {
  const [membership, customer, late] = [await free(), await world.newCustomer(), await world.newCustomer()];
  const event = (await newEvent(world, m.place, { name: 'Sculling', max_occupancy: 1 })).id;
  const [at, second] = [
    await address(membership, { customer, event }),
    await address(membership, { customer: late, event }),
  ];
  const visitor = new PageClient(world.url);
  assert.match(plain((await visitor.get(at)).text), /Books Sculling, \w+day/);
  assert.equal((await confirmed(visitor, at)).to?.searchParams.get('purchase'), 'completed');
  const [owned] = await ownedBy(customer);
  assert.equal(await m.used(owned.id), 1);
  assert.match(plain((await new PageClient(world.url).get(second)).text), /You can't buy this This event is full/);
  assert.deepEqual(await ownedBy(late), []);
  assert.equal(
    (await initiate(membership, { customer: late, event })).body.code,
    'event_full',
    'and who asks by now is told at once',
  );
});

test('what cannot be had is said when it is asked for, and the page when it cannot be had any more', async () => {
  const once = await free({ allow_repeat_purchases: false });
  const customer = await world.newCustomer();
  const [at, other] = [await address(once, { customer }), await address(once, { customer })];
  assert.equal((await confirmed(new PageClient(world.url), at)).to?.searchParams.get('purchase'), 'completed');
  const page = await new PageClient(world.url).get(other);
  assert.equal(page.status, 409);
  assert.match(plain(page.text), /You can't buy this .* Go back to shop.example.com/);
  assert.deepEqual(Object.keys((await initiate(once, { customer })).body.field_errors), ['membership']);
  const { membership } = await m.recurring([], { price: '0.00' });
  const foreign = (await m.recurring()).plan;
  assert.deepEqual(Object.keys((await initiate(membership, { customer, payment_plan: foreign })).body.field_errors), [
    'plan',
  ]);
  assert.deepEqual(Object.keys((await initiate(once, { customer, appointment_slot: 'x' })).body.field_errors), [
    'appointment_slot',
  ]);
  assert.equal((await initiate(once, { customer }, world.staff(['attendances']))).status, 403);
  assert.equal((await initiate(once, { customer: await world.newCustomer() }, world.meadowMachine)).status, 404);
});

test('terms or a price that changed since the page was opened are shown again, and agreed to anew', async () => {
  const [membership, customer] = [await free(), await world.newCustomer()];
  await write(membership, 'Be kind.');
  const at = await address(membership, { customer });
  const visitor = new PageClient(world.url);
  const shown = await visitor.get(at);
  await write(membership, 'Be kind and bring cake.');
  const answer = await visitor.post(`/account/${world.harbour}/purchase`, { ...kept(shown.text), agree: 'on' });
  assert.equal(answer.status, 409);
  assert.match(plain(answer.text), /have changed since you opened this page.*bring cake/);
  assert.deepEqual(await ownedBy(customer), []);
  assert.equal((await confirmed(visitor, at, { agree: 'on' })).to?.searchParams.get('purchase'), 'completed');
});

test('the browser goes on to sites of the business alone, over https, or to what the application was registered with', async () => {
  const [membership, customer] = [await free(), await world.newCustomer()];
  for (const return_to of [
    'http://shop.example.com/',
    'javascript:alert(1)',
    '//shop.example.com',
    'https://a@shop.example.com/',
    'https://shop.example.com/#x',
    'com.example.app:/back',
    'http://localhost:3000/back',
    '',
    'https://shop.example.com:8443/',
    'https://evil.example/',
    'https://shop.example.com.evil.example/',
    'https://evil.example/shop.example.com',
    'https://xshop.example.com/',
    'https://kiosk.example.com/',
  ]) {
    const answer = await initiate(membership, { customer, return_to });
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
  assert.equal(
    (await initiate(membership, { customer, return_to: 'https://kiosk.example.com/thanks' })).status,
    200,
    'the domain of an application of the business',
  );
  const ada = await someone();
  const token = world.token(
    [{ mode: 'customer', providerId: world.harbour, customerId: ada.id }],
    'person',
    'application',
    { applicationId: made.body.id },
  );
  const at = await address(membership, { customer: ada.id, return_to: 'com.example.app:/back' }, token);
  assert.match((await confirmed(ada.visitor, at)).to!.href, /^com\.example\.app:\/back\?purchase=completed/);
  assert.equal(
    (await initiate(membership, { customer: ada.id, return_to: 'com.example.app:/other' }, token)).status,
    400,
  );
});

test('the address is over after an hour, is known nowhere but where it was shown, and is forgotten', async () => {
  const [membership, customer] = [await free(), await world.newCustomer()];
  const headers = { 'idempotency-key': 'buy-once' };
  const first = await initiate(membership, { customer }, world.machine, headers);
  const again = await initiate(membership, { customer }, world.machine, headers);
  assert.deepEqual(again.body, { ...first.body, next_url: null });
  const secret = new URL(first.body.next_url).searchParams.get('ticket')!;
  const stored = await world.work(world.harbour, ({ tx }) =>
    tx.rows(
      sql`SELECT to_jsonb(p)::text AS row FROM membership_purchase p UNION ALL SELECT to_jsonb(i)::text FROM idempotency_key i`,
    ),
  );
  assert.ok(stored.length > 1 && stored.every(({ row }) => !row.includes(secret)));
  assert.equal(
    (await new PageClient(world.url).get(`/account/${world.meadow}/purchase?ticket=${secret}`)).status,
    410,
    'another business knows nothing of it',
  );
  const at = first.body.next_url.slice(world.url.length);
  world.setNow(world.now + 3_600_001);
  assert.equal((await new PageClient(world.url).get(at)).status, 410);
  for (const ticket of ['', 'rcb_x', 'x'.repeat(300)])
    assert.equal(
      (await new PageClient(world.url).get(`/account/${world.harbour}/purchase?ticket=${ticket}`)).status,
      410,
    );
  world.setNow(world.now + 8 * 86_400_000);
  const accounts = world.app.registry.areas.find((area) => area.name === 'accounts')!;
  await world.app.db.acrossTenants('a test sweeps', (tx) => accounts.sweep!(tx, world.now, world.app.installation));
  const left = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ n: number }>(sql`SELECT count(*)::int AS n FROM membership_purchase WHERE customer_id = ${customer}`),
  );
  assert.equal(left!.n, 0);
  world.setNow(Date.now());
});
