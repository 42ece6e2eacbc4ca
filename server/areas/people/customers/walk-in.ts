/**
 * The customer who represents everyone who buys at the desk without giving a name. Sales to walk-ins belong to this one
 * record of the business, so that invoices and the ledger have a payer. Nobody sees it among the customers: its policy
 * hides it from every list, body and path, and statements that read customers directly exclude it.
 */
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/**
 * Returns its id. It is created on first use, without a feed item: no person is added. Its name, on invoices and
 * receipts, is in the language of the business.
 */
export async function walkInCustomer(work: Work): Promise<number> {
  const known = await findWalkIn(work);
  if (known !== null) return known;
  const made = await work.tx.one<{ id: number }>(sql`
    INSERT INTO customer (provider_id, first_name, visibility, participating, is_walk_in, created_at,
      updated_at)
    VALUES (${work.providerId}, ${storedTexts(work).say('walk_in')}, 'hidden', false, true, ${instant(work.now)},
      ${instant(work.now)})
    ON CONFLICT (provider_id) WHERE is_walk_in DO NOTHING RETURNING id`);
  return made?.id ?? (await findWalkIn(work))!;
}

/** Returns its id; null if nothing has been sold to a walk-in yet. */
export async function findWalkIn({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>): Promise<number | null> {
  const row = await tx.one<{ id: number }>(
    sql`SELECT id FROM customer WHERE provider_id = ${providerId} AND is_walk_in`,
  );
  return row?.id ?? null;
}
