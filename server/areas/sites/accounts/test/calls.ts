import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /memberships/{id}/initiate_purchase': async (world) => {
    const [id, customer] = [await seed(world, 'membership'), await seed(world, 'customer')];
    await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { domains: ['shop.example.com'] } });
    return { id, customer, body: { customer, return_to: 'https://shop.example.com/back' } };
  },
};

export const CHANGES_NOTHING: Record<string, string> = {
  'POST /memberships/{id}/initiate_purchase': 'nothing is bought yet: it only opens a page',
};
