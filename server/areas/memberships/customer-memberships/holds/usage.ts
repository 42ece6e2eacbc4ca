/** The usage that decisions about holds need: the total allotment of each billing period. */
import { limitsOf, type PeriodLimit } from '../../memberships/index.ts';
import { toPot } from '../use/usage-periods.ts';
import { prorate, usedIn, type Use } from '../use/rules/allotment.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { usesOf } from '../use/facts.ts';
import type { Owned } from '../owned.ts';
import type { Usage } from './rules/payment.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns the usage by the id of the membership, without those that have no such allotment. */
export async function usagesOf(
  { tx, providerId }: Work,
  memberships: readonly Owned[],
): Promise<ReadonlyMap<number, Usage>> {
  const rows = await tx.rows<{ id: number; limits: PeriodLimit[]; uses: Use[] }>(sql`
    SELECT cm.id, ${limitsOf('m')} AS limits, ${usesOf('cm', null)} AS uses
    FROM customer_membership cm JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
    WHERE cm.provider_id = ${providerId} AND cm.id = ANY(${memberships.map(({ id }) => id)}::bigint[])`);
  const terms = new Map(memberships.map((owned) => [owned.id, termOf(owned)]));
  return new Map(
    rows.flatMap(({ id, limits, uses }) => {
      const usage = usageOf(limits, uses, terms.get(id)!);
      return usage === null ? [] : [[id, usage] as const];
    }),
  );
}

interface Term {
  readonly start: string | null;
  readonly end: string | null;
}

const termOf = ({ start_date: start, expiration_date: end }: Owned): Term => ({ start, end });

/** Returns the usage, counted and prorated as for bookings. */
function usageOf(limits: readonly PeriodLimit[], uses: readonly Use[], term: Term): Usage | null {
  const limit = limits.find((l) => l.period === 'billing_period' && l.maxUses !== null);
  if (!limit) return null;
  const pot = toPot(limit);
  return {
    max: limit.maxUses!,
    used: (period) => usedIn(pot, period, uses),
    prorated: (period, pauses) => prorate(limit.maxUses!, period, { ...term, pauses })?.max ?? limit.maxUses!,
  };
}
