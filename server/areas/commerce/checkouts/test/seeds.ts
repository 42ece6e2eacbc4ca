import { filled } from './calls.ts';
import { noteCharges } from '../drop-in/ledger.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

/** Creates a completed checkout, with its invoice and a payment. */
async function completed(world: World, providerId: number): Promise<void> {
  const { id } = await filled(world, providerId);
  const [invoice, payment] = [await seed(world, 'invoice', providerId), await seed(world, 'payment', providerId)];
  await world.work(providerId, async ({ tx }) => {
    await tx.run(sql`UPDATE checkout c SET status = 'completed', ended_at = now(), invoice_id = i.id,
      payment_id = ${payment}, total_minor = i.total_minor
      FROM invoice i
      WHERE c.provider_id = ${providerId} AND c.id = ${id} AND i.provider_id = c.provider_id AND i.id = ${invoice}`);
    await tx.run(sql`UPDATE checkout_item i SET total_minor = c.total_minor FROM checkout c
      WHERE c.provider_id = ${providerId} AND c.id = ${id} AND i.provider_id = c.provider_id
        AND i.checkout_id = c.id`);
  });
}

/** A booking whose price was charged to an account. */
async function charged(world: World, providerId: number): Promise<void> {
  const [attendance, entry] = [
    await seed(world, 'attendance', providerId),
    await seed(world, 'account_entry', providerId),
  ];
  await world.work(providerId, (work) => noteCharges(work, [{ attendance, entry }]));
}

export const SEEDS: Seeds = {
  checkout: async (world, providerId) => {
    await completed(world, providerId);
    await charged(world, providerId);
    return (await filled(world, providerId)).id;
  },
  checkout_item: async (world, providerId) => (await filled(world, providerId)).item,
};
