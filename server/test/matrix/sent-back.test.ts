import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seed } from '../seeds.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../world.ts';
import { callOf, pathOf } from './calls.ts';
import { Complaints, nameOf } from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

/** Returns every PUT and PATCH whose path can also be read. */
function pairs(): Declared[] {
  const { endpoints } = world.app.registry;
  const all = endpoints.filter(
    (e) =>
      ['PUT', 'PATCH'].includes(e.method) &&
      endpoints.some((other) => other.method === 'GET' && other.path === e.path && other.returns.kind !== 'page'),
  );
  assert.ok(all.length > 40);
  return all;
}

/** Removes `updated_at`, which changes with every write. */
const withoutClock = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'updated_at'));

interface Read {
  readonly endpoint: Declared;
  readonly path: string;
  readonly as: string;
  /** query of the GET */
  readonly query?: string;
}

async function sendBack({ endpoint, path, as, query = '' }: Read): Promise<void> {
  const read = await world.get(path + query, { as });
  assert.equal(read.status, 200, read.text);
  const answer = await world.ask(endpoint.method, path, { as, body: read.body });
  assert.equal(answer.status, endpoint.status, answer.text);
  const now = await world.get(path + query, { as });
  assert.deepEqual(withoutClock(now.body), withoutClock(read.body));
}

async function over(endpoints: readonly Declared[], act: (endpoint: Declared) => Promise<void>): Promise<void> {
  const complaints = new Complaints();
  for (const endpoint of endpoints) await complaints.of(nameOf(endpoint), () => act(endpoint));
  complaints.throwIfAny();
}

const SMS = 'PUT /customers/{id}/sms_account';

const paths = new Map<Declared, Promise<string>>();

/** Returns the path of an object with all optional values. Nothing that these tests send to it changes anything. */
function seeded(endpoint: Declared): Promise<string> {
  const known = paths.get(endpoint) ?? makeOne(endpoint);
  paths.set(endpoint, known);
  return known;
}

const makeOne = async (endpoint: Declared): Promise<string> =>
  nameOf(endpoint) === SMS
    ? `/customers/${await seed(world, 'sms_account')}/sms_account`
    : pathOf(endpoint, await callOf(world, endpoint));

/** Returns the path of an object created with as little as possible. */
async function bare(endpoint: Declared): Promise<string | null> {
  const maker = world.app.registry.endpoints.find((e) => e.method === 'POST' && `${e.path}/{id}` === endpoint.path);
  if (!maker) return null;
  const { body, customer } = await callOf(world, maker);
  // An object that only customers may create is created by the customer who will own it.
  const as = maker.who.provider === false ? world.customer(customer!) : world.machine;
  const made = await world.post(maker.path, { as, body });
  assert.equal(made.status, 201, made.text);
  return `${maker.path}/${made.body.id}`;
}

test('a body that was read can be sent back by PUT and PATCH, and changes nothing', () =>
  over(pairs(), async (endpoint) => sendBack({ endpoint, path: await seeded(endpoint), as: world.machine })));

test('the body of an object with few values can be sent back too', () =>
  over(pairs(), async (endpoint) => {
    const path = await bare(endpoint);
    if (path) await sendBack({ endpoint, path, as: world.machine });
  }));

test('a body with all its relations expanded can be sent back too', () =>
  over(
    pairs().filter((e) => e.target && e.returns.kind === 'one'),
    async (endpoint) => {
      const related = Object.entries(endpoint.target!.fields)
        .filter(([, { spec }]) => spec.relation && spec.relation.collapsed !== 'url')
        .map(([name]) => name);
      await sendBack({ endpoint, path: await seeded(endpoint), as: world.machine, query: `?expand=${related.join()}` });
    },
  ));

test('a body that a customer read can be sent back too', () =>
  over(
    pairs().filter(({ who, path }) => who.customer && path.startsWith('/customers/{id}')),
    async (endpoint) => {
      const path = await seeded(endpoint);
      await sendBack({ endpoint, path, as: world.customer(Number(path.split('/')[2])) });
    },
  ));

test('with handling=strict, a property that is shown but not writable is refused as read-only', () =>
  over(pairs(), async (endpoint) => {
    const path = await seeded(endpoint);
    const { body } = await world.get(path, { as: world.machine });
    const readOnly = Object.keys(body).filter((name) => !Object.hasOwn(endpoint.body ?? {}, name));
    const answer = await world.ask(endpoint.method, path, {
      as: world.machine,
      body,
      headers: { prefer: 'handling=strict' },
    });
    if (readOnly.length === 0) return;
    assert.equal(answer.status, 400, answer.text);
    for (const name of readOnly.slice(0, 10))
      assert.match(answer.body.field_errors[name]?.[0] ?? '', /read-only/, `${name}: ${answer.text}`);
  }));

test('an unknown property is still refused by PUT and PATCH, even with others that are ignored', () =>
  over(pairs(), async (endpoint) => {
    const path = await seeded(endpoint);
    const { body } = await world.get(path, { as: world.machine });
    const answer = await world.ask(endpoint.method, path, { as: world.machine, body: { ...body, never_heard_of: 1 } });
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(Object.keys(answer.body.field_errors), ['never_heard_of']);
  }));

test('POST accepts only the properties that it lists, whatever the response shows', async () => {
  const answer = await world.post('/customers', {
    as: world.machine,
    body: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', id: 5, is_lead: true },
  });
  assert.deepEqual([answer.status, Object.keys(answer.body.field_errors).toSorted()], [400, ['id', 'is_lead']]);
});

test('null is refused for a property that is not nullable, unless it is null now', async () => {
  const id = await world.newCustomer({ first_name: 'Ada' });
  const path = `/customers/${id}`;
  const refused = await world.patch(path, { as: world.machine, body: { first_name: null } });
  assert.deepEqual([refused.status, refused.body.field_errors], [400, { first_name: ['This field may not be null.'] }]);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE customer SET first_name = NULL WHERE provider_id = ${world.harbour} AND id = ${id}`),
  );
  for (const method of ['PUT', 'PATCH']) {
    const { body } = await world.get(path, { as: world.machine });
    const kept = await world.ask(method, path, { as: world.machine, body });
    assert.deepEqual([kept.status, kept.body.first_name], [200, null], kept.text);
  }
});

test('an amount can be sent back as it was read, but not in another currency', async () => {
  const path = `/joining_fees/${await seed(world, 'joining_fee')}`;
  const { amount } = (await world.get(path, { as: world.machine })).body;
  assert.equal((await world.patch(path, { as: world.machine, body: { amount } })).status, 200);
  const refused = await world.patch(path, {
    as: world.machine,
    body: { amount: { ...amount, iso_currency_code: 'jpy' } },
  });
  assert.deepEqual([refused.status, Object.keys(refused.body.field_errors ?? {})], [400, ['amount']]);
});
