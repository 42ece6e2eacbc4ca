import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /customers/{id}/erase': async (world) => ({ id: await seed(world, 'customer'), body: {} }),
};
