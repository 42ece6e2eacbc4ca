import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { feedEnd, feedSince } from '../../../test/schedule-world.ts';
import { newCode } from './test/seeds.ts';
import { seed, slug } from '../../../test/seeds.ts';
import { startWorld, type ApiAnswer, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const ask = (method: string, path: string, body?: unknown, as: string | undefined = world.machine) =>
  world.ask(method, path, { as, body });
const done = async (method: string, path: string, body?: unknown): Promise<any> => {
  const answer = await ask(method, path, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const wrong = (answer: ApiAnswer): string[] => {
  assert.equal(answer.status, 400, answer.text);
  return Object.keys(answer.body.field_errors);
};
const newText = (): string => slug().slice(0, 20).toUpperCase();

const SUMMER = {
  name: 'Summer',
  allowed_uses: 100,
  allowed_uses_per_customer: 1,
  discount_type: 'percent',
  discount_amount: '12.5',
  usable_start_date: '2026-06-01',
  usable_end_date: '2026-08-31',
  usable_purchase_types: ['event', 'membership'],
  usable_by_new_customers_only: true,
  usable_by_default_for_purchase_types: true,
  applicable_billing_cycles: 3,
};

test('a code is created as sent, with a percentage as a number and a flat amount as money', async () => {
  const code = newText();
  const made = await done('POST', '/discount_codes', { ...SUMMER, code, group: { name: `Group of ${code}` } });
  const { id, object, created_at: _c, updated_at: _u, ...shown } = made;
  assert.equal(object, 'discount_code');
  assert.deepEqual(
    { ...shown, group: shown.group.name },
    { ...SUMMER, code, discount_amount: 12.5, status: 'active', uses: 0, reserved_uses: 0, group: `Group of ${code}` },
  );
  const flat = await done('PATCH', `/discount_codes/${id}`, { discount_type: 'flat', discount_amount: 10 });
  assert.deepEqual([flat.discount_type, flat.discount_amount.string], ['flat', '10.00']);
  const replaced = await done('PUT', `/discount_codes/${id}`, { ...flat, name: 'Autumn', group: null });
  assert.deepEqual(
    [replaced.name, replaced.group, replaced.code, replaced.discount_amount.string],
    ['Autumn', null, code, '10.00'],
  );
});

test('a code that contradicts itself is refused by the name of the wrong property', async () => {
  const refused: [over: object, field: string][] = [
    [{ discount_amount: '0' }, 'discount_amount'],
    [{ discount_amount: '100.01' }, 'discount_amount'],
    [{ discount_amount: '1.234' }, 'discount_amount'],
    [{ discount_amount: '-5' }, 'discount_amount'],
    [{ discount_type: 'flat', discount_amount: '1.005' }, 'discount_amount'],
    [{ usable_end_date: '2026-05-31' }, 'usable_end_date'],
    [{ usable_purchase_types: [] }, 'usable_purchase_types'],
    [{ allowed_uses: 0 }, 'allowed_uses'],
    [{ applicable_billing_cycles: -1 }, 'applicable_billing_cycles'],
    [{ code: '- -' }, 'code'],
    [{ group: { id: 999_999_999 } }, 'group'],
    [{ group: {} }, 'group'],
  ];
  for (const [over, field] of refused)
    assert.deepEqual(wrong(await ask('POST', '/discount_codes', { ...SUMMER, code: newText(), ...over })), [field]);
  const id = await newCode(world, { usable_end_date: '2026-08-31' });
  assert.deepEqual(wrong(await ask('PATCH', `/discount_codes/${id}`, { discount_type: 'flat' })), ['discount_amount']);
  assert.deepEqual(wrong(await ask('PATCH', `/discount_codes/${id}`, { usable_start_date: '2026-09-01' })), [
    'usable_start_date',
  ]);
});

test('two codes that people would confuse can’t coexist at one business, but can at different ones', async () => {
  const code = newText().slice(0, 8);
  await done('POST', '/discount_codes', { ...SUMMER, code });
  const [head, tail] = [code.slice(0, 4), code.slice(4)];
  for (const same of [code, code.toLowerCase(), `${head}-${tail}`, `${head} ${tail}`]) {
    const answer = await ask('POST', '/discount_codes', { ...SUMMER, code: same });
    assert.deepEqual([answer.status, answer.body.code], [409, 'already_exists'], answer.text);
    assert.deepEqual(Object.keys(answer.body.field_errors), ['code']);
  }
  const elsewhere = await ask('POST', '/discount_codes', { ...SUMMER, code }, world.meadowMachine);
  assert.equal(elsewhere.status, 201, elsewhere.text);
});

test('codes are found by group, status, and words of their name or code', async () => {
  const group = `Group ${newText()}`;
  const code = newText();
  const one = await done('POST', '/discount_codes', { ...SUMMER, code, name: 'Early birds', group: { name: group } });
  const other = await done('POST', '/discount_codes', {
    ...SUMMER,
    code: newText(),
    status: 'inactive',
    group: { name: group.toUpperCase() },
  });
  assert.equal(other.group.id, one.group.id, 'the case of a name makes no other group');
  const ids = async (query: string) =>
    (await done('GET', `/discount_codes?group=${one.group.id}&${query}`)).results.map((c: any) => c.id);
  assert.deepEqual(await ids('sort=id'), [one.id, other.id]);
  assert.deepEqual(await ids('status=inactive'), [other.id]);
  assert.deepEqual(await ids(`query=birds ${code.slice(0, 6).toLowerCase()}`), [one.id]);
  assert.deepEqual(await ids('query=bi%25rds'), []);
  assert.ok((await done('GET', '/discount_code_groups')).results.some((g: any) => g.id === one.group.id));
});

test('many codes are generated together, all different, easy to read, and with a common prefix', async () => {
  const prefix = newText().slice(0, 6);
  const group = { name: `Friends ${prefix}` };
  const since = await feedEnd(world);
  const first = await done('POST', '/discount_codes/bulk_generate', {
    ...SUMMER,
    code: prefix,
    uses: 0,
    group,
    count: 250,
    allowed_uses: 1,
  });
  const page = await done('GET', `/discount_codes?group=${first.group.id}&sort=id&page_size=100`);
  assert.equal(page.count, 250);
  assert.equal(page.results[0].id, first.id);
  const codes = [1, 2, 3].map((n) => done('GET', `/discount_codes?group=${first.group.id}&page=${n}`));
  const all = (await Promise.all(codes)).flatMap(({ results }) => results.map((one: any) => one.code));
  assert.equal(new Set(all).size, 250);
  for (const code of all) assert.match(code, new RegExp(`^${prefix}-[BCDFGHJKMNPQRTVWXYZ2346789]{8}$`));
  const feedItems = (await feedSince(world, since)).filter(({ kind }) => kind === 'discount_code.created');
  assert.equal(feedItems.length, 250);
  const refused = { ...SUMMER, code: 'TWELVELETTER', group };
  assert.deepEqual(wrong(await ask('POST', '/discount_codes/bulk_generate', refused)), ['code']);
  const tooMany = { ...SUMMER, code: prefix, group, count: 1001 };
  assert.deepEqual(wrong(await ask('POST', '/discount_codes/bulk_generate', tooMany)), ['count']);
});

test('all codes of a group, or all that match a query, are switched together, and others are unchanged', async () => {
  const word = newText();
  const group = { name: `Group ${word}` };
  const make = (over: object) => done('POST', '/discount_codes', { ...SUMMER, code: newText(), ...over });
  const [a, b] = [await make({ group, name: `Team ${word}` }), await make({ group })];
  const other = await make({ name: `Team ${word}` });
  const statuses = async () =>
    (await Promise.all([a, b, other].map(({ id }) => done('GET', `/discount_codes/${id}`)))).map((c) => c.status);
  const since = await feedEnd(world);
  const preview = await done('POST', '/discount_codes/deactivate_all?dry_run=true', { group });
  assert.equal(preview.status, 'inactive');
  assert.deepEqual(await statuses(), ['active', 'active', 'active']);
  const first = await done('POST', '/discount_codes/deactivate_all', { group, name: a.name });
  assert.deepEqual([first.id, first.status], [a.id, 'inactive']);
  assert.deepEqual(await statuses(), ['inactive', 'inactive', 'active']);
  await done('POST', '/discount_codes/deactivate_all', { group });
  assert.deepEqual(
    (await feedSince(world, since)).map(({ kind, payload }) => [kind, payload]),
    [a, b].map(({ id }) => ['discount_code.updated', { discount_code: id, changed: ['status'] }]),
    'what is inactive already is not switched again',
  );
  await done('POST', `/discount_codes/activate_all?query=${word.toLowerCase()}`, {});
  assert.deepEqual(await statuses(), ['active', 'inactive', 'active']);
  await done('POST', `/discount_codes/deactivate_all?query=${word}&group=${a.group.id}`);
  assert.deepEqual(await statuses(), ['inactive', 'inactive', 'active']);
  assert.deepEqual(wrong(await ask('POST', '/discount_codes/deactivate_all', {})), ['group']);
  assert.deepEqual(wrong(await ask('POST', `/discount_codes/activate_all?query=${newText()}`, {})), ['query']);
  assert.deepEqual(wrong(await ask('POST', '/discount_codes/activate_all', { group: { name: newText() } })), ['group']);
  const two = await ask('POST', `/discount_codes/activate_all?group=${a.group.id + 1}`, { group });
  assert.deepEqual(wrong(two), ['group']);
});

test('an applicability names an existing object, once', async () => {
  const [discount_code, membership] = [await newCode(world), await seed(world, 'membership')];
  const item = { id: membership, type: 'membership' };
  const made = await done('POST', '/discount_code_applicabilities', { discount_code, item });
  assert.deepEqual([made.discount_code, made.allow_use, made.item], [discount_code, true, item]);
  const twice = await ask('POST', '/discount_code_applicabilities', { discount_code, item, allow_use: false });
  assert.deepEqual([twice.status, twice.body.code], [409, 'already_exists']);
  const event = { id: await seed(world, 'event'), type: 'event' };
  const changed = await done('PATCH', `/discount_code_applicabilities/${made.id}`, { allow_use: false, item: event });
  assert.deepEqual([changed.allow_use, changed.item], [false, event]);
  const back = await done('PUT', `/discount_code_applicabilities/${made.id}`, changed);
  assert.deepEqual({ ...back, updated_at: 0 }, { ...changed, updated_at: 0 });
  const product = { id: await seed(world, 'store_product'), type: 'store_product' };
  const forProduct = await done('PATCH', `/discount_code_applicabilities/${made.id}`, { item: product });
  assert.deepEqual(forProduct.item, product);
  const course = { id: await seed(world, 'course'), type: 'course' };
  const forCourse = await done('PATCH', `/discount_code_applicabilities/${made.id}`, { item: course });
  assert.deepEqual(forCourse.item, course);
  const foreign = { id: await seed(world, 'membership', world.meadow), type: 'membership' };
  for (const missing of [foreign, { id: 999_999_999, type: 'event' }, { id: 999_999_999, type: 'offering_type' }])
    assert.deepEqual(wrong(await ask('POST', '/discount_code_applicabilities', { discount_code, item: missing })), [
      'item.id',
    ]);
  assert.equal((await done('GET', `/discount_code_applicabilities?discount_code=${discount_code}`)).count, 1);
  assert.equal((await ask('DELETE', `/discount_code_applicabilities/${made.id}`)).status, 204);
  assert.equal((await done('GET', `/discount_code_applicabilities?discount_code=${discount_code}`)).count, 0);
});

test('only staff with the permission manage codes, and customers can’t list them', async () => {
  const id = await newCode(world);
  const paths = ['/discount_codes', `/discount_codes/${id}`, '/discount_code_groups', '/discount_code_applicabilities'];
  for (const path of paths) {
    assert.equal((await ask('GET', path, undefined, world.staff(['discount_codes']))).status, 200);
    assert.equal((await ask('GET', path, undefined, world.staff(['customers', 'pos', 'revenue']))).status, 403);
    assert.equal((await ask('GET', path, undefined, world.customer(await world.newCustomer()))).status, 403);
    assert.equal((await world.get(path)).status, 401);
  }
});

test('concurrent requests that name the same new group put their codes into one', async () => {
  const group = { name: `Rush ${newText()}` };
  const made = await Promise.all(
    Array.from({ length: 10 }, () => done('POST', '/discount_codes', { ...SUMMER, code: newText(), group })),
  );
  assert.equal(new Set(made.map((code) => code.group.id)).size, 1);
});
