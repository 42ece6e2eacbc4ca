import { sql } from '../../../../kernel/base/db/sql.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

/**
 * Cases in which the body from the declaration does not change anything yet: their preparation, and the body to send.
 */
async function requested(world: World, body: Record<string, unknown> = {}): Promise<Call> {
  const id = await seed(world, 'application');
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE application SET direct_auth_status = 'requested' WHERE provider_id = ${world.harbour} AND id = ${id}`,
    ),
  );
  return { id, body };
}

export const CALLS: Calls = {
  'POST /applications/{id}/approve_direct_auth': (world) => requested(world),
  'POST /applications/{id}/refuse_direct_auth': (world) => requested(world, { reason: 'Not needed.' }),
  'POST /applications/{id}/rotate_direct_auth_key': async (world) => {
    const id = await seed(world, 'application');
    await world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE application SET direct_auth_status = 'approved' WHERE provider_id = ${world.harbour} AND id = ${id}`,
      ),
    );
    return { id, body: {} };
  },
};
