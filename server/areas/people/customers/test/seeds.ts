import { sql } from '../../../../kernel/base/db/sql.ts';
import { row } from '../../../../test/schedule-world.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  family_invite: async (world, providerId) => {
    const family = await row(world, 'family', {}, providerId);
    const [by, joined] = [await seed(world, 'customer', providerId), await seed(world, 'customer', providerId)];
    return row(
      world,
      'family_invite',
      {
        family_id: family,
        invited_by_id: by,
        claimed_by_id: joined,
        first_name: 'Eve',
        last_name: name('Byron'),
        email: 'eve@example.com',
      },
      providerId,
    );
  },
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
