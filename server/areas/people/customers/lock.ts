/** Holds customers still: the one way to lock them, for this area and for those after it. */
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { lockRows, type Strength } from '../../../kernel/work/unit/row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A customer as it is stored. */
export interface CustomerRow extends Record<string, any> {
  readonly id: number;
  readonly user_id: number | null;
  readonly family_id: number | null;
  readonly family_role: 'manager' | 'child' | null;
  readonly status_id: number | null;
  readonly is_status_locked: boolean;
  readonly deleted_at: number | null;
}

/**
 * Customers in the order of their ids, as they are, also those that were deleted. The law of locks has events before
 * them and what they own after them. `KEY SHARE`: they stay, and anything about them may change.
 */
export const lockCustomers = (work: Work, ids: readonly number[], strength?: Strength): Promise<CustomerRow[]> =>
  lockRows<CustomerRow>(work, 'customer', ids, strength);

/** The same as a statement, `KEY SHARE`; `ids`: an array of bigint. */
export const keepingCustomers = (provider: unknown, ids: Sql): Sql =>
  sql`SELECT c.id FROM customer c WHERE c.provider_id = ${provider} AND c.id = ANY(${ids}) ORDER BY c.id FOR KEY SHARE`;
