import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import { row } from '../../../../test/schedule-world.ts';

let keys = 0;

export const SEEDS: Seeds = {
  customer_field: (world, providerId) =>
    row(
      world,
      'customer_field',
      {
        label: name('Allergies'),
        full_text: 'Do you have allergies?',
        type: 'long_text',
        key: `allergies_${++keys}`,
        show_on_customer_profile: true,
      },
      providerId,
    ),
  customer_field_value: async (world, providerId) =>
    row(
      world,
      'customer_field_value',
      {
        customer_id: await seed(world, 'customer', providerId),
        customer_field_id: await seed(world, 'customer_field', providerId),
        value: JSON.stringify('Nuts'),
      },
      providerId,
    ),
};
