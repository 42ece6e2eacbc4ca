import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { checkLedger } from '../../money/ledger/index.ts';
import { billed, payWith } from '../../money/invoices/test/invoicing.ts';
import { book, feedEnd, feedSince, newEvent, newPlace, type Place, row } from '../../../test/schedule-world.ts';
import { deleteCustomers, lockCustomers } from '../../people/customers/index.ts';
import { confirmReferrals } from './confirm.ts';
import { promise, referred } from './test/seeds.ts';
import { referralsReader } from './reader.ts';
import { seed } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startReferrals } from './start.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let place: Place;
const NOON = Date.parse('2026-06-10T16:00:00Z');
const DAY = 86_400_000;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
beforeEach(async () => {
  world.setNow(NOON);
  await promise(world, world.harbour);
});
after(() => world.close());

const ask = async (method: string, path: string, body?: unknown, as = world.machine) => {
  const answer = await world.ask(method, path, { as, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
};
const refused = async (method: string, path: string, body?: unknown, as = world.machine) =>
  (await world.ask(method, path, { as, body })).status;
const credit = async (customer: number) => (await ask('GET', `/customers/${customer}/account_balance`)).credit.string;
const balanced = async () => assert.deepEqual(await world.work(world.harbour, (work) => checkLedger(work)), []);
const get = (referral: number, as = world.machine) => ask('GET', `/referrals/${referral}`, undefined, as);
const explained = async (referral: number): Promise<string> =>
  (await ask('GET', `/referrals/${referral}/explain`)).sentences.join(' ');

const deleted = (customer: number) =>
  world.work(world.harbour, async (work) => deleteCustomers(work, await lockCustomers(work, [customer])));

/** Runs the reader over everything since then. */
async function read(since: number): Promise<void> {
  const items = await feedSince(world, since);
  const mine = items.filter(({ kind }) => (referralsReader.kinds as readonly string[]).includes(kind));
  await world.work(world.harbour, (work) => referralsReader.read(work, mine as never));
}
/** Runs an action, and lets the reader process it. */
async function andRead(act: () => Promise<unknown>): Promise<void> {
  const since = await feedEnd(world);
  await act();
  await read(since);
}

test('a business promises nothing until it says so, and everyone may read its promises', async () => {
  const path = `/providers/${world.meadow}/customer_referral_settings`;
  const { object: _, id: _id, ...fresh } = await ask('GET', path, undefined, world.meadowMachine);
  assert.deepEqual(
    [fresh.enabled, fresh.referral_reward_type, fresh.referral_bonus_credit.string, fresh.signup_free_membership],
    [false, 'nothing', '0.00', null],
  );
  const membership = await seed(world, 'membership', world.harbour);
  const mine = `/providers/${world.harbour}/customer_referral_settings`;
  const changed = await ask('PATCH', mine, {
    enabled: true,
    referral_reward_type: 'account_credit',
    referral_bonus_credit: '12.50',
    signup_free_membership: membership,
    signup_discount_percentage: '12.5',
    confirmed_by: 'first_purchase',
    max_rewards_per_year: 3,
  });
  assert.deepEqual(
    [changed.referral_bonus_credit.string, changed.signup_free_membership, changed.signup_discount_percentage],
    ['12.50', membership, '12.5'],
  );
  const expanded = await ask('GET', `${mine}?expand=signup_free_membership`);
  assert.equal(expanded.signup_free_membership.id, membership);
  const anyone = await world.get(`${mine}?fields=enabled,referral_bonus_credit`, { provider: world.harbour });
  assert.deepEqual([anyone.status, anyone.body.enabled], [200, true]);
  const nothing = await ask('PATCH', mine, { referral_reward_type: 'nothing' });
  assert.deepEqual([nothing.referral_reward_type, nothing.referral_bonus_credit.string], ['nothing', '0.00']);
  for (const wrong of [
    { referral_reward_type: 'account_credit' },
    { referral_reward_type: 'nothing', referral_bonus_credit: '5.00' },
    { signup_discount_percentage: '0' },
    { signup_discount_percentage: '101' },
    { confirmed_by: 'never' },
    { max_rewards_per_year: 0 },
  ])
    assert.equal(await refused('PATCH', mine, wrong), 400, JSON.stringify(wrong));
  assert.equal(await refused('PATCH', mine, { enabled: false }, world.staff(['revenue'])), 403);
});

test('a customer who came with a code is referred, and the first visit gives both what they were promised, once', async () => {
  const referrer = await world.newCustomer({ first_name: 'Ada' });
  const { code } = (await ask('GET', `/customers/${referrer}?fields=referral_code`)).referral_code;
  let customer = 0;
  await andRead(async () => {
    customer = (
      await ask('POST', '/customers', {
        first_name: 'Ben',
        last_name: 'B',
        email: 'ben.visit@example.com',
        referral_code: code,
      })
    ).id;
  });
  const [pending] = (await ask('GET', `/referrals?customer=${customer}`)).results;
  assert.deepEqual([pending.status, pending.referrer, pending.customer_first_name], ['pending', referrer, 'Ben']);
  assert.match(await explained(pending.id), /When Ben comes for the first time, Ada gets \$10\.00/);
  assert.deepEqual([await credit(referrer), await credit(customer)], ['0.00', '0.00']);
  // Later promises apply to later customers.
  await promise(world, world.harbour, { bonus_minor: 1, signup_credit_minor: 1, confirmed_by: 'first_purchase' });
  const event = await newEvent(world, place);
  await book(world, event.id, customer);
  const { results } = await ask('GET', `/attendances?event=${event.id}&customer=${customer}`);
  world.setNow(Date.parse(event.ends_at) + 60_000);
  await andRead(() => ask('PATCH', `/attendances/${results[0].id}`, { status: 'attended' }));
  const confirmed = await get(pending.id);
  assert.deepEqual(
    [confirmed.status, confirmed.confirmed_by, confirmed.referrer_credit.string, confirmed.customer_credit.string],
    ['confirmed', 'first_visit', '10.00', '5.00'],
  );
  assert.deepEqual([await credit(referrer), await credit(customer)], ['10.00', '5.00']);
  const [entry] = (await ask('GET', `/account_entries?customer=${referrer}`)).results;
  assert.deepEqual(
    [entry.reason, entry.subject, entry.explanation],
    ['referral_reward', { object: 'referral', id: pending.id }, 'Thank you for telling Ben about us.'],
  );
  await world.work(world.harbour, (work) => confirmReferrals(work, [pending.id], 'first_visit'));
  assert.deepEqual([await credit(referrer), await credit(customer)], ['10.00', '5.00']);
  assert.equal(await refused('POST', `/referrals/${pending.id}/cancel`), 409);
  await balanced();
});

test('a first purchase confirms a referral if that is the rule, and neither a visit nor an invoice of 0 does', async () => {
  await promise(world, world.harbour, { confirmed_by: 'first_purchase' });
  const { referral, referrer, customer } = await referred(world);
  await andRead(async () => {
    const venue = await row(world, 'venue', { name: 'Pier', timezone: 'America/Toronto' });
    await ask('POST', '/checkins', { customer, venue, date: '2026-06-10' });
  });
  assert.equal((await get(referral)).status, 'pending');
  await andRead(() => billed(world, customer, [{ list: 0, fees: [] }]));
  assert.equal((await get(referral)).status, 'pending');
  await andRead(async () => {
    const { id } = await billed(world, customer, [{ list: 2000, fees: [] }]);
    await payWith(world, customer, id, 2000);
  });
  assert.deepEqual([(await get(referral)).confirmed_by, await credit(referrer)], ['first_purchase', '10.00']);
  await balanced();
});

test('a referral confirmed concurrently from several sides gives one reward to each', async () => {
  const { referral, referrer, customer } = await referred(world);
  await Promise.all([
    ...Array.from({ length: 4 }, () => ask('POST', `/referrals/${referral}/confirm`)),
    ...Array.from({ length: 3 }, () =>
      world.work(world.harbour, (work) => confirmReferrals(work, [referral], 'first_visit')),
    ),
  ]);
  assert.deepEqual([await credit(referrer), await credit(customer)], ['10.00', '5.00']);
  assert.equal((await ask('GET', `/account_entries?customer=${referrer}`)).count, 1);
  await balanced();
});

test('a referral confirmed and cancelled at the same time becomes one of both and nothing in between', async () => {
  for (let n = 0; n < 5; n++) {
    const { referral, referrer } = await referred(world);
    await Promise.all([
      world.post(`/referrals/${referral}/confirm`, { as: world.machine }),
      world.post(`/referrals/${referral}/cancel`, { as: world.machine }),
    ]);
    const { status } = await get(referral);
    assert.equal(await credit(referrer), status === 'confirmed' ? '10.00' : '0.00');
  }
  await balanced();
});

test('a sign-up that is read twice, or by two processes at the same time, is one referral', async () => {
  const { referral, customer } = await referred(world);
  await Promise.all(
    Array.from({ length: 4 }, () => world.work(world.harbour, (work) => startReferrals(work, [customer]))),
  );
  const { results } = await ask('GET', `/referrals?customer=${customer}`);
  assert.deepEqual(
    results.map(({ id }: any) => id),
    [referral],
  );
});

test('family members, known people and a person’s own record are no referrals, and the reason is given', async () => {
  const family = await row(world, 'family', {});
  const manager = await world.newCustomer({ first_name: 'Ada', family_id: family, family_role: 'manager' });
  const child = await referred(world, world.harbour, manager, { family_id: family, family_role: 'child', email: null });
  assert.deepEqual(
    [(await get(child.referral)).status, (await get(child.referral)).cancel_reason],
    ['cancelled', 'same_family'],
  );
  const before = await world.newCustomer({ first_name: 'Ben', email: 'ben.before@example.com' });
  await deleted(before);
  const known = await referred(world, world.harbour, undefined, { email: 'Ben.Before@example.com' });
  assert.equal((await get(known.referral)).cancel_reason, 'known_before');
  assert.match(await explained(known.referral), /Ben was known before\.$/);
  assert.equal(await refused('POST', `/referrals/${known.referral}/confirm`), 409);
  const own = await referred(world);
  await ask('POST', `/customers/${own.referrer}/merge`, { from: own.customer });
  const merged = await ask('POST', `/referrals/${own.referral}/confirm`);
  assert.deepEqual([merged.status, merged.cancel_reason], ['cancelled', 'own_code']);
  assert.equal(await credit(own.referrer), '0.00');
});

test('two records of one person that were both referred are rewarded once', async () => {
  const [a, b] = [await referred(world), await referred(world)];
  await ask('POST', `/referrals/${a.referral}/confirm`);
  await ask('POST', `/customers/${a.customer}/merge`, { from: b.customer });
  const second = await ask('POST', `/referrals/${b.referral}/confirm`);
  assert.deepEqual([second.status, second.cancel_reason, second.customer], ['cancelled', 'known_before', a.customer]);
  assert.deepEqual([await credit(b.referrer), await credit(a.customer)], ['0.00', '5.00']);
  await balanced();
});

test('nobody gets more rewards in a year than the business allows, however many come at the same time', async () => {
  await promise(world, world.harbour, { rewards_a_year: 2 });
  const first = await referred(world);
  const { referrer } = first;
  const others = [];
  for (let n = 0; n < 3; n++) others.push(await referred(world, world.harbour, referrer));
  await Promise.all([first, ...others].map(({ referral }) => ask('POST', `/referrals/${referral}/confirm`)));
  assert.equal(await credit(referrer), '20.00');
  const all = (await ask('GET', `/referrals?referrer=${referrer}`)).results;
  assert.deepEqual(all.map((one: any) => one.referrer_credit.string).toSorted(), ['0.00', '0.00', '10.00', '10.00']);
  const without = all.find((one: any) => one.referrer_credit.string === '0.00');
  assert.equal(without.customer_credit.string, '5.00', 'the new customer loses nothing by it');
  assert.match(await explained(without.id), /Ada got nothing for it, because they have had as many rewards/);
  world.setNow(NOON + 366 * DAY);
  const later = await referred(world, world.harbour, referrer);
  await ask('POST', `/referrals/${later.referral}/confirm`);
  assert.equal(await credit(referrer), '30.00');
  await balanced();
});

test('a deleted customer refers nobody, and a pending referral still rewards the new one', async () => {
  const { referral, referrer, customer } = await referred(world);
  await deleted(referrer);
  const confirmed = await ask('POST', `/referrals/${referral}/confirm`);
  assert.deepEqual([confirmed.referrer_credit.string, confirmed.customer_credit.string], ['0.00', '5.00']);
  assert.match(await explained(referral), /because their record had been deleted/);
  assert.equal(await credit(customer), '5.00');
  const late = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ code: string }>(
      sql`SELECT referral_code AS code FROM customer WHERE provider_id = ${world.harbour} AND id = ${referrer}`,
    ),
  );
  const nobody = await world.newCustomer({ referred_by_code: late!.code });
  await world.work(world.harbour, (work) => startReferrals(work, [nobody]));
  assert.equal((await ask('GET', `/referrals?customer=${nobody}`)).count, 0);
});

test('a customer who signs up gets the free membership and the code immediately, and nothing if referrals are off', async () => {
  const membership = await seed(world, 'membership', world.harbour);
  await promise(world, world.harbour, { signup_membership_id: membership, signup_discount_percent: '12.5' });
  const young = await referred(world);
  assert.equal((await get(young.referral)).customer_membership, null, 'it asks for an age that nobody knows');
  const { referral, customer } = await referred(world, world.harbour, undefined, { date_of_birth: '1990-04-01' });
  const told = await ask('GET', `/referrals/${referral}?expand=customer_membership`);
  assert.equal(told.customer_membership.membership, membership);
  const [code] = (await ask('GET', `/discount_codes?query=${told.discount_code}`)).results;
  assert.deepEqual([code.code, code.allowed_uses, code.discount_type], [told.discount_code, 1, 'percent']);
  assert.match(await explained(referral), /Ben got a free membership\. Ben got a discount code\./);
  const shown = await get(referral, world.customer(customer));
  assert.equal(shown.discount_code, told.discount_code);
  await promise(world, world.harbour, { enabled: false });
  const other = await world.newCustomer({
    referred_by_code: (await ask('GET', `/customers/${customer}?fields=referral_code`)).referral_code.code,
  });
  await world.work(world.harbour, (work) => startReferrals(work, [other]));
  assert.equal((await ask('GET', `/referrals?customer=${other}`)).count, 0);
});

test('customers see their own referrals, and only the first name of the other person', async () => {
  const { referral, referrer, customer } = await referred(world);
  await ask('POST', `/referrals/${referral}/confirm`);
  const seen = await get(referral, world.customer(referrer));
  assert.deepEqual(
    [
      seen.status,
      seen.customer_first_name,
      seen.customer,
      seen.referrer_credit.string,
      seen.customer_credit,
      seen.discount_code,
    ],
    ['confirmed', 'Ben', null, '10.00', null, null],
  );
  const other = await get(referral, world.customer(customer));
  assert.deepEqual([other.referrer_first_name, other.referrer, other.referrer_credit], ['Ada', null, null]);
  assert.equal(
    await refused('GET', `/referrals/${referral}`, undefined, world.customer(await world.newCustomer())),
    404,
  );
  assert.equal(await refused('POST', `/referrals/${referral}/confirm`, {}, world.customer(referrer)), 403);
  const desk = await get(referral, world.staff(['customers', 'pos']));
  assert.equal(desk.status, 'confirmed');
});

test('a dry run shows what both would get, and gives nothing', async () => {
  const { referral, referrer } = await referred(world);
  const { effects } = await ask('POST', `/referrals/${referral}/confirm?dry_run=true`);
  const credits = effects.filter(({ effect }: any) => effect === 'credit');
  assert.deepEqual(
    credits.map(({ object, id, detail }: any) => [object, id, detail.amount_minor, detail.reason]),
    [
      ['referral', referral, 1000, 'referral_reward'],
      ['referral', referral, 500, 'referral_welcome'],
    ],
  );
  assert.deepEqual([await credit(referrer), (await get(referral)).status], ['0.00', 'pending']);
});

test('a dry run of a sign-up with a code shows exactly what both will get', async () => {
  const membership = await seed(world, 'membership', world.harbour);
  const referrer = await world.newCustomer({ first_name: 'Ada' });
  const { code } = (await ask('GET', `/customers/${referrer}?fields=referral_code`)).referral_code;
  const person = { first_name: 'Ben', last_name: 'Berg', referral_code: code, date_of_birth: '1990-04-01' };
  for (const [promised, body] of [
    [{ signup_membership_id: membership, signup_discount_percent: '12.5' }, person],
    [{ signup_membership_id: membership }, { ...person, date_of_birth: null }],
    [{ signup_discount_percent: '10', confirmed_by: 'first_purchase', reward_type: 'nothing', bonus_minor: 0 }, person],
    [{ signup_discount_percent: '10' }, { ...person, email: 'known-before@example.com', send_invitation_email: false }],
    [{ enabled: false }, person],
  ] as const) {
    await promise(world, world.harbour, promised);
    if ('email' in body) await deleted((await ask('POST', '/customers', { ...body, referral_code: null })).id);
    const preview = (await ask('POST', '/customers?dry_run=true', body)).effects;
    const previewed = preview.find(({ effect }: any) => effect === 'referral')?.detail;
    const since = await feedEnd(world);
    const { id } = await ask('POST', '/customers', body);
    assert.equal((await ask('GET', `/referrals?customer=${id}`)).count, 0, 'nothing is left of the dry run');
    await read(since);
    const [made] = (await ask('GET', `/referrals?customer=${id}&expand=customer_membership`)).results;
    if (!made) {
      assert.deepEqual([previewed, 'enabled' in promised], [undefined, true]);
      continue;
    }
    const [discount] = made.discount_code
      ? (await ask('GET', `/discount_codes?query=${made.discount_code}`)).results
      : [null];
    const counts = made.status === 'pending';
    if (counts) await ask('POST', `/referrals/${made.id}/confirm`);
    const ended = await get(made.id);
    assert.deepEqual(previewed, {
      referrer,
      cancel_reason: ended.cancel_reason,
      confirms_on: ended.confirms_on,
      referrer_credit: counts ? ended.referrer_credit.string : null,
      customer_credit: counts ? ended.customer_credit.string : null,
      free_membership: made.customer_membership?.membership ?? null,
      discount_percentage: discount && String(Number(discount.discount_amount)),
    });
  }
});

test('both are notified of their credit, once', async () => {
  const { referral, referrer, customer } = await referred(world);
  await ask('POST', `/referrals/${referral}/confirm`);
  const messages = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ type: string; customer: number }>(
      sql`SELECT kind AS type, customer_id AS customer FROM message
        WHERE provider_id = ${world.harbour} AND customer_id = ANY(${[referrer, customer]}::bigint[]) ORDER BY id`,
    ),
  );
  assert.deepEqual(
    messages.map(({ type, customer: to }) => [type, to]),
    [
      ['referral_rewarded', referrer],
      ['referral_welcomed', customer],
    ],
  );
});

test('the database keeps decided referrals unchanged, whatever writes', async () => {
  const { referral } = await referred(world);
  await ask('POST', `/referrals/${referral}/confirm`);
  const write = (statement: ReturnType<typeof sql>) => world.work(world.harbour, ({ tx }) => tx.run(statement));
  const mine = sql`provider_id = ${world.harbour} AND id = ${referral}`;
  await assert.rejects(write(sql`UPDATE referral SET referrer_credit_minor = 0 WHERE ${mine}`), /stays as it is/);
  await assert.rejects(
    write(sql`UPDATE referral SET status = 'pending', confirmed_at = NULL, confirmed_by = NULL WHERE ${mine}`),
    /stays as it is/,
  );
  await assert.rejects(write(sql`DELETE FROM referral WHERE ${mine}`), /stays as it is/);
  const pending = (await referred(world)).referral;
  await assert.rejects(
    write(sql`UPDATE referral SET referrer_credit_minor = 10 WHERE provider_id = ${world.harbour} AND id = ${pending}`),
    /referral_rewards/,
  );
});
