import { purposeOfSubmission } from '../forms/customer-form.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
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
  customer_form: async (world, providerId) => {
    const form = await row(
      world,
      'customer_form',
      { name: name('Health'), offering_types_applies_to: 'only', memberships_applies_to: 'only' },
      providerId,
    );
    for (const [table, column, resource] of [
      ['customer_form_field', 'customer_field_id', 'customer_field'],
      ['customer_form_offering_type', 'offering_type_id', 'offering_type'],
      ['customer_form_membership', 'membership_id', 'membership'],
    ] as const) {
      const linked = await seed(world, resource, providerId);
      await world.work(providerId, ({ tx }) =>
        tx.run(sql`INSERT INTO ${raw(table)} (provider_id, customer_form_id,
          ${raw(column)}${raw(table === 'customer_form_field' ? ', position' : '')})
          VALUES (${providerId}, ${form}, ${linked}${raw(table === 'customer_form_field' ? ', 1' : '')})`),
      );
    }
    return form;
  },
  customer_form_submission: async (world, providerId) => {
    const [customer, form, staff] = [
      await seed(world, 'customer', providerId),
      await seed(world, 'customer_form', providerId),
      await seed(world, 'staff', providerId),
    ];
    return world.work(providerId, async ({ tx }) => {
      const { id } = (await tx.one<{ id: number }>(sql`SELECT nextval('customer_form_submission_id_seq') AS id`))!;
      const sealed = world.app.installation.box.seal(purposeOfSubmission(providerId, id), '[]');
      await tx.run(sql`
        INSERT INTO customer_form_submission (provider_id, id, customer_form_id, customer_id, form_version, sealed,
          by_customer_id, by_staff_id)
        VALUES (${providerId}, ${id}, ${form}, ${customer}, 1, ${sealed}, ${customer}, ${staff})`);
      return id;
    });
  },
};
