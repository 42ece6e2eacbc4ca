import { compare, type LedgerCheck } from '../../money/ledger/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

/** Reserved account credit belongs to checkouts that are being paid, and to nothing else. */
export const heldCreditCheck: LedgerCheck = {
  name: 'held credit',
  description: 'The account credit that is set aside is what checkouts whose payment is under way have set aside.',
  resource: 'checkout',
  check: (work) =>
    compare(
      work,
      'credit_held',
      sql`SELECT customer_id::text AS key, -sum(held) AS amount FROM (
        SELECT k.customer_id, k.credit_minor - least(k.total_minor, (SELECT sum(i.credit_minor) FROM checkout_item i
          WHERE i.provider_id = k.provider_id AND i.checkout_id = k.id)) AS held
        FROM checkout k WHERE k.provider_id = ${work.providerId} AND k.status = 'pending') x GROUP BY 1`,
    ),
};
