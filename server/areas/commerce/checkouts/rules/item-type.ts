/**
 * The type of an item that doesn't state it, inferred from the properties sent and the type of the membership. Pure.
 */

interface Sent {
  readonly upgrade_from_customer_membership?: unknown;
  readonly downgrade_from_customer_membership?: unknown;
  readonly joining_fee?: unknown;
  readonly event?: unknown;
  readonly appointment_slot?: unknown;
  readonly room_rental_slot?: unknown;
  readonly course_date_series?: unknown;
  readonly course_date?: unknown;
  readonly customer_membership?: unknown;
  readonly customer_membership_checkout_item?: unknown;
  readonly account_entry?: unknown;
  readonly store_product_variant?: unknown;
  readonly store_order_item?: unknown;
  readonly store_order?: unknown;
  readonly purchase_type?: unknown;
  readonly recipient_email?: unknown;
}

const BY_MEMBERSHIP = {
  drop_in: 'MEM_DRP',
  pack: 'MEM_PK',
  prepaid_plan: 'MEM_PP',
  recurring_plan: 'MEM_RECUR',
} as const;

/** Item types by the schedule type of an event: as a drop-in, and with a membership. */
const BY_SCHEDULE = {
  appointment: ['APPT_DRP', 'APPT_MEM'],
  room_rental: ['ROOM_RTL_DRP', 'ROOM_RTL_MEM'],
  other: ['CLASS_DRP', 'CLASS_MEM'],
} as const;

/**
 * Returns the type of an item, or null if the request doesn't determine it. `membership`: type of the named membership,
 * `drop_in` for a pack of a single use; null if none is named or it doesn't exist. `schedule`: schedule type of the
 * named event.
 */
export function itemTypeOf(
  sent: Sent,
  membership: keyof typeof BY_MEMBERSHIP | null,
  schedule: keyof typeof BY_SCHEDULE = 'other',
) {
  const has = (name: keyof Sent): boolean => (sent[name] ?? null) !== null;
  if (has('upgrade_from_customer_membership')) return 'MEM_RECUR_UP';
  if (has('downgrade_from_customer_membership')) return 'MEM_RECUR_DOWN';
  const byMembership = has('customer_membership') || has('customer_membership_checkout_item');
  const [dropIn, withMembership] =
    BY_SCHEDULE[has('appointment_slot') ? 'appointment' : has('room_rental_slot') ? 'room_rental' : schedule];
  if (has('event') || has('appointment_slot') || has('room_rental_slot')) return byMembership ? withMembership : dropIn;
  if (has('course_date_series')) return byMembership ? 'CRS_MEM' : 'CRS_DRP';
  if (has('course_date')) return 'CRS_DT_DRP';
  if (has('joining_fee')) return 'JOINING_FEE';
  if (has('account_entry')) return 'ACCT_ENTRY';
  if (has('store_product_variant') || has('store_order_item') || has('store_order')) return 'STR_PRO';
  if (has('purchase_type')) return 'QUICK_ITEM';
  if (has('recipient_email')) return 'GIFT_CARD';
  return membership && BY_MEMBERSHIP[membership];
}
