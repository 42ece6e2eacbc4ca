/** Checks that the ledger agrees with the totals of payments, refunds and disputes. */
import { compare, type DetailNames, type LedgerCheck } from '../ledger/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

const processor = (key: string): string => `payment processor ${key}`;

const clearingCheck: LedgerCheck = {
  name: 'payments',
  description:
    'The payments of each processor that succeeded, less refunds that did not fail and disputes that were not won, are its balance of `clearing`.',
  resource: 'payment',
  check: (work) =>
    compare(
      work,
      'clearing',
      sql`SELECT p.payment_processor_id::text AS key,
        sum(p.amount_minor - p.refunded_minor - coalesce(d.amount, 0)) AS amount
        FROM payment p LEFT JOIN (SELECT payment_id, sum(amount_minor) AS amount FROM payment_dispute
          WHERE provider_id = ${work.providerId} AND status <> 'won' GROUP BY payment_id) d ON d.payment_id = p.id
        WHERE p.provider_id = ${work.providerId} AND p.status = 'succeeded' GROUP BY p.payment_processor_id`,
      processor,
    ),
};

const disputeCheck: LedgerCheck = {
  name: 'disputes',
  description: 'The disputes that are open or lost are the balance of `dispute`.',
  resource: 'payment_dispute',
  check: (work) =>
    compare(
      work,
      'dispute',
      sql`SELECT '' AS key, sum(amount_minor) AS amount FROM payment_dispute
        WHERE provider_id = ${work.providerId} AND status <> 'won'`,
      () => 'disputes',
    ),
};

const unappliedCheck: LedgerCheck = {
  name: 'unapplied',
  description: 'No customer has been refunded more than what was theirs: the balance of `unapplied` is never a debit.',
  resource: 'payment_refund',
  check: async ({ tx, providerId }) =>
    (
      await tx.rows<{ customer: number; found: number }>(
        sql`SELECT customer_id AS customer, sum(amount_minor)::bigint AS found FROM ledger_line
            WHERE provider_id = ${providerId} AND account = 'unapplied' GROUP BY customer_id
            HAVING sum(amount_minor) > 0
            ORDER BY customer_id LIMIT 100`,
      )
    ).map(({ customer, found }) => ({ of: `customer ${customer}`, expected: 0, found })),
};

export const PAYMENT_CHECKS = [clearingCheck, disputeCheck, unappliedCheck] as const;

const namedBy = (name: DetailNames['name'], description: string): DetailNames => ({
  name,
  description,
  resource: 'payment_processor',
  names: async ({ tx, providerId }) => {
    const rows = await tx.rows<{ id: number; name: string }>(
      sql`SELECT id, name FROM payment_processor WHERE provider_id = ${providerId}`,
    );
    return new Map(rows.map(({ id, name: called }) => [String(id), called]));
  },
});

/** Names of the ids in these accounts, which are ids of payment processors. */
export const processorNames = [
  namedBy('clearing', 'Amounts received by a payment processor, by its id.'),
  namedBy('cash', 'Amounts put into a cash drawer, by the id of its payment processor.'),
] as const;
