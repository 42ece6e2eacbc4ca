import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seed } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type ApiAnswer, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const ask = (method: string, path: string, body?: unknown, as: string | undefined = world.machine) =>
  world.ask(method, path, { as, body });
const post = (path: string, body: object, as?: string) => ask('POST', path, body, as);
const patch = (path: string, body: object, as?: string) => ask('PATCH', path, body, as);
const wrong = (answer: ApiAnswer): string[] => {
  assert.equal(answer.status, 400, answer.text);
  return Object.keys(answer.body.field_errors);
};
async function made(path: string, body: object, as?: string): Promise<any> {
  const answer = await post(path, body, as);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** Creates a recurring plan with an allotment; without a payment plan it is a draft. */
async function club(): Promise<number> {
  const body = {
    type: 'recurring_plan',
    name: 'Club',
    category: await seed(world, 'membership_category'),
    allow_repeat_purchases: true,
    visible_to_customers: true,
    purchasable_only_by_provider: false,
    new_customers_only: false,
  };
  const { id } = await made('/memberships', body);
  assert.equal((await ask('PUT', `/memberships/${id}/allotment`, { types: ['event'], period_limits: [] })).status, 200);
  return id;
}

const monthly = (membership: number, over: object = {}) => ({
  membership,
  price: '40.00',
  billing_period_length: 1,
  billing_period_unit: 'months',
  ...over,
});
const plan = async (over: object = {}): Promise<any> => made('/membership_payment_plans', monthly(await club(), over));

const feedOf = (kind: string, id: number) =>
  world
    .work(world.harbour, ({ tx }) =>
      tx.rows(
        sql`SELECT payload FROM feed_item WHERE provider_id = ${world.harbour} AND kind = ${kind} AND object_id = ${id}
          ORDER BY id`,
      ),
    )
    .then((rows) => rows.map((r: any) => r.payload));

test('a payment plan describes its price, its commitment, and when it is paid', async () => {
  const one = await plan({
    committed_billing_periods: 12,
    fixed_billing_day_of_month: 31,
    cancellation_notice_days: 14,
  });
  const { id, membership } = one;
  assert.deepEqual(one, {
    object: 'membership_payment_plan',
    id,
    status: 'for_sale',
    membership,
    price: {
      decimal: 40,
      string: '40.00',
      iso_currency_code: 'cad',
      currency_symbol: '$',
      currency_symbol_position: 'before',
    },
    billing_period_length: 1,
    billing_period_unit: 'months',
    committed_billing_periods: 12,
    fixed_billing_day_of_month: 31,
    fixed_billing_day_of_week: null,
    commitment_expiration_scheme: 'continue_by_period',
    cancellation_notice_days: 14,
    enrollment_schedule: 'next_possible_prorate',
    duration_description: '12 months, then until cancelled, paid every month',
    price_with_period: '$40.00 per month',
    billing_day_description: 'On the 31st of the month, or the last day of a shorter one',
  });
  assert.deepEqual(await feedOf('membership_payment_plan.created', id), [{ membership_payment_plan: id }]);
});

test('the sixth day is accepted by both its names, and returned by the one that programs know', async () => {
  for (const day of ['staturday', 'saturday']) {
    const weekly = await plan({ billing_period_unit: 'weeks', fixed_billing_day_of_week: day });
    assert.deepEqual([weekly.fixed_billing_day_of_week, weekly.billing_day_description], ['staturday', 'On Saturdays']);
  }
  assert.equal(
    (await plan({ billing_period_unit: 'weeks', fixed_billing_day_of_week: 'sunday' })).fixed_billing_day_of_week,
    'sunday',
  );
});

/** Otherwise read-only properties are ignored, so that a response can be sent back. */
const STRICT = { prefer: 'handling=strict' };

test('the price, the status and the notice of a payment plan can change, and nothing else', async () => {
  const { id } = await plan();
  for (const [name, value] of Object.entries({
    membership: await club(),
    billing_period_length: 2,
    billing_period_unit: 'weeks',
    committed_billing_periods: 3,
    fixed_billing_day_of_month: 3,
    commitment_expiration_scheme: 'stop_contract',
  })) {
    assert.deepEqual(
      wrong(
        await world.patch(`/membership_payment_plans/${id}`, {
          as: world.machine,
          body: { [name]: value },
          headers: STRICT,
        }),
      ),
      [name],
    );
    const { body: before } = await ask('GET', `/membership_payment_plans/${id}`);
    assert.deepEqual((await patch(`/membership_payment_plans/${id}`, { [name]: value })).body, before);
  }
  assert.deepEqual(wrong(await ask('PUT', `/membership_payment_plans/${id}`, {})).toSorted(), [
    'cancellation_notice_days',
    'price',
    'status',
  ]);
  const { body } = await ask('PUT', `/membership_payment_plans/${id}`, {
    price: '45.50',
    status: 'unavailable',
    cancellation_notice_days: null,
  });
  assert.deepEqual([body.price.string, body.status, body.cancellation_notice_days], ['45.50', 'unavailable', null]);
  assert.deepEqual(await feedOf('membership_payment_plan.updated', id), [
    { membership_payment_plan: id, changed: ['price', 'cancellation_notice_days', 'status'] },
  ]);
});

test('an invalid payment plan is refused by the name of the property', async () => {
  const membership = await club();
  const refused = async (over: object) => wrong(await post('/membership_payment_plans', monthly(membership, over)));
  assert.deepEqual(await refused({ membership: await seed(world, 'membership') }), ['membership']);
  assert.deepEqual(await refused({ membership: await seed(world, 'membership', world.meadow) }), ['membership']);
  assert.deepEqual(await refused({ fixed_billing_day_of_week: 'monday' }), ['fixed_billing_day_of_week']);
  assert.deepEqual(await refused({ fixed_billing_day_of_month: 32 }), ['fixed_billing_day_of_month']);
  assert.deepEqual(await refused({ commitment_expiration_scheme: 'stop_contract' }), ['commitment_expiration_scheme']);
  assert.deepEqual(await refused({ price: '-1' }), ['price']);
  assert.deepEqual(await refused({ price: '1.005' }), ['price']);
});

test('customers see the plans for sale of memberships that they see, and staff with super_admin see all', async () => {
  const [membership, customer] = [await club(), world.customer(await world.newCustomer())];
  const [sold, gone] = [
    await made('/membership_payment_plans', monthly(membership)),
    await made('/membership_payment_plans', monthly(membership)),
  ];
  await patch(`/membership_payment_plans/${gone.id}`, { status: 'unavailable' });
  const seen = async (as: string | undefined) =>
    (await world.get(`/membership_payment_plans?membership=${membership}`, { as })).body.results.map((p: any) => p.id);
  assert.deepEqual(
    [await seen(customer), await seen(undefined), await seen(world.staff(['super_admin']))],
    [[sold.id], [sold.id], [sold.id, gone.id]],
  );
  await patch(`/memberships/${membership}`, { visible_to_customers: false });
  assert.deepEqual(await seen(customer), []);
  assert.equal((await world.get('/membership_payment_plans', { as: world.staff(['customers']) })).status, 403);
});

test('when two requests concurrently end the last two plans, the later one leaves a draft', async () => {
  for (let round = 0; round < 5; round++) {
    const membership = await club();
    const plans = await Promise.all([1, 2, 3].map(() => made('/membership_payment_plans', monthly(membership))));
    assert.deepEqual(
      (await world.get(`/memberships/${membership}`, { as: world.machine })).body.incomplete_reasons,
      [],
    );
    const ended = await Promise.all(
      plans.map(({ id }) => patch(`/membership_payment_plans/${id}`, { status: 'unavailable' })),
    );
    assert.deepEqual(
      ended.map((a) => a.status),
      [200, 200, 200],
    );
    assert.deepEqual((await world.get(`/memberships/${membership}`, { as: world.machine })).body.incomplete_reasons, [
      'payment_plan_missing',
    ]);
  }
});

test('a plan has at most one joining fee: a fee that names it replaces the other', async () => {
  const [one, two] = [await plan(), await plan()];
  const first = await made('/joining_fees', { amount: '25.00', name: 'Start', plans: [one.id, two.id] });
  const feeOf = async (id: number) =>
    (await world.get(`/membership_payment_plans/${id}?expand=joining_fee`, { as: world.machine })).body.joining_fee;
  const amount = {
    decimal: 25,
    string: '25.00',
    iso_currency_code: 'cad',
    currency_symbol: '$',
    currency_symbol_position: 'before',
  };
  assert.deepEqual(await feeOf(one.id), { object: 'joining_fee', id: first.id, name: 'Start', amount });
  const second = await made('/joining_fees', { amount: '10.00', plans: [two.id] });
  assert.deepEqual([(await feeOf(one.id)).id, (await feeOf(two.id)).id], [first.id, second.id]);
  assert.deepEqual((await world.get(`/joining_fees/${first.id}?fields=plans`, { as: world.machine })).body.plans, [
    one.id,
  ]);
  assert.equal((await ask('DELETE', `/joining_fees/${first.id}`)).body.code, 'in_use');
  await patch(`/joining_fees/${first.id}`, { plans: [] });
  assert.equal(await feeOf(one.id), null);
  assert.equal((await ask('DELETE', `/joining_fees/${first.id}`)).status, 204);
  assert.deepEqual(wrong(await post('/joining_fees', { amount: '0.00' })), ['amount']);
});

/** Creates a membership and returns its terms, with a text. */
async function terms(words = 'Be kind.'): Promise<any> {
  const membership = await seed(world, 'membership');
  const { results, count } = (await world.get(`/membership_terms?membership=${membership}`, { as: world.machine }))
    .body;
  assert.deepEqual([count, results[0].plan, results[0].base_terms, results[0].version], [1, null, '', 0]);
  const put = await ask('PUT', `/membership_terms/${results[0].id}`, { base_terms: words });
  assert.deepEqual([put.status, put.body.version, put.body.base_terms], [200, 1, words]);
  return put.body;
}

test('each change of the text of terms creates a version, and every version stays as it was', async () => {
  const { id } = await terms('Be kind.');
  const put = async (base_terms: string) => (await ask('PUT', `/membership_terms/${id}`, { base_terms })).body.version;
  assert.deepEqual([await put('Be kind.'), await put('Be on time.'), await put('Be kind.')], [1, 2, 3]);
  const { versions } = (
    await world.get(`/membership_terms/${id}?fields=versions.version,versions.base_terms`, { as: world.machine })
  ).body;
  assert.deepEqual(versions, [
    { version: 1, base_terms: 'Be kind.' },
    { version: 2, base_terms: 'Be on time.' },
    { version: 3, base_terms: 'Be kind.' },
  ]);
  assert.deepEqual(
    (await feedOf('membership_terms.versioned', id)).map((p: any) => p.version),
    [1, 2, 3],
  );
  const change = world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE membership_terms_version SET base_terms = 'Pay more.'
        WHERE provider_id = ${world.harbour} AND membership_terms_id = ${id}`,
    ),
  );
  await assert.rejects(change, /never changes/);
});

test('a customer agrees to the version that was shown, once, and the record has the time and the way', async () => {
  const { id } = await terms();
  const ada = await world.newCustomer();
  const as = world.customer(ada);
  const consent = await made(`/membership_terms/${id}/consent`, { version: 1 }, as);
  const { agreed_at: at, terms_version: words } = consent;
  assert.deepEqual(consent, {
    object: 'terms_consent',
    id: consent.id,
    customer: ada,
    membership_terms: id,
    version: 1,
    terms_version: words,
    how: 'online',
    agreed_at: at,
    by_customer: ada,
    by_staff: null,
  });
  assert.equal((await made(`/membership_terms/${id}/consent`, { version: 1 }, as)).id, consent.id);
  await ask('PUT', `/membership_terms/${id}`, { base_terms: 'Be on time.' });
  const late = await post(`/membership_terms/${id}/consent`, { version: 1 }, as);
  assert.deepEqual(
    [late.status, late.body.code, late.body.message],
    [409, 'conflict', 'The current version is 2. Show it to the customer and ask again.'],
  );
  const kept = await world.get(`/terms_consents/${consent.id}?fields=version,terms_version.base_terms,how`, { as });
  assert.deepEqual(kept.body, { version: 1, terms_version: { base_terms: 'Be kind.' }, how: 'online' });
  await assert.rejects(
    world.work(world.harbour, ({ tx }) =>
      tx.run(sql`UPDATE terms_consent SET version = 2 WHERE provider_id = ${world.harbour} AND id = ${consent.id}`),
    ),
    /never changes/,
  );
});

test('a manager agrees for a child, staff for anybody if they say how, and nobody for a stranger', async () => {
  const { id } = await terms();
  const [ada, eve] = [await world.newCustomer(), await world.newCustomer()];
  const child = (await post(`/customers/${ada}/add_child`, { first_name: 'Bo', last_name: 'K' }, world.customer(ada)))
    .body.id;
  const agree = (body: object, as: string) => post(`/membership_terms/${id}/consent`, { version: 1, ...body }, as);
  assert.equal((await agree({ customer: child }, world.customer(ada))).body.by_customer, ada);
  assert.equal((await agree({ customer: ada }, world.customer(eve))).status, 400);
  assert.deepEqual(wrong(await agree({ how: 'by_phone' }, world.customer(eve))), ['how']);
  assert.deepEqual(wrong(await agree({ customer: eve }, world.staff(['customers']))), ['how']);
  assert.deepEqual(wrong(await agree({ how: 'in_person' }, world.staff(['customers']))), ['customer']);
  const staff = await seed(world, 'staff');
  const noted = (await agree({ customer: eve, how: 'in_person' }, world.staff(['customers'], staff))).body;
  assert.deepEqual([noted.customer, noted.how, noted.by_staff, noted.by_customer], [eve, 'in_person', staff, null]);
  const mine = (await world.get(`/terms_consents?membership_terms=${id}`, { as: world.customer(ada) })).body.results;
  assert.deepEqual(
    mine.map((c: any) => c.customer),
    [child],
  );
  assert.equal((await agree({ customer: eve, how: 'in_person' }, world.staff(['attendances']))).status, 403);
});

test('terms without a text are visible to staff only, and nobody can agree to them', async () => {
  const membership = await seed(world, 'membership');
  const customer = world.customer(await world.newCustomer());
  const [{ id }] = (await world.get(`/membership_terms?membership=${membership}`, { as: world.machine })).body.results;
  assert.equal((await world.get(`/membership_terms/${id}`, { as: customer })).status, 404);
  assert.equal(
    (
      await post(`/membership_terms/${id}/consent`, {
        version: 1,
        customer: await world.newCustomer(),
        how: 'on_paper',
      })
    ).body.message,
    'The terms have no text to agree to yet.',
  );
});

test('with concurrent changes of terms and consents, each consent is to a version that was current', async () => {
  const { id } = await terms('Version 1');
  const people = await Promise.all(Array.from({ length: 12 }, () => world.newCustomer()));
  const answers = await Promise.all(
    people.flatMap((customer, n) => [
      post(`/membership_terms/${id}/consent`, { version: 1 + (n % 3), customer, how: 'by_email' }),
      ...(n % 4 === 0 ? [ask('PUT', `/membership_terms/${id}`, { base_terms: `Wording ${n}` })] : []),
    ]),
  );
  assert.deepEqual(
    answers.filter((a) => ![200, 201, 409].includes(a.status)).map((a) => a.text),
    [],
  );
  const { version } = (await world.get(`/membership_terms/${id}`, { as: world.machine })).body;
  assert.equal(version, 4);
  const { results } = (await world.get(`/terms_consents?membership_terms=${id}`, { as: world.machine })).body;
  assert.equal(results.length, answers.filter((a) => a.status === 201).length);
});

test('a plan may have its own terms, at most one', async () => {
  const { id } = await plan();
  const own = await made('/membership_terms', { plan: id, base_terms: 'A year at least.' });
  assert.deepEqual([own.plan, own.version], [id, 1]);
  const again = await post('/membership_terms', { plan: id, base_terms: 'Two years.' });
  assert.deepEqual(
    [again.status, again.body.code, Object.keys(again.body.field_errors)],
    [409, 'already_exists', ['plan']],
  );
});
