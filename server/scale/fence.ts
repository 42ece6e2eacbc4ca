import { sql } from '../kernel/base/db/sql.ts';

/** In a cell: the database itself stops where the business lives in another one, before anything else is done. */
export const FENCE = sql`(SELECT stop_elsewhere(state, cell) FROM cell_business WHERE provider_id = ${null}::bigint)`;
