/**
 * Work of the service itself touches many people of a business, in the order in which things happened to them. Making
 * one person of two records locks both, in the order of their ids. Each would wait for the other; so neither begins
 * while the other is under way.
 */
import { sql } from './sql.ts';
import type { Transaction } from './database.ts';

const LOCK = 771_006;

const keyOf = (provider: number): number => provider % 2_147_483_647;

/**
 * Nobody becomes somebody else at these businesses until the transaction ends. To be called before anything is locked.
 */
export async function peopleStay(tx: Transaction, providers: readonly number[]): Promise<void> {
  const keys = [...new Set(providers.map(keyOf))].toSorted((a, b) => a - b);
  await tx.run(
    sql`SELECT pg_advisory_xact_lock_shared(${LOCK}, key) FROM unnest(${keys}::int[]) WITH ORDINALITY AS k (key, nth) ORDER BY nth`,
  );
}

/**
 * Waits until no work of the service is under way at the business, and keeps it waiting. To be called before anything
 * is locked.
 */
export async function peopleChange(tx: Transaction, provider: number): Promise<void> {
  await tx.run(sql`SELECT pg_advisory_xact_lock(${LOCK}, ${keyOf(provider)}::int)`);
}
