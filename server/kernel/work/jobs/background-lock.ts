/**
 * Background work of the service acts on many rows of a business in the order in which things happened. A change that
 * locks such rows in another order would deadlock with it, so neither begins while the other is under way.
 */
import { sql } from '../../base/db/sql.ts';
import type { Transaction } from '../../base/db/database.ts';

const LOCK = 771_006;

const keyOf = (provider: number): number => provider % 2_147_483_647;

/**
 * Waits, before the next statement, for changes at these businesses that keep background work out. To be called before
 * anything is locked.
 */
export function beginBackground(tx: Transaction, providers: readonly number[]): void {
  const keys = [...new Set(providers.map(keyOf))].toSorted((a, b) => a - b);
  tx.later(
    sql`SELECT pg_advisory_xact_lock_shared(${LOCK}, key) FROM unnest(${keys}::int[]) WITH ORDINALITY AS k (key, nth) ORDER BY nth`,
  );
}

/**
 * Waits until no background work is under way at the business, and keeps it waiting until the transaction ends. To be
 * called before anything is locked.
 */
export async function keepOutBackground(tx: Transaction, provider: number): Promise<void> {
  await tx.run(sql`SELECT pg_advisory_xact_lock(${LOCK}, ${keyOf(provider)}::int)`);
}
