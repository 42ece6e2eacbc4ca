import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import { row } from '../../../../test/schedule-world.ts';

export const SEEDS: Seeds = {
  past_visit: async (world, providerId) => {
    const visit = name('Yoga');
    return row(
      world,
      'past_visit',
      {
        customer_id: await seed(world, 'customer', providerId),
        name: visit,
        date: '2025-05-06',
        start_time: '18:00',
        status: 'attended',
        instructor_name: 'Ada Moss',
        venue_name: 'Harbour',
        source: 'file',
        source_key: visit,
      },
      providerId,
    );
  },
};
