import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /business_closures/bulk_close': async (world) => ({
    body: { dates: ['2032-01-01'], venues: [await seed(world, 'venue')] },
  }),
};
