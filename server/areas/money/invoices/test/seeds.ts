import { billed, payWith } from './invoicing.ts';
import { row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import type { World } from '../../../../test/world.ts';

/** An invoice with everything that it can have: a tax, a discount, a payment, account credit, and the id of each. */
async function whole(world: World, providerId: number): Promise<number> {
  const payer = await seed(world, 'customer', providerId);
  // No other fee: what an invoice has charged cannot be deleted.
  const fees = [await seed(world, 'purchase_fee', providerId)];
  const code = { id: await seed(world, 'discount_code', providerId), code: 'SPRING', name: 'Spring' };
  const lines = [{ fees, discount: 500, billed: { object: 'customer', id: payer, name: 'Rowing' } }];
  const { id } = await billed(world, payer, lines, { discountCode: code }, providerId);
  await payWith(world, payer, id, 100, providerId);
  return id;
}

/** The id of a row that belongs to such an invoice. */
const partOf = async (world: World, providerId: number, table: string): Promise<number> => {
  const invoice = await whole(world, providerId);
  const [first] = await world.work(providerId, ({ tx }) =>
    tx.rows<{ id: number }>(
      table === 'invoice_charge'
        ? sql`SELECT id FROM invoice_charge WHERE provider_id = ${providerId} AND invoice_id = ${invoice}`
        : table === 'invoice_line_fee'
          ? sql`SELECT id FROM invoice_line_fee WHERE provider_id = ${providerId} AND invoice_id = ${invoice} ORDER BY id LIMIT 1`
          : sql`SELECT id FROM invoice_line WHERE provider_id = ${providerId} AND invoice_id = ${invoice}`,
    ),
  );
  return first.id;
};

export const SEEDS: Seeds = {
  invoice: whole,
  invoice_discount: whole,
  invoice_line_item: (world, providerId) => partOf(world, providerId, 'invoice_line'),
  billed_item: (world, providerId) => partOf(world, providerId, 'invoice_line'),
  invoice_adjustment: (world, providerId) => partOf(world, providerId, 'invoice_line'),
  invoice_tax: (world, providerId) => partOf(world, providerId, 'invoice_line_fee'),
  invoice_charge: (world, providerId) => partOf(world, providerId, 'invoice_charge'),
  invoice_credit: async (world, providerId) => {
    const invoice_id = await whole(world, providerId);
    return row(
      world,
      'invoice_credit',
      { invoice_id, amount_minor: 1, created_at: new Date().toISOString() },
      providerId,
    );
  },
  payer: (world, providerId) => seed(world, 'customer', providerId),
};
