import { Device } from './device.ts';
import { randomUUID } from 'node:crypto';
import { seed } from '../../../../test/seeds.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

/** Creates a device with its owner. */
async function ofItsCustomer(world: World): Promise<Pick<Call, 'id' | 'customer'>> {
  const id = await seed(world, 'push_notification_token');
  const { body } = await world.get(`/push_notification_tokens/${id}?fields=customer`, { as: world.machine });
  return { id, customer: body.customer };
}

export const CALLS: Calls = {
  'POST /push_notification_tokens': async (world) => {
    await world.patch('/communication/settings', { as: world.machine, body: { push_notifications: true } });
    const customer = await world.newCustomer();
    // An address that needs no name lookup; nothing is sent to it.
    return { customer, body: { endpoint: `https://1.1.1.1/${randomUUID()}`, ...new Device().named } };
  },
  'PATCH /push_notification_tokens/{id}': async (world) => ({
    ...(await ofItsCustomer(world)),
    body: { name: 'Work' },
  }),
  'DELETE /push_notification_tokens/{id}': async (world) => ({ ...(await ofItsCustomer(world)), body: {} }),
};
