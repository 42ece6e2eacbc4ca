/** The payments for bookings of an event, or for bookings that were cancelled. */
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** A visit on a membership, an amount that was paid, or an amount that is owed. Amounts are in minor units. */
export type Paid =
  | { readonly kind: 'visit'; readonly membership: string; readonly customerMembership: number }
  /** `invoice`: issued to the customer who is booked; null: to somebody else, or none */
  | { readonly kind: 'price' | 'owed'; readonly amount: number; readonly invoice: number | null };

/** A payment for a booking, or a membership without a limit. */
export type PaidBy = Paid | { readonly kind: 'unlimited'; readonly membership: string };

type PaidStatus = 'registered' | 'not_registered' | 'late_cancelled';

interface Row {
  readonly customer: number;
  readonly kind: PaidBy['kind'];
  readonly membership: string | null;
  readonly customer_membership: number | null;
  readonly amount: number | null;
  readonly invoice: number | null;
}

interface Bookings {
  readonly event: number;
  readonly customers: readonly number[];
  /** only bookings that are in this state now */
  readonly status?: PaidStatus | null;
}

/**
 * Returns what pays, by customer. Of bookings that were cancelled in time or with their event, what came back; of
 * late ones, what did not. Memberships without a limit lose nothing, so they are left out.
 */
export async function paidFor(
  tx: Transaction,
  providerId: number,
  bookings: Bookings,
): Promise<ReadonlyMap<number, Paid>> {
  const all = await paidBy(tx, providerId, bookings);
  return new Map(
    [...all].flatMap(([customer, paid]): [number, Paid][] => (paid.kind === 'unlimited' ? [] : [[customer, paid]])),
  );
}

/** Returns what pays, including memberships without a limit, by customer. */
export async function paidBy(
  tx: Transaction,
  providerId: number,
  { event, customers, status = null }: Bookings,
): Promise<ReadonlyMap<number, PaidBy>> {
  const among = sql`a.provider_id = ${providerId} AND a.event_id = ${event}
    AND a.customer_id = ANY(${[...customers]}::bigint[]) AND (${status}::text IS NULL OR a.status = ${status})`;
  const rows = await tx.rows<Row>(sql`
    SELECT a.customer_id AS customer, CASE WHEN EXISTS (SELECT FROM jsonb_array_elements(m.limits) l
        WHERE l ->> 'maxUses' IS NOT NULL) THEN 'visit' ELSE 'unlimited' END AS kind, m.name AS membership,
      h.id AS customer_membership, NULL::bigint AS amount, NULL::bigint AS invoice
    FROM attendance a JOIN entitlement_entry n ON n.provider_id = a.provider_id AND n.attendance_id = a.id
      AND (n.open OR (n.reason IN ('cancelled_in_time', 'event_cancelled') AND a.status = 'not_registered'
        AND n.at = a.cancelled_at))
    JOIN customer_membership h ON h.provider_id = n.provider_id AND h.id = n.customer_membership_id
    JOIN membership m ON m.provider_id = h.provider_id AND m.id = h.membership_id
    WHERE ${among}
    UNION ALL
    SELECT a.customer_id, CASE WHEN e.id IS NULL OR e.settled_invoice_id IS NOT NULL THEN 'price' ELSE 'owed' END, NULL,
      NULL, coalesce(i.total_minor, e.amount_minor), v.id
    FROM attendance a JOIN booking_payment d ON d.provider_id = a.provider_id AND d.attendance_id = a.id
      AND (d.given_back IS NULL OR (d.given_back IN ('cancelled_in_time', 'event_cancelled')
        AND a.status = 'not_registered'
        AND d.given_back_at = a.cancelled_at))
    LEFT JOIN checkout_item i ON i.provider_id = d.provider_id AND i.id = d.checkout_item_id
    LEFT JOIN checkout k ON k.provider_id = i.provider_id AND k.id = i.checkout_id
    LEFT JOIN account_entry e ON e.provider_id = d.provider_id AND e.id = d.account_entry_id
    LEFT JOIN invoice v ON v.provider_id = d.provider_id AND v.id = coalesce(k.invoice_id, e.settled_invoice_id)
      AND v.customer_id = a.customer_id AND v.status <> 'voided'
    WHERE ${among}
      AND (e.voided_at IS NULL OR e.voided_at = d.given_back_at)`);
  return new Map(
    rows.flatMap(({ customer, kind, membership, customer_membership, amount, invoice }): [number, PaidBy][] => {
      if (kind === 'unlimited') return [[customer, { kind, membership: membership! }]];
      if (kind === 'visit')
        return [[customer, { kind, membership: membership!, customerMembership: customer_membership! }]];
      return amount! > 0 ? [[customer, { kind, amount: amount!, invoice }]] : [];
    }),
  );
}
