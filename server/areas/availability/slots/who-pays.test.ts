/** The customers for whom times are booked, and how they are paid for. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bookSlot, newPractice, slotsOf } from '../../../test/worlds/slot-world.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { row } from '../../../test/schedule-world.ts';
import { startWorld } from '../../../test/world.ts';

const world = await startWorld();
after(() => world.close());
const as = world.machine;

test('a parent books a time for their child, which is the child’s own, and a child can’t book for anybody else', async () => {
  const practice = await newPractice(world);
  const family = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id: family, family_role: 'manager' });
  const child = await world.newCustomer({ family_id: family, family_role: 'child' });
  const [first, second] = await slotsOf(world, practice, {}, world.customer(parent));
  const booked = await bookSlot(world, first.id, child, world.customer(parent));
  assert.equal(booked.status, 200, booked.text);
  const { body } = await world.get(`/attendances/${booked.body.attendance}`, { as: world.customer(parent) });
  assert.deepEqual([body.customer, body.event, body.status], [child, booked.body.event, 'registered']);
  const refused = await bookSlot(world, second.id, parent, world.customer(child));
  assert.ok(refused.status >= 400, refused.text);
  assert.equal(
    (await bookSlot(world, second.id, await world.newCustomer(), world.customer(parent))).status >= 400,
    true,
  );
  assert.equal((await slotsOf(world, practice)).length, 7, 'what is refused takes no time');
});

test('a membership that covers it pays for a time, and otherwise the slot and the refusal say why not', async () => {
  const practice = await newPractice(world);
  const m = new MembershipWorld(world, practice, await row(world, 'membership_category', { name: 'Passes' }));
  const elsewhere = await newPractice(world);
  const other = new MembershipWorld(world, elsewhere, await row(world, 'membership_category', { name: 'Others' }));
  const customer = await world.newCustomer();
  const [first, second] = await slotsOf(world, practice);
  const payment = async (slot: string) => {
    const { body } = await world.get(`/slots/${slot}?customer=${customer}`, { as });
    return [body.customer_membership, ...body.restriction_codes];
  };
  const pack = await m.pack(1);
  await other.give(customer, await other.pack(3));
  const uncovered = await bookSlot(world, first.id, customer);
  assert.deepEqual(uncovered.body.code, 'membership_does_not_cover');
  assert.deepEqual(await payment(first.id), [null, 'membership_does_not_cover']);
  const { id: held } = await m.give(customer, pack);
  assert.deepEqual(await payment(first.id), [held]);
  const booked = await bookSlot(world, first.id, customer);
  assert.equal(booked.status, 200, booked.text);
  const { body } = await world.get(`/attendances/${booked.body.attendance}`, { as });
  assert.equal(body.customer_membership, held);
  assert.equal(await m.used(held), 1);
  assert.equal((await bookSlot(world, second.id, customer)).body.code, 'allotment_used_up');
  assert.deepEqual(await payment(second.id), [null, 'allotment_used_up']);
  await world.post(`/events/${booked.body.event}/unregister`, { as, body: { customer } });
  assert.equal(await m.used(held), 0, 'cancelled in time, the use is given back');
});
