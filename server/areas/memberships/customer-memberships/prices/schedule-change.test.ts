/** Price changes from a later day, over HTTP: announced, applied on their day, listed and cancelled. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applyDue } from './schedule-change.ts';
import { newCustomers } from '../../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { until } from '../../../../test/storm.ts';

let world: World;
let m: MembershipWorld;
before(async () => {
  world = await startWorld({ worker: true });
  m = await MembershipWorld.of(world);
  world.setNow(Date.parse('2026-02-15T15:00Z'));
});
after(() => world.close());

const read = async (path: string) => (await world.get(path, { as: world.machine })).body;
const post = (path: string, body: object, query = '') =>
  world.post(`/membership_price_changes${path}${query}`, { as: world.machine, body });
const priceOf = async (id: number): Promise<string> => (await read(`/customer_memberships/${id}`)).billed_price.string;

/** Waits until a bulk action has processed everything. */
const done = async (action: number): Promise<void> => {
  const { job } = await read(`/bulk_actions/${action}`);
  await until('the action is done', async () => {
    const { total_items, complete_items } = await read(`/jobs/${job}`);
    return total_items === complete_items;
  });
};

const notices = (customer: number): Promise<string[]> =>
  world.work(world.harbour, async ({ tx }) =>
    (
      await tx.rows<{ kind: string }>(
        sql`SELECT kind FROM message WHERE provider_id = ${world.harbour} AND customer_id = ${customer} ORDER BY id`,
      )
    ).map(({ kind }) => kind),
  );

async function holders(n: number): Promise<{ membership: number; owned: any[] }> {
  const { membership } = await m.recurring();
  const owned = [];
  for (const customer of await newCustomers(world, n))
    owned.push(await m.give(customer, membership, { start_date: '2026-01-31' }));
  return { membership, owned };
}

const days = (count: number) => world.setNow(world.now + count * 86_400_000);

test('holders are notified in advance, and their billing periods have the new price from that day on', async () => {
  const { membership, owned } = await holders(2);
  const body = { membership, billed_price: '45.00', applies_on: '2026-04-01', message: 'Two more rooms.' };
  const preview = await post('', body, '?dry_run=true');
  assert.equal(preview.status, 200, preview.text);
  const of = (kind: string) => preview.body.effects.find(({ effect }: any) => effect === kind).detail;
  assert.equal(of('price_changed').from, '2026-04-30');
  assert.deepEqual(of('message_sent'), { type: 'membership_price_changes', people: 2 });
  assert.equal((await read(`/membership_price_changes?membership=${membership}`)).count, 0);

  const { status, body: change, text } = await post('', body);
  assert.equal(status, 201, text);
  assert.deepEqual([change.status, change.billed_price, change.price_edit], ['scheduled', '45.00', null]);
  await done(change.announcement);
  // Somebody who joins afterwards was not notified, and keeps the price that they agree to.
  const [late] = await newCustomers(world, 1);
  const joined = await m.give(late, membership, { start_date: '2026-02-15' });
  assert.equal(await priceOf(owned[0].id), '40.00');
  assert.equal((await post('', body)).body.code, 'already_exists');

  days(43);
  await world.work(world.harbour, applyDue);
  assert.equal((await read(`/membership_price_changes/${change.id}`)).status, 'scheduled');
  days(1);
  await world.work(world.harbour, applyDue);
  const applied = await read(`/membership_price_changes/${change.id}`);
  assert.equal(applied.status, 'applied');
  await done(applied.price_edit);
  assert.deepEqual(await Promise.all(owned.map(({ id }) => priceOf(id))), ['45.00', '45.00']);
  assert.equal(await priceOf(joined.id), '40.00');
  assert.equal((await post(`/${change.id}/cancel`, {})).status, 409);
});

test('a cancelled change never applies, and the people who were notified of it are notified again', async () => {
  const { membership, owned } = await holders(1);
  const applies_on = new Date(world.now + 40 * 86_400_000).toISOString().slice(0, 10);
  const { body: change } = await post('', { membership, change: { percent: 10 }, applies_on });
  assert.equal(change.percent, 10, JSON.stringify(change));
  await done(change.announcement);
  assert.equal((await post(`/${change.id}/cancel`, {})).body.status, 'cancelled');
  await until('both messages are there', async () => (await notices(owned[0].customer)).length >= 2);
  assert.deepEqual((await notices(owned[0].customer)).slice(-2), [
    'membership_price_changes',
    'membership_price_stays',
  ]);
  days(60);
  await world.work(world.harbour, applyDue);
  assert.equal(await priceOf(owned[0].id), '40.00');
});

test('a change needs a later day, a holder and a price', async () => {
  const { membership } = await holders(1);
  const good = { membership, billed_price: '45.00', applies_on: '2030-01-01' };
  for (const [over, field] of [
    [{ applies_on: '2026-02-15' }, 'applies_on'],
    [{ billed_price: undefined }, 'billed_price'],
    [{ membership: (await m.recurring()).membership }, 'membership'],
  ] as const) {
    const refused = await post('', { ...good, ...over });
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, [field]], refused.text);
  }
});
