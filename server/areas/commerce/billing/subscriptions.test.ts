/** Payment subscriptions of recurring plans, and the method that is charged. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BillingWorld } from './test/world.ts';
import { startWorld } from '../../../test/world.ts';

let b: BillingWorld;
before(async () => {
  b = await BillingWorld.of(await startWorld());
});
after(() => b.close());

test('a recurring plan has one payment subscription from its sale on, which shows the method charged next', async () => {
  const { customer, id } = await b.member();
  const one = await b.subscriptionOf(id);
  const owned = await b.read(`/customer_memberships/${id}`);
  assert.equal(owned.payment_subscription, one.id);
  assert.deepEqual(
    [one.plan, one.start_date, one.end_date, one.payment_method, one.retry_count],
    [owned.payment_plan, owned.start_date, owned.expiration_date, null, 0],
  );
  const first = await b.card(customer);
  assert.equal((await b.subscriptionOf(id)).payment_method, first);
  const second = await b.card(customer);
  assert.equal((await b.subscriptionOf(id)).payment_method, second, 'the newest one, while none was chosen');
  await b.patch(`/payment_subscriptions/${one.id}`, { payment_method: first });
  assert.equal((await b.subscriptionOf(id)).payment_method, first);
  await b.done('DELETE', `/payment_methods/${first}`);
  assert.equal((await b.subscriptionOf(id)).payment_method, second, 'one that was deleted is passed over');
});

test('a pack has no payment subscription', async () => {
  const customer = await b.world.newCustomer();
  const { id } = await b.m.give(customer, await b.m.pack(5));
  assert.equal((await b.read(`/customer_memberships/${id}`)).payment_subscription, null);
});

test('a manager of the family pays for the children, and only a method that the family has saved can be chosen', async () => {
  const { parent, child } = await b.family();
  const { id } = await b.member({ customer: child });
  const theirs = await b.card(parent);
  const one = await b.subscriptionOf(id);
  assert.equal(one.payment_method, theirs);
  const stranger = await b.card(await b.world.newCustomer());
  const path = `/payment_subscriptions/${one.id}`;
  const refused = await b.refused('PATCH', path, { payment_method: stranger });
  assert.match(refused.field_errors.payment_method[0], /the customer or their family/);
  await b.patch(path, { payment_method: theirs }, b.world.customer(parent));
  assert.equal((await b.refused('PATCH', path, { payment_method: null }, b.world.customer(child))).status, 403);
  const foreign = b.world.customer(await b.world.newCustomer());
  assert.equal((await b.refused('GET', path, undefined, foreign)).status, 404);
});
