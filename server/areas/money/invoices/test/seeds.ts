import { accountReasons, addEntry } from '../../account-entries/index.ts';
import { billed, payWith, type Over } from './invoicing.ts';
import { issueCreditNote } from '../index.ts';
import { row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

/** Creates an account credit as a line for an invoice. */
async function credit(world: World, providerId: number, customer: number): Promise<Over> {
  const accountEntry = await world.work(providerId, (work) =>
    addEntry(work, {
      customer,
      kind: 'credit',
      amount: 50,
      reason: accountReasons.items.find(({ name }) => name === 'flat_fee')!,
      revenue: 'flat_fee',
      subject: null,
      customerMembership: null,
      explanation: 'You were ill.',
      dueOn: '2026-06-01',
      period: null,
    }),
  );
  return { type: 'flat_fee', list: -50, fees: [], accountEntry };
}

/** Creates an invoice with everything that it can have: a tax, a discount, credits, a payment, and a credit note. */
async function whole(world: World, providerId: number): Promise<number> {
  const payer = await seed(world, 'customer', providerId);
  // Fees of its own only: a fee that an invoice has charged cannot be deleted.
  const fees = [await seed(world, 'purchase_fee', providerId)];
  const code = { id: await seed(world, 'discount_code', providerId), code: 'SPRING', name: 'Spring' };
  const ticket = { fees, discount: 500, billed: { object: 'customer', id: payer, name: 'Rowing' } };
  const lines = [ticket, await credit(world, providerId, payer)];
  const { id, lines: written } = await billed(world, payer, lines, { discountCode: code }, providerId);
  await payWith(world, payer, id, 100, providerId);
  const part = {
    invoice: id,
    lines: [{ line: written[0].id, amount: 10 }],
    why: 'You were ill.',
    to: 'credit',
  } as const;
  await world.work(providerId, (work) => issueCreditNote(work, part));
  return id;
}

/** Returns the id of a row that belongs to such an invoice. */
const partOf = async (world: World, providerId: number, table: string): Promise<number> => {
  const invoice = await whole(world, providerId);
  const [first] = await world.work(providerId, ({ tx }) =>
    tx.rows<{ id: number }>(
      table === 'invoice_charge'
        ? sql`SELECT id FROM invoice_charge WHERE provider_id = ${providerId} AND invoice_id = ${invoice}`
        : table === 'invoice_line_fee'
          ? sql`SELECT id FROM invoice_line_fee WHERE provider_id = ${providerId} AND invoice_id = ${invoice}
            ORDER BY id LIMIT 1`
          : sql`SELECT id FROM invoice_line WHERE provider_id = ${providerId} AND invoice_id = ${invoice}
            ORDER BY id LIMIT 1`,
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
      { invoice_id, amount_minor: 1, created_at: new Date(world.now).toISOString() },
      providerId,
    );
  },
  payer: (world, providerId) => seed(world, 'customer', providerId),
};
