import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  book,
  feedEnd,
  feedSince,
  iso,
  newCustomers,
  newEvent,
  newPlace,
  type Place,
} from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

const HOUR = 3_600_000;

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
after(() => world.close());

const block = async (customer: number, more: object = {}) => {
  const body = { customer, reason: 'Damaged a boat and left', ...more };
  const made = await world.post('/customer_registration_blocks', { as: world.machine, body });
  assert.equal(made.status, 201, made.text);
  return made.body;
};
const lift = (id: number, body: object = { is_active: false }) =>
  world.patch(`/customer_registration_blocks/${id}`, { as: world.machine, body });

test('a blocked customer is refused in words for them, and books again once the block is lifted', async () => {
  const me = await world.newCustomer();
  const as = world.customer(me);
  const event = await newEvent(world, place);
  const from = await feedEnd(world);
  const made = await block(me);
  assert.deepEqual([made.is_active, made.ends_at, made.deactivated_at], [true, null, null]);
  const refused = await book(world, event.id, me, as);
  assert.deepEqual([refused.status, refused.body.code], [400, 'registration_blocked']);
  assert.equal(refused.body.message, "This profile can't book at the moment. Contact the business.");
  assert.doesNotMatch(refused.text, /boat/);
  const byStaff = await book(world, event.id, me);
  assert.match(byStaff.body.message, /Lift the block first/);
  const { body: why } = await world.get(`/events/${event.id}/explain?customer=${me}`, { as: world.machine });
  assert.deepEqual(
    why.rules.filter((rule: any) => !rule.passed).map((rule: any) => rule.code),
    ['registration_blocked'],
  );
  const lifted = await lift(made.id);
  assert.deepEqual([lifted.body.is_active, lifted.body.deactivated_at !== null], [false, true]);
  assert.equal((await book(world, event.id, me, as)).status, 200);
  const kinds = (await feedSince(world, from)).map(({ kind }) => kind).filter((kind) => kind.includes('block'));
  assert.deepEqual(kinds, ['customer_registration_block.created', 'customer_registration_block.updated']);
});

test('a block ends at its time, and what was booked before stays', async () => {
  const [customer] = await newCustomers(world, 1);
  const [early, late] = [await newEvent(world, place), await newEvent(world, place)];
  assert.equal((await book(world, early.id, customer)).status, 200);
  const made = await block(customer, { ends_at: iso(world.now + HOUR) });
  assert.equal((await book(world, late.id, customer)).body.code, 'registration_blocked');
  const there = await world.get(`/attendances?event=${early.id}&fields=status`, { as: world.machine });
  assert.deepEqual(there.body.results, [{ status: 'registered' }]);
  world.setNow(world.now + HOUR);
  assert.equal((await book(world, late.id, customer)).status, 200);
  const { body } = await world.get(`/customer_registration_blocks/${made.id}`, { as: world.machine });
  assert.deepEqual([body.is_active, Date.parse(body.deactivated_at)], [false, Date.parse(made.ends_at)]);
});

test('customers see that they are blocked and until when, and neither the reason nor who set it', async () => {
  const me = await world.newCustomer();
  const as = world.customer(me);
  await block(me);
  const query = `/customers/${me}/account_status?fields=id,registration_block&expand=registration_block`;
  const { body } = await world.get(query, { as });
  assert.deepEqual([body.registration_block.is_active, body.registration_block.reason], [true, null]);
  assert.equal(
    (await world.get(query, { as: world.machine })).body.registration_block.reason,
    'Damaged a boat and left',
  );
  const [other] = await newCustomers(world, 1);
  assert.equal((await world.get(`/customers/${other}/account_status`, { as })).status, 404);
  const listed = await world.get(`/customer_registration_blocks?customer=${me}&is_active=true`, { as: world.machine });
  assert.equal(listed.body.count, 1);
});

test('a customer has one active block, and a lifted one can be applied again', async () => {
  const [customer] = await newCustomers(world, 1);
  const first = await block(customer);
  const body = { customer, reason: 'Again' };
  const twice = await world.post('/customer_registration_blocks', { as: world.machine, body });
  assert.equal(twice.body.code, 'already_exists');
  await lift(first.id);
  const second = await block(customer, { ends_at: iso(world.now + HOUR) });
  assert.equal((await lift(first.id, { is_active: true })).body.code, 'already_exists');
  await lift(second.id);
  assert.equal((await lift(first.id, { is_active: true })).body.is_active, true);
});

test('an end must be in the future', async () => {
  const [customer] = await newCustomers(world, 1);
  const body = { customer, reason: 'Late', ends_at: iso(world.now) };
  const { status, text } = await world.post('/customer_registration_blocks', { as: world.machine, body });
  assert.equal(status, 400);
  assert.match(text, /lift it/);
});
