import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { row } from '../../../../test/schedule-world.ts';
import { seed } from '../../../../test/seeds.ts';
import { startWorld, type Ask, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

type Method = 'post' | 'patch' | 'put' | 'delete' | 'get';

async function done(method: Method, path: string, body?: unknown, as = world.machine): Promise<any> {
  const answer = await world[method](path, { as, body } as Ask);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

async function refused(method: Method, path: string, body?: unknown, as = world.machine): Promise<any> {
  const answer = await world[method](path, { as, body } as Ask);
  assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path}: ${answer.status} ${answer.text}`);
  return { status: answer.status, ...answer.body };
}

const newField = async (over: object = {}): Promise<number> =>
  (await done('post', '/customer_fields', { label: 'Injuries', type: 'short_text', ...over })).id;

const newForm = (body: object) => done('post', '/customer_forms', { name: 'Health', ...body });

test('a form lists its questions, offering types and memberships, and each of these finds it', async () => {
  const [field, other] = [await newField(), await newField()];
  const [type, membership] = [await seed(world, 'offering_type'), await seed(world, 'membership')];
  const form = await newForm({
    fields: [other, field],
    offering_types_applies_to: 'only',
    offering_types: [type],
    memberships_applies_to: 'all_except',
    memberships: [membership],
    submissions_expire_after: 'P1Y',
  });
  const whole = await done('get', `/customer_forms/${form.id}?expand=fields,offering_types,memberships`);
  assert.deepEqual(
    [whole.fields, whole.offering_types, whole.memberships].map((list) => list.map((one: any) => one.id)),
    [[other, field], [type], [membership]],
  );
  const found = async (path: string) => (await done('get', path)).results.map((one: any) => one.id);
  assert.deepEqual((await found(`/customer_fields?forms=${form.id}`)).toSorted(), [field, other]);
  assert.deepEqual(await found(`/offering_types?forms=${form.id}`), [type]);
  assert.deepEqual(await found(`/memberships?forms=${form.id}`), [membership]);
  const forms = async (query: string) => (await found(`/customer_forms?${query}`)).includes(form.id);
  const another = await seed(world, 'membership');
  for (const [query, expected] of [
    [`applicable_to_offering_types=${type}`, true],
    [`applicable_to_offering_types=${await seed(world, 'offering_type')}`, false],
    [`applicable_to_memberships=${membership}`, false],
    [`applicable_to_memberships=${membership},${another}`, true],
    ['applicable_to=all_memberships', false],
    ['applicable_to=at_least_one_membership', true],
    ['no_signup=true', true],
    ['no_signup=false', false],
  ] as const)
    assert.equal(await forms(query), expected, query);
  const sent = await done('put', `/customer_forms/${form.id}`, form);
  assert.deepEqual(sent, form, 'what was read can be sent back, and its version stays');
});

test('a list without a scope and an unreadable duration are refused by name', async () => {
  const type = await seed(world, 'offering_type');
  for (const [body, field] of [
    [{ offering_types: [type] }, 'offering_types'],
    [{ offering_types_applies_to: 'all', offering_types: [type] }, 'offering_types'],
    [{ submissions_expire_after: 'a year' }, 'submissions_expire_after'],
    [{ fields: [999_999] }, 'fields'],
    [{ name: '' }, 'name'],
  ] as const)
    assert.deepEqual(Object.keys((await refused('post', '/customer_forms', { name: 'x', ...body })).field_errors), [
      field,
    ]);
});

test('a submission stores the answers, and keeps the questions of that moment through later changes', async () => {
  const [asked, later] = [await newField({ is_required: true }), await newField({ type: 'integer' })];
  const form = await newForm({ fields: [asked] });
  const family_id = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id, family_role: 'manager' } as never);
  const child = await world.newCustomer({ family_id, family_role: 'child' } as never);
  const me = world.customer(parent);
  const submitted = await done(
    'post',
    '/customer_form_submissions',
    { form: form.id, customer: child, values: [{ field: asked, customer: child, value: 'Knee' }] },
    me,
  );
  assert.deepEqual(
    [submitted.customer, submitted.form, submitted.form_version, submitted.by_customer],
    [child, form.id, 1, parent],
  );
  await done('patch', `/customer_forms/${form.id}`, { fields: [asked, later] });
  await done('patch', `/customers/${child}`, { field_values: [{ field: asked, value: 'Shoulder' }] });
  const read = await done('get', `/customer_form_submissions/${submitted.id}?expand=answers`, undefined, me);
  assert.deepEqual(
    [read.form_version, read.answers, read.latest_values.map((one: any) => [one.field, one.value])],
    [
      1,
      [{ field: asked, label: 'Injuries', full_text: 'Injuries', type: 'short_text', value: 'Knee' }],
      [[asked, 'Shoulder']],
    ],
  );
  assert.equal((await done('get', `/customer_forms/${form.id}`)).version, 2);
  const stranger = world.customer(await world.newCustomer());
  assert.equal((await refused('get', `/customer_form_submissions/${submitted.id}`, undefined, stranger)).status, 404);
  await done('delete', `/customer_forms/${form.id}`);
  assert.equal((await refused('get', `/customer_forms/${form.id}`)).status, 404);
  assert.equal((await done('get', `/customer_form_submissions/${submitted.id}`)).id, submitted.id);
});

test('answers to other questions, of other people, twice or missing are refused, and nothing is stored', async () => {
  const [asked, foreign] = [await newField({ is_required: true }), await newField()];
  const form = await newForm({ fields: [asked] });
  const [customer, other] = [await world.newCustomer(), await world.newCustomer()];
  const right = { field: asked, customer, value: 'None' };
  for (const [values, field] of [
    [[{ ...right, customer: other }], 'values.0.customer'],
    [[right, { ...right, field: foreign }], 'values.1.field'],
    [[right, right], 'values.1.field'],
    [[{ ...right, value: '' }], 'values.0.value'],
    [[], 'values'],
  ] as const) {
    const { field_errors } = await refused('post', '/customer_form_submissions', { form: form.id, customer, values });
    assert.deepEqual(Object.keys(field_errors), [field]);
  }
  assert.deepEqual((await done('get', `/customer_form_submissions?customer=${customer}`)).results, []);
  assert.deepEqual((await done('get', `/customer_field_values?customers=${customer}`)).results, []);
});

test('the order of forms is set in one call', async () => {
  const [a, b] = [await newForm({}), await newForm({})];
  assert.deepEqual(await done('patch', '/customer_forms/ordering', { ordering: [b.id, a.id] }), {
    status: 'OK',
    detail: null,
  });
  const { results } = await done('get', '/customer_forms');
  assert.deepEqual(
    results.slice(0, 2).map((one: any) => one.id),
    [b.id, a.id],
  );
});
