import { seed } from '../../../../test/seeds.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

async function ofThemselves(world: World, body: Call['body']): Promise<Call> {
  const id = await seed(world, 'customer');
  return { id, customer: id, body };
}

export const CALLS: Calls = {
  // Some properties are for staff only.
  'PUT /customers/{id}': (world) =>
    ofThemselves(world, { first_name: 'Ada', last_name: 'King', visibility: 'visible' }),
  'PATCH /customers/{id}': (world) => ofThemselves(world, { last_name: 'King' }),
};
