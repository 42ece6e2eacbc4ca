import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completeOver } from './renewals/complete.ts';
import { feedSince, feedEnd, newCustomers, newEvent, newOffering } from '../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { times } from '../../../test/storm.ts';

let world: World;
let m: MembershipWorld;
before(async () => {
  world = await startWorld();
  m = await MembershipWorld.of(world);
});
after(() => world.close());

const get = async (path: string, as = world.machine) => (await world.get(path, { as })).body;
const ids = (page: any): number[] => page.results.map((one: any) => one.id);
const refused = async (body: object, as = world.machine) =>
  (await world.post('/customer_memberships', { as, body })).body;

test('a customer membership shows its type, its first and last day, and the agreed terms', async () => {
  world.setNow(Date.parse('2026-03-10T15:00Z'));
  const [customer] = await newCustomers(world, 1);
  const pack = await m.pack(10, { duration: 3, duration_unit: 'months' });
  const since = await feedEnd(world);
  const owned = await m.give(customer, pack);
  assert.deepEqual(owned, {
    object: 'customermembership',
    id: owned.id,
    name: 'Pack of 10',
    start_date: '2026-03-10',
    expiration_date: '2026-06-09',
    renewal_date: null,
    status: 'active',
    membership: pack,
    customer,
    shared_with: [],
    payment_plan: null,
    discount_code: null,
    billed_price: {
      decimal: 120,
      string: '120.00',
      iso_currency_code: 'cad',
      currency_symbol: '$',
      currency_symbol_position: 'before',
    },
    active_hold: null,
    payment_subscription: null,
    unpaid_invoice: null,
    discount_code_makes_free_forever: false,
    is_set_for_cancellation: false,
    cancellation_reason: null,
  });
  assert.deepEqual(
    (await feedSince(world, since)).map((f) => [f.kind, f.payload]),
    [['customer_membership.created', { customer_membership: owned.id, customer, membership: pack }]],
  );
  assert.equal(
    (await get(`/customer_memberships/${owned.id}?expand=customer,membership&fields=customer.email,membership.name`))
      .membership.name,
    'Pack of 10',
  );
  assert.deepEqual(
    (await get(`/audit_entries?object=customermembership&object_id=${owned.id}`)).results.map((e: any) => e.action),
    ['POST /customer_memberships'],
  );
  const { active_member_count, has_active_members } = await get(`/memberships/${pack}`);
  assert.deepEqual([active_member_count, has_active_members], [1, true]);
});

test('a recurring plan renews by the calendar from its start, or on the fixed day of its plan', async () => {
  world.setNow(Date.parse('2026-01-31T15:00Z'));
  const [customer] = await newCustomers(world, 1);
  const plain = await m.recurring([], {});
  const owned = await m.give(customer, plain.membership);
  assert.deepEqual(
    [owned.start_date, owned.expiration_date, owned.payment_plan, owned.renewal_date],
    ['2026-01-31', null, plain.plan, '2026-02-28'],
  );
  world.setNow(Date.parse('2026-02-28T15:00Z'));
  assert.equal(
    (await get(`/customer_memberships/${owned.id}?fields=renewal_date,next_billing_date`)).next_billing_date,
    '2026-03-31',
  );
  const fixed = await m.recurring([], {
    fixed_billing_day_of_month: 15,
    committed_billing_periods: 3,
    commitment_expiration_scheme: 'stop_contract',
  });
  const bound = await m.give(customer, fixed.membership);
  assert.deepEqual(
    [bound.start_date, bound.renewal_date, bound.expiration_date],
    ['2026-02-28', '2026-03-15', '2026-06-14'],
  );
  const weekly = await m.recurring([], {
    billing_period_unit: 'weeks',
    billing_period_length: 2,
    fixed_billing_day_of_week: 'monday',
  });
  assert.equal((await m.give(customer, weekly.membership)).renewal_date, '2026-03-09');
});

test('staff can set other days and another price; a dry run shows the result and saves nothing', async () => {
  world.setNow(Date.parse('2026-03-10T15:00Z'));
  const [customer] = await newCustomers(world, 1);
  const pack = await m.pack(5);
  const body = {
    customer,
    membership: pack,
    start_date: '2026-04-01',
    expiration_date: '2026-04-30',
    billed_price: '7.50',
  };
  const preview = await world.post('/customer_memberships?dry_run=true', { as: world.machine, body });
  assert.deepEqual(
    preview.body.effects.map((e: any) => [e.effect, e.detail]),
    [
      [
        'customer_membership_created',
        {
          customer,
          membership: pack,
          start_date: '2026-04-01',
          expiration_date: '2026-04-30',
          billed_price_minor: 750,
        },
      ],
    ],
  );
  assert.equal((await get(`/customer_memberships?customer=${customer}`)).count, 0);
  const owned = await m.give(customer, pack, body);
  assert.deepEqual(
    [owned.start_date, owned.expiration_date, owned.billed_price.string],
    ['2026-04-01', '2026-04-30', '7.50'],
  );
  const turned = await refused({ ...body, expiration_date: '2026-03-31' });
  assert.ok(turned.field_errors.expiration_date);
});

test('a customer who joins a fixed prepaid term late pays for the remaining days', async () => {
  world.setNow(Date.parse('2026-06-16T15:00Z'));
  const [customer] = await newCustomers(world, 1);
  const summer = await m.prepaid({
    start_date: '2026-06-01',
    expiration_date: '2026-06-30',
    use_prorate: true,
    one_time_fee: '100.00',
  });
  const owned = await m.give(customer, summer);
  assert.deepEqual(
    [owned.start_date, owned.expiration_date, owned.billed_price.string],
    ['2026-06-16', '2026-06-30', '50.00'],
  );
});

test('nobody gets a membership that they may not have, and all objections are reported together', async () => {
  world.setNow(Date.parse('2026-03-10T15:00Z'));
  const [customer] = await newCustomers(world, 1);
  const once = await m.pack(1, { allow_repeat_purchases: false, new_customers_only: true, min_allowed_age: 16 });
  const first = await refused({ customer, membership: once });
  assert.equal(first.code, 'parameter_invalid');
  assert.match(first.field_errors.membership.join(' '), /date of birth is not known/);
  const adult = await world.newCustomer({ date_of_birth: '1990-01-01' });
  await m.give(adult, once);
  const again = (await refused({ customer: adult, membership: once })).field_errors.membership.join(' ');
  assert.match(again, /new customers/);
  assert.match(again, /bought only once/);
  const child = await world.newCustomer({ date_of_birth: '2015-01-01' });
  assert.match((await refused({ customer: child, membership: once })).field_errors.membership[0], /younger/);
  const pack = await m.pack(3);
  const plan = (await m.recurring()).plan;
  assert.ok((await refused({ customer, membership: pack, plan })).field_errors.plan);
  await world.post(`/memberships/${pack}/archive`, { as: world.machine });
  assert.match((await refused({ customer, membership: pack })).field_errors.membership[0], /archived/);
  assert.ok((await refused({ customer: 999_999, membership: 999_999 })).field_errors.customer);
});

test('two desks that concurrently sell a membership limited to one sell it once', async () => {
  const pack = await m.pack(1, { allow_repeat_purchases: false });
  const [customer] = await newCustomers(world, 1);
  const answers = await times(8, () =>
    world.post('/customer_memberships', { as: world.machine, body: { customer, membership: pack } }),
  );
  assert.deepEqual(answers.map((a) => a.status).toSorted(), [201, 400, 400, 400, 400, 400, 400, 400]);
});

test('lists are filtered and sorted by everything that a membership shows, in either spelling', async () => {
  world.setNow(Date.parse('2026-03-10T15:00Z'));
  const [a, b] = await newCustomers(world, 2);
  const [pack, prepaid, recurring] = [
    await m.pack(10, { name: 'Ccc' }),
    await m.prepaid({ name: 'Aaa', duration: 1, duration_unit: 'months' }),
    await m.recurring([], {}, { name: 'Bbb' }),
  ];
  const one = (await m.give(a, pack)).id;
  const two = (await m.give(a, prepaid, { start_date: '2026-04-01' })).id;
  const three = (await m.give(b, recurring.membership)).id;
  await m.share(three, a);
  const of = async (query: string) => ids(await get(`/customer_memberships?customer=${a},${b}&${query}`));
  assert.deepEqual(await of('sort=membership.name'), [two, three, one]);
  assert.deepEqual(await of('sort=-membership.name'), [one, three, two]);
  assert.deepEqual(await of('sort=membership.type'), [one, two, three]);
  assert.deepEqual((await of('sort=start_date')).at(-1), two);
  for (const [long, short, found] of [
    ['recurring_plan', 'recurring', three],
    ['prepaid_plan', 'prepaid', two],
    ['pack', 'pack', one],
  ] as const) {
    assert.deepEqual([await of(`membership_type=${long}`), await of(`membership_type=${short}`)], [[found], [found]]);
  }
  assert.deepEqual(await of('has_expiration_date=true'), [two]);
  assert.deepEqual(await of('start_date_gte=2026-04-01'), [two]);
  assert.deepEqual(await of('start_date_lte=2026-03-10T23:00:00-04:00'), [one, three]);
  assert.deepEqual(await of('expiration_date_gte=2026-04-30'), [two]);
  assert.deepEqual(await of('expiration_date_lte=2026-04-29'), []);
  assert.deepEqual(await of(`membership=${pack}`), [one]);
  assert.deepEqual(await of(`ids=${two},${three}`), [two, three]);
  assert.deepEqual(await of('has_active_hold=false'), [one, two, three]);
  assert.deepEqual(
    await of('has_active_hold=true&active_hold_start_date_gte=2026-01-01&active_hold_end_date_lte=2027-01-01'),
    [],
  );
  assert.deepEqual(ids(await get(`/customer_memberships?owned_or_shared_with_customer=${a}`)), [one, two, three]);
  assert.deepEqual((await get(`/customer_memberships/${three}`)).shared_with, [a]);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE customer_membership SET status = 'completed', ended_at = now() WHERE provider_id = ${world.harbour} AND id = ${one}`,
    ),
  );
  assert.deepEqual(
    [await of('status=complete'), await of('status=completed'), await of('status=active,hold')],
    [[one], [one], [two, three]],
  );
});

test('customers see their own, those of their family, and what is shared with them', async () => {
  const [a, b, stranger] = await newCustomers(world, 3);
  const pack = await m.pack(10);
  const [mine, shared] = [(await m.give(a, pack)).id, (await m.give(b, pack)).id];
  await m.share(shared, a);
  const child = (
    await world.post(`/customers/${a}/add_child`, { as: world.machine, body: { first_name: 'Kid', last_name: 'Test' } })
  ).body.id;
  const childs = (await m.give(child, pack)).id;
  assert.deepEqual(ids(await get('/customer_memberships', world.customer(a))), [mine, shared, childs]);
  assert.deepEqual(ids(await get('/customer_memberships', world.customer(child))), [mine, shared, childs]);
  assert.deepEqual(ids(await get('/customer_memberships', world.customer(stranger))), []);
  assert.equal((await world.get(`/customer_memberships/${mine}`, { as: world.customer(stranger) })).status, 404);
  assert.equal(
    (await world.post('/customer_memberships', { as: world.customer(a), body: { customer: a, membership: pack } }))
      .status,
    403,
  );
  assert.equal(
    (await world.post('/customer_memberships', { as: world.staff(['pos']), body: { customer: a, membership: pack } }))
      .status,
    403,
  );
  assert.equal(
    (await world.get(`/customer_memberships/${mine}/usage`, { as: world.staff(['customers']) })).status,
    403,
  );
});

test('memberships that a family may use are found by the family: its own, and those shared with a member', async () => {
  const [parent, friend, stranger] = await newCustomers(world, 3);
  const kid = (
    await world.post(`/customers/${parent}/add_child`, {
      as: world.machine,
      body: { first_name: 'Kid', last_name: 'King' },
    })
  ).body;
  const pack = await m.pack(5, { shareable: true });
  const [parents, kids, friends] = [await m.give(parent, pack), await m.give(kid.id, pack), await m.give(friend, pack)];
  await m.give(stranger, pack);
  const found = async (as = world.machine) =>
    ids(await get(`/customer_memberships?sort=id&owned_or_shared_with_family=${kid.family}`, as));
  assert.deepEqual(await found(), [parents.id, kids.id]);
  await world.work(world.harbour, ({ tx, providerId }) =>
    tx.run(
      sql`INSERT INTO customer_membership_share (provider_id, customer_membership_id, customer_id) VALUES (${providerId}, ${friends.id}, ${kid.id})`,
    ),
  );
  assert.deepEqual(await found(), [parents.id, kids.id, friends.id]);
  assert.deepEqual(await found(world.customer(friend)), [friends.id], 'a customer finds what it sees');
  assert.deepEqual(await found(world.meadowMachine), []);
});

test('usage shows the uses and the uses left for each period that includes a day', async () => {
  world.setNow(Date.parse('2026-06-10T15:00Z'));
  const [customer] = await newCustomers(world, 1);
  const other = await newOffering(world, { name: 'Sauna' });
  const limits = [
    {
      period: 'month',
      type: 'limited',
      max_uses: 8,
      offering_type_limits: [
        { offering_type: m.offering, max_uses: 6, is_extra: false },
        { offering_type: other, max_uses: 1, is_extra: true },
      ],
    },
    { period: 'week', type: 'limited', max_uses: 3, offering_type_limits: [] },
  ];
  const { membership } = await m.recurring(limits);
  const { id } = await m.give(customer, membership);
  const usage = async (query = '') => (await get(`/customer_memberships/${id}/usage${query}`)).usage_periods;
  const none = { prorate_adjustment: null };
  assert.deepEqual(await usage(), [
    {
      period_type: 'week',
      start_date: '2026-06-08',
      end_date: '2026-06-14',
      max_uses: 3,
      used_count: 0,
      remaining_count: 3,
      ...none,
      offering_type_limits: [],
    },
    {
      period_type: 'month',
      start_date: '2026-06-01',
      end_date: '2026-06-30',
      max_uses: 8,
      used_count: 0,
      remaining_count: 8,
      ...none,
      offering_type_limits: [
        {
          offering_type: { id: m.offering, name: 'Rowing' },
          is_extra: false,
          max_uses: 6,
          used_count: 0,
          remaining_count: 6,
          ...none,
        },
        {
          offering_type: { id: other, name: 'Sauna' },
          is_extra: true,
          max_uses: 1,
          used_count: 0,
          remaining_count: 1,
          ...none,
        },
      ],
    },
  ]);
  for (const date of ['0001-01-01', '9999-12-31']) {
    const { status, body } = await world.get(`/customer_memberships/${id}/usage?date=${date}`, { as: world.machine });
    assert.deepEqual([status, body.field_errors], [400, { date: ['Must be between 1900-01-01 and 2999-12-31.'] }]);
  }
  assert.deepEqual(
    (await usage('?date=2026-12-31')).map((p: any) => p.start_date),
    ['2026-12-28', '2026-12-01'],
  );
  const unlimited = await m.give(customer, (await m.recurring()).membership);
  assert.deepEqual((await get(`/customer_memberships/${unlimited.id}/usage`)).usage_periods, [
    {
      period_type: 'total',
      start_date: '2026-06-10',
      end_date: null,
      max_uses: null,
      used_count: 0,
      remaining_count: null,
      ...none,
      offering_type_limits: [],
    },
  ]);
});

test('a list of memberships sums up uses and uses left for each, as its usage does', async () => {
  world.setNow(Date.parse('2026-06-10T15:00Z'));
  const [member, friend] = await newCustomers(world, 2);
  const { membership } = await m.recurring([
    { period: 'month', type: 'limited', max_uses: 8, offering_type_limits: [] },
    { period: 'week', type: 'limited', max_uses: 3, offering_type_limits: [] },
  ]);
  const club = await m.give(member, membership);
  const event = await newEvent(world, m.place);
  assert.equal(
    (await world.post(`/events/${event.id}/register`, { as: world.machine, body: { customer: member } })).status,
    200,
  );
  const pack = await m.give(friend, await m.pack(5));
  const unlimited = await m.give(friend, (await m.recurring()).membership);
  const list = async (as = world.machine) =>
    Object.fromEntries(
      (
        await get(`/customer_memberships?ids=${club.id},${pack.id},${unlimited.id}&fields=id,usage_summary`, as)
      ).results.map((r: any) => [r.id, r.usage_summary]),
    );
  const all = await list();
  assert.deepEqual(all[club.id], [
    {
      period_type: 'week',
      start_date: '2026-06-08',
      end_date: '2026-06-14',
      max_uses: 3,
      used_count: 1,
      remaining_count: 2,
    },
    {
      period_type: 'month',
      start_date: '2026-06-01',
      end_date: '2026-06-30',
      max_uses: 8,
      used_count: 1,
      remaining_count: 7,
    },
  ]);
  assert.deepEqual(all[unlimited.id], [
    {
      period_type: 'total',
      start_date: '2026-06-10',
      end_date: null,
      max_uses: null,
      used_count: 0,
      remaining_count: null,
    },
  ]);
  for (const { id } of [club, pack, unlimited]) {
    const { usage_periods } = await get(`/customer_memberships/${id}/usage`);
    assert.deepEqual(
      all[id],
      usage_periods.map((period: any) =>
        Object.fromEntries(Object.keys(all[id][0]).map((name) => [name, period[name]])),
      ),
    );
  }
  assert.deepEqual(await list(world.customer(member)), { [club.id]: all[club.id] });
  assert.equal(
    'usage_summary' in (await get(`/customer_memberships/${club.id}`)),
    false,
    'it is shown to who asks for it',
  );
});

test('a membership is completed when its last day has ended at the business, and reported once', async () => {
  world.setNow(Date.parse('2026-06-10T15:00Z'));
  const [customer] = await newCustomers(world, 1);
  const { id } = await m.give(customer, await m.prepaid({ duration: 1, duration_unit: 'days' }));
  const since = await feedEnd(world);
  const complete = () => world.work(world.harbour, completeOver);
  world.setNow(Date.parse('2026-06-11T03:30Z'));
  await complete();
  assert.equal((await get(`/customer_memberships/${id}`)).status, 'active', 'it is still the 10th in Toronto');
  world.setNow(Date.parse('2026-06-11T04:30Z'));
  await complete();
  await complete();
  const completed = await get(`/customer_memberships/${id}?expand=membership`);
  assert.deepEqual(
    [completed.status, completed.membership.active_member_count, completed.membership.has_active_members],
    ['completed', 0, false],
  );
  const feedItems = (await feedSince(world, since)).filter((f) => f.payload.customer_membership === id);
  assert.deepEqual(
    feedItems.map((f) => f.kind),
    ['customer_membership.completed'],
  );
});

test('payment_plan is another name for plan, and both together must have the same value', async () => {
  const plan = await seed(world, 'membership_payment_plan');
  const { membership } = (await world.get(`/membership_payment_plans/${plan}`, { as: world.machine })).body;
  const give = async (more: object) =>
    world.post('/customer_memberships', {
      as: world.machine,
      body: { membership, customer: await world.newCustomer(), ...more },
    });
  const made = await give({ payment_plan: plan });
  assert.deepEqual([made.status, made.body.payment_plan], [201, plan], made.text);
  const refused = await give({ payment_plan: plan, plan: await seed(world, 'membership_payment_plan') });
  assert.deepEqual(Object.keys(refused.body.field_errors), ['payment_plan']);
});
