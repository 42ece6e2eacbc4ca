import { post } from '../post.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Seeds } from '../../../../test/seeds.ts';
import type { World } from '../../../../test/world.ts';

/** Posts account credit that was given. */
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
      sql`SELECT id FROM ledger_transaction WHERE provider_id = ${providerId} AND object = 'customer'
        AND object_id = ${customer}`,
    );
    return row!.id;
  });
}

/** Returns the customer's line of that transaction. */
async function lineOf(world: World, providerId: number): Promise<number> {
  const transaction = await given(world, providerId);
  return world.work(providerId, async ({ tx }) => {
    const row = await tx.one<{ id: number }>(
      sql`SELECT id FROM ledger_line WHERE provider_id = ${providerId} AND transaction_id = ${transaction}
        AND customer_id IS NOT NULL`,
    );
    return row!.id;
  });
}
/** Closes a day long past, after those that are already closed, so that postings of today are not affected. */
export const closedDay = (world: World, providerId: number): Promise<number> =>
  world.work(providerId, async ({ tx }) => {
    await tx.run(sql`SELECT hold_accounting_days(${providerId})`);
    const row = await tx.one<{ id: number }>(sql`
      INSERT INTO accounting_period (provider_id, start_on, end_on, transactions, debits_minor, closed_at, created_at,
        updated_at)
      SELECT ${providerId}, d.next, d.next, 0, 0, now(), now(), now()
      FROM (SELECT coalesce(max(end_on), '1950-01-01') + 1 AS next FROM accounting_period
        WHERE provider_id = ${providerId}) d
      RETURNING id`);
    return row!.id;
  });

export const SEEDS: Seeds = {
  accounting_period: closedDay,
  ledger_transaction: given,
  ledger_line: lineOf,
  credit_movement: lineOf,
};
