import type { Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  provider: async (_world, providerId) => providerId,
};
