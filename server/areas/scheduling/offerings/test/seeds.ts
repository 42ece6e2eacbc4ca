import { sql } from '../../../../kernel/base/db/sql.ts';
import { row } from '../../../../test/schedule-world.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  offering_type_category: async (world, providerId) =>
    row(
      world,
      'offering_type_category',
      { name: name('Category'), image_id: await seed(world, 'image', providerId) },
      providerId,
    ),
  offering_type: async (world, providerId) => {
    const offering = await row(
      world,
      'offering_type',
      {
        name: name('Rowing'),
        category_id: await seed(world, 'offering_type_category', providerId),
        image_id: await seed(world, 'image', providerId),
      },
      providerId,
    );
    const [instructor, timeline] = [
      await seed(world, 'instructor', providerId),
      await seed(world, 'registration_timeline', providerId),
    ];
    await world.work(providerId, ({ tx }) =>
      tx.all([
        sql`INSERT INTO offering_type_instructor (provider_id, offering_type_id, instructor_id)
          VALUES (${providerId}, ${offering}, ${instructor})`,
        sql`INSERT INTO offering_type_registration_timeline (provider_id, offering_type_id, registration_timeline_id)
          VALUES (${providerId}, ${offering}, ${timeline})`,
      ]),
    );
    return offering;
  },
  registration_timeline: async (world, providerId) =>
    row(
      world,
      'registration_timeline',
      { name: name('Early'), image_id: await seed(world, 'image', providerId) },
      providerId,
    ),
};
