import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

const quay = () => ({ name: 'Quay', venue_type: 'physical', timezone: 'America/Toronto' });

export const CALLS: Calls = {
  'POST /venues': async () => ({ body: quay() }),
  'PUT /venues/{id}': async (world) => ({ id: await seed(world, 'venue'), body: quay() }),
};
