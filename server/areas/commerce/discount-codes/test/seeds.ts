import { name, seed, slug, type Seeds } from '../../../../test/seeds.ts';
import { row } from '../../../../test/schedule-world.ts';
import type { World } from '../../../../test/world.ts';

/** Columns of a code with 10% off events, memberships and joining fees. */
export const TENTH = {
  name: 'A tenth off',
  discount_type: 'percent',
  discount_percent: '10',
  usable_purchase_types: ['event', 'membership', 'joining_fee'],
  usable_by_new_customers_only: false,
  usable_by_default_for_purchase_types: true,
  applicable_billing_cycles: 1,
};

/** Creates a code and returns its id. */
export const newCode = (
  world: World,
  over: Record<string, unknown> = {},
  providerId = world.harbour,
): Promise<number> => row(world, 'discount_code', { ...TENTH, code: slug().slice(0, 20), ...over }, providerId);

const newGroup = (world: World, providerId: number) =>
  row(world, 'discount_code_group', { name: name('Spring') }, providerId);

export const SEEDS: Seeds = {
  discount_code_group: newGroup,
  discount_code: async (world, providerId) =>
    newCode(
      world,
      {
        group_id: await newGroup(world, providerId),
        allowed_uses: 100,
        allowed_uses_per_customer: 2,
        usable_start_date: '2026-01-01',
        usable_end_date: '2099-12-31',
      },
      providerId,
    ),
  // A code with an applicability, and a membership that was bought with it.
  discount_code_applicability: async (world, providerId) => {
    const offering = await seed(world, 'offering_type', providerId);
    const owned = await seed(world, 'customermembership', providerId);
    const code = await newCode(world, {}, providerId);
    const plan = { discount_code_id: code, customer_membership_id: owned, discount_percent: '10', billing_cycles: 3 };
    await row(world, 'discount_code_plan', plan, providerId);
    return row(
      world,
      'discount_code_applicability',
      { discount_code_id: code, offering_type_id: offering, allow_use: true },
      providerId,
    );
  },
};
