/** Booking with a membership, spread and hot, and the list of what customers hold. Bookings of this business take one from here on. */
import { hotRow, spreadRow } from './bookings.ts';
import { pageRow } from './reads.ts';
import { sql } from '../server/kernel/db/sql.ts';
import { vacuum, type Installation, type Server } from './installation.ts';
import type { Length } from './contest.ts';
import type { Report } from './report.ts';
import type { Stretches } from './pairs.ts';

const PAGE = '/api/v2/customer_memberships?status=active&membership_type=recurring&sort=-start_date&expand=customer,membership&page_size=50';

export async function membershipRows(report: Report, installation: Installation, server: Server, length: Length, stretches: Stretches): Promise<void> {
  await sell(installation);
  await spreadRow(report, installation, server, length, stretches, ' with a membership');
  await hotRow(report, installation, server, length, stretches, ' with a membership');
  await pageRow(report, installation, server, length, { name: 'GET /customer_memberships, a page of 50, with customer and membership', path: PAGE, reach: 0.4 });
}

/**
 * Every customer holds two: a plan with a limit for the billing period and one in total, of the same id as the customer so that
 * pgbench knows it, and one that has ended. Both sides choose between limits that nobody reaches. Returns the id of what they hold.
 */
export async function sell({ db, url, provider, customers }: Installation): Promise<number> {
  const sold = await db.transaction(provider, async (tx) => {
    const category = (await tx.one<{ id: number }>(sql`INSERT INTO membership_category (provider_id, name) VALUES (${provider}, 'Plans') RETURNING id`))!;
    const membership = (await tx.one<{ id: number }>(sql`
      INSERT INTO membership (provider_id, type, name, category_id, visible_to_customers, purchasable_only_by_provider, new_customers_only, allow_repeat_purchases, allotment_types)
      VALUES (${provider}, 'recurring_plan', 'Club', ${category.id}, true, false, false, true, '{event}') RETURNING id`))!;
    await tx.run(sql`INSERT INTO membership_limit (provider_id, membership_id, membership_type, period, max_uses)
      SELECT ${provider}, ${membership.id}, 'recurring_plan', period, 100000 FROM unnest('{billing_period,total}'::text[]) period`);
    const plan = (await tx.one<{ id: number }>(sql`INSERT INTO membership_payment_plan (provider_id, membership_id, price_minor, billing_period_length, billing_period_unit)
      VALUES (${provider}, ${membership.id}, 4000, 1, 'months') RETURNING id`))!;
    const held = (id: ReturnType<typeof sql>, ended: boolean) => tx.run(sql`
      INSERT INTO customer_membership (provider_id, id, customer_id, membership_id, membership_type, payment_plan_id, status, ended_at, bought_on, start_date, billed_price_minor,
                                       billing_unit, billing_length, billing_anchor)
      SELECT ${provider}::bigint, ${id}, c.id, ${membership.id}::bigint, 'recurring_plan', ${plan.id}::bigint, ${ended ? 'completed' : 'active'}, ${ended ? '2025-01-01T00:00:00Z' : null}::timestamptz,
             '2024-01-31', date '2024-01-31' + (c.id % 300)::int, 4000, 'months', 1, '2024-01-31'
      FROM customer c WHERE c.provider_id = ${provider}`);
    await held(sql`c.id`, false);
    await held(sql`c.id + ${customers.first + customers.n}::bigint`, true);
    return membership.id;
  });
  await vacuum(url);
  return sold;
}
