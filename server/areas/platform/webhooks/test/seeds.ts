import { randomUUID } from 'node:crypto';
import { createDestination } from '../index.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import type { World } from '../../../../test/world.ts';

const attemptOf = (world: World, delivery: number, providerId: number): Promise<number> =>
  row(
    world,
    'webhook_attempt',
    {
      delivery_id: delivery,
      started_at: iso(world.now),
      duration_ms: 12,
      response_status: 500,
      response_headers: { server: 'none' },
      response_body: 'down',
    },
    providerId,
  );

export const SEEDS: Seeds = {
  webhook_destination: (world, providerId) =>
    world.work(providerId, (work) =>
      createDestination(work, {
        url: `https://hooks.example.com/${randomUUID()}`,
        description: 'Reports',
        feed_item_types: ['customer.created'],
      }),
    ),
  webhook_delivery: async (world, providerId) => {
    const delivery = await row(
      world,
      'webhook_delivery',
      {
        destination_id: await seed(world, 'webhook_destination', providerId),
        kind: 'customer.created',
        next_attempt_at: iso(world.now),
        attempts: 1,
        body: '{"feed_items":[]}',
      },
      providerId,
    );
    await attemptOf(world, delivery, providerId);
    return delivery;
  },
  webhook_attempt: async (world, providerId) =>
    attemptOf(world, await seed(world, 'webhook_delivery', providerId), providerId),
};
