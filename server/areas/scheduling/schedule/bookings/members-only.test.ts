import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newCustomers, newEvent } from '../../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let m: MembershipWorld;
before(async () => {
  world = await startWorld();
  m = await MembershipWorld.of(world);
});
after(() => world.close());

const visibility = async (customer_visibility: string) =>
  assert.equal(
    (await world.patch(`/offering_types/${m.offering}`, { as: world.machine, body: { customer_visibility } })).status,
    200,
  );
const ids = async (path: string, as?: string): Promise<number[]> =>
  (await world.get(path, { as })).body.results.map((one: any) => one.id);
const set = (id: number, status: string) =>
  world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE customer_membership SET status = ${status}, ended_at = now() WHERE id = ${id}`),
  );

test('offerings for membership holders are visible to holders of a membership for them, to those with whom it is shared, and to the manager of a child that holds one', async () => {
  await visibility('membership_holders');
  const family = await world.work(
    world.harbour,
    async ({ tx }) =>
      (await tx.one<{ id: number }>(sql`INSERT INTO family (provider_id) VALUES (${world.harbour}) RETURNING id`))!.id,
  );
  const parent = await world.newCustomer({ family_id: family, family_role: 'manager' });
  const child = await world.newCustomer({ family_id: family, family_role: 'child' });
  const [holder, friend, stranger, former] = await newCustomers(world, 4);
  const pack = await m.pack(9);
  const { id } = await m.give(holder, pack);
  await m.share(id, friend);
  await m.give(child, pack);
  await set((await m.give(former, pack)).id, 'completed');
  const event = (await newEvent(world, m.place, { max_occupancy: 9 })).id;
  for (const [who, customer, seen] of [
    ['holder', holder, true],
    ['friend', friend, true],
    ['parent', parent, true],
    ['stranger', stranger, false],
    ['former', former, false],
  ] as const) {
    const as = world.customer(customer);
    assert.equal((await ids('/events', as)).includes(event), seen, who);
    assert.equal((await ids('/offering_types', as)).includes(m.offering), seen, who);
    assert.equal((await world.get(`/events/${event}`, { as })).status, seen ? 200 : 404, who);
    const answer = await book(world, event, customer === parent ? child : customer, as);
    assert.equal(answer.status, seen ? 200 : 404, `${who}: ${answer.text}`);
  }
  assert.deepEqual(
    [(await ids('/events')).includes(event), (await ids('/offering_types')).includes(m.offering)],
    [false, false],
    'visitors',
  );
  await visibility('private');
  assert.equal((await ids('/offering_types', world.customer(holder))).includes(m.offering), false);
  await visibility('public');
});

test('an offering type has the number of memberships for it and the name of the first, among those that the viewer sees', async () => {
  const world2 = await startWorld();
  try {
    const of = await MembershipWorld.of(world2);
    const said = async (as?: string) => {
      const { memberships_count: n, memberships_summary_description: text } = (
        await world2.get(`/offering_types/${of.offering}`, { as })
      ).body;
      return [n, text];
    };
    assert.deepEqual(await said(), [0, '']);
    for (const name of ['Ten', 'Summer', 'Club']) await of.pack(10, { name });
    assert.deepEqual(await said(), [3, 'Ten, Summer and Club']);
    await of.pack(10, { name: 'Staff', visible_to_customers: false });
    const last = await of.pack(10, { name: 'Old' });
    assert.deepEqual(await said(world2.machine), [5, 'Ten, Summer, Club and 2 more']);
    assert.deepEqual(await said(), [4, 'Ten, Summer, Club and 1 more']);
    await world2.post(`/memberships/${last}/archive`, { as: world2.machine });
    assert.deepEqual(await said(world2.machine), [4, 'Ten, Summer, Club and 1 more']);
  } finally {
    await world2.close();
  }
});

test('a request that names a membership is refused with the reason against that one', async () => {
  const [customer, other] = await newCustomers(world, 2);
  const [used, fresh] = [await m.give(customer, await m.pack(1)), await m.give(customer, await m.pack(5))];
  const [first, event] = [(await newEvent(world, m.place)).id, (await newEvent(world, m.place)).id];
  assert.equal(
    (
      await world.post(`/events/${first}/register`, {
        as: world.machine,
        body: { customer, customer_membership: used.id },
      })
    ).status,
    200,
  );
  const explained = async (membership?: number, as = world.machine) =>
    (
      await world.get(
        `/events/${event}/explain?customer=${customer}${membership === undefined ? '' : `&customer_membership=${membership}`}`,
        { as },
      )
    ).body;
  const refused = async (membership?: number) =>
    (await explained(membership)).rules.filter((r: any) => !r.passed).map((r: any) => r.code);
  assert.deepEqual([await refused(), await refused(fresh.id), await refused(used.id)], [[], [], ['allotment_used_up']]);
  assert.equal((await explained(used.id)).can_book, false);
  assert.deepEqual(Object.keys((await explained(999_999)).field_errors), ['customer_membership']);
  const theirs = await m.give(other, await m.pack(5));
  assert.deepEqual(Object.keys((await explained(theirs.id)).field_errors), ['customer_membership']);
});
