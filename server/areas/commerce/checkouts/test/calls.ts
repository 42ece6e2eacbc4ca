import { addItem, changeItem } from '../items/change-items.ts';
import { openCheckout } from '../change.ts';
import { itemsOf, lockCheckout } from '../rows.ts';
import { newEvent, newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { NOTHING } from '../item-kinds/kind.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

/** Opens a checkout of a new customer with a waived joining fee in it. */
export async function filled(
  world: World,
  providerId = world.harbour,
): Promise<{ id: number; customer: number; item: number }> {
  const [customer, fee] = [await seed(world, 'customer', providerId), await seed(world, 'joining_fee', providerId)];
  return world.work(providerId, async (work) => {
    const id = await openCheckout(work, { customer });
    const asked = { ...NOTHING, item_type: 'JOINING_FEE', customer_id: customer, joining_fee_id: fee } as const;
    const item = await addItem(work, await lockCheckout(work, id), asked);
    const [row] = await itemsOf(work, id);
    await changeItem(work, await lockCheckout(work, id), row, { unit_price_minor: 0 });
    return { id, customer, item };
  });
}

const withItem = async (world: World, body: Call['body']): Promise<Call> => {
  const { id, customer, item } = await filled(world);
  return { id, customer, params: { item_id: String(item) }, body };
};

const ofCustomer = async (world: World, body: Call['body']): Promise<Call> => {
  const { id, customer } = await filled(world);
  return { id, customer, body };
};

export const CALLS: Calls = {
  'PUT /checkouts/{id}': (world) => ofCustomer(world, { use_account_credit: true }),
  'PATCH /checkouts/{id}': (world) => ofCustomer(world, { use_account_credit: true }),
  'DELETE /checkouts/{id}': (world) => ofCustomer(world, {}),
  'POST /checkouts/{id}/pay': (world) => ofCustomer(world, {}),
  'POST /checkouts/{id}/add_item': async (world) => {
    const place = { venue: await newVenue(world), offering: await newOffering(world) };
    const { id: event } = await newEvent(world, place);
    const { id, customer } = await filled(world);
    return { id, customer, body: { item_type: 'CLASS_DRP', event, customer } };
  },
  'DELETE /checkouts/{id}/items/{item_id}': (world) => withItem(world, {}),
  'POST /checkouts/{id}/items/{item_id}/price': (world) => withItem(world, { unit_price: '1.00' }),
  'POST /checkouts/{id}/items/{item_id}/quantity': (world) => withItem(world, { quantity: 1 }),
};
