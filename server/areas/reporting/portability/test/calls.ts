import { makeTestBusiness } from '../../../../test/worlds/test-business.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /providers/{id}/discard': async (world) => {
    await makeTestBusiness(world);
    const { name } = (await world.get(`/providers/${world.harbour}`, { as: world.machine })).body;
    return { id: world.harbour, body: { name } };
  },
  'POST /providers/{id}/go_live': async (world) => {
    await makeTestBusiness(world);
    return { id: world.harbour, body: {} };
  },
  'POST /customers/{id}/erase': async (world) => ({ id: await seed(world, 'customer'), body: {} }),
};
