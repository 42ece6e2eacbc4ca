import { Device } from './device.ts';
import { hashOf, sealSubscription } from '../subscription.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { publicKeyOf } from '../server-key.ts';
import { randomUUID } from 'node:crypto';
import { seed, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  push_notification_token: async (world, providerId) => {
    const { box } = world.app.installation;
    const endpoint = `https://push.example.com/${randomUUID()}`;
    const at = iso(world.now);
    return row(
      world,
      'push_notification_token',
      {
        customer_id: await seed(world, 'customer', providerId),
        name: 'Chrome, Android',
        service: 'push.example.com',
        fingerprint: hashOf(endpoint),
        sealed: sealSubscription(box, providerId, { endpoint, ...new Device().named }),
        public_key: publicKeyOf(box),
        created_at: at,
        updated_at: at,
      },
      providerId,
    );
  },
};
