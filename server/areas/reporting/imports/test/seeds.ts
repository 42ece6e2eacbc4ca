import { seed, type Seeds } from '../../../../test/seeds.ts';
import { json, sql } from '../../../../kernel/base/db/sql.ts';
import { row } from '../../../../test/schedule-world.ts';

const COLUMNS = [
  { heading: 'Email', property: 'email', samples: ['ada@example.com'], value_count: 1 },
  { heading: 'First Name', property: 'first_name', samples: ['Ada'], value_count: 1 },
];

export const SEEDS: Seeds = {
  import: async (world, providerId) => {
    const id = await row(
      world,
      'import',
      {
        job_id: await seed(world, 'job', providerId),
        kind: 'customers',
        source: 'file',
        format: 'csv',
        encoding: 'utf-8',
        delimiter: ',',
        columns: json(COLUMNS),
        row_count: 1,
        created_at: new Date(world.now).toISOString(),
        updated_at: new Date(world.now).toISOString(),
      },
      providerId,
    );
    await world.work(providerId, ({ tx }) =>
      tx.run(sql`INSERT INTO import_row (provider_id, import_id, line, cells)
        VALUES (${providerId}, ${id}, 3, ${json([`first-of-${id}@example.com`, 'Bea'])})`),
    );
    return id;
  },
  import_row: async (world, providerId) => {
    const of = await seed(world, 'import', providerId);
    return world.work(providerId, async ({ tx }) => {
      const made = await tx.one<{ id: number }>(
        sql`INSERT INTO import_row (provider_id, import_id, line, cells)
            VALUES (${providerId}, ${of}, 2, ${json([`${of}@example.com`, 'Ada'])}) RETURNING id`,
      );
      return made!.id;
    });
  },
};
