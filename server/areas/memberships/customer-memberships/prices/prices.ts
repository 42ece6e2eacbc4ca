import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

/** Type of the bulk actions that change prices. */
export const PRICE_EDIT = 'edit_prices';

/** Returns the latest requested price change of customer membership `t`. */
export const priceEditOf = (t: string): Sql => sql`(SELECT max(r.bulk_action_id) FROM bulk_action_result r
  JOIN bulk_action a ON a.provider_id = r.provider_id AND a.id = r.bulk_action_id AND a.type = ${raw(`'${PRICE_EDIT}'`)}
  WHERE r.provider_id = ${raw(t)}.provider_id AND r.primary_object = ${raw(t)}.id)`;
