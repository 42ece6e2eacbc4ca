import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const PDF = Buffer.from('%PDF-1.7\n% a document').toString('base64');

const opening = async (world: World) => {
  const customer = await world.newCustomer();
  return { id: await seed(world, 'content'), customer, body: { customer } };
};

/** An item, or a collection without content: only such can be deleted. */
const emptyCollection = (world: World) =>
  world.work(world.harbour, async ({ tx }) => {
    const { id } = (await tx.one<{ id: number }>(sql`INSERT INTO ${raw('content_collection')} (provider_id, name)
      VALUES (${world.harbour}, 'Empty') RETURNING id`))!;
    return { id, body: {} };
  });

export const CALLS: Calls = {
  'POST /content': async (world) => ({
    body: { name: 'Warm-up', collection: await seed(world, 'content_collection'), url: 'https://vimeo.com/76979871' },
  }),
  'PUT /content/{id}': async (world) => ({
    id: await seed(world, 'content'),
    body: { name: 'Cool-down', collection: await seed(world, 'content_collection') },
  }),
  'PATCH /content/{id}': async (world) => ({ id: await seed(world, 'content'), body: { name: 'Cool-down' } }),
  'POST /content/{id}/generate_access_link': opening,
  'POST /content/{id}/add_favorite': opening,
  'POST /content/{id}/remove_favorite': async (world) => {
    const call = await opening(world);
    await world.ask('POST', `/content/${call.id}/add_favorite`, { as: world.machine, body: call.body });
    return call;
  },
  'POST /content_collections': async (world) => ({
    body: { name: 'Basics', access: 'restricted', memberships: [await seed(world, 'membership')] },
  }),
  'PUT /content_collections/{id}': async (world) => ({
    id: await seed(world, 'content_collection'),
    body: { name: 'Advanced' },
  }),
  'PATCH /content_collections/{id}': async (world) => ({
    id: await seed(world, 'content_collection'),
    body: { name: 'Advanced' },
  }),
  'DELETE /content_collections/{id}': emptyCollection,
  'POST /content_files': async () => ({ body: { name: 'Plan.pdf', file: PDF } }),
};
