import { randomUUID } from 'node:crypto';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /instructors': async (world) => ({
    body: {
      staff: (
        await world.post('/staff', {
          as: world.machine,
          body: { first_name: 'Kim', last_name: 'Reyes', email: `${randomUUID()}@example.com` },
        })
      ).body.id,
    },
  }),
};
