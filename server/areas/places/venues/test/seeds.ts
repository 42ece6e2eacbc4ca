import { row } from '../../../../test/schedule-world.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  venue: (world, providerId) =>
    row(
      world,
      'venue',
      {
        name: name('Hall'),
        timezone: 'America/Toronto',
        physical_address: { street: '1 Pier', city: 'Toronto', region: 'ON', postal_code: 'M5V', country: 'CA' },
      },
      providerId,
    ),
  venue_room: async (world, providerId) =>
    row(
      world,
      'venue_room',
      {
        name: name('Room'),
        venue_id: await seed(world, 'venue', providerId),
        image_id: await seed(world, 'image', providerId),
      },
      providerId,
    ),
};
