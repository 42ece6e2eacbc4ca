import assert from 'node:assert/strict';
import { bookedDates, newWeekly, reserve } from './world.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const allow = (world: World) =>
  world.patch('/recurring_reservations/settings', {
    as: world.machine,
    body: { customers_can_create: true, customers_max_weeks: null },
  });

async function asked(world: World): Promise<Call> {
  await allow(world);
  const [{ first }, customer] = [await newWeekly(world, { weeks: 2 }), await world.newCustomer()];
  return { customer, body: { customer, event: first, times: 1 } };
}

async function made(world: World, over: Record<string, unknown> = {}): Promise<Call & { id: number }> {
  const { customer, body } = await asked(world);
  const { body: made, status, text } = await reserve(world, { ...body, ...over });
  assert.equal(status, 201, text);
  return { id: made.id, customer, body: {} };
}

export const CALLS: Calls = {
  'POST /recurring_reservations': asked,
  'POST /recurring_reservations/preview': asked,
  'PATCH /recurring_reservations/{id}': async (world) => ({ ...(await made(world)), body: { times: 2 } }),
  'POST /recurring_reservations/{id}/end': (world) => made(world),
  // A place was freed at the full event.
  'POST /recurring_reservations/{id}/try_again': async (world) => {
    await allow(world);
    const weekly = await newWeekly(world, { weeks: 1, max_occupancy: 1 });
    const [customer, other] = [await world.newCustomer(), await world.newCustomer()];
    await world.post(`/events/${weekly.first}/register`, { as: world.machine, body: { customer: other } });
    const { body } = await reserve(world, { customer, event: weekly.first });
    await world.post(`/events/${weekly.first}/unregister`, { as: world.machine, body: { customer: other } });
    assert.deepEqual(await bookedDates(world, weekly, customer), []);
    return { id: body.id, customer, body: {} };
  },
  'PATCH /recurring_reservations/settings': async (world) => {
    const { body } = await world.get('/recurring_reservations/settings', { as: world.machine });
    return { body: { customers_max_weeks: (body.customers_max_weeks ?? 0) + 1 } };
  },
};

export const CHANGES_NOTHING: Readonly<Record<string, string>> = {
  'POST /recurring_reservations/preview': 'it shows what would be booked, and books nothing',
};
