import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newCustomers, newEvent, newPlace, row, type Place } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { StatementCount } from '../../../../test/statement-count.ts';

const counted = new StatementCount();
let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
after(async () => {
  counted.stop();
  await world.close();
});

const check = (body: object, as = world.machine) => world.post('/registration_eligibility/check', { as, body });

test('each customer gets the verdict that a booking would give them', async () => {
  const event = await newEvent(world, place, { max_occupancy: 2 });
  const [booked, free, blocked] = await newCustomers(world, 3);
  const manager = await world.newCustomer();
  await world.put(`/customers/${manager}/participation`, { as: world.machine, body: { participating: false } });
  await book(world, event.id, booked);
  await row(world, 'customer_registration_block', { customer_id: blocked, reason: 'Unpaid damage' });
  const { status, text, body } = await check({ event: event.id, customers: [booked, free, blocked, manager] });
  assert.equal(status, 200, text);
  assert.deepEqual(
    body.results.map(({ customer, code, current_status }: any) => [customer, code, current_status]),
    [
      [booked, null, 'registered'],
      [free, null, 'not_registered'],
      [blocked, 'registration_blocked', 'not_registered'],
      [manager, 'customer_not_participating', 'not_registered'],
    ],
  );
  for (const { customer, code, message } of body.results.slice(1)) {
    const answer = await book(world, event.id, customer);
    assert.deepEqual([answer.body.code ?? null, answer.body.message ?? null], [code, message]);
  }
});

test('customers check themselves and their children, in words for them', async () => {
  const family = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id: family, family_role: 'manager' });
  const child = await world.newCustomer({ family_id: family, family_role: 'child' });
  const [stranger] = await newCustomers(world, 1);
  const event = await newEvent(world, place);
  await row(world, 'customer_registration_block', { customer_id: child, reason: 'Unpaid damage' });
  const as = world.customer(parent);
  assert.equal((await check({ event: event.id }, as)).body.results[0].can_book, true);
  const { body } = await check({ event: event.id, customers: [child] }, as);
  assert.equal(body.results[0].message, "This profile can't book at the moment. Contact the business.");
  assert.equal((await check({ event: event.id, customer: stranger }, as)).status, 404);
  assert.equal((await check({ event: event.id, customer: parent, customers: [child] })).status, 400);
});

test('a roster of 40 takes as few statements as one customer', async () => {
  const event = await newEvent(world, place, { max_occupancy: 50 });
  const customers = await newCustomers(world, 40);
  const spent = async (of: number[]) => {
    const all = [];
    for (let n = 0; n < 3; n++)
      all.push(await counted.spent(async () => void (await check({ event: event.id, customers: of }))));
    return Math.min(...all.map(({ statements }) => statements));
  };
  // Three of them open and end the transaction. The others check the event, and read it and the customers.
  assert.deepEqual([await spent(customers), await spent(customers.slice(0, 1))], [6, 6]);
});
