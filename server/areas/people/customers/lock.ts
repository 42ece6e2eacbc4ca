/** Locks customers: the only function for that, in this area and all later ones. */
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { lockRows, type Strength } from '../../../kernel/work/unit/row.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A customer as it is stored. */
export type CustomerRow = Row<'customer'>;

/**
 * Locks customers, including deleted ones, in the order of their ids, and returns them. In the documented order of
 * locks, they come after events and before what they own. `KEY SHARE`: they can't be removed, but anything about them
 * may change.
 */
export const lockCustomers = (work: Work, ids: readonly number[], strength?: Strength): Promise<CustomerRow[]> =>
  lockRows<CustomerRow>(work, 'customer', ids, strength);

/** Returns the lock as a statement, `KEY SHARE`; `ids`: an array of bigint. */
export const keepingCustomers = (provider: unknown, ids: Sql): Sql =>
  sql`SELECT c.id FROM customer c WHERE c.provider_id = ${provider} AND c.id = ANY(${ids}) ORDER BY c.id FOR KEY SHARE`;
