/** Uses that are left of an imported membership, recorded as a manual entry in its ledger. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { todayOf, type Values } from '../writes.ts';
import type { PeriodLimit, Product } from '../../memberships/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Returns the limit that the number of uses left applies to: the total limit, or else the one with the longest period.
 */
function limitOf({ allotment }: Product): (PeriodLimit & { readonly maxUses: number }) | null {
  const counted = (allotment?.limits ?? []).filter(
    (limit): limit is PeriodLimit & { readonly maxUses: number } => limit.maxUses !== null,
  );
  return counted.find(({ period }) => period === 'total') ?? counted.at(-1) ?? null;
}

/** Returns the number of uses that a membership is sold with; null if it has no limit. */
export const usesLimit = (product: Product): number | null => limitOf(product)?.maxUses ?? null;

/** Returns the reason why the uses left can't be set; null if they can. */
export const againstUses = (product: Product): string | null =>
  limitOf(product) === null
    ? `can’t be set: "${product.name}" has no limit of uses here. Set its allotment first, or leave the cell empty`
    : null;

interface Left {
  readonly id: number;
  readonly customer: number;
  readonly product: Product;
  readonly usesLeft: number | null;
  readonly values: Values;
}

/** Adds the entries. For a limit by period, they count in today's period: earlier uses don't matter here. */
export async function addUses(work: Work, moved: readonly Left[]): Promise<void> {
  const today = todayOf(work);
  const entries = moved.flatMap(({ id, customer, product, usesLeft, values: { start_date: start } }) => {
    const amount = usesLeft === null ? 0 : usesLeft - (limitOf(product)?.maxUses ?? usesLeft);
    return amount === 0 ? [] : [{ id, customer, amount, on: start !== null && start > today ? start : today }];
  });
  if (entries.length === 0) return;
  const each = <T>(of: (entry: (typeof entries)[number]) => T): T[] => entries.map(of);
  await work.tx.run(sql`
    INSERT INTO entitlement_entry (provider_id, customer_membership_id, customer_id, event_starts_on, amount,
      reason, at)
    SELECT ${work.providerId}::bigint, e.membership, e.customer, e."on", e.amount, 'adjusted',
      ${instant(work.now)}::timestamptz
    FROM unnest(${each((e) => e.id)}::bigint[], ${each((e) => e.customer)}::bigint[], ${each((e) => e.on)}::date[],
      ${each((e) => e.amount)}::int[])
      WITH ORDINALITY AS e (membership, customer, "on", amount, nth) ORDER BY e.nth`);
}
