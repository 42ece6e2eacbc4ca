import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'PATCH /offering_types/ordering': async (world) => ({
    body: { offering_types: [await seed(world, 'offering_type'), await seed(world, 'offering_type')] },
  }),
  'POST /registration_timelines': async () => ({ body: { name: 'Early', audience_type: 'everyone' } }),
  'PUT /registration_timelines/{id}': async (world) => ({
    id: await seed(world, 'registration_timeline'),
    body: { name: 'Another', audience_type: 'everyone' },
  }),
  'PATCH /registration_timelines/{id}': async (world) => ({
    id: await seed(world, 'registration_timeline'),
    body: { name: 'Another' },
  }),
};
