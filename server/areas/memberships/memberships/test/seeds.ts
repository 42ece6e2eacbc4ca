import { createMembership, createPaymentPlan } from '../index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Properties that every membership needs. */
export const SOLD = {
  visible_to_customers: true,
  purchasable_only_by_provider: false,
  new_customers_only: false,
  allow_repeat_purchases: true,
};

/**
 * Limits a membership to an offering type: otherwise it would be for everything, and every booking of the business
 * would need one.
 */
const onlyFor = (work: Work, membership: number, offering: number): Promise<number> =>
  work.tx.run(
    sql`INSERT INTO membership_registration_grant
      (provider_id, membership_id, offering_type_id, on_allotment_price_minor)
      VALUES (${work.providerId}, ${membership}, ${offering}, 0)`,
  );

/**
 * Sets an allotment with one limit without feed items, of which lists in tests would otherwise be full. Returns the id
 * of the limit.
 */
async function allotted(
  { tx, providerId }: Work,
  id: number,
  { types, ...limit }: { types: string[]; membership_type: string; period: string; max_uses: number },
): Promise<number> {
  await tx.run(
    sql`UPDATE membership SET allotment_types = ${types}::text[],
      incomplete_reasons = array_remove(incomplete_reasons, 'allotment_missing')
      WHERE provider_id = ${providerId} AND id = ${id}`,
  );
  const made = await tx.one<{
    id: number;
  }>(sql`INSERT INTO membership_limit (provider_id, membership_id, membership_type, period, max_uses)
    VALUES (${providerId}, ${id}, ${limit.membership_type}, ${limit.period}, ${limit.max_uses}) RETURNING id`);
  return made!.id;
}

export const SEEDS: Seeds = {
  membership_category: (world, providerId) =>
    row(world, 'membership_category', { name: name('Passes'), sort_order: 3 }, providerId),
  // A pack with a value in every column that a pack can have, and complete, so that everybody may see it.
  membership: async (world, providerId) => {
    const category = await seed(world, 'membership_category', providerId);
    const offering = await seed(world, 'offering_type', providerId);
    return world.work(providerId, async (work) => {
      const id = await createMembership(work, {
        ...SOLD,
        type: 'pack',
        name: name('Ten'),
        category,
        one_time_fee: '120.00',
        duration: 3,
        duration_unit: 'months',
        min_allowed_age: 16,
        max_allowed_age: 90,
      });
      const limit = await allotted(work, id, {
        types: ['event', 'course'],
        membership_type: 'pack',
        period: 'total',
        max_uses: 10,
      });
      await work.tx.run(
        sql`INSERT INTO membership_limit_offering_type
          (provider_id, membership_limit_id, offering_type_id, max_uses, is_extra)
          VALUES (${providerId}, ${limit}, ${offering}, 2, false)`,
      );
      await onlyFor(work, id, offering);
      return id;
    });
  },
  membership_payment_plan: async (world, providerId) => {
    const category = await seed(world, 'membership_category', providerId);
    const offering = await row(world, 'offering_type', { name: name('Gym') }, providerId);
    const fee = await row(world, 'joining_fee', { name: name('Start'), amount_minor: 2500 }, providerId);
    return world.work(providerId, async (work) => {
      const membership = await createMembership(work, {
        ...SOLD,
        type: 'recurring_plan',
        name: name('Club'),
        category,
      });
      await allotted(work, membership, {
        types: ['event'],
        membership_type: 'recurring_plan',
        period: 'billing_period',
        max_uses: 8,
      });
      await onlyFor(work, membership, offering);
      const plan = await createPaymentPlan(work, {
        membership,
        price: '40.00',
        billing_period_length: 1,
        billing_period_unit: 'months',
        committed_billing_periods: 6,
        fixed_billing_day_of_month: 31,
        cancellation_notice_days: 14,
        commitment_expiration_scheme: 'continue_by_period',
      });
      await work.tx.run(
        sql`UPDATE membership_payment_plan SET joining_fee_id = ${fee}
          WHERE provider_id = ${providerId} AND id = ${plan}`,
      );
      return plan;
    });
  },
  joining_fee: async (world, providerId) => {
    const plan = await seed(world, 'membership_payment_plan', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT joining_fee_id AS id FROM membership_payment_plan
            WHERE provider_id = ${providerId} AND id = ${plan}`,
        ))!.id,
    );
  },
  membership_terms: async (world, providerId) => {
    const plan = await seed(world, 'membership_payment_plan', providerId);
    const { membership } = await world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT membership_id AS membership FROM membership_payment_plan
            WHERE provider_id = ${providerId} AND id = ${plan}`,
        ))! as { membership: number },
    );
    const terms = await row(
      world,
      'membership_terms',
      { membership_id: membership, plan_id: plan, version: 1, base_terms: 'Be kind.' },
      providerId,
    );
    await row(
      world,
      'membership_terms_version',
      { membership_terms_id: terms, version: 1, base_terms: 'Be kind.' },
      providerId,
    );
    return terms;
  },
  membership_terms_version: async (world, providerId) => {
    const terms = await seed(world, 'membership_terms', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT id FROM membership_terms_version
            WHERE provider_id = ${providerId} AND membership_terms_id = ${terms}`,
        ))!.id,
    );
  },
  terms_consent: async (world, providerId) => {
    const [version, customer, staff] = [
      await seed(world, 'membership_terms_version', providerId),
      await seed(world, 'customer', providerId),
      await seed(world, 'staff', providerId),
    ];
    const { terms } = await world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT membership_terms_id AS terms FROM membership_terms_version
            WHERE provider_id = ${providerId} AND id = ${version}`,
        ))! as { terms: number },
    );
    return row(
      world,
      'terms_consent',
      {
        membership_terms_id: terms,
        version: 1,
        terms_version_id: version,
        customer_id: customer,
        how: 'on_paper',
        actor: 'test',
        by_staff_id: staff,
        agreed_at: iso(world.now),
      },
      providerId,
    );
  },
  registration_option: (world, providerId) => seed(world, 'offering_type', providerId),
  membership_registration_grant: async (world, providerId) =>
    row(
      world,
      'membership_registration_grant',
      {
        membership_id: await seed(world, 'membership', providerId),
        offering_type_id: await seed(world, 'offering_type', providerId),
        on_allotment_price_minor: 500,
      },
      providerId,
    ),
};
