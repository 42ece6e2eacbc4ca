/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { blanked, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('bulk_action', 'job'),
  bulk_action_result: blanked(
    'bulk_action_results',
    'The numbers of the bulk action must still add up.',
    { error_message: sql`CASE WHEN t.error_message IS NOT NULL THEN 'Erased.' END` },
    {
      rows: ({ ids }) =>
        sql`t.primary_object = ANY(${ids}::bigint[]) AND EXISTS (SELECT FROM bulk_action b
          WHERE b.provider_id = t.provider_id AND b.id = t.bulk_action_id
            AND b.type IN ('delete_customers', 'share_with_families'))`,
      internal: true,
    },
  ),
};
