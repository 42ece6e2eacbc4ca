import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /customer_fields': async () => ({ body: { label: 'Shoe size', type: 'integer' } }),
  'POST /customer_forms': async (world) => ({
    body: {
      name: 'Health',
      fields: [await seed(world, 'customer_field')],
      offering_types_applies_to: 'only',
      offering_types: [await seed(world, 'offering_type')],
    },
  }),
  'PUT /customer_forms/{id}': async (world) => ({ id: await seed(world, 'customer_form'), body: { name: 'Injuries' } }),
  'PATCH /customer_forms/ordering': async (world) => ({
    body: { ordering: [await seed(world, 'customer_form'), await seed(world, 'customer_form')] },
  }),
  'POST /customer_form_submissions': async (world) => ({
    body: { form: await seed(world, 'customer_form'), customer: await seed(world, 'customer'), values: [] },
  }),
};
