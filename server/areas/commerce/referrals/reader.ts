/**
 * The reader of the feed that starts referrals when customers are created, and confirms them when customers come or
 * pay.
 */
import { confirmReferrals } from './confirm.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startReferrals } from './start.ts';
import type { FeedItem } from '../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { ReferralRow } from './referral.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Payload {
  readonly customer: number;
  readonly invoice?: number;
}

const CONFIRMED_BY: Readonly<Record<string, ReferralRow['confirms_on']>> = {
  'attendance.attended': 'first_visit',
  'checkin.created': 'first_visit',
  'invoice.paid': 'first_purchase',
};

export const referralsReader: FeedReader = {
  name: 'referrals',
  kinds: ['customer.created', ...Object.keys(CONFIRMED_BY)],
  async read(work, items) {
    const created = items.filter(({ kind }) => kind === 'customer.created');
    if (created.length > 0) await startReferrals(work, customers(created));
    for (const rule of new Set(Object.values(CONFIRMED_BY))) {
      const done = items.filter(({ kind }) => CONFIRMED_BY[kind] === rule);
      if (done.length > 0) await confirmReferrals(work, await pendingOf(work, customers(done), rule), rule);
    }
  },
};

const customers = (of: readonly FeedItem[]): number[] => [
  ...new Set(of.map(({ payload }) => (payload as unknown as Payload).customer)),
];

/** Returns the pending referrals of customers. An invoice of 0 is not a purchase. */
async function pendingOf(
  { tx, providerId }: Work,
  customers: readonly number[],
  rule: ReferralRow['confirms_on'],
): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(sql`
    SELECT f.id FROM referral f WHERE f.provider_id = ${providerId} AND f.customer_id = ANY(${customers}::bigint[])
      AND f.status = 'pending'
      AND f.confirms_on = ${rule} AND (${rule} = 'first_visit' OR EXISTS (SELECT FROM invoice i
        WHERE i.provider_id = f.provider_id AND i.customer_id = f.customer_id AND i.series = 'invoice'
          AND i.status = 'paid' AND i.total_minor > 0))
    ORDER BY f.id`);
  return rows.map(({ id }) => id);
}
