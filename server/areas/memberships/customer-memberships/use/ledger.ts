/**
 * The ledger: uses that bookings take, and uses that are given back. Whoever takes one holds the locks of `lockPayers`.
 */
import {
  customerMembershipActivated,
  customerMembershipCredited,
  customerMembershipUsed,
  type GIVEN_BACK,
} from '../feed.ts';
import { instant, raw, sql, type Sql } from '../../../../kernel/db/sql.ts';
import type { Work } from '../../../../kernel/work.ts';

/**
 * The law of locks, after the row of the event: the customers who may use anything by id, for a merge may be under way;
 * then all that they may use by id. What is read of them afterwards nobody changes meanwhile. `ids`: customers, as an
 * array of bigint.
 */
export const lockPayers = (provider: unknown, ids: Sql): readonly [Sql, Sql] => [
  // Whoever may use anything, and some more: who has a family need not be looked into.
  sql`SELECT c.id FROM customer c WHERE c.provider_id = ${provider} AND c.id = ANY(${ids}) AND (c.family_id IS NOT NULL
          OR EXISTS (SELECT FROM customer_membership cm WHERE cm.provider_id = c.provider_id AND cm.customer_id = c.id)
          OR EXISTS (SELECT FROM customer_membership_share s WHERE s.provider_id = c.provider_id AND s.customer_id = c.id)) ORDER BY c.id FOR KEY SHARE OF c`,
  sql`SELECT cm.id FROM customer_membership cm WHERE cm.provider_id = ${provider} AND cm.status IN ('active', 'hold') AND cm.id IN (
        SELECT u.customer_membership_id FROM customer_membership_user u WHERE u.provider_id = ${provider} AND u.customer_id = ANY(${ids}))
      ORDER BY cm.id FOR NO KEY UPDATE OF cm`,
];

interface Booking {
  readonly attendance: number;
  readonly event: number;
  readonly customer: number;
}

/** Takes a use for a booking. `left`: uses before it; null: without limit. */
export async function debit(
  work: Work,
  of: Booking & { membership: number; left: number | null; reason: 'registered' | 'corrected' },
): Promise<void> {
  const { tx, providerId } = work;
  await tx.run(sql`
    INSERT INTO entitlement_entry (provider_id, customer_membership_id, attendance_id, customer_id, offering_type_id, event_starts_on, amount, reason, open, at)
    SELECT ${providerId}, ${of.membership}, ${of.attendance}, ${of.customer}, e.offering_type_id, e.local_starts_at::date, -1, ${of.reason}, true, ${instant(work.now)}::timestamptz
    FROM event e WHERE e.provider_id = ${providerId} AND e.id = ${of.event}`);
  const uses_left = of.left === null ? null : of.left - 1;
  work.record(customerMembershipUsed, of.membership, {
    customer_membership: of.membership,
    customer: of.customer,
    attendance: of.attendance,
    event: of.event,
    uses_left,
  });
  tellUse(work, of);
}

export function tellUse(
  work: Work,
  { membership, attendance, event, customer, left }: Booking & { membership: number; left: number | null },
): void {
  work.effect('membership_used', 'customermembership', membership, {
    attendance,
    event,
    customer,
    uses_left: left === null ? null : left - 1,
  });
}

/** Lets memberships begin that begin with their first use. */
export async function begin(
  work: Work,
  membership: number,
  customer: number,
  { start, end }: { start: string; end: string | null },
): Promise<void> {
  const row = await work.tx.one(
    sql`SELECT * FROM customer_membership WHERE provider_id = ${work.providerId} AND id = ${membership}`,
  );
  work.touch('customer_membership', membership, row as never);
  await work.tx.run(
    sql`UPDATE customer_membership SET start_date = ${start}, expiration_date = ${end}, updated_at = ${instant(work.now)} WHERE provider_id = ${work.providerId} AND id = ${membership}`,
  );
  work.record(customerMembershipActivated, membership, {
    customer_membership: membership,
    customer,
    start_date: start,
  });
}

type GivenBack = (typeof GIVEN_BACK)[number];

/**
 * Gives back the open uses of bookings, `which` of the attendances under alias `a`. Nothing has to be locked: more uses
 * harm nobody, and each is given back once.
 */
export async function credit(work: Work, which: Sql, reason: GivenBack): Promise<void> {
  const rows = await work.tx.rows<{
    customer_membership_id: number;
    attendance_id: number;
    customer_id: number;
    event_id: number;
  }>(sql`
    WITH given AS (
      INSERT INTO entitlement_entry (provider_id, customer_membership_id, attendance_id, customer_id, offering_type_id, event_starts_on, amount, reason, reverses_id, at)
      SELECT n.provider_id, n.customer_membership_id, n.attendance_id, n.customer_id, n.offering_type_id, n.event_starts_on, -n.amount, ${reason}, n.id, ${instant(work.now)}::timestamptz
      FROM attendance a JOIN entitlement_entry n ON n.provider_id = a.provider_id AND n.attendance_id = a.id AND n.open
      WHERE a.provider_id = ${work.providerId} AND ${which} ORDER BY n.id
      RETURNING provider_id, customer_membership_id, attendance_id, customer_id)
    SELECT g.customer_membership_id, g.attendance_id, g.customer_id, a.event_id FROM given g JOIN attendance a ON a.provider_id = g.provider_id AND a.id = g.attendance_id ORDER BY g.attendance_id`);
  for (const row of rows) {
    const of = { customer: row.customer_id, attendance: row.attendance_id, event: row.event_id };
    work.record(customerMembershipCredited, row.customer_membership_id, {
      customer_membership: row.customer_membership_id,
      ...of,
      reason,
    });
    work.effect('membership_credited', 'customermembership', row.customer_membership_id, { ...of, reason });
  }
}

/** The membership that pays for attendance `t`: whose use is not given back. */
export const payingMembership = (t: string): Sql =>
  raw(
    `(SELECT n.customer_membership_id FROM entitlement_entry n WHERE n.provider_id = ${t}.provider_id AND n.attendance_id = ${t}.id AND n.open)`,
  );
