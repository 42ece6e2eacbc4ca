import { startBulkAction } from '../index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  bulk_action: async (world, providerId) => {
    const venue = await seed(world, 'venue', providerId);
    return world.work(providerId, (work) =>
      startBulkAction(work, { type: 'test', one: async () => {} }, [1, 2], {}, [venue]),
    );
  },
  job: async (world, providerId) => {
    const action = await seed(world, 'bulk_action', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(sql`SELECT job_id FROM bulk_action WHERE provider_id = ${providerId} AND id = ${action}`))!
          .job_id,
    );
  },
  bulk_action_result: async (world, providerId) => {
    const action = await seed(world, 'bulk_action', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT min(id) AS id FROM bulk_action_result
            WHERE provider_id = ${providerId} AND bulk_action_id = ${action}`,
        ))!.id,
    );
  },
};
