import { billed } from '../../../money/invoices/test/invoicing.ts';
import { row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';

export const SEEDS: Seeds = {
  // A subscription with a chosen method, of the customer who owns the membership.
  payment_subscription: async (world, providerId) => {
    const customer_membership_id = await seed(world, 'customermembership', providerId);
    const payment_method_id = await seed(world, 'payment_method', providerId);
    await world.work(providerId, ({ tx }) =>
      tx.run(sql`UPDATE payment_method SET customer_id = (SELECT customer_id FROM customer_membership
        WHERE provider_id = ${providerId} AND id = ${customer_membership_id})
        WHERE provider_id = ${providerId} AND id = ${payment_method_id}`),
    );
    // A membership that can't be used until an invoice is paid.
    const { customer } = await world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one<{ customer: number }>(
          sql`SELECT customer_id AS customer FROM customer_membership
            WHERE provider_id = ${providerId} AND id = ${customer_membership_id}`,
        ))!,
    );
    const unpaid = await billed(world, customer, [{ fees: [] }], {}, providerId);
    await world.work(providerId, ({ tx, now }) =>
      tx.all([
        sql`UPDATE customer_membership SET unpaid_invoice_id = ${unpaid.id}
          WHERE provider_id = ${providerId} AND id = ${customer_membership_id}`,
        // Its payment has failed once and will be retried.
        sql`
          INSERT INTO billing_collection (provider_id, invoice_id, customer_membership_id, failures, next_at, block_at,
            created_at, updated_at)
          SELECT ${providerId}, ${unpaid.id}, ${customer_membership_id}, 1, at + interval '3 days',
            at + interval '7 days', at, at
          FROM (SELECT ${instant(now)}::timestamptz AS at) x`,
      ]),
    );
    return row(world, 'payment_subscription', { customer_membership_id, payment_method_id }, providerId);
  },
};
