/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { blanked, BOOKS, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness(
    'stock_hold',
    'store_inventory_adjustment',
    'store_order_item',
    'store_product',
    'store_product_attribute',
    'store_product_attribute_value',
    'store_product_image',
    'store_product_variant',
    'store_product_variant_image',
    'store_product_variant_value',
    'store_settings',
  ),
  store_order: blanked(
    'orders',
    BOOKS,
    { delivery_address: sql`NULL`, note: sql`NULL` },
    {
      unfinished: [
        {
          one: 'order that is not finished',
          many: 'orders that are not finished',
          remedy: 'Hand them over, or cancel them.',
          when: () => sql`(t.status = 'paid' OR t.locked_at IS NOT NULL)`,
        },
      ],
    },
  ),
};
