import { newEvent, newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { newPractice, slotsOf } from '../../../../test/worlds/slot-world.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

async function body(world: World) {
  const customer = await seed(world, 'customer');
  await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { domains: ['shop.example.com'] } });
  return { customer, return_to: 'https://shop.example.com/back' };
}

export const CALLS: Calls = {
  'POST /memberships/{id}/initiate_purchase': async (world) => {
    const sent = await body(world);
    return { id: await seed(world, 'membership'), customer: sent.customer, body: sent };
  },
  'POST /checkouts/{id}/page': async (world) => {
    const id = await seed(world, 'checkout');
    const { customer } = (await world.get(`/checkouts/${id}`, { as: world.machine })).body;
    return { id, customer, body: {} };
  },
  'POST /slots/{id}/initiate_purchase': async (world) => {
    const practice = await newPractice(world, { dropin_price_minor: 6000 });
    const [{ id }] = await slotsOf(world, practice);
    const sent = await body(world);
    return { params: { id }, customer: sent.customer, body: sent };
  },
  'POST /events/{id}/initiate_purchase': async (world) => {
    const place = { venue: await newVenue(world), offering: await newOffering(world, { dropin_price_minor: 1500 }) };
    const sent = await body(world);
    return { id: (await newEvent(world, place)).id, customer: sent.customer, body: sent };
  },
};
