import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import { row } from '../../../../test/schedule-world.ts';
import type { World } from '../../../../test/world.ts';

let keys = 0;

const link = (
  world: World,
  providerId: number,
  table: string,
  of: Readonly<Record<string, number>>,
): Promise<unknown> =>
  world.work(providerId, ({ tx }) => {
    const [[first, a], [second, b]] = Object.entries(of) as [[string, number], [string, number]];
    return tx.run(sql`INSERT INTO ${raw(table)} (provider_id, ${raw(first)}, ${raw(second)})
      VALUES (${providerId}, ${a}, ${b})`);
  });

export const SEEDS: Seeds = {
  content_collection: async (world, providerId) => {
    const id = await row(
      world,
      'content_collection',
      {
        name: name('Basics'),
        published: true,
        access: 'restricted',
        image_id: await seed(world, 'image', providerId),
      },
      providerId,
    );
    for (const [table, column, resource] of [
      ['content_collection_membership', 'membership_id', 'membership'],
      ['content_collection_course', 'course_id', 'course'],
      ['content_collection_product', 'store_product_id', 'store_product'],
    ] as const)
      await link(world, providerId, table, {
        content_collection_id: id,
        [column]: await seed(world, resource, providerId),
      });
    await content(world, providerId, id);
    return id;
  },
  content_filter: (world, providerId) => row(world, 'content_filter', { name: name('Level').slice(-32) }, providerId),
  content_tag: async (world, providerId) =>
    row(
      world,
      'content_tag',
      {
        name: name('Beginner').slice(-32),
        content_filter_id: await seed(world, 'content_filter', providerId),
      },
      providerId,
    ),
  content_file: (world, providerId) =>
    row(
      world,
      'content_file',
      {
        key: `${'A'.repeat(14)}${String(++keys).padStart(8, '0')}`,
        name: 'Warm-up.pdf',
        media_type: 'application/pdf',
        size: 1000,
      },
      providerId,
    ),
  content: async (world, providerId) => {
    const collection = await row(world, 'content_collection', { name: name('Basics'), published: true }, providerId);
    const id = await content(world, providerId, collection);
    await link(world, providerId, 'content_instructor', {
      content_id: id,
      instructor_id: await seed(world, 'instructor', providerId),
    });
    await link(world, providerId, 'content_content_tag', {
      content_id: id,
      content_tag_id: await seed(world, 'content_tag', providerId),
    });
    return id;
  },
};

const content = async (world: World, providerId: number, collection: number): Promise<number> =>
  row(
    world,
    'content',
    {
      name: name('Warm-up'),
      content_collection_id: collection,
      content_file_id: await seed(world, 'content_file', providerId),
      image_id: await seed(world, 'image', providerId),
      published: true,
    },
    providerId,
  );
