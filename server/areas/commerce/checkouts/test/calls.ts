import { iso, newEvent, newOffering, newVenue, row } from '../../../../test/schedule-world.ts';
import { plainPrice } from '../pricing.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

/** An open checkout of a new customer with a joining fee in it. */
async function filled(world: World): Promise<{ id: number; customer: number; item: number }> {
  const customer = await seed(world, 'customer');
  const at = iso(world.now);
  const stamps = { created_at: at, updated_at: at };
  const id = await row(world, 'checkout', { customer_id: customer, expires_at: iso(world.now + 900_000), ...stamps });
  const item = await row(world, 'checkout_item', {
    checkout_id: id,
    item_type: 'JOINING_FEE',
    customer_id: customer,
    description: 'Joining fee',
    standard_unit_price_minor: 0,
    total_minor: 0,
    price: JSON.stringify(plainPrice(0)),
    joining_fee_id: await seed(world, 'joining_fee'),
    ...stamps,
  });
  return { id, customer, item };
}

const withItem = async (world: World, body: Call['body']): Promise<Call> => {
  const { id, customer, item } = await filled(world);
  return { id, customer, params: { item_id: String(item) }, body };
};

export const CALLS: Calls = {
  'PUT /checkouts/{id}': async (world) => ({ ...(await filled(world)), body: { use_account_credit: true } }),
  'PATCH /checkouts/{id}': async (world) => ({ ...(await filled(world)), body: { use_account_credit: true } }),
  'POST /checkouts/{id}/add_item': async (world) => {
    const place = { venue: await newVenue(world), offering: await newOffering(world) };
    const { id: event } = await newEvent(world, place);
    const { id, customer } = await filled(world);
    return { id, customer, body: { item_type: 'CLASS_DRP', event, customer } };
  },
  'POST /checkouts/{id}/pay': async (world) => ({ ...(await filled(world)), body: { pay_later: true } }),
  'DELETE /checkouts/{id}/items/{item_id}': (world) => withItem(world, {}),
  'POST /checkouts/{id}/items/{item_id}/price': (world) => withItem(world, { unit_price: '1.00' }),
  'POST /checkouts/{id}/items/{item_id}/quantity': (world) => withItem(world, { quantity: 1 }),
};
