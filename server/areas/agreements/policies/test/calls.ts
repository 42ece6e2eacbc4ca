import { seed } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /policies': async () => ({ body: { name: 'Refunds', text: 'Within 14 days.', purpose: 'refund' } }),
  'PATCH /policies/{id}': async (world) => ({ id: await seed(world, 'policy'), body: { text: 'Within 30 days.' } }),
  'POST /policy_agreements': async (world) => {
    const customer = await world.newCustomer();
    const policy = await seed(world, 'policy');
    const { version } = await world.work(
      world.harbour,
      async ({ tx }) =>
        (await tx.one<{ version: number }>(sql`SELECT id AS version FROM policy_version
          WHERE provider_id = ${world.harbour} AND policy_id = ${policy}`))!,
    );
    return { customer, body: { policy, version, customer } };
  },
};
