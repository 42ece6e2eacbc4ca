import { createBroadcast } from '../index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  broadcast_message: async (world, providerId) => {
    const staff = await seed(world, 'staff', providerId);
    return world.work(providerId, async (work) => {
      const id = await createBroadcast(work, {
        channel: 'email',
        use_case: 'general',
        subject: name('News'),
        message: 'Dear {{customer.first_name|friend}}',
        target_recipients: { query_type: 'customer', query: { ids: [1] } },
      });
      await work.tx.run(
        sql`UPDATE broadcast_message SET sent_by_id = ${staff} WHERE provider_id = ${providerId} AND id = ${id}`,
      );
      return id;
    });
  },
};
