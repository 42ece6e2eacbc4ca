import { sql } from '../../../../kernel/base/db/sql.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  customer: async (world, providerId) => {
    const status = await seed(world, 'customer_status', providerId);
    const customer = await world.newCustomer(
      { date_of_birth: '1990-05-17', venue: await seed(world, 'venue', providerId) },
      providerId,
    );
    await world.work(providerId, ({ tx }) =>
      tx.run(sql`UPDATE customer SET status_id = ${status} WHERE provider_id = ${providerId} AND id = ${customer}`),
    );
    return customer;
  },
};
