/**
 * A lock between background work and certain changes. Background work acts on many rows of a business in the order of
 * events. A change that locks these rows in another order would deadlock with it, so the two exclude each other.
 */
import { sql } from '../../base/db/sql.ts';
import type { Transaction } from '../../base/db/database.ts';

const LOCK = 771_006;

const keyOf = (provider: number): number => provider % 2_147_483_647;

/**
 * Waits, before the next statement, for changes at these businesses that exclude background work. Call it before
 * anything is locked.
 */
export function beginBackground(tx: Transaction, providers: readonly number[]): void {
  const keys = [...new Set(providers.map(keyOf))].toSorted((a, b) => a - b);
  tx.later(
    sql`SELECT pg_advisory_xact_lock_shared(${LOCK}, key) FROM unnest(${keys}::int[]) WITH ORDINALITY AS k (key, nth)
      ORDER BY nth`,
  );
}

/**
 * Waits until no background work is in progress at the business, and keeps it waiting until the transaction ends. Call
 * it before anything is locked.
 */
export async function keepOutBackground(tx: Transaction, provider: number): Promise<void> {
  await tx.run(sql`SELECT pg_advisory_xact_lock(${LOCK}, ${keyOf(provider)}::int)`);
}
