import { sql } from '../../../../kernel/base/db/sql.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  membership_price_change: async (world, providerId) => {
    const announcement_id = await seed(world, 'bulk_action', providerId);
    const payment_plan_id = await seed(world, 'membership_payment_plan', providerId);
    const membership_id = await seed(world, 'membership', providerId);
    const applied = { status: 'applied', price_edit_id: await seed(world, 'bulk_action', providerId) };
    await row(
      world,
      'membership_price_change',
      {
        membership_id,
        payment_plan_id,
        percent_hundredths: 200,
        applies_on: '2026-01-01',
        announcement_id,
        ...applied,
      },
      providerId,
    );
    return row(
      world,
      'membership_price_change',
      { membership_id, percent_hundredths: 500, applies_on: '2035-01-01', message: 'Two more rooms.', announcement_id },
      providerId,
    );
  },
  share_status: (world, providerId) => seed(world, 'customermembership', providerId),
  // A recurring plan, because it has the most properties, cancelled for its last day and shared.
  customermembership: async (world, providerId) => {
    const plan = await seed(world, 'membership_payment_plan', providerId);
    const [customer, friend] = [await world.newCustomer({}, providerId), await world.newCustomer({}, providerId)];
    const { membership } = await world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT membership_id AS membership FROM membership_payment_plan
            WHERE provider_id = ${providerId} AND id = ${plan}`,
        ))! as { membership: number },
    );
    const billed = {
      payment_plan_id: plan,
      billed_price_minor: 4000,
      billing_unit: 'months',
      billing_length: 1,
      billing_anchor: '2026-01-10',
      billing_day: 31,
    };
    const days = {
      bought_on: '2026-01-10',
      start_date: '2026-01-10',
      expiration_date: '2035-01-30',
      is_set_for_cancellation: true,
      cancellation_reason: 'no_auto_renew',
    };
    const id = await row(
      world,
      'customer_membership',
      { customer_id: customer, membership_id: membership, membership_type: 'recurring_plan', ...billed, ...days },
      providerId,
    );
    await world.work(providerId, ({ tx }) =>
      tx.run(
        sql`INSERT INTO customer_membership_share (provider_id, customer_membership_id, customer_id)
          VALUES (${providerId}, ${id}, ${friend})`,
      ),
    );
    const job_id = await row(world, 'job', { total_items: 1, complete_items: 1 }, providerId);
    const edit = await row(
      world,
      'bulk_action',
      { type: 'edit_prices', job_id, venue_ids: `{${await seed(world, 'venue', providerId)}}` },
      providerId,
    );
    await row(world, 'bulk_action_result', { bulk_action_id: edit, primary_object: id, status: 'success' }, providerId);
    return id;
  },
  customer_membership_hold: async (world, providerId) => {
    const owned = await seed(world, 'customermembership', providerId);
    const days = {
      start_date: '2030-01-07',
      end_date: '2030-01-20',
      begins_at: '2030-01-07T00:00:00Z',
      over_at: '2030-01-21T00:00:00Z',
      days_to_add: 7,
      extend_expirations: true,
      previous_expiration_date: '2034-12-31',
      extended_days: 14,
    };
    const nothing = {
      strategy: 'none',
      price: 4000,
      start: null,
      reactivation: null,
      resolution: { type: 'none', amount: 0, due_date: null, credit: 0, charge: 0, explanation: 'Nothing.' },
    };
    return row(
      world,
      'customer_membership_hold',
      {
        customer_membership_id: owned,
        made_by: 'staff',
        ended_at: iso(world.now),
        resolution: JSON.stringify(nothing),
        ...days,
      },
      providerId,
    );
  },
};
