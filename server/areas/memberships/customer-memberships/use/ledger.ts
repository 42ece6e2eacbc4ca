/**
 * The ledger of uses: the locks before a debit, and credits of uses. Callers that debit a use (`debit.ts`) hold these
 * locks.
 */
import { customerMembershipFeed } from '../feed.ts';
import { instant, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { GivenBack } from '../../../scheduling/schedule/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Locks all memberships that the customers may use, by id. `ids`: an array of bigint. */
export const lockUsable = (provider: unknown, ids: Sql): Sql =>
  sql`SELECT cm.id FROM customer_membership cm
    WHERE cm.provider_id = ${provider} AND cm.status IN ('active', 'hold') AND cm.id IN (
        SELECT u.customer_membership_id FROM customer_membership_user u
        WHERE u.provider_id = ${provider} AND u.customer_id = ANY(${ids}))
      ORDER BY cm.id FOR NO KEY UPDATE OF cm`;

/** Absences cost a use, unless the membership says otherwise. */
const IGNORES_ABSENCES = sql`EXISTS (SELECT FROM customer_membership cm
  JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
  WHERE cm.provider_id = n.provider_id AND cm.id = n.customer_membership_id AND m.ignore_no_shows)`;

/**
 * Credits the open uses of bookings, selected by `which` over attendances with the alias `a`. No lock is needed: more
 * uses harm nobody, and each is credited once. For an absence, only memberships that ignore absences are credited.
 */
export async function credit(work: Work, which: Sql, reason: GivenBack): Promise<void> {
  // A membership pays for either kind of place.
  if (reason === 'switched') return;
  const rows = await work.tx.rows<{
    customer_membership_id: number;
    attendance_id: number;
    customer_id: number;
    event_id: number;
  }>(sql`
    WITH given AS (
      INSERT INTO entitlement_entry (provider_id, customer_membership_id, attendance_id, customer_id, offering_type_id,
        event_starts_on, amount, reason, reverses_id, at)
      SELECT n.provider_id, n.customer_membership_id, n.attendance_id, n.customer_id, n.offering_type_id,
        n.event_starts_on, -n.amount, ${reason}, n.id, ${instant(work.now)}::timestamptz
      FROM attendance a JOIN entitlement_entry n ON n.provider_id = a.provider_id AND n.attendance_id = a.id AND n.open
      WHERE a.provider_id = ${work.providerId} AND ${which} AND ${reason === 'no_show' ? IGNORES_ABSENCES : raw('true')}
      ORDER BY n.id
      RETURNING provider_id, customer_membership_id, attendance_id, customer_id)
    SELECT g.customer_membership_id, g.attendance_id, g.customer_id, a.event_id FROM given g
    JOIN attendance a ON a.provider_id = g.provider_id AND a.id = g.attendance_id ORDER BY g.attendance_id`);
  for (const row of rows) {
    const of = { customer: row.customer_id, attendance: row.attendance_id, event: row.event_id };
    work.record(customerMembershipFeed.credited, row.customer_membership_id, {
      customer_membership: row.customer_membership_id,
      ...of,
      reason,
    });
    work.effect('membership_credited', 'customermembership', row.customer_membership_id, { ...of, reason });
  }
}

/**
 * Returns the uses that were credited at an instant because their event was cancelled, with the membership that had
 * paid.
 */
export const gaveBack = (provider: unknown, event: number, at: string | null): Sql =>
  sql`SELECT n.attendance_id AS attendance, n.customer_membership_id AS subject FROM attendance a
        JOIN entitlement_entry n ON n.provider_id = a.provider_id AND n.attendance_id = a.id
          AND n.reason = 'event_cancelled' AND n.at = ${at}::timestamptz
      WHERE a.provider_id = ${provider} AND a.event_id = ${event}`;

/**
 * Returns the membership that credited its use for an absence, if none was debited for the booking since; null
 * otherwise.
 */
export async function givenBackFor({ tx, providerId }: Work, attendance: number): Promise<number | null> {
  const row = await tx.one<{ membership: number }>(
    sql`SELECT n.customer_membership_id AS membership FROM entitlement_entry n
      WHERE n.provider_id = ${providerId} AND n.attendance_id = ${attendance}
          AND n.reason = 'no_show' AND NOT EXISTS (SELECT FROM entitlement_entry o
            WHERE o.provider_id = n.provider_id AND o.attendance_id = n.attendance_id AND o.open)
        ORDER BY n.id DESC LIMIT 1`,
  );
  return row?.membership ?? null;
}

/** Returns the membership that pays for attendance `t`: its use has not been credited. */
export const payingMembership = (t: string): Sql =>
  raw(
    `(SELECT n.customer_membership_id FROM entitlement_entry n
      WHERE n.provider_id = ${t}.provider_id AND n.attendance_id = ${t}.id AND n.open)`,
  );
