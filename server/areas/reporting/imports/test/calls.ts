import { zipSync } from 'fflate';
import { seed } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const FILE = Buffer.from('Email,First Name\nada@example.com,Ada\n');

/** Creates a completed import with one customer in it. */
async function complete(world: World): Promise<number> {
  const [id, customer] = [await seed(world, 'import'), await world.newCustomer()];
  await world.work(world.harbour, async ({ tx, providerId }) => {
    await tx.run(sql`UPDATE import SET status = 'complete' WHERE provider_id = ${providerId} AND id = ${id}`);
    await tx.run(sql`INSERT INTO import_row (provider_id, import_id, line, cells, fate, object_id, made_id)
      VALUES (${providerId}, ${id}, 2, '["a@example.com"]', 'created', ${customer}, ${customer})`);
  });
  return id;
}

export const CALLS: Calls = {
  'POST /imports': async () => ({ body: { file: FILE.toString('base64'), file_name: 'people.csv' } }),
  'POST /imports/first_rows': async () => ({ body: { file: FILE.toString('base64') } }),
  'PATCH /imports/{id}': async (world) => ({
    id: await seed(world, 'import'),
    body: { source: 'mindbody', columns: [{ heading: 'First Name', property: 'last_name' }] },
  }),
  'POST /imports/archive': async () => ({
    body: { file: Buffer.from(zipSync({ 'people.csv': FILE })).toString('base64') },
  }),
  'POST /imports/check': async (world) => ({ body: { imports: [await seed(world, 'import')] } }),
  'POST /imports/run': async (world) => ({ body: { imports: [await seed(world, 'import')] } }),
  'POST /imports/{id}/stop_inviting': async (world) => {
    const id = await complete(world);
    await world.work(world.harbour, ({ tx, providerId }) =>
      tx.run(sql`UPDATE import SET invites_per_day = 5 WHERE provider_id = ${providerId} AND id = ${id}`),
    );
    return { id, body: {} };
  },
  'POST /imports/{id}/undo': async (world) => ({ id: await complete(world), body: {} }),
  'POST /imports/{id}/invite': async (world) => ({ id: await complete(world), body: {} }),
};

export const CHANGES_NOTHING: Readonly<Record<string, string>> = {
  'POST /imports/first_rows': 'it shows the beginning of a file, and stores nothing',
};
