import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { numberFeedItems } from '../../../kernel/feed/number.ts';
import { presentFeedItem } from '../../../kernel/feed/present.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { addAdjustment } from '../../memberships/customer-memberships/index.ts';
import { seed } from '../../../test/seeds.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

test('what somebody pays is told by the feed to those who may see it, and to no destination of a webhook', async () => {
  const customerMembership = await seed(world, 'customermembership');
  const adjustment = await world.work(world.harbour, (work) =>
    addAdjustment(work, {
      customerMembership,
      type: 'charge',
      amount: 1234,
      reason: 'penalty',
      explanation: 'Two absences.',
      dueOn: '2035-01-01',
      period: null,
    }),
  );
  const payload = {
    membership_adjustment: adjustment,
    customer_membership: customerMembership,
    type: 'charge',
    reason: 'penalty',
    amount: '12.34',
  };
  await numberFeedItems(world.app.db);
  const told = async (as: string) => {
    const list = await world.get('/feed_items?types=membership_adjustment.created', { as });
    assert.equal(list.status, 200, list.text);
    const item = list.body.results.at(-1);
    assert.deepEqual((await world.get(`/feed_items/${item.id}`, { as })).body, item);
    return item.payload;
  };
  assert.deepEqual(await told(world.machine), payload);
  assert.deepEqual(await told(world.staff(['developer', 'revenue'])), payload);
  assert.deepEqual(await told(world.staff(['developer'])), { ...payload, amount: null });
  const item = {
    seq: 1,
    kind: 'membership_adjustment.created',
    object: 'membership_adjustment',
    objectId: adjustment,
    payload,
    occurredAt: world.now,
  };
  assert.equal(presentFeedItem(item, 'UTC', null).payload.amount, null);
});
