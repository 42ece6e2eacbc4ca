/** Tables that their owner's code names by a value instead of in the SQL text, which hides the use from the check. */
export const BY_VALUE: Readonly<Record<string, readonly string[]>> = {
  'server/areas/people/customers/writes.ts': ['customer_staff_assignment'],
  'server/areas/scheduling/offerings/change-timelines.ts': [
    'registration_timeline_customer',
    'registration_timeline_membership',
  ],
  'server/areas/scheduling/offerings/writes.ts': ['offering_type_instructor', 'offering_type_registration_timeline'],
  'server/areas/scheduling/schedule/events/event-writes.ts': ['event_instructor', 'event_registration_timeline'],
  'server/areas/scheduling/schedule/import/places.ts': ['offering_type', 'offering_type_category', 'venue'],
  'server/areas/scheduling/schedule/bookings/merge-bookings.ts': [
    'attendance',
    'checkin',
    'seat_hold',
    'waitlist_spot',
  ],
  'server/areas/scheduling/instructor-pay/change-rates.ts': [
    'instructor_pay_rate_instructor',
    'instructor_pay_rate_offering_type',
    'instructor_pay_rate_venue',
  ],
  'server/areas/scheduling/instructor-pay/facts.ts': [
    'instructor_pay_rate_instructor',
    'instructor_pay_rate_offering_type',
    'instructor_pay_rate_venue',
  ],
  'server/areas/memberships/penalties/messages.ts': ['membership_penalty_message_system'],
  'server/areas/memberships/penalties/notify.ts': ['membership_penalty', 'membership_strike'],
  'server/areas/agreements/customer-fields/forms/change-forms.ts': [
    'customer_form_field',
    'customer_form_membership',
    'customer_form_offering_type',
  ],
  'server/areas/agreements/customer-fields/forms/find-forms.ts': [
    'customer_form_membership',
    'customer_form_offering_type',
  ],
  'server/areas/commerce/library/change-content.ts': [
    'content_collection_course',
    'content_collection_membership',
    'content_collection_product',
    'content_content_tag',
    'content_instructor',
  ],
  'server/areas/agreements/waivers/change-waivers.ts': ['waiver_membership', 'waiver_offering_type'],
  'server/areas/agreements/waivers/find-waivers.ts': ['waiver_membership', 'waiver_offering_type'],
  'server/areas/communication/crm/deletion/deletion-blockers.ts': [
    'account_entry',
    'attendance',
    'checkin',
    'customer_membership',
    'seat_hold',
  ],
  'server/areas/communication/crm/statuses/change-statuses.ts': ['customer_status_from'],
  'server/areas/communication/crm/workflows/names.ts': ['customer_label', 'customer_status'],
  'server/areas/reporting/report-checks/invariants.ts': [
    'account_entry',
    'cash_session',
    'checkout',
    'discount_code',
    'event',
    'instructor_pay_period',
    'invoice',
    'invoice_line',
    'membership',
    'payment',
    'store_product_variant',
  ],
  'server/commands/sealed.ts': ['signing_key', 'user_account', 'webhook_secret'],
};

/** Current uses of tables outside of their owner. This list may only shrink. */
export const ALLOWED: readonly string[] = [];
