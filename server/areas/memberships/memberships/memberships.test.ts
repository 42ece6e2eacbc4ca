import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type Ask, type World } from '../../../test/world.ts';
import { newOffering } from '../../../test/schedule-world.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';

let world: World;
let category: number;
before(async () => {
  world = await startWorld();
  category = (await made('/membership_categories', { name: 'Passes' })).id;
});
after(() => world.close());

async function made(path: string, body: object, as: string | undefined = world.machine): Promise<any> {
  const answer = await world.post(path, { as, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const sold = (over: object = {}) => ({
  name: 'Ten times',
  type: 'pack',
  category,
  one_time_fee: '120.00',
  allow_repeat_purchases: true,
  visible_to_customers: true,
  purchasable_only_by_provider: false,
  new_customers_only: false,
  ...over,
});
const { one_time_fee: _, ...RECURRING } = sold({ type: 'recurring_plan', name: 'Club' }) as Record<string, unknown>;
const recurring = (over: object = {}) => ({ ...RECURRING, category, ...over });

const limit = (over: object = {}) => ({
  max_uses: 10,
  period: 'total',
  type: 'limited',
  offering_type_limits: [],
  ...over,
});
const allot = (id: number, over: object = {}, ask: Ask = { as: world.machine }) =>
  world.put(`/memberships/${id}/allotment`, { ...ask, body: { types: ['event'], period_limits: [limit()], ...over } });
const get = async (path: string, as: string | undefined = world.machine) => (await world.get(path, { as })).body;
const patch = (path: string, body: object, as: string | undefined = world.machine) => world.patch(path, { as, body });
const remove = (path: string, as: string | undefined = world.machine) => world.delete(path, { as });
const idsOf = (page: any): number[] => page.results.map((one: any) => one.id);

/** Creates a pack that everybody may see and buy. */
async function complete(over: object = {}, allotment: object = {}): Promise<any> {
  const { id } = await made('/memberships', sold(over));
  const answer = await allot(id, allotment);
  assert.equal(answer.status, 200, answer.text);
  return get(`/memberships/${id}`);
}

test('one call creates a membership with everything that it needs to be sold, or nothing', async () => {
  const yoga = await newOffering(world, { name: 'Yoga' });
  const { category: _, ...rest } = recurring();
  const whole = {
    ...rest,
    category_name: 'Clubs',
    allotment: { types: ['event'], period_limits: [limit({ period: 'billing_period', max_uses: 8 })] },
    payment_plans: [{ price: '60.00', billing_period_length: 1, billing_period_unit: 'months' }],
    registration_options: [yoga],
  };
  const club = await made('/memberships', whole);
  assert.deepEqual([club.incomplete_reasons, club.for_sale], [[], true]);
  assert.equal((await get(`/membership_categories/${club.category}`)).name, 'Clubs');
  const [plan, ...others] = (await get(`/membership_payment_plans?membership=${club.id}`)).results;
  assert.deepEqual([plan.price.string, others.length], ['60.00', 0]);
  assert.equal((await get(`/memberships/${club.id}/allotment`)).period_limits[0].max_uses, 8);
  const grants = (await get(`/membership_registration_grants?membership=${club.id}`)).results;
  assert.deepEqual(
    grants.map((one: any) => [one.registration_option, one.on_allotment_price.string]),
    [[yoga, '0.00']],
  );
  // A second one uses the same category.
  assert.equal((await made('/memberships', { ...whole, name: 'Club 2' })).category, club.category);

  const count = async () => (await get('/memberships?page_size=1')).count;
  const before = await count();
  for (const [field, change] of Object.entries({
    'payment_plans.0.price': { payment_plans: [{ ...whole.payment_plans[0], price: '60.001' }] },
    'allotment.period_limits.0.max_uses': {
      allotment: { types: ['event'], period_limits: [limit({ max_uses: null })] },
    },
    category: { category },
    registration_options: { registration_options: [yoga, yoga] },
    payment_plans: { type: 'pack', one_time_fee: '10.00' },
  })) {
    const refused = await world.post('/memberships', { as: world.machine, body: { ...whole, ...change } });
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, [field]], refused.text);
  }
  assert.equal(await count(), before);
});

test('a membership shows its type, its price, and the addresses of its parts', async () => {
  const pack = await complete({ description: null, duration: 3, duration_unit: 'months', min_allowed_age: 16 });
  const price = {
    decimal: 120,
    string: '120.00',
    iso_currency_code: 'cad',
    currency_symbol: '$',
    currency_symbol_position: 'before',
  };
  assert.deepEqual(pack, {
    object: 'membership',
    id: pack.id,
    type: 'pack',
    name: 'Ten times',
    description: '',
    category,
    order: null,
    for_sale: true,
    visible_to_customers: true,
    purchasable_only_by_provider: false,
    new_customers_only: false,
    allow_repeat_purchases: true,
    shareable: false,
    customers_can_hold: false,
    max_holds_per_year: null,
    max_hold_days_per_year: null,
    min_allowed_age: 16,
    max_allowed_age: null,
    one_time_fee: price,
    price,
    display_price: price,
    begin_on_first_registration: false,
    duration: 3,
    duration_unit: 'months',
    start_date: null,
    expiration_date: null,
    use_prorate: false,
    is_dropin: false,
    is_draft: false,
    incomplete_reasons: [],
    has_active_members: false,
    active_member_count: 0,
    penalty_system: null,
    allotment: `${world.url}/api/v2/memberships/${pack.id}/allotment`,
    plans: `${world.url}/api/v2/membership_payment_plans?membership=${pack.id}`,
    terms: `${world.url}/api/v2/membership_terms?membership=${pack.id}`,
    archived_at: null,
  });
});

/** Returns the names of the invalid properties of a membership. */
const wrong = async (body: object): Promise<string[]> =>
  Object.keys((await world.post('/memberships', { as: world.machine, body })).body.field_errors);

test('each type accepts its own properties, and refuses others by name', async () => {
  assert.deepEqual(await wrong(sold({ use_prorate: true, plans: [] })), ['plans']);
  assert.deepEqual(await wrong(sold({ use_prorate: true })), ['use_prorate']);
  assert.deepEqual((await wrong(sold({ type: 'recurring_plan', duration: 3 }))).toSorted(), [
    'duration',
    'one_time_fee',
  ]);
  assert.deepEqual(await wrong(recurring({ type: 'pack' })), ['one_time_fee']);
  assert.deepEqual(await wrong(sold({ one_time_fee: '1.234' })), ['one_time_fee']);
  assert.deepEqual(await wrong(sold({ start_date: '2030-02-01', expiration_date: '2030-01-31' })), ['expiration_date']);
  assert.deepEqual(await wrong(sold({ category: 999_999 })), ['category']);
  assert.equal((await made('/memberships', sold({ type: 'prepaid_plan', use_prorate: true }))).use_prorate, true);
  assert.equal((await made('/memberships', recurring({ duration: null, duration_unit: 'days' }))).one_time_fee, null);
});

test('the type never changes', async () => {
  const { id } = await made('/memberships', sold());
  const refused = await patch(`/memberships/${id}`, { type: 'prepaid_plan' });
  assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['type']]);
  const put = await world.put(`/memberships/${id}`, {
    as: world.machine,
    body: sold({ name: 'Twelve times', one_time_fee: '140.00' }),
  });
  assert.deepEqual([put.status, put.body.name, put.body.price.string], [200, 'Twelve times', '140.00']);
});

test('a membership is a draft until it is complete, and customers see it only then', async () => {
  const customer = world.customer(await world.newCustomer());
  const { id, incomplete_reasons } = await made('/memberships', recurring());
  assert.deepEqual(incomplete_reasons, ['allotment_missing', 'payment_plan_missing']);
  const seen = async () =>
    Promise.all([customer, undefined].map(async (as) => (await world.get(`/memberships/${id}`, { as })).status));
  assert.deepEqual(await seen(), [404, 404]);
  await allot(id, { period_limits: [] });
  assert.deepEqual(await seen(), [404, 404]);
  const plan = await made('/membership_payment_plans', {
    membership: id,
    price: '40.00',
    billing_period_length: 1,
    billing_period_unit: 'months',
  });
  assert.deepEqual(await seen(), [200, 200]);
  assert.equal((await get(`/memberships/${id}`)).price.string, '40.00');
  await patch(`/membership_payment_plans/${plan.id}`, { status: 'unavailable' });
  assert.deepEqual(await seen(), [404, 404]);
  assert.deepEqual((await get(`/memberships/${id}`)).incomplete_reasons, ['payment_plan_missing']);
});

test('hidden and archived memberships are visible to staff only; archiving ends the sale and keeps the rest', async () => {
  const hidden = await complete({ visible_to_customers: false });
  const shown = await complete();
  const ids = async (as?: string) =>
    idsOf(await get('/memberships', as)).filter((id) => [hidden.id, shown.id].includes(id));
  const customer = world.customer(await world.newCustomer());
  assert.deepEqual(await ids(customer), [shown.id]);
  assert.deepEqual((await ids(world.staff([]))).toSorted(), [hidden.id, shown.id].toSorted());
  const archived = await world.post(`/memberships/${shown.id}/archive`, { as: world.machine });
  assert.deepEqual([archived.status, archived.body.for_sale, archived.body.archived_at === null], [200, false, false]);
  assert.deepEqual(await ids(customer), []);
  assert.deepEqual(Object.keys((await patch(`/memberships/${shown.id}`, { for_sale: true })).body.field_errors), [
    'for_sale',
  ]);
  const again = await world.post(`/memberships/${shown.id}/unarchive`, { as: world.machine });
  assert.deepEqual([again.body.for_sale, again.body.archived_at], [false, null]);
  assert.equal((await patch(`/memberships/${shown.id}`, { for_sale: true })).status, 200);
});

test('an allotment is returned as it was sent, with the names of its offering types', async () => {
  const yoga = await newOffering(world, { name: 'Yoga' });
  const { id } = await made('/memberships', recurring());
  assert.deepEqual(await get(`/memberships/${id}/allotment`), { ignore_no_shows: false, period_limits: [], types: [] });
  const own = [{ offering_type: yoga, max_uses: 2, is_extra: true }];
  const period_limits = [
    limit({ period: 'billing_period', max_uses: 8, roll_over: 3 }),
    limit({ period: 'day', type: 'unlimited', max_uses: null, offering_type_limits: own }),
  ];
  assert.deepEqual((await allot(id, { ignore_no_shows: true, types: ['event', 'course'], period_limits })).body, {
    status: 'OK',
    detail: null,
  });
  assert.deepEqual(await get(`/memberships/${id}/allotment`), {
    ignore_no_shows: true,
    types: ['event', 'course'],
    period_limits: [
      {
        period: 'day',
        type: 'unlimited',
        max_uses: null,
        roll_over: 0,
        offering_type_limits: [
          { max_uses: 2, is_extra: true, allow_zero: false, offering_type: { id: yoga, name: 'Yoga' } },
        ],
      },
      { period: 'billing_period', type: 'limited', max_uses: 8, roll_over: 3, offering_type_limits: [] },
    ],
  });
});

test('a contradictory allotment is refused by the names of the properties, and changes nothing', async () => {
  const yoga = await newOffering(world);
  const { id } = await complete();
  const refused = async (...period_limits: object[]) => {
    const answer = await allot(id, { period_limits });
    assert.equal(answer.status, 400, answer.text);
    return Object.keys(answer.body.field_errors);
  };
  const own = (over: object) =>
    limit({ offering_type_limits: [{ offering_type: yoga, max_uses: 1, is_extra: false, ...over }] });
  assert.deepEqual(await refused(limit({ period: 'billing_period' })), ['period_limits.0.period']);
  assert.deepEqual(await refused(limit(), limit()), ['period_limits.1.period']);
  assert.deepEqual(await refused(limit({ max_uses: null })), ['period_limits.0.max_uses']);
  assert.deepEqual(await refused(limit({ roll_over: 1 })), ['period_limits.0.roll_over']);
  assert.deepEqual(await refused(own({ max_uses: 11 })), ['period_limits.0.offering_type_limits.0.max_uses']);
  assert.deepEqual(await refused(own({ max_uses: 0, is_extra: true })), [
    'period_limits.0.offering_type_limits.0.max_uses',
  ]);
  assert.deepEqual(await refused(own({ offering_type: 999_999 })), [
    'period_limits.0.offering_type_limits.0.offering_type',
  ]);
  assert.deepEqual((await get(`/memberships/${id}/allotment`)).period_limits, [{ ...limit(), roll_over: 0 }]);
});

test('a pack of one use is a drop-in', async () => {
  const one = await complete({}, { period_limits: [limit({ max_uses: 1 })] });
  const ten = await complete();
  assert.deepEqual([one.is_dropin, ten.is_dropin], [true, false]);
  const found = idsOf(await get('/memberships?is_dropin=true'));
  assert.ok(found.includes(one.id) && !found.includes(ten.id));
});

test('an unused membership is deleted with everything that belongs to it; one that a timeline or a consent references is not', async () => {
  const { id } = await complete();
  assert.equal((await remove(`/memberships/${id}`)).status, 204);
  assert.equal((await world.get(`/memberships/${id}`, { as: world.machine })).status, 404);
  const kept = await complete();
  const [terms] = (await get(`/membership_terms?membership=${kept.id}`)).results;
  await world.put(`/membership_terms/${terms.id}`, { as: world.machine, body: { base_terms: 'Be kind.' } });
  await made(`/membership_terms/${terms.id}/consent`, {
    version: 1,
    customer: await world.newCustomer(),
    how: 'on_paper',
  });
  const refused = await remove(`/memberships/${kept.id}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use']);
});

test('memberships and categories are reordered; those not named follow in their previous order', async () => {
  const meadow = world.meadowMachine;
  const first = await made('/membership_categories', { name: 'A' }, meadow);
  const ids = [
    first.id,
    (await made('/membership_categories', { name: 'B', order: 7 }, meadow)).id,
    (await made('/membership_categories', { name: 'C', order: 3 }, meadow)).id,
  ];
  const order = (path: string, ordering: number[]) =>
    world.patch(`/${path}/ordering`, { as: meadow, body: { ordering } });
  assert.deepEqual(idsOf(await get('/membership_categories', meadow)), [ids[2], ids[1], ids[0]]);
  assert.deepEqual((await order('membership_categories', [ids[0], ids[1]])).body, { status: 'OK', detail: null });
  assert.deepEqual(idsOf(await get('/membership_categories', meadow)), [ids[0], ids[1], ids[2]]);
  assert.deepEqual(Object.keys((await order('membership_categories', [ids[0]])).body.field_errors), ['ordering']);
  assert.deepEqual(Object.keys((await order('membership_categories', [ids[0], category])).body.field_errors), [
    'ordering',
  ]);
  const packs: number[] = [];
  for (const n of [1, 2, 3])
    packs.push((await made('/memberships', sold({ name: `P${n}`, category: first.id }), meadow)).id);
  assert.equal((await order('memberships', packs.toReversed())).status, 200);
  assert.deepEqual(idsOf(await get('/memberships', meadow)), packs.toReversed());
});

test('a category with memberships cannot be deleted, archived ones included', async () => {
  const { id } = await made('/membership_categories', { name: 'Seasonal', provider: String(world.harbour) });
  const pack = await made('/memberships', sold({ category: id }));
  await world.post(`/memberships/${pack.id}/archive`, { as: world.machine });
  const refused = await remove(`/membership_categories/${id}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use']);
  await patch(`/memberships/${pack.id}`, { category });
  assert.equal((await remove(`/membership_categories/${id}`)).status, 204);
  assert.deepEqual(
    Object.keys(
      (
        await world.post('/membership_categories', {
          as: world.machine,
          body: { name: 'X', provider: String(world.meadow) },
        })
      ).body.field_errors,
    ),
    ['provider'],
  );
});

test('visitors see a category once it has a membership that they may buy', async () => {
  const { id } = await made('/membership_categories', { name: 'Trial' });
  assert.equal((await world.get(`/membership_categories/${id}`)).status, 404);
  await complete({ category: id });
  assert.equal((await world.get(`/membership_categories/${id}`)).status, 200);
});

test('changing memberships requires super_admin, and changing categories requires customers', async () => {
  const { id } = await complete();
  const [desk, boss] = [world.staff(['customers']), world.staff(['super_admin'])];
  for (const [path, body] of [
    ['/memberships', sold()],
    ['/membership_payment_plans', {}],
    ['/joining_fees', {}],
    ['/membership_registration_grants', {}],
  ] as const) {
    assert.equal((await world.post(path, { as: desk, body })).status, 403, path);
    assert.notEqual((await world.post(path, { as: boss, body })).status, 403, path);
  }
  assert.equal((await allot(id, {}, { as: desk })).status, 403);
  assert.equal((await world.post('/membership_categories', { as: desk, body: { name: 'Desk' } })).status, 201);
  assert.equal(
    (await world.post('/membership_categories', { as: world.staff(['attendances']), body: { name: 'Desk' } })).status,
    403,
  );
});

test('every change of a membership is recorded, and the audit has its allotment before and after', async () => {
  const { id } = await complete();
  await patch(`/memberships/${id}`, { name: 'Twelve times' });
  const put = await allot(id, { period_limits: [limit({ max_uses: 12 })] });
  await world.post(`/memberships/${id}/archive`, { as: world.machine });
  const again = await world.post(`/memberships/${id}/archive`, { as: world.machine });
  assert.equal(again.status, 200);
  await remove(`/memberships/${id}`);
  const told = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ kind: string; changed: string[] | null }>(
      sql`SELECT kind, payload->'changed' AS changed FROM feed_item
        WHERE provider_id = ${world.harbour} AND object = 'membership' AND object_id = ${id} ORDER BY id`,
    ),
  );
  assert.deepEqual(
    told.map((t) => [t.kind, ...(t.changed ?? [])].join(' ')),
    [
      'membership.created',
      'membership.updated allotment',
      'membership.updated incomplete_reasons',
      'membership.updated name',
      'membership.updated allotment',
      'membership.archived',
      'membership.deleted',
    ],
  );
  const { results } = await get(`/audit_entries?request_id=${put.headers.get('request-id')}`);
  const [entry] = results.filter((one: any) => one.action === 'allotment');
  assert.deepEqual(
    [entry.before, entry.after].map((side) => side.allotment.limits[0].maxUses),
    [10, 12],
  );
});

test('the database itself refuses values that the service would never write', async () => {
  const { id } = await complete();
  const attempt = (text: string) => world.work(world.harbour, ({ tx }) => tx.run(sql`${raw(text)}`));
  const at = `provider_id = ${world.harbour} AND id = ${id}`;
  for (const change of [
    `one_time_fee_minor = -1`,
    `one_time_fee_minor = NULL`,
    `type = 'recurring_plan'`,
    `use_prorate = true`,
    `duration = 0`,
    `start_date = '2030-02-01', expiration_date = '2030-01-31'`,
    `min_allowed_age = 20, max_allowed_age = 10`,
    `archived_at = now()`,
    `allotment_types = '{yoga}'`,
  ]) {
    await assert.rejects(attempt(`UPDATE membership SET ${change} WHERE ${at}`), /violates|never/, change);
  }
  await assert.rejects(
    attempt(
      `INSERT INTO membership_limit (provider_id, membership_id, membership_type, period, max_uses)
        VALUES (${world.harbour}, ${id}, 'pack', 'billing_period', 3)`,
    ),
    /violates/,
  );
  await assert.rejects(
    attempt(
      `INSERT INTO membership_payment_plan (provider_id, membership_id, price_minor, billing_period_length,
        billing_period_unit) VALUES (${world.harbour}, ${id}, 1, 1, 'months')`,
    ),
    /violates/,
  );
  await assert.rejects(
    attempt(`UPDATE provider SET currency = 'EUR' WHERE provider_id = ${world.harbour}`),
    /currency of a business stays/,
  );
});

test('memberships are found by a part of the name; without forms and waivers, none has one', async () => {
  const gold = await complete({ name: 'Gold 24/7' });
  const golden = await complete({ name: 'Old GOLDEN pass', visible_to_customers: false });
  assert.deepEqual(idsOf(await get('/memberships?sort=id&name_contains=gold')), [gold.id, golden.id]);
  assert.deepEqual(idsOf(await get('/memberships?sort=id&name_contains=old%20gold')), [golden.id]);
  assert.deepEqual(idsOf(await get('/memberships?name_contains=g_ld')), []);
  assert.deepEqual(
    idsOf((await world.get('/memberships?sort=id&name_contains=gold')).body),
    [gold.id],
    'visitors find what they see',
  );
  for (const none of ['forms=1', 'waivers=1,2'])
    assert.deepEqual([(await get(`/memberships?${none}`)).count, idsOf(await get(`/memberships?${none}`))], [0, []]);
});

test('memberships of another business are not found, and cannot be referenced', async () => {
  const { id } = await complete();
  const as = world.meadowMachine;
  const paths = [`/memberships/${id}`, `/memberships/${id}/allotment`, `/membership_categories/${category}`];
  for (const path of paths) assert.equal((await world.get(path, { as })).status, 404, path);
  assert.deepEqual(
    [(await patch(`/memberships/${id}`, { name: 'Mine' }, as)).status, (await remove(`/memberships/${id}`, as)).status],
    [404, 404],
  );
  assert.deepEqual(Object.keys((await world.post('/memberships', { as, body: sold() })).body.field_errors), [
    'category',
  ]);
  assert.equal((await get(`/memberships?ids=${id}`, as)).count, 0);
});
