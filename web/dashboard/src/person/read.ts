/** The data of a person's card, in one read. */
import { useCall } from '../app/calls.ts';

const OF_BOOKING = [
  'id',
  'status',
  'event.id',
  'event.name',
  'event.starts_at',
  'event.ends_at',
  'event.timezone',
] as const;

/** A membership and what is left of it, for cards and lists. */
export const MEMBERSHIP_FIELDS = [
  'main_membership.id',
  'main_membership.name',
  'main_membership.status',
  'main_membership.start_date',
  'main_membership.expiration_date',
  'main_membership.unpaid_invoice',
  'main_membership.usage_summary',
] as const;

const CARD_FIELDS = [
  'id',
  'first_name',
  'last_name',
  'email',
  'family_role',
  'created_at',
  'status.name',
  'labels.id',
  'labels.name',
  'check_in_flags',
  'sms_account.full_number',
  'amount_owed',
  'credit_balance',
  'pinned_note.text',
  'registration_block.id',
  'registration_block.ends_at',
  'registration_block.reason',
  'flagged_issues',
  ...MEMBERSHIP_FIELDS,
  'main_membership.active_hold.start_date',
  'main_membership.active_hold.end_date',
  ...OF_BOOKING.map((field) => `next_booking.${field}` as const),
  ...OF_BOOKING.map((field) => `last_visit.${field}` as const),
] as const;

export const useCard = (id: number) => useCall('GET /customers/{id}', { params: { id }, fields: CARD_FIELDS });

export type Card = NonNullable<ReturnType<typeof useCard>['data']>;
