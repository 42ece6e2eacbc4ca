import { sql } from '../../../../kernel/db/sql.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import type { World } from '../../../../test/world.ts';

/** A charge on the account of somebody who owns a membership. */
export async function charge(
  world: World,
  providerId: number,
  about: { reason: string; subject_object: string; subject_id: number },
  owned: number,
): Promise<number> {
  const { customer } = await world.work(
    providerId,
    async ({ tx }) =>
      (await tx.one(
        sql`SELECT customer_id AS customer FROM customer_membership WHERE provider_id = ${providerId} AND id = ${owned}`,
      ))! as { customer: number },
  );
  return row(
    world,
    'account_entry',
    {
      ...about,
      customer_id: customer,
      customer_membership_id: owned,
      kind: 'charge',
      amount_minor: 500,
      explanation: 'What was agreed.',
      due_on: iso(world.now).slice(0, 10),
      created_at: iso(world.now),
    },
    providerId,
  );
}

export const SEEDS: Seeds = {
  account_entry: async (world, providerId) => {
    const owned = await seed(world, 'customermembership', providerId);
    const about = { reason: 'reactivation', subject_object: 'customermembership', subject_id: owned };
    return charge(world, providerId, about, owned);
  },
};
