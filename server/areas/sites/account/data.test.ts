import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

test('people download what the business has about them, and strangers are asked to log in', async () => {
  const member = await newMember(world);
  const customer = await makeCustomer(world, member);
  const note = { customer, text: 'Not for the customer' };
  assert.equal((await world.post('/customer_notes', { as: world.machine, body: note })).status, 201);
  const at = (path: string) => `/account/${world.harbour}/${path}`;
  const visitor = new PageClient(world.url);
  assert.equal((await visitor.get(at('profile/data'))).status, 303);
  await visitor.get(at('log-in'));
  await visitor.post(at('log-in'), { email: member.email, password: PASSWORD });
  assert.match((await visitor.get(at('profile/settings'))).text, /href="[^"]*profile\/data">Download your data</);
  const { status, headers, text } = await visitor.get(at('profile/data'));
  assert.equal(status, 200, text);
  assert.match(headers.get('content-disposition') ?? '', new RegExp(`filename="personal-data-${customer}\\.json"`));
  const data = JSON.parse(text);
  assert.deepEqual(
    data.profile.map((one: any) => [one.id, one.email]),
    [[customer, member.email]],
  );
  assert.ok(!text.includes('Not for the customer'));
});
