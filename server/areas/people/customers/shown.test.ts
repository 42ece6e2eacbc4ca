// Guards against: Staff who read what their work does not need: addresses, birth dates, what people pay
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomUUID } from 'node:crypto';
import { row } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let carer: string;
let desk: string;
before(async () => {
  world = await startWorld();
  carer = world.staff(['customers']);
  desk = world.staff(['attendances', 'manage_events', 'pos', 'developer']);
});
after(() => world.close());

const word = (): string => randomUUID().replaceAll('-', '').replaceAll(/\d/g, 'x').slice(0, 12);
const HIDDEN = [
  'email',
  'date_of_birth',
  'is_opted_into_broadcast_messages',
  'is_opted_into_sms_marketing',
  'sms_account',
  'status',
];

test('contact details and date of birth of a customer are null for staff without the permission, and shown to those with it', async () => {
  const email = `${word()}@example.com`;
  const id = await world.newCustomer({ email, date_of_birth: '1990-05-17' });
  const path = `/customers/${id}?expand=${HIDDEN.slice(1).join()}`;
  const [{ body: theirs }, { body: ours }] = [
    await world.get(path, { as: desk }),
    await world.get(path, { as: carer }),
  ];
  assert.deepEqual(
    HIDDEN.map((name) => [name, theirs[name]]),
    HIDDEN.map((name) => [name, null]),
  );
  assert.deepEqual([theirs.id, theirs.first_name, theirs.last_name], [id, ours.first_name, ours.last_name]);
  assert.deepEqual([ours.email, ours.date_of_birth, ours.is_opted_into_sms_marketing], [email, '1990-05-17', false]);
  const named = await world.get(`/customers/${id}?fields=email,date_of_birth`, { as: desk });
  assert.deepEqual(named.body, { email: null, date_of_birth: null });
  const xml = await world.get(`${path}&format=xml`, { as: desk });
  // Random ids, ports and names may contain the same digits.
  assert.ok(!xml.text.includes(email) && !/\b1990\b/.test(xml.text));
  const { text } = await world.get(`/customers?ids=${id}&expand=date_of_birth`, { as: desk });
  assert.ok(!text.includes(email));
});

test('customers see their own properties and their family’s', async () => {
  const family = await row(world, 'family', {});
  const email = `${word()}@example.com`;
  const parent = await world.newCustomer({ email, family_id: family, family_role: 'manager' });
  const child = await world.newCustomer({ family_id: family, family_role: 'child', date_of_birth: '2015-01-02' });
  const seen = async (id: number) =>
    (await world.get(`/customers/${id}?expand=date_of_birth`, { as: world.customer(parent) })).body;
  assert.deepEqual([(await seen(parent)).email, (await seen(child)).date_of_birth], [email, '2015-01-02']);
});

test('nobody finds a customer by hidden properties: not by address, not by age, and not by the order', async () => {
  const [last, box] = [word(), word()];
  const id = await world.newCustomer({
    first_name: 'Zuzana',
    last_name: last,
    email: `${box}@example.com`,
    date_of_birth: '1931-02-03',
  });
  const finds = async (query: string, as: string) => {
    const { body, text } = await world.get(`/customers?${query}`, { as });
    assert.ok(Array.isArray(body.results), text);
    assert.equal(body.count, body.results.length);
    return body.results.some((c: { id: number }) => c.id === id);
  };
  for (const query of [
    `query=${box}`,
    `autocomplete=${box}`,
    `query=${last}%20${box}`,
    `query=zuzana%20${last}%20example`,
    'age_gte=94',
    'age_lte=120&age_gte=94',
  ]) {
    assert.equal(await finds(query, carer), true, query);
    assert.equal(await finds(query, desk), false, query);
  }
  for (const query of [`query=${last}`, `query=zuz%20${last}`, `autocomplete=${last}`, 'autocomplete=zuzana']) {
    assert.equal(await finds(query, desk), true, query);
  }
  assert.equal(await finds(`query=${box}`, world.customer(id)), true);
});

test('the version tag of a record changes only with visible properties, so that nobody learns of hidden changes', async () => {
  const id = await world.newCustomer();
  const tag = async (as: string) => (await world.get(`/customers/${id}`, { as })).headers.get('etag');
  const [theirs, ours] = [await tag(desk), await tag(carer)];
  assert.notEqual(theirs, ours);
  const change = (version: string) =>
    world.patch(`/customers/${id}`, { as: carer, body: { last_name: word() }, headers: { 'if-match': version } });
  assert.equal((await change(theirs!)).body.code, 'version_mismatch');
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE customer SET email = ${`${word()}@example.com`} WHERE provider_id = ${world.harbour} AND id = ${id}`,
    ),
  );
  assert.equal(await tag(desk), theirs);
  assert.notEqual(await tag(carer), ours);
  assert.equal((await change((await tag(carer))!)).status, 200);
});
