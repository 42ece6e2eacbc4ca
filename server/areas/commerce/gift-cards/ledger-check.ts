import { compare, type LedgerCheck } from '../../money/ledger/index.ts';
import { isOpen } from './row.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

/** The check of the amount that the business owes to holders of its gift cards. */
export const giftCardsCheck: LedgerCheck = {
  name: 'gift_cards',
  description: 'The value of all gift cards that can still be redeemed is the balance of `gift_card`.',
  resource: 'gift_card',
  check: (work) =>
    compare(
      work,
      'gift_card',
      sql`SELECT '' AS key, -sum(c.amount_minor) AS amount FROM gift_card c
        WHERE c.provider_id = ${work.providerId} AND ${isOpen('c')}`,
      () => 'all of them',
    ),
};
