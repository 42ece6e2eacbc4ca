import { newInstructor } from '../../../../test/schedule-world.ts';
import type { Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  staff: async (world, providerId) => (await newInstructor(world, providerId)).staff,
  instructor: async (world, providerId) => (await newInstructor(world, providerId)).instructor,
};
