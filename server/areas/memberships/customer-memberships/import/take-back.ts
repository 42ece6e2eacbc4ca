/** Memberships that were imported by mistake: they end as if they had never been here. */
import { cancelMistakes } from '../changes/cancel.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const PORTION = 1000;

interface Facts extends Record<string, unknown> {
  readonly id: number;
  readonly status: string;
  readonly mistake: boolean;
  readonly used: boolean;
  readonly charged: boolean;
  readonly approved: boolean;
}

const REASONS = {
  used: 'was used for bookings',
  charged: 'was charged',
  approved: 'is billed, because somebody approved it',
} as const;

/** Ends imported memberships that nothing depends on. Returns the reasons for keeping the others, by id. */
export async function takeBackMoved(work: Work, ids: readonly number[]): Promise<Map<number, string>> {
  const { tx, providerId } = work;
  const kept = new Map<number, string>();
  const found = await tx.rows<Facts>(
    sql`SELECT m.id, m.status, coalesce(m.cancellation_reason = 'mistake', false) AS mistake,
        EXISTS (SELECT FROM entitlement_entry e WHERE e.provider_id = m.provider_id
          AND e.customer_membership_id = m.id AND e.open) AS used,
        EXISTS (SELECT FROM account_entry a WHERE a.provider_id = m.provider_id
          AND a.customer_membership_id = m.id) AS charged,
        m.renews_on IS NOT NULL AS approved
      FROM customer_membership m WHERE m.provider_id = ${providerId} AND m.id = ANY(${ids}::bigint[]) ORDER BY m.id`,
  );
  const ending: number[] = [];
  for (const one of found) {
    if (one.status === 'cancelled' && one.mistake) continue;
    const reason = (['used', 'charged', 'approved'] as const).find((name) => one[name]);
    if (reason) kept.set(one.id, REASONS[reason]);
    else ending.push(one.id);
  }
  // In portions, so that no statement carries all memberships of a large file.
  for (let from = 0; from < ending.length; from += PORTION)
    for (const [id, reason] of await cancelMistakes(work, ending.slice(from, from + PORTION))) kept.set(id, reason);
  return kept;
}
