import { seed } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

/** An answer that its customer may change. */
async function answered(world: World): Promise<{ id: number; customer: number; body: Record<string, unknown> }> {
  const id = await seed(world, 'customer_field_value');
  const { customer } = await world.work(
    world.harbour,
    async ({ tx }) =>
      (await tx.one<{ customer: number }>(
        sql`SELECT customer_id AS customer FROM customer_field_value
          WHERE provider_id = ${world.harbour} AND id = ${id}`,
      ))!,
  );
  return { id, customer, body: { value: 'Milk' } };
}

export const CALLS: Calls = {
  'POST /customer_fields': async () => ({ body: { label: 'Shoe size', type: 'integer' } }),
  'PATCH /customer_fields/{id}': async (world) => ({
    id: await seed(world, 'customer_field'),
    body: { label: 'Intolerances' },
  }),
  'POST /customer_field_values': async (world) => {
    const customer = await world.newCustomer();
    return { customer, body: { field: await seed(world, 'customer_field'), customer, value: 'Nuts' } };
  },
  'PUT /customer_field_values/{id}': answered,
  'PATCH /customer_field_values/{id}': answered,
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
  'POST /customer_form_submissions': async (world) => {
    const customer = await world.newCustomer();
    return { customer, body: { form: await seed(world, 'customer_form'), customer, values: [] } };
  },
};
