import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser, emailKey, findAccount } from '../../areas/people/identity/index.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const PLAIN = 'jörg@müller.example';
const OTHERS = ['jo\u0308rg@müller.example', 'jörg\u200b@müller.example', 'JÖRG@XN--MLLER-KVA.EXAMPLE'];

const asMachine = async (method: string, path: string, body?: unknown) => {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

test('an address has one spelling everywhere: customers, staff and suppressions', async () => {
  const [others, capitals] = [OTHERS.slice(0, 2), OTHERS[2]];
  const customer = await asMachine('POST', '/customers', { first_name: 'Jörg', last_name: 'Müller', email: others[0] });
  assert.equal(customer.email, PLAIN);
  assert.equal((await asMachine('PATCH', `/customers/${customer.id}`, { email: others[1] })).email, PLAIN);
  for (const email of [PLAIN, ...OTHERS]) {
    const body = { first_name: 'Jörg', last_name: 'Again', email };
    assert.equal((await world.ask('POST', '/customers', { as: world.machine, body })).status, 409, email);
  }
  const staff = await asMachine('POST', '/staff', { first_name: 'Jörg', last_name: 'Müller', email: others[0] });
  assert.equal(staff.email, PLAIN);
  assert.equal(
    (
      await world.ask('POST', '/staff', {
        as: world.machine,
        body: { first_name: 'J', last_name: 'M', email: capitals },
      })
    ).status,
    409,
  );
  const entry = await asMachine('POST', '/communication/suppressions', { address: others[1] });
  assert.equal(entry.address, PLAIN);
  for (const address of [PLAIN, ...OTHERS]) {
    const { results } = await asMachine('GET', `/communication/suppressions?address=${encodeURIComponent(address)}`);
    assert.deepEqual(
      results.map(({ id }: { id: number }) => id),
      [entry.id],
    );
    const twice = await world.ask('POST', '/communication/suppressions', { as: world.machine, body: { address } });
    assert.equal(twice.status, 409, twice.text);
  }
});

test('people are found by every spelling of their name and address', async () => {
  const body = { first_name: 'Zoe\u0308', last_name: 'Nguye\u0302\u0303n', email: 'zo\u00eb@müller.example' };
  const { id, first_name, last_name } = await asMachine('POST', '/customers', body);
  assert.deepEqual([first_name, last_name], ['Zo\u00eb', 'Nguy\u1ec5n']);
  for (const search of [
    'query=Zoe\u0308',
    'query=zo\u00eb nguye\u0302\u0303n',
    'query=zoe\u0308@mu\u0308ller.example',
    'query=zo\u200b\u00eb@xn--mller-kva.example',
    'autocomplete=ZOE\u0308',
    'autocomplete=zoe\u0308@müller',
  ]) {
    const [name, value] = search.split('=');
    const { results } = await asMachine('GET', `/customers?fields=id&${name}=${encodeURIComponent(value)}`);
    assert.ok(
      results.some((one: { id: number }) => one.id === id),
      search,
    );
  }
});

test('capitals that the database writes small in another way than JavaScript are the same letters', async () => {
  for (const [n, [small, capital]] of [
    ['οδος@example.gr', 'ΟΔΟΣ@example.gr'],
    ['i\u0307pek@example.com', 'İpek@example.com'],
  ].entries()) {
    const customer = await asMachine('POST', '/customers', { first_name: 'Ada', last_name: `${n}`, email: capital });
    assert.equal(customer.email, small);
    const again = { first_name: 'Ada', last_name: 'Again', email: small };
    assert.equal((await world.ask('POST', '/customers', { as: world.machine, body: again })).status, 409, small);
    const entry = await asMachine('POST', '/communication/suppressions', { address: capital });
    const [stopped] = await world.work(world.harbour, ({ tx }) =>
      tx.rows<{ id: number }>(
        sql`SELECT x.id FROM suppression x JOIN customer c ON c.provider_id = x.provider_id
          AND x.address = lower(c.email) WHERE c.provider_id = ${world.harbour} AND c.id = ${customer.id}`,
      ),
    );
    assert.equal(stopped?.id, entry.id, small);
  }
});

test('an account is stored under that spelling and found by every other one', async () => {
  const found = await world.app.db.acrossTenants('a test makes an account', async (tx) => {
    await createUser(tx, { email: OTHERS[0], password: 'walnut harbour seventeen' });
    const emails: (string | undefined)[] = [];
    for (const email of [PLAIN, ...OTHERS]) emails.push((await findAccount(tx, emailKey(email)))?.email);
    return emails;
  });
  assert.deepEqual(found, [PLAIN, PLAIN, PLAIN, PLAIN]);
});
