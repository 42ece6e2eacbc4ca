import { seed, type Seeds } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

export const SEEDS: Seeds = {
  provider: async (_world, providerId) => providerId,
  provider_theme: async (world, providerId) => {
    const image = await seed(world, 'image', providerId);
    await world.app.db.transaction(providerId, (tx) =>
      tx.run(
        sql`INSERT INTO provider_theme (provider_id, homescreen_logo_id) VALUES (${providerId}, ${image})
            ON CONFLICT (provider_id) DO UPDATE SET homescreen_logo_id = excluded.homescreen_logo_id`,
      ),
    );
    return providerId;
  },
};
