import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import { row } from '../../../../test/schedule-world.ts';

export const SEEDS: Seeds = {
  customer_registration_block: async (world, providerId) =>
    row(
      world,
      'customer_registration_block',
      {
        customer_id: await seed(world, 'customer', providerId),
        reason: 'Unpaid damage',
        set_by_id: await seed(world, 'staff', providerId),
        lifted_by_id: await seed(world, 'staff', providerId),
      },
      providerId,
    ),
  customer_issue: async (world, providerId) =>
    row(
      world,
      'customer_issue',
      {
        customer_id: await seed(world, 'customer', providerId),
        name: name('Knee injury'),
        importance: 'flag_on_profile',
      },
      providerId,
    ),
};
