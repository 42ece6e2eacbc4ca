/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { blanked, BOOKS, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('gift_card_image_choice', 'gift_card_settings'),
  gift_card: blanked(
    'gift_cards',
    BOOKS,
    {
      recipient_email: sql`'erased'`,
      recipient_name: sql`'Erased'`,
      message: sql`NULL`,
    },
    {
      rows: ({ ids, emails }) => sql`(t.purchaser_id = ANY(${ids}::bigint[]) OR t.recipient_id = ANY(${ids}::bigint[])
        OR t.redeemed_by_id = ANY(${ids}::bigint[]) OR lower(t.recipient_email) = ANY(${emails}::text[]))`,
      unfinished: [
        {
          one: 'gift card that can still be redeemed',
          many: 'gift cards that can still be redeemed',
          remedy: 'Redeem or void them first, or wait until they expire.',
          when: () => sql`t.redeemed_at IS NULL AND t.expired_at IS NULL AND t.voided_at IS NULL`,
        },
      ],
      hidden: ['recipient_email', 'recipient_name', 'message', 'recipient_id', 'redeemed_by_id'],
    },
  ),
  gift_card_attempt: { stays: 'Wrong attempts are counted under the key of the installation, and are forgotten soon.' },
};
