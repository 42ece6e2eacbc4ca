import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { row } from '../../../test/schedule-world.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

type Method = 'post' | 'patch' | 'get';

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

const DAY = 86_400_000;
const later = (days: number) => new Date(world.now + days * DAY).toISOString();

const newPolicy = (over: object = {}) =>
  done('post', '/policies', { name: 'Terms', text: 'Be on time.', when_required: ['signup', 'purchase'], ...over });

const unagreed = async (customer: number, as = world.machine): Promise<number[]> =>
  (await done('get', `/policies?unagreed_by=${customer}&when_required=purchase`, undefined, as)).results.map(
    (one: any) => one.id,
  );

test('a policy has a version in effect, and customers agree to it once', async () => {
  const policy = await newPolicy({ translations: [{ language: 'de', text: 'Seien Sie pünktlich.' }] });
  const version = policy.current_or_impending_version;
  const customer = await world.newCustomer();
  const me = world.customer(customer);
  assert.ok((await unagreed(customer, me)).includes(policy.id));
  const first = await done('post', '/policy_agreements', { policy: policy.id, version }, me);
  assert.deepEqual([first.customer, first.by_customer, first.by_staff], [customer, null, null]);
  const again = await done('post', '/policy_agreements', { policy: policy.id, version }, me);
  assert.equal(again.id, first.id, 'agreeing twice is the same agreement');
  assert.ok(!(await unagreed(customer, me)).includes(policy.id));
  const [shown] = (await done('get', `/policy_versions?policy=${policy.id}`, undefined, me)).results;
  assert.equal(shown.translations[0].language, 'de');
  assert.match(shown.url, new RegExp(`/account/${world.harbour}/policies/${version}$`));
});

test('a later version asks again when its time comes, unless it changes nothing that matters', async () => {
  const policy = await newPolicy();
  const customer = await world.newCustomer();
  const me = world.customer(customer);
  const agree = (version: number) => ({ policy: policy.id, version });
  await done('post', '/policy_agreements', agree(policy.current_or_impending_version), me);
  const publish = async (over: object): Promise<number> => {
    await done('patch', `/policies/${policy.id}`, over);
    return (await done('get', `/policy_versions?policy=${policy.id}`)).results[0].id;
  };
  await publish({ text: 'Be early.', ask_again: false });
  assert.equal(await publish({ text: 'Be early.' }), await publish({ name: 'Terms' }), 'the same text is no version');

  assert.ok(!(await unagreed(customer)).includes(policy.id), 'a typo asks nobody');
  const next = await publish({ text: 'Be very early.', effective_on: later(2).slice(0, 10) });
  assert.ok(!(await unagreed(customer)).includes(policy.id), 'not before its time');
  const { text, translations, ask_again, effective_on } = await done('get', `/policies/${policy.id}`);
  assert.equal(text, 'Be early.');
  const count = async () => (await done('get', `/policy_versions?policy=${policy.id}`)).count;
  const before = await count();
  await publish({ text, translations, ask_again, effective_on });
  await publish({ text: 'Be very early.', effective_on: later(2).slice(0, 10) });
  assert.equal(await count(), before, 'a text in effect, or one that waits, is sent back: no version');
  await world.setNow(world.now + 3 * DAY);
  assert.ok((await unagreed(customer)).includes(policy.id));
  const old = await refused('post', '/policy_agreements', agree(policy.current_or_impending_version), await other());
  assert.deepEqual([old.status, old.code], [409, 'conflict']);
  await done('post', '/policy_agreements', agree(next), me);
  assert.ok(!(await unagreed(customer)).includes(policy.id));
});

const other = async () => world.customer(await world.newCustomer());

test('a guardian agrees for a child, staff for anybody, and nobody for a stranger', async () => {
  const policy = await newPolicy();
  const family_id = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id, family_role: 'manager' } as never);
  const child = await world.newCustomer({ family_id, family_role: 'child' } as never);
  const body = { policy: policy.id, version: policy.current_or_impending_version, customer: child };
  assert.equal((await refused('post', '/policy_agreements', body, await other())).status, 400);
  const made = await done('post', '/policy_agreements', body, world.customer(parent));
  assert.deepEqual([made.customer, made.by_customer], [child, parent]);
  assert.deepEqual(await unagreed(child, await other()), [], 'a stranger learns nothing about the child');
  const desk = await done('post', '/policy_agreements', { ...body, customer: parent });
  assert.equal(desk.customer, parent);
});

test('a wrong version, a repeated language and a time in the past are refused by name', async () => {
  const [policy, another] = [await newPolicy(), await newPolicy()];
  const customer = await world.newCustomer();
  for (const [path, body, field] of [
    ['/policies', { name: 'x', text: '' }, 'text'],
    [
      '/policies',
      { name: 'x', text: 'y', translations: ['de', 'de'].map((language) => ({ language, text: 'z' })) },
      'translations',
    ],
    ['/policy_agreements', { policy: policy.id, version: another.current_or_impending_version, customer }, 'version'],
    ['/policy_agreements', { policy: policy.id, version: policy.current_or_impending_version }, 'customer'],
  ] as const)
    assert.deepEqual(Object.keys((await refused('post', path, body)).field_errors), [field]);
});

test('an archived policy is hidden from customers, who still read what they agreed to', async () => {
  const policy = await newPolicy();
  const version = policy.current_or_impending_version;
  const me = await other();
  await done('post', '/policy_agreements', { policy: policy.id, version }, me);
  await done('patch', `/policies/${policy.id}`, { status: 'archived' });
  assert.equal((await refused('get', `/policies/${policy.id}`, undefined, me)).status, 404);
  assert.equal((await done('get', `/policy_versions/${version}`, undefined, me)).text, 'Be on time.');
  const customer = await world.newCustomer();
  const late = await refused('post', '/policy_agreements', { policy: policy.id, version, customer });
  assert.equal(late.code, 'conflict');
});
