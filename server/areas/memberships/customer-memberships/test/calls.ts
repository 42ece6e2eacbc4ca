import { sql } from '../../../../kernel/base/db/sql.ts';
import { iso } from '../../../../test/schedule-world.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

/** Returns a date of the business, a number of days from now. */
const dayIn = (world: World, days: number): string => iso(world.now + days * 86_400_000).slice(0, 10);

/** Creates a membership that its customer may put on hold. */
async function holdable(world: World, owned?: number): Promise<{ owned: number; customer: number }> {
  const id = owned ?? (await seed(world, 'customermembership'));
  return world.work(world.harbour, async ({ tx }) => {
    const found = (await tx.one<{ customer_id: number; membership_id: number }>(
      sql`SELECT customer_id, membership_id FROM customer_membership
        WHERE provider_id = ${world.harbour} AND id = ${id}`,
    ))!;
    await tx.run(
      sql`UPDATE membership SET customers_can_hold = true
        WHERE provider_id = ${world.harbour} AND id = ${found.membership_id}`,
    );
    return { owned: id, customer: found.customer_id };
  });
}

/** Creates an upcoming hold made by a customer. */
async function onHold(world: World): Promise<{ id: number; owned: number; customer: number }> {
  const id = await seed(world, 'customer_membership_hold');
  const row = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ owned: number }>(
      sql`UPDATE customer_membership_hold SET made_by = 'customer' WHERE provider_id = ${world.harbour} AND id = ${id}
        RETURNING customer_membership_id AS owned`,
    ),
  );
  return { id, ...(await holdable(world, row!.owned)) };
}

/** Creates a recurring plan that its customer has cancelled, or can cancel. */
async function recurring(world: World, cancelled: boolean): Promise<Call> {
  const id = await seed(world, 'customermembership');
  const { customer } = (await world.work(world.harbour, ({ tx }) =>
    tx.one<{ customer: number }>(
      sql`UPDATE customer_membership SET is_set_for_cancellation = ${cancelled}, cancelled_by_customer = ${cancelled}
        WHERE provider_id = ${world.harbour} AND id = ${id} RETURNING customer_id AS customer`,
    ),
  ))!;
  return { id, customer, body: {} };
}

/** Creates a membership that may be shared, and its holder. */
async function owned(world: World): Promise<{ id: number; customer: number }> {
  const [customer, membership] = [await seed(world, 'customer'), await seed(world, 'membership')];
  await world.patch(`/memberships/${membership}`, { as: world.machine, body: { shareable: true } });
  const { id } = (
    await world.post('/customer_memberships', {
      as: world.machine,
      body: { customer, membership, expiration_date: '2035-01-30' },
    })
  ).body;
  return { id, customer };
}

export const CALLS: Calls = {
  'POST /customer_memberships': async (world) => ({
    body: {
      membership: await seed(world, 'membership'),
      customer: await seed(world, 'customer'),
      billed_price: '100.00',
    },
  }),
  'POST /membership_price_changes': async (world) => {
    const owned = await seed(world, 'customermembership');
    const { membership } = await world.work(
      world.harbour,
      async ({ tx }) =>
        (await tx.one<{ membership: number }>(
          sql`SELECT membership_id AS membership FROM customer_membership
            WHERE provider_id = ${world.harbour} AND id = ${owned}`,
        ))!,
    );
    return { body: { membership, billed_price: '45.00', applies_on: dayIn(world, 60) } };
  },
  'POST /customer_membership_holds': async (world) => {
    const { owned, customer } = await holdable(world);
    return { customer, body: { customer_membership: owned, start_date: dayIn(world, 20), days: 5 } };
  },
  'PATCH /customer_membership_holds/{id}': async (world) => ({ ...(await onHold(world)), body: { days_to_add: 3 } }),
  'POST /customer_membership_holds/{id}/end': async (world) => ({ ...(await onHold(world)), body: {} }),
  'PUT /customer_memberships/bulk_create_holds': async (world) => ({
    body: {
      customermembership_ids: [(await holdable(world)).owned],
      hold_type: 'finite',
      start_date: dayIn(world, 20),
      end_date: dayIn(world, 25),
    },
  }),
  'PUT /customer_memberships/bulk_edit_holds': async (world) => ({
    body: { customermembership_ids: [(await onHold(world)).owned], days_to_add: 3 },
  }),
  'POST /customer_memberships/{id}/cancel': (world) => recurring(world, false),
  'POST /customer_memberships/{id}/reactivate': (world) => recurring(world, true),
  'POST /customer_memberships/{id}/extend_expiration': async (world) => ({
    ...(await owned(world)),
    body: { days: 7 },
  }),
  'POST /customer_memberships/{id}/upgrade': async (world) => ({
    ...(await owned(world)),
    body: { membership: await seed(world, 'membership') },
  }),
  'POST /customer_memberships/{id}/downgrade': async (world) => ({
    ...(await owned(world)),
    body: { membership: await seed(world, 'membership') },
  }),
  'POST /customer_memberships/bulk_edit_prices': async (world) => ({
    body: { customermembership_ids: [await seed(world, 'customermembership')], billed_price: '45.00' },
  }),
  'POST /customer_memberships/approve_renewals': async (world) => {
    const id = await seed(world, 'customermembership');
    await world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE customer_membership SET awaits_approval = true WHERE provider_id = ${world.harbour} AND id = ${id}`,
      ),
    );
    return { body: { customermembership_ids: [id] } };
  },
  'PUT /customer_memberships/bulk_extend_expiration_dates': async (world) => ({
    body: { customermembership_ids: [(await owned(world)).id], days: 10 },
  }),
  'POST /customer_memberships/{id}/share': async (world) => ({ ...(await owned(world)), body: { family: true } }),
  'POST /customer_memberships/{id}/unshare': async (world) => {
    const { id, customer } = await owned(world);
    await world.post(`/customer_memberships/${id}/share`, { as: world.machine, body: { family: true } });
    return { id, customer, body: { family: true } };
  },
  'POST /memberships/{id}/share_with_families': async (world) => {
    const id = await seed(world, 'membership');
    await world.patch(`/memberships/${id}`, { as: world.machine, body: { shareable: true } });
    return { id, body: {} };
  },
};
