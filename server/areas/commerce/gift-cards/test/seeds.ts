import { sql } from '../../../../kernel/base/db/sql.ts';
import { newCards } from './cards.ts';
import { redeem } from '../redeem.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  // A redeemed card, and one that can be redeemed.
  gift_card: async (world, providerId) => {
    const recipient = await seed(world, 'customer', providerId);
    const { card } = await newCards(world, {}, providerId);
    await world.work(providerId, (work) => redeem(work, card, recipient));
    const image = await seed(world, 'image', providerId);
    const made = (await newCards(world, { recipient }, providerId)).card;
    await world.work(providerId, ({ tx }) =>
      tx.run(sql`UPDATE gift_card SET image_id = ${image} WHERE provider_id = ${providerId} AND id = ${made}`),
    );
    return made;
  },
};
