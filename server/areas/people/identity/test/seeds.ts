import { createMachineToken } from '../index.ts';
import { name, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  machine_token: (world, providerId) =>
    world.work(providerId, async ({ tx }) => (await createMachineToken(tx, providerId, { name: name('Program') })).id),
};
