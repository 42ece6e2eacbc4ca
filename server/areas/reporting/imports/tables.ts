/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('import'),
  import_row: deleted('rows_of_imported_files', {
    internal: true,
    hidden: ['own_key', 'shared_key'],
    rows: ({ ids, emails, phones }) => sql`(EXISTS (SELECT FROM jsonb_array_elements_text(t.cells) cell
        WHERE lower(cell) = ANY(${emails}::text[]) OR cell = ANY(${phones}::text[]))
      OR EXISTS (SELECT FROM import i WHERE i.provider_id = t.provider_id AND i.id = t.import_id
          AND i.kind = 'customers'
        AND t.object_id = ANY(${ids}::bigint[])))`,
  }),
  imported_object: deleted('ids_elsewhere', {
    internal: true,
    rows: ({ ids }) => sql`(t.object = 'customer' AND t.object_id = ANY(${ids}::bigint[]))`,
  }),
};
