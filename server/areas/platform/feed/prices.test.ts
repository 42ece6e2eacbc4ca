// Guards against: Staff who read what their work does not need: addresses, birth dates, what people pay
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { numberFeedItems } from '../../../kernel/work/feed/number.ts';
import { presentFeedItem } from '../../../kernel/work/feed/present.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { addEntry, accountReasons } from '../../money/account-entries/index.ts';
import { seed } from '../../../test/seeds.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

test('the feed shows prices to those who may see them, and to no webhook destination', async () => {
  const [customer, owned] = [await world.newCustomer(), await seed(world, 'customermembership')];
  const entry = await world.work(world.harbour, (work) =>
    addEntry(work, {
      customer,
      kind: 'charge',
      amount: 1234,
      reason: accountReasons.items.find(({ name }) => name === 'reactivation')!,
      subject: owned,
      customerMembership: owned,
      explanation: 'The rest of the month.',
      dueOn: '2035-01-01',
      period: null,
    }),
  );
  const payload = {
    account_entry: entry,
    customer,
    customer_membership: owned,
    subject: { object: 'customermembership', id: owned },
    kind: 'charge',
    reason: 'reactivation',
    amount: '12.34',
  };
  // One round numbers a limited batch, and other files of the process may have left items.
  while ((await numberFeedItems(world.app.db)) > 0);
  const told = async (as: string) => {
    const list = await world.get('/feed_items?types=account_entry.created', { as });
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
    kind: 'account_entry.created',
    object: 'account_entry',
    objectId: entry,
    payload,
    occurredAt: world.now,
  };
  assert.equal(presentFeedItem(item, 'UTC', (permissions) => permissions.includes('developer')).payload.amount, null);
});
