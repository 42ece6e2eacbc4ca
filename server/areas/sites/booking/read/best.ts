/** Prices that the memberships for sale would have had for the reader's own visits of the last three months. */
import { addMonths } from '../../../../kernel/base/values/period.ts';
import { bestFor, type Best, type Candidate } from '../rules/best.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { isFor } from '../../../memberships/memberships/index.ts';
import { startOfDay, wallAt } from '../../../../kernel/base/values/zone.ts';
import type { Offer } from './compared.ts';
import type { Present } from '../look.ts';
import type { Tenant } from '../../../../kernel/work/unit/work.ts';

const MONTHS = 3;

interface Used {
  readonly id: number;
  readonly visits: number;
  readonly covered: number;
  readonly limited: boolean;
}

/** Compares the memberships by the visits of one customer. Visits that nobody marked count as well. */
export async function bestOf(
  { tx }: Pick<Present, 'tx'>,
  { providerId, zone }: Tenant,
  { customer, now, sold }: { readonly customer: number; readonly now: number; readonly sold: readonly Offer[] },
): Promise<Best> {
  const from = startOfDay(addMonths(wallAt(now, zone).date, -MONTHS), zone);
  const rows = await tx.rows<Used>(sql`
    WITH came AS (SELECT e.offering_type_id AS offering FROM attendance a
      JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
      WHERE a.provider_id = ${providerId} AND a.customer_id = ${customer} AND a.status IN ('attended', 'registered')
        AND e.status = 'active' AND e.starts_at >= ${instant(from)} AND e.ends_at <= ${instant(now)})
    SELECT m.id, (SELECT count(*)::int FROM came) AS visits,
      (SELECT count(*)::int FROM came c JOIN offering_type o ON o.provider_id = m.provider_id AND o.id = c.offering
        WHERE ${isFor('m', 'o')}) AS covered,
      EXISTS (SELECT FROM membership_limit l WHERE l.provider_id = m.provider_id AND l.membership_id = m.id
        AND (l.max_uses IS NOT NULL AND NOT (l.period = 'total' AND m.type = 'pack')
          OR EXISTS (SELECT FROM membership_limit_offering_type t
            WHERE t.provider_id = l.provider_id AND t.membership_limit_id = l.id)))
        OR EXISTS (SELECT FROM membership_registration_grant g WHERE g.provider_id = m.provider_id
          AND g.membership_id = m.id AND g.on_allotment_price_minor > 0) AS limited
    FROM membership m WHERE m.provider_id = ${providerId} AND m.id = ANY(${sold.map(({ id }) => id)}::bigint[])`);
  const used = new Map(rows.map((row) => [row.id, row]));
  return bestFor(
    rows[0]?.visits ?? 0,
    sold.flatMap((one) => candidateOf(one, used.get(one.id))),
  );
}

/** Returns none for what is only for new customers, who have no visits. */
function candidateOf({ id, name, price, plans, visits, valid, newOnly }: Offer, used: Used | undefined): Candidate[] {
  if (used === undefined || newOnly) return [];
  const { covered, limited } = used;
  if (price !== null) return [{ id, name, price: price.minor, joining: 0, visits, lasts: valid, covered, limited }];
  return plans.map((plan) => ({
    id,
    name,
    price: plan.price.minor,
    joining: plan.joiningFee?.minor ?? 0,
    visits,
    lasts: plan.every,
    covered,
    limited,
  }));
}
