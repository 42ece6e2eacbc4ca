import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import { row } from '../../../../test/schedule-world.ts';

const LONG_AGO = new Date(0).toISOString();

export const SEEDS: Seeds = {
  policy: async (world, providerId) => {
    const policy_id = await row(
      world,
      'policy',
      { name: name('Terms'), at_signup: true, at_purchase: true },
      providerId,
    );
    await row(world, 'policy_version', { policy_id, text: 'Be on time.', effective_at: LONG_AGO }, providerId);
    return policy_id;
  },
  policy_version: async (world, providerId) =>
    row(
      world,
      'policy_version',
      { policy_id: await seed(world, 'policy', providerId), text: 'Be early.', effective_at: LONG_AGO },
      providerId,
    ),
  policy_agreement: async (world, providerId) => {
    const policy_id = await seed(world, 'policy', providerId);
    return row(
      world,
      'policy_agreement',
      {
        policy_id,
        policy_version_id: await row(
          world,
          'policy_version',
          { policy_id, text: 'Be early.', effective_at: LONG_AGO },
          providerId,
        ),
        customer_id: await seed(world, 'customer', providerId),
        by_customer_id: await seed(world, 'customer', providerId),
        by_staff_id: await seed(world, 'staff', providerId),
        agreed_at: LONG_AGO,
      },
      providerId,
    );
  },
};
