import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { row } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';

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

const newField = (over: object = {}) =>
  done('post', '/customer_fields', { label: 'Allergies', type: 'short_text', show_on_customer_profile: true, ...over });

const valuesOf = async (customer: number, as = world.machine): Promise<[field: number, value: unknown][]> =>
  (await done('get', `/customers/${customer}?expand=field_values`, undefined, as)).field_values
    .map((one: any) => [one.field, one.value])
    .toSorted(([a]: [number], [b]: [number]) => a - b);

test('a field has a key of its own, its question, and its choices in their order', async () => {
  const size = await newField({
    label: 'T-shirt',
    full_text: 'Which size do you wear?',
    type: 'choice',
    choices: [
      { value: 'M', order: 2 },
      { value: 'S', order: 1 },
    ],
  });
  assert.deepEqual(
    [size.key, size.full_text, size.choices.map((one: any) => [one.value, one.label, one.order])],
    [
      't_shirt',
      'Which size do you wear?',
      [
        ['S', 'S', 1],
        ['M', 'M', 2],
      ],
    ],
  );
  assert.equal((await newField({ label: 'T-shirt!' })).key, 't_shirt_2');
  const sent = await done('put', `/customer_fields/${size.id}`, size);
  assert.deepEqual(sent, { ...size, choices: sent.choices });
  for (const [body, field] of [
    [{ label: 'x', type: 'choice' }, 'choices'],
    [{ label: 'x', type: 'date', choices: [{ value: 'a', order: 1 }] }, 'choices'],
    [{ label: 'x', type: 'date', explanation_required_condition: 'always' }, 'explanation_required_condition'],
    [{ type: 'date' }, 'label'],
  ] as const)
    assert.deepEqual(Object.keys((await refused('post', '/customer_fields', body)).field_errors), [field]);
});

test('answers come with a customer, are read with them, can be sent back, and are removed by null', async () => {
  const [plain, yes, at] = [
    await newField(),
    await newField({ type: 'boolean', explanation_required_condition: 'if_true' }),
    await newField({ type: 'datetime' }),
  ];
  const { id } = await done('post', '/customers', {
    first_name: 'Ada',
    last_name: 'King',
    field_values: [
      { field: plain.id, value: 'Nuts' },
      { field: String(yes.id), value: { answer: true, explanation: 'Asthma' } },
      { field: at.id, value: '2026-01-31T18:00' },
    ],
  });
  const all = [
    [plain.id, 'Nuts'],
    [yes.id, { answer: true, explanation: 'Asthma' }],
    [at.id, '2026-01-31T18:00:00-05:00'],
  ];
  assert.deepEqual(await valuesOf(id), all);
  const read = await done('get', `/customers/${id}?expand=field_values&fields=field_values`);
  await done('patch', `/customers/${id}`, read);
  assert.deepEqual(await valuesOf(id), all);
  await done('patch', `/customers/${id}`, { field_values: [{ field: plain.id, value: null }] });
  assert.deepEqual(await valuesOf(id), all.slice(1));
  const wrong = await refused('patch', `/customers/${id}`, { field_values: [{ field: yes.id, value: true }] });
  assert.deepEqual(wrong.field_errors, { 'field_values.0.value': ['Allergies: Add an explanation.'] });
  const unknown = await refused('patch', `/customers/${id}`, { field_values: [{ field: 999_999, value: 1 }] });
  assert.deepEqual(Object.keys(unknown.field_errors), ['field_values.0.field']);
  assert.deepEqual(await valuesOf(id), all.slice(1));
});

test('one answer for each field: a second one is refused, and the first one is updated', async () => {
  const field = await newField({ type: 'integer' });
  const customer = await world.newCustomer();
  const body = { field: field.id, customer, value: 5 };
  const made = await done('post', '/customer_field_values', body);
  assert.deepEqual([made.field, made.customer, made.value], [field.id, customer, 5]);
  assert.equal((await refused('post', '/customer_field_values', body)).code, 'already_exists');
  assert.equal((await done('put', `/customer_field_values/${made.id}`, { value: 6 })).value, 6);
  const { results } = await done('get', `/customer_field_values?customers=${customer}&field=${field.id}`);
  assert.deepEqual(
    results.map((one: any) => one.value),
    [6],
  );
});

test('once customers have answered, the field keeps its type and their choices, and can only be archived', async () => {
  const field = await newField({
    type: 'multiple_choice',
    choices: ['A', 'B'].map((value, order) => ({ value, order })),
  });
  const customer = await world.newCustomer();
  await done('post', '/customer_field_values', { field: field.id, customer, value: ['B'] });
  assert.equal(
    (await refused('patch', `/customer_fields/${field.id}`, { choices: [{ value: 'A', order: 1 }] })).code,
    'in_use',
  );
  assert.equal(
    (await refused('patch', `/customer_fields/${field.id}`, { type: 'short_text', choices: [] })).code,
    'in_use',
  );
  assert.equal((await refused('patch', `/customer_fields/${field.id}`, { is_sensitive: true })).code, 'in_use');
  assert.equal((await refused('delete', `/customer_fields/${field.id}`)).code, 'in_use');
  await done('patch', `/customer_fields/${field.id}`, { archived: true });
  assert.deepEqual(await valuesOf(customer), [[field.id, ['B']]]);
  const late = await refused('post', '/customer_field_values', {
    field: field.id,
    customer: await world.newCustomer(),
    value: ['A'],
  });
  assert.deepEqual(Object.keys(late.field_errors), ['field']);
});

test('answers come with a change of participation, and a wrong one changes nothing', async () => {
  const [plain, inner] = [await newField(), await newField({ show_on_customer_profile: false })];
  const customer = await world.newCustomer();
  const path = `/customers/${customer}/participation`;
  const me = world.customer(customer);
  const [field_values, hidden] = [plain, inner].map(({ id }) => [{ field: id, value: 'Nuts' }]);
  const body = { participating: false, field_values };
  assert.equal((await done('put', path, body, me)).participating, false);
  assert.deepEqual(await valuesOf(customer), [[plain.id, 'Nuts']]);
  const wrong = await refused('put', path, { participating: true, field_values: hidden }, me);
  assert.deepEqual(Object.keys(wrong.field_errors), ['field_values.0.field']);
  assert.equal((await done('get', `/customers/${customer}`)).participating, false);
  await done('put', path, { participating: true });
  assert.deepEqual(await valuesOf(customer), [[plain.id, 'Nuts']]);
});

test('customers see and change what their profile shows, for their family; other staff see what is for all of them', async () => {
  const [own, inner, open] = [
    await newField(),
    await newField({ show_on_customer_profile: false }),
    await newField({ show_on_customer_profile: false, is_visible_to_all_staff: true }),
  ];
  const family_id = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id, family_role: 'manager' } as never);
  const child = await world.newCustomer({ family_id, family_role: 'child' } as never);
  const me = world.customer(parent);
  for (const customer of [parent, child])
    await done('patch', `/customers/${customer}`, {
      field_values: [own, inner, open].map(({ id }) => ({ field: id, value: 'Nuts' })),
    });
  for (const customer of [parent, child]) assert.deepEqual(await valuesOf(customer, me), [[own.id, 'Nuts']]);
  await done('patch', `/customers/${child}`, { field_values: [{ field: own.id, value: 'Milk' }] }, me);
  assert.deepEqual((await valuesOf(child))[0], [own.id, 'Milk']);
  const hidden = await refused(
    'patch',
    `/customers/${parent}`,
    { field_values: [{ field: inner.id, value: 'x' }] },
    me,
  );
  assert.deepEqual(Object.keys(hidden.field_errors), ['field_values.0.field']);
  assert.equal((await refused('get', `/customer_fields/${inner.id}`, undefined, me)).status, 404);
  const stranger = world.customer(await world.newCustomer());
  const { results } = await done('get', `/customer_field_values?customers=${parent}`, undefined, stranger);
  assert.deepEqual(results, []);
  const body = { field: own.id, customer: parent, value: 'x' };
  const foreign = await refused('post', '/customer_field_values', body, stranger);
  assert.deepEqual(Object.keys(foreign.field_errors), ['customer']);
});

test('the answer to a sensitive field is stored sealed, and neither the audit nor the feed has it', async () => {
  const field = await newField({ label: 'Diagnosis', is_sensitive: true });
  const customer = await world.newCustomer();
  const body = { field_values: [{ field: field.id, value: 'Epilepsy' }] };
  await done('patch', `/customers/${customer}`, body);
  await done('patch', `/customers/${customer}`, { field_values: [{ field: field.id, value: 'Lupus' }] });
  assert.deepEqual(await valuesOf(customer), [[field.id, 'Lupus']]);
  const stored = await world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`SELECT value, sealed FROM customer_field_value
      WHERE provider_id = ${world.harbour} AND customer_id = ${customer}`),
  );
  assert.equal(stored[0].value, null);
  const known = await world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`
      SELECT 'audit' AS at FROM audit_entry a WHERE a.provider_id = ${world.harbour} AND a::text ~ 'Epilepsy|Lupus'
      UNION ALL SELECT 'feed' FROM feed_item f WHERE f.provider_id = ${world.harbour} AND f::text ~ 'Epilepsy|Lupus'`),
  );
  assert.deepEqual(known, []);
  assert.doesNotMatch(JSON.stringify(stored), /Lupus/);
});

test('a merge moves the answers, and those of the kept record stay', async () => {
  const [a, b] = [await newField(), await newField({ is_sensitive: true })];
  const [kept, merged] = [await world.newCustomer(), await world.newCustomer()];
  await done('patch', `/customers/${kept}`, { field_values: [{ field: a.id, value: 'kept' }] });
  await done('patch', `/customers/${merged}`, {
    field_values: [
      { field: a.id, value: 'merged' },
      { field: b.id, value: 'sealed' },
    ],
  });
  await done('post', `/customers/${merged}/merge`, { into: kept });
  assert.deepEqual(await valuesOf(kept), [
    [a.id, 'kept'],
    [b.id, 'sealed'],
  ]);
});
