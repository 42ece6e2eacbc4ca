import { bookSlot, newPractice, slotsOf } from '../../../../test/worlds/slot-world.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { Queries } from '../../../../test/matrix/cases.ts';
import type { World } from '../../../../test/world.ts';

/** A free time, and somebody who could book it. */
async function free(world: World) {
  const practice = await newPractice(world);
  const [slot] = await slotsOf(world, practice);
  return { params: { id: slot.id }, customer: await world.newCustomer() };
}

export const CALLS: Calls = {
  'POST /slots/{id}/register': async (world) => {
    const { params, customer } = await free(world);
    return { params, customer, body: { customer } };
  },
  'POST /events/{id}/reschedule': async (world) => {
    const practice = await newPractice(world);
    const [first, second] = await slotsOf(world, practice);
    const customer = await world.newCustomer();
    const { body } = await bookSlot(world, first.id, customer);
    return { id: body.event, customer, body: { slot: second.id } };
  },
  'PUT /slots/settings': async () => ({ body: { daily_limit: 9 } }),
  'PATCH /slots/settings': async () => ({ body: { horizon_days: 60 } }),
};

export const QUERIES: Queries = {
  'GET /slots': async (world) => ({ offering_type: String((await newPractice(world)).offering) }),
  'GET /instructors/{id}/availability': async (world) => ({
    offering_type: String((await newPractice(world)).offering),
  }),
};
