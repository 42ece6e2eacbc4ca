import { post } from '../post.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import type { Seeds } from '../../../../test/seeds.ts';
import type { World } from '../../../../test/world.ts';

/** Credit that somebody was given. */
async function given(world: World, providerId: number): Promise<number> {
  const customer = await world.newCustomer({}, providerId);
  const about = { object: 'customer', id: customer };
  return world.work(providerId, async (work) => {
    await post(work, {
      kind: 'credit_given',
      about,
      explanation: 'A gift.',
      lines: [
        { account: 'credit_given', amount: 500 },
        { account: 'credit', customer, amount: -500 },
      ],
    });
    const row = await work.tx.one<{ id: number }>(
      sql`SELECT id FROM ledger_transaction WHERE provider_id = ${providerId} AND object = 'customer' AND object_id = ${customer}`,
    );
    return row!.id;
  });
}

/** The line of that which is of a customer. */
async function lineOf(world: World, providerId: number): Promise<number> {
  const transaction = await given(world, providerId);
  return world.work(providerId, async ({ tx }) => {
    const row = await tx.one<{ id: number }>(
      sql`SELECT id FROM ledger_line WHERE provider_id = ${providerId} AND transaction_id = ${transaction} AND customer_id IS NOT NULL`,
    );
    return row!.id;
  });
}

export const SEEDS: Seeds = {
  ledger_transaction: given,
  ledger_line: lineOf,
  credit_movement: lineOf,
};
