import { seed } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

/** Creates a subscription with a chosen method, and returns it with the customer who pays. */
async function chosen(world: World): Promise<{ id: number; customer: number }> {
  const id = await seed(world, 'payment_subscription');
  const { customer } = await world.work(
    world.harbour,
    async ({ tx }) =>
      (await tx.one<{ customer: number }>(
        sql`SELECT cm.customer_id AS customer FROM payment_subscription s JOIN customer_membership cm
            ON cm.provider_id = s.provider_id AND cm.id = s.customer_membership_id
          WHERE s.provider_id = ${world.harbour} AND s.id = ${id}`,
      ))!,
  );
  return { id, customer };
}

/** Creates an invoice whose payment has failed. */
async function failed(world: World): Promise<Call> {
  await seed(world, 'payment_subscription');
  const { id } = await world.work(
    world.harbour,
    async ({ tx }) =>
      (await tx.one<{ id: number }>(
        sql`SELECT invoice_id AS id FROM billing_collection
          WHERE provider_id = ${world.harbour} AND failures > 0 ORDER BY invoice_id DESC LIMIT 1`,
      ))!,
  );
  return { id, body: {} };
}

let last = 0;

export const CALLS: Calls = {
  // A different number each time, so that something changes.
  'PATCH /billing_settings': async () => ({ body: { payment_days: (last += 1) % 300 } }),
  'PATCH /payment_subscriptions/{id}': async (world) => ({ ...(await chosen(world)), body: { payment_method: null } }),
  'POST /payment_method_setups': async (world) => {
    const [customer, processor] = [await seed(world, 'customer'), await seed(world, 'payment_processor')];
    await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { domains: ['shop.example.com'] } });
    return { customer, body: { customer, payment_processor: processor, return_to: 'https://shop.example.com/cards' } };
  },
  'POST /payment_subscriptions/{id}/retry': async (world) => ({ ...(await chosen(world)), body: {} }),
  'POST /invoices/{id}/retry': failed,
  'POST /invoices/{id}/request_payment_method': failed,
};
