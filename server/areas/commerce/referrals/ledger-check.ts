import { sql } from '../../../kernel/base/db/sql.ts';
import type { LedgerCheck } from '../../money/ledger/index.ts';

/** Entries that were reversed later still count as given: a separate entry reverses them. */
export const referralCreditCheck: LedgerCheck = {
  name: 'referral_credit',
  description:
    'What confirmed referrals gave is what account entries and their postings say, for each referral and side.',
  resource: 'referral',
  check: async ({ tx, providerId }) => {
    const rows = await tx.rows<{ id: number; side: string; expected: number; found: number }>(sql`
      SELECT f.id, s.side, s.amount AS expected, coalesce(e.amount, 0)::bigint AS found
      FROM referral f
      CROSS JOIN LATERAL (VALUES ('referral_reward', f.referrer_credit_minor),
        ('referral_welcome', f.customer_credit_minor))
        AS s (side, amount)
      LEFT JOIN LATERAL (
        SELECT sum(-l.amount_minor) AS amount FROM account_entry a
          JOIN ledger_transaction t ON t.provider_id = a.provider_id AND t.object = 'account_entry'
            AND t.object_id = a.id
          JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id AND l.account = 'credit'
        WHERE a.provider_id = f.provider_id AND a.subject_object = 'referral' AND a.subject_id = f.id
          AND a.reason = s.side
          AND a.kind = 'credit') e ON true
      WHERE f.provider_id = ${providerId} AND s.amount <> coalesce(e.amount, 0) ORDER BY f.id, s.side LIMIT 100`);
    return rows.map(({ id, side, expected, found }) => ({ of: `referral ${id}, ${side}`, expected, found }));
  },
};
