import { randomUUID } from 'node:crypto';
import { queueMessage } from '../index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';

const DAY = 86_400_000;

export const SEEDS: Seeds = {
  message: async (world, providerId) => {
    const customer = await seed(world, 'customer', providerId);
    const about = await seed(world, 'customer', providerId);
    const to = { customer, about };
    return world.work(
      providerId,
      async (work) =>
        (
          await queueMessage(work, {
            channel: 'email',
            purpose: 'transactional',
            kind: 'event_reminder',
            to,
            subject: name('Reminder'),
            text: 'See you.',
            key: randomUUID(),
            sendAt: world.now + 30 * DAY,
          })
        ).id!,
    );
  },
  sms_account: async (world, providerId) => {
    const customer = await seed(world, 'customer', providerId);
    await world.work(providerId, ({ tx }) =>
      tx.run(
        sql`
          INSERT INTO sms_account (provider_id, customer_id, country, phone_number, full_number, enabled, created_at,
            updated_at) VALUES (${providerId}, ${customer}, 'CA', '416 555 0100', '+14165550100', true, now(), now())`,
      ),
    );
    return customer;
  },
  suppression: async (world, providerId) =>
    row(
      world,
      'suppression',
      {
        channel: 'email',
        address: `${randomUUID()}@example.com`,
        reason: 'bounced',
        message_id: await seed(world, 'message', providerId),
        created_at: iso(world.now),
        updated_at: iso(world.now),
      },
      providerId,
    ),
};
