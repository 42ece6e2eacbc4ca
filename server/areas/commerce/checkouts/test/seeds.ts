import { iso, row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import type { World } from '../../../../test/world.ts';

/** An open checkout of a new customer, with nothing in it. */
async function open(world: World, providerId: number): Promise<{ id: number; customer: number }> {
  const customer = await seed(world, 'customer', providerId);
  const at = iso(world.now);
  const values = { customer_id: customer, expires_at: iso(world.now + 900_000), created_at: at, updated_at: at };
  return { customer, id: await row(world, 'checkout', values, providerId) };
}

const FREE = { listPrice: 0, discount: 0, includedTaxes: 0, preTax: 0, lines: [], rounding: 0, total: 0 };

export const SEEDS: Seeds = {
  checkout: async (world, providerId) => (await open(world, providerId)).id,
  checkout_item: async (world, providerId) => {
    const { id, customer } = await open(world, providerId);
    const at = iso(world.now);
    return row(
      world,
      'checkout_item',
      {
        checkout_id: id,
        item_type: 'JOINING_FEE',
        customer_id: customer,
        description: 'Joining fee',
        standard_unit_price_minor: 0,
        total_minor: 0,
        price: JSON.stringify(FREE),
        joining_fee_id: await seed(world, 'joining_fee', providerId),
        created_at: at,
        updated_at: at,
      },
      providerId,
    );
  },
};
