/** The page of a purchase as people meet it, in a real browser without JavaScript. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MembershipWorld } from '../../../../test/membership-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { TestBrowser } from '../../../../test/browser.ts';

let world: World;
let browser: TestBrowser;
let m: MembershipWorld;
before(async () => {
  world = await startWorld();
  browser = await TestBrowser.start(world.url);
  m = await MembershipWorld.of(world);
  await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { name: 'Harbour', branding: { color: '#0f766e' }, domains: ['shop.example.com'] },
  });
});
after(async () => {
  await browser?.close();
  await world?.close();
});

async function addressOf(membership: number): Promise<string> {
  const customer = await world.newCustomer({ first_name: 'Grace' });
  const made = await world.post(`/memberships/${membership}/initiate_purchase`, {
    as: world.machine,
    body: { customer, return_to: 'https://shop.example.com/back' },
  });
  assert.equal(made.status, 200, made.text);
  return made.body.next_url.slice(world.url.length);
}

test('somebody sees what it is, what it costs and the terms, and is told to agree to them', async () => {
  const membership = await m.pack(3, { name: 'Try us', description: 'Three times.\n\nOn us.', one_time_fee: '0.00' });
  const [terms] = (await world.get(`/membership_terms?membership=${membership}`, { as: world.machine })).body.results;
  await world.patch(`/membership_terms/${terms.id}`, {
    as: world.machine,
    body: { base_terms: 'Be kind.\n\nBe on time.' },
  });
  const visitor = await browser.visitor();
  await visitor.open(await addressOf(membership));
  assert.match(await visitor.text(), /Try us[^]*Grace[^]*Free[^]*Three times\.[^]*Be kind\./);
  await visitor.checkAccessible('purchase');
  await visitor.submit('Get it');
  assert.match(await visitor.text(), /Agree to the terms to continue/);
  await visitor.checkAccessible('purchase-disagreed');
  await visitor.close();
});

test('what has a price says that it is paid at the desk', async () => {
  const visitor = await browser.visitor();
  await visitor.open(await addressOf(await m.pack(10)));
  assert.match(await visitor.text(), /Pack of 10[^]*\$120\.00[^]*at the desk/i);
  await visitor.checkAccessible('purchase-at-desk');
  await visitor.close();
});
