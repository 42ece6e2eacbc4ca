/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { blanked, BOOKS, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('booking_payment'),
  checkout: blanked(
    'checkouts',
    BOOKS,
    { return_to: sql`NULL`, secret_hash: sql`NULL` },
    {
      unfinished: [
        {
          one: 'checkout that is not finished',
          many: 'checkouts that are not finished',
          remedy: 'Cancel them, or wait until they are finished.',
          when: () => sql`t.status IN ('open', 'pending')`,
        },
      ],
      hidden: ['return_to', 'ending', 'payment_error'],
    },
  ),
  checkout_item: blanked(
    'checkout_items',
    BOOKS,
    {
      // The recipient of a gift card, no matter who bought it.
      gift_email: sql`CASE WHEN t.gift_email IS NOT NULL THEN 'erased' END`,
      gift_message: sql`NULL`,
      gift_name: sql`CASE WHEN t.gift_name IS NOT NULL THEN 'Erased' END`,
    },
    {
      rows: ({ ids, emails }) =>
        sql`
          (t.customer_id = ANY(${ids}::bigint[]) OR t.gift_recipient_id = ANY(${ids}::bigint[])
            OR lower(t.gift_email) = ANY(${emails}::text[]))`,
      hidden: ['gift_email', 'gift_name', 'gift_message', 'gift_recipient_id'],
    },
  ),
};
