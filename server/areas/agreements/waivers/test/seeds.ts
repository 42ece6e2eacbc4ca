import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import { purposeOf } from '../waiver.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { row } from '../../../../test/schedule-world.ts';
import type { World } from '../../../../test/world.ts';

/** A picture of one pixel. */
export const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const newVersion = (world: World, waiver_id: number, providerId: number): Promise<number> =>
  row(world, 'waiver_version', { waiver_id, number: 1, text: 'I take part at my own risk.' }, providerId);

const newWaiver = (world: World, providerId: number): Promise<number> =>
  row(
    world,
    'waiver',
    {
      name: name('Waiver'),
      at_signup: true,
      offering_types_applies_to: 'only',
      memberships_applies_to: 'only',
      if_unsigned: 'show_at_door',
    },
    providerId,
  );

export const SEEDS: Seeds = {
  waiver: async (world, providerId) => {
    const waiver = await newWaiver(world, providerId);
    await newVersion(world, waiver, providerId);
    for (const resource of ['offering_type', 'membership'] as const) {
      const linked = await seed(world, resource, providerId);
      await world.work(providerId, ({ tx }) =>
        tx.run(sql`INSERT INTO ${raw(`waiver_${resource}`)} (provider_id, waiver_id, ${raw(`${resource}_id`)})
          VALUES (${providerId}, ${waiver}, ${linked})`),
      );
    }
    return waiver;
  },
  waiver_agreement: async (world, providerId) => {
    const waiver = await newWaiver(world, providerId);
    const version = await newVersion(world, waiver, providerId);
    const [customer, guardian, staff] = [
      await seed(world, 'customer', providerId),
      await seed(world, 'customer', providerId),
      await seed(world, 'staff', providerId),
    ];
    return world.work(providerId, async ({ tx }) => {
      const { id } = (await tx.one<{ id: number }>(sql`SELECT nextval('waiver_agreement_id_seq') AS id`))!;
      const sealed = world.app.installation.box.seal(purposeOf(providerId, id), DOT);
      await tx.run(sql`
        INSERT INTO waiver_agreement (provider_id, id, waiver_id, waiver_version_id, customer_id, signed_at, title,
          customer_name, signer_name, sealed, by_customer_id, by_staff_id)
        VALUES (${providerId}, ${id}, ${waiver}, ${version}, ${customer}, '2026-01-05T12:00:00Z', 'Waiver', 'Ada King',
          'Ada King', ${sealed}, ${guardian}, ${staff})`);
      return id;
    });
  },
};
