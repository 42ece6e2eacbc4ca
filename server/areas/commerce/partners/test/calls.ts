import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /partners': async () => ({ body: { kind: 'booking_platform', name: 'Platform' } }),
  'PUT /partners/{id}': async (world) => ({ id: await seed(world, 'partner'), body: { name: 'Other platform' } }),
  'PATCH /partners/{id}': async (world) => ({ id: await seed(world, 'partner'), body: { places_per_event: 3 } }),
  'POST /partners/{id}/rotate_secret': async (world) => ({ id: await seed(world, 'partner'), body: {} }),
  'POST /partners/{id}/messages': async (world) => {
    const id = await seed(world, 'partner');
    await world.patch(`/partners/${id}`, { as: world.machine, body: { venue: null } });
    const person = { id: 'p-1', first_name: 'Ada', last_name: 'Byron' };
    return { id, body: { type: 'booking.requested', event: await seed(world, 'event'), person } };
  },
};
