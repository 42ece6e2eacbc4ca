import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /webhook_destinations/{id}/resume': async (world) => {
    const id = await seed(world, 'webhook_destination');
    await world.post(`/webhook_destinations/${id}/pause`, { as: world.machine, body: {} });
    return { id, body: {} };
  },
};
