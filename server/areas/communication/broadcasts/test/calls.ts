import { iso } from '../../../../test/schedule-world.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

/** Creates a broadcast to one customer, which may be deferred to another day. */
async function broadcast(world: World, defer_sending: object | null): Promise<Call> {
  const id = await seed(world, 'broadcast_message');
  const target_recipients = { query_type: 'customer', query: { ids: [await seed(world, 'customer')] } };
  return {
    id,
    body: {
      message: 'See you',
      use_case: 'general',
      channel: 'email',
      subject: 'News',
      target_recipients,
      defer_sending,
    },
  };
}

export const CALLS: Calls = {
  'PATCH /communication/broadcast_messages/{id}': async (world) => ({
    id: await seed(world, 'broadcast_message'),
    body: { message: 'Another' },
  }),
  'POST /communication/broadcast_messages/{id}/send': (world) => broadcast(world, null),
  'POST /communication/broadcast_messages/{id}/cancel': async (world) => {
    const { id, body } = await broadcast(world, { at: iso(world.now + 9e7) });
    await world.post(`/communication/broadcast_messages/${id}/send`, { as: world.machine, body });
    return { id, body: {} };
  },
};

export const CHANGES_NOTHING: Record<string, string> = {
  'POST /communication/broadcast_messages/recipients_preview': 'it only looks',
  'POST /communication/broadcast_messages/preview': 'it only shows how a text would read',
};
