import { row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';

/** Each on a separate day at a separate venue: a venue can be closed only once on a day. */
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
