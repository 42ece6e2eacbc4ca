import { row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';

/** Each on a day of its own, at a venue of its own: a venue is closed once on a day. */
export const SEEDS: Seeds = {
  business_closure: async (world, providerId) =>
    row(
      world,
      'business_closure',
      {
        closure_date: '2031-12-25',
        venue_id: await seed(world, 'venue', providerId),
        reason: 'We are closed for the holidays.',
        bulk_action_id: await seed(world, 'bulk_action', providerId),
      },
      providerId,
    ),
};
