/**
 * Bookings with a membership, spread and hot, and the list of customer memberships. From here on, all bookings of this
 * business use one, except those of free events.
 */
import { bookFor, hotRow, newEvent, spreadRow, TURN } from '../bookings.ts';
import { pair, Stretches } from '../kit/pairs.ts';
import { pageContest } from '../reads.ts';
import { paired, type Report } from '../kit/report.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import { vacuum, type Installation, type Range, type Server } from '../kit/installation.ts';
import { contend, type Contest, type Length } from '../kit/contest.ts';

const PAGE =
  '/api/v2/customer_memberships?status=active&membership_type=recurring&sort=-start_date&expand=customer,membership&page_size=50';

export async function membershipRows(
  report: Report,
  installation: Installation,
  server: Server,
  length: Length,
  stretches: Stretches,
): Promise<void> {
  const { free } = await sell(installation);
  await spreadRow(report, installation, server, length, stretches, ' with a membership');
  await hotRow(report, installation, server, length, stretches, ' with a membership');
  await besideFree(report, installation, server, length, stretches, { ...installation, events: free });
  await contend(report, await heldContest(installation, server, length), length);
}

export const heldContest = (installation: Installation, server: Server, length: Length): Promise<Contest> =>
  pageContest(installation, server, length, {
    name: 'GET /customer_memberships, a page of 50, with customer and membership',
    path: PAGE,
    reach: 0.4,
  });

/** A booking takes at most one and a half times as long as the same booking of a free event in the same business. */
const REACH = 2 / 3;

async function besideFree(
  report: Report,
  paid: Installation,
  server: Server,
  { turns, seconds }: Length,
  stretches: Stretches,
  free: Installation,
): Promise<void> {
  const others = new Stretches(free, 0);
  const spread = async (place: Installation, from: Stretches) => {
    const base = from.take(TURN);
    return (await bookFor(place, server, { seconds, requests: TURN }, (i) => pair(place, base + i))).perSecond;
  };
  const hot = async (place: Installation) => {
    const event = await newEvent(place, 1_000_000);
    return (
      await bookFor(place, server, { seconds, requests: place.customers.n }, (i) => ({
        event,
        customer: place.customers.first + i,
      }))
    ).perSecond;
  };
  await spread(free, others);
  report.add({
    name: 'register, 1,000 events: with a membership against without',
    ...(await paired(
      turns,
      () => spread(paid, stretches),
      () => spread(free, others),
    )),
    reach: REACH,
    unit: '/s',
  });
  report.add({
    name: '  one hot event: with a membership against without',
    ...(await paired(
      turns,
      () => hot(paid),
      () => hot(free),
    )),
    reach: REACH,
    unit: '/s',
  });
}

/**
 * Sells every customer two memberships: a plan with a limit for the billing period and one in total, with the same id
 * as the customer so that pgbench knows it, and one that has ended. Both sides choose between limits that nobody
 * reaches. Earlier bookings have used theirs. Returns the memberships, and as many events that need no membership.
 */
export async function sell({
  db,
  url,
  provider,
  customers,
  events,
}: Installation): Promise<{ membership: number; free: Range }> {
  const sold = await db.transaction(provider, async (tx) => {
    const category = (await tx.one<{ id: number }>(
      sql`INSERT INTO membership_category (provider_id, name) VALUES (${provider}, 'Plans') RETURNING id`,
    ))!;
    const membership = (await tx.one<{ id: number }>(sql`
      INSERT INTO membership (provider_id, type, name, category_id, visible_to_customers, purchasable_only_by_provider,
        new_customers_only, allow_repeat_purchases, allotment_types)
      VALUES (${provider}, 'recurring_plan', 'Club', ${category.id}, true, false, false, true, '{event}')
      RETURNING id`))!;
    await tx.run(sql`INSERT INTO membership_limit (provider_id, membership_id, membership_type, period, max_uses)
      SELECT ${provider}, ${membership.id}, 'recurring_plan', period, 100000
      FROM unnest('{billing_period,total}'::text[]) period`);
    const plan = (await tx.one<{
      id: number;
    }>(sql`INSERT INTO membership_payment_plan
      (provider_id, membership_id, price_minor, billing_period_length, billing_period_unit)
      VALUES (${provider}, ${membership.id}, 4000, 1, 'months') RETURNING id`))!;
    const owned = (id: ReturnType<typeof sql>, ended: boolean) =>
      tx.run(sql`
      INSERT INTO customer_membership (provider_id, id, customer_id, membership_id, membership_type, payment_plan_id,
        status, ended_at, bought_on, start_date, billed_price_minor,
                                       billing_unit, billing_length, billing_anchor)
      SELECT ${provider}::bigint, ${id}, c.id, ${membership.id}::bigint, 'recurring_plan', ${plan.id}::bigint,
        ${ended ? 'completed' : 'active'}, ${ended ? '2025-01-01T00:00:00Z' : null}::timestamptz,
             '2024-01-31', date '2024-01-31' + (c.id % 300)::int, 4000, 'months', 1, '2024-01-31'
      FROM customer c WHERE c.provider_id = ${provider}`);
    await owned(sql`c.id`, false);
    await owned(sql`c.id + ${customers.first + customers.n}::bigint`, true);
    await tx.run(sql`INSERT INTO membership_registration_grant
      (provider_id, membership_id, offering_type_id, on_allotment_price_minor)
      SELECT ${provider}, ${membership.id}, offering_type_id, 0 FROM event
      WHERE provider_id = ${provider} AND id = ${events.first}`);
    await tx.run(sql`INSERT INTO entitlement_entry
      (provider_id, customer_membership_id, attendance_id, customer_id, offering_type_id, event_starts_on, amount,
        reason, open, at)
      SELECT a.provider_id, a.customer_id, a.id, a.customer_id, e.offering_type_id, e.local_starts_at::date, -1,
        'registered', true, a.registered_at
      FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
      WHERE a.provider_id = ${provider}`);
    const gym = (await tx.one<{ id: number }>(
      sql`INSERT INTO offering_type (provider_id, name) VALUES (${provider}, 'Open gym') RETURNING id`,
    ))!;
    const rows = await tx.rows<{ id: number }>(sql`
      INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, starts_at, ends_at, local_starts_at,
        local_ends_at)
      SELECT provider_id, ${gym.id}, venue_id, name, timezone, starts_at, ends_at, local_starts_at, local_ends_at
      FROM event WHERE provider_id = ${provider} AND id >= ${events.first}::bigint
        AND id < ${events.first + events.n}::bigint ORDER BY id RETURNING id`);
    return { membership: membership.id, free: { first: Math.min(...rows.map((row) => row.id)), n: events.n } };
  });
  await vacuum(url);
  return sold;
}
