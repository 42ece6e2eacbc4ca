import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /customer_registration_blocks': async (world) => ({
    body: { customer: await world.newCustomer(), reason: 'Unpaid damage' },
  }),
  'PUT /customer_registration_blocks/{id}': async (world) => ({
    id: await seed(world, 'customer_registration_block'),
    body: { reason: 'Damaged a boat' },
  }),
  'PATCH /customer_registration_blocks/{id}': async (world) => ({
    id: await seed(world, 'customer_registration_block'),
    body: { is_active: false },
  }),
  'POST /customer_issues': async (world) => ({ body: { customer: await world.newCustomer(), name: 'Knee injury' } }),
};
