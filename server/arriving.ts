/**
 * Rules for each column of each table when a business is imported from a file (docs/guide/take-your-data.md). A file
 * can be created by hand, so the author of a new column decides here who may set it:
 *
 * - `own`: it affects this business alone, and is taken from the file.
 * - `reset`: only a verification, or the operator of the installation, may set it; or its notation changes.
 * - `checked`: a bad value could make the service fail, or be shown as a link, for other businesses too.
 *
 * Accounts of people belong to the identity area (`areas/people/identity/accounts/moving.ts`); columns that refer to
 * one get its id here. `server/test/checks/arriving.test.ts` finds columns without a rule, and columns under `own` that
 * only the operator sets.
 */
import { randomUUID } from 'node:crypto';
import { callbackUrlProblem } from './areas/people/applications/index.ts';
import { isReserved, isSlug } from './areas/platform/providers/index.ts';
import { canonicalAddress } from './kernel/base/values/mail-address.ts';
import { cleanName } from './kernel/base/values/person-name.ts';
import { isZone } from './kernel/base/values/zone.ts';
import { parseRecurrence } from './kernel/base/values/recurrence-text.ts';
import type { Arriving, ArrivingTable, Check, Reset, Row } from './kernel/base/archive/arriving.ts';
import type { Registry } from './kernel/api/registry.ts';

const MAX_AHEAD_MS = 50 * 366 * 86_400_000;

const ZONE: Check = { holds: isZone, must: 'is no time zone' };
const RULE: Check = {
  holds: (rule) => !('error' in parseRecurrence(rule)),
  must: 'is no rule that this release reads',
};
/** A URL of ours or of others. A browser executes what begins with `javascript:`. */
const WEB: Check = {
  holds: (url) => url === '' || /^(https?:\/\/[^\s<>"]|\/(?![/\\]))/i.test(url),
  must: 'is no address of a web page',
};
const PATH: Check = { holds: (path) => /^\/(?![/\\])/.test(path), must: 'is no path of the interface' };
const SLUG: Check = { holds: (slug) => isSlug(slug) && !isReserved(slug), must: 'this service keeps for itself' };
const HOSTS: Check = {
  holds: (hosts: string[]) => hosts.every((host) => /^[a-z0-9.-]{1,253}$/.test(host)),
  must: 'holds more than host names',
};
const CALLBACKS: Check = {
  holds: (urls: string[], { is_public: isPublic }) => urls.every((url) => callbackUrlProblem(url, isPublic) === null),
  must: 'holds an address that nobody may be sent to',
};

const address = (column: string): Reset => ({
  to: (row) => (row[column] === null ? null : canonicalAddress(row[column])),
  said: null,
});

/**
 * The name of a person, cleaned as it would be refused at a form: mails greet with it. `none`: where nothing is left of
 * it.
 */
const name = (column: string, max: number, none: string | null = null): Reset => ({
  to: (row) => (row[column] === null ? null : cleanName(row[column], max) || none),
  said: 'name that held an address or invisible characters, and was cleaned',
});

const isUnsent = ({ status }: Row): boolean => status === 'queued' || status === 'sending';

/** Waiting jobs that are imported: each acts in a transaction that sees this business alone. */
const JOBS = [
  'replay_webhooks',
  'check_ledger',
  'credit_accounts',
  'expire_credit',
  'remind_of_invoices',
  'bulk_cancel_events',
  'expire_waitlist_spots',
  'extend_event_series',
  'calculate_instructor_pay',
  'complete_memberships',
  'settle_holds',
  'renew_memberships',
  'apply_price_changes',
  'bulk_edit_prices',
  'bulk_announce_prices',
  'bulk_share_with_families',
  'charge_penalties',
  'bulk_close_business',
  'bulk_extend_memberships',
  'bulk_create_left_out_events',
  'bulk_reopen_business',
  'book_recurring_reservation',
  'credit_course_sessions',
  'offer_course_places',
  'deliver_gift_card',
  'note_returned_gift_card',
  'expire_gift_cards',
  'expire_checkout',
  'notify_of_unfinished_checkout',
  'give_back_prices',
  'find_charges',
  'bill_account',
  'find_expiring_cards',
  'act_for_workflow',
  'tell_inactive_customers',
  'bulk_delete_customers',
  'bulk_end_and_delete_customers',
  'import_rows',
];

/** Jobs that are not imported, with the reason. */
export const LEFT_JOBS: Readonly<Record<string, string>> = {
  send_account_mail: 'Mail of accounts goes to whoever the job says. People ask for a link again.',
  send_verification_code: 'A log-in that waits belongs to the old installation.',
  look_at_guest_booking: 'Bookings that wait for an answer to an email stay behind, and their holds expire.',
  send_guest_booking_mail: 'The booking that it is about stays behind.',
  delete_unused_account: 'Accounts are deleted for reasons of this installation alone.',
  discard_business: 'A business that is being deleted has nothing to bring.',
};

/** In the order of the areas. */
const ARRIVING_TABLES: Readonly<Record<string, ArrivingTable>> = {
  // providers
  provider: {
    own: `
      address bookings_without_membership brand_color brand_font brand_heading_font brand_heading_size
      cancellation_notice_interval checkin_enabled checkin_granularity contact_email contact_phone_number country
      created_at currency customers_pay_at_desk description is_listed is_marketing_preference_on_customer_forms
      is_test language log_in_links name prices_include_tax publishes_open_data quiet_hours_end quiet_hours_start
      registrations_close_interval registrations_open_interval second_factor_required sells_to_guests site_domain
      updated_at waitlist_max waitlist_policy words
    `,
    reset: {
      site_domain_verified_at: { to: () => null, said: 'domain of its own that has to be proved again' },
      // Anybody can read a domain's verification value in DNS after it was verified elsewhere.
      site_domain_proof: { to: () => randomUUID().replaceAll('-', ''), said: null },
    },
    checked: { timezone: ZONE, slug: SLUG, domains: HOSTS },
  },
  provider_theme: { own: 'cover_id homescreen_logo_id logo_id' },
  // account_entries
  account_credit_settings: { own: 'created_at expires_after_days notice_days since told_until updated_at worked_on' },
  account_entry: {
    own: `
      amount_minor created_at credited_at customer_id customer_membership_id due_on explanation fees_minor id kind once
      period_end period_start reason returned_minor returns_entry_id returns_line_id revenue reverses_id rounding_minor
      settled_invoice_id subject_id subject_object void_explanation voided_at
    `,
  },
  account_entry_fee: {
    own: 'account_entry_id amount_minor explanation id is_taxable kind name percentage purchase_fee_id',
  },
  // customers
  consent_change: { own: 'actor at channel customer_id granted how id' },
  customer: {
    own: `
      calendar_revision created_at date_of_birth deleted_at erased_at family_id family_role id is_guest is_lead
      is_opted_into_broadcast_messages is_opted_into_sms_marketing is_status_locked is_walk_in locale
      participating referral_code referred_by_code status_id updated_at user_id venue_id visibility
    `,
    reset: { email: address('email'), first_name: name('first_name', 256), last_name: name('last_name', 256) },
  },
  customer_invitation: { own: 'created_at customer_id note' },
  customer_merge: { own: 'at customer_id into_id' },
  customer_staff_assignment: { own: 'customer_id staff_id' },
  family: { own: 'created_at id' },
  // venues
  venue: {
    own: `
      archived calendar_revision created_at description external_id id name physical_address updated_at venue_type
      video_url_type
    `,
    checked: { timezone: ZONE, video_url: WEB },
  },
  venue_room: { own: 'allows_double_booking calendar_revision created_at id image_id name status updated_at venue_id' },
  // customer fields
  customer_field: {
    own: `
      archived created_at explanation_required_condition full_text help id is_required is_sensitive
      is_visible_to_all_staff key label position show_on_customer_profile show_on_new_customer_form type updated_at
    `,
  },
  customer_field_choice: { own: 'created_at customer_field_id id position value' },
  customer_field_value: { own: 'created_at customer_field_id customer_id id sealed updated_at value' },
  customer_form: {
    own: `
      created_at deleted_at force_stale_updates id memberships_applies_to name offering_types_applies_to sort_order
      submissions_expire_after updated_at version
    `,
  },
  customer_form_field: { own: 'customer_field_id customer_form_id position' },
  customer_form_membership: { own: 'customer_form_id membership_id' },
  customer_form_offering_type: { own: 'customer_form_id offering_type_id' },
  customer_form_submission: {
    own: 'by_customer_id by_staff_id created_at customer_form_id customer_id form_version id sealed updated_at',
  },
  // crm
  crm_day: { own: 'day' },
  customer_label: { own: 'archived color created_at id name slug updated_at' },
  customer_label_link: { own: 'created_at customer_id customer_label_id' },
  customer_note: { own: 'at author_id created_at customer_id id kind pinned text updated_at' },
  customer_status: { own: 'color created_at id is_default name position set_on slug updated_at' },
  customer_status_from: { own: 'customer_status_id from_id' },
  customer_task: {
    own: `
      assignee_id created_at customer_id description done_at done_by_id due_date id title updated_at
      workflow_run_id
    `,
  },
  workflow: { own: 'created_at deleted_at enabled_at id is_enabled name trigger updated_at' },
  workflow_action: {
    own: 'action_type conditions created_at deleted_at id name scheduled_delay settings updated_at workflow_id',
  },
  workflow_run: {
    own: `
      caused_by_id created_at customer_id depth feed_item finished_at id payload reason status trigger
      triggered_at workflow_id
    `,
  },
  workflow_step: { own: 'conditions due_at effect finished_at id reason status workflow_action_id workflow_run_id' },
  // memberships
  joining_fee: { own: 'amount_minor created_at id name updated_at' },
  membership: {
    own: `
      active_member_count allotment_types allow_repeat_purchases archived_at begin_on_first_registration
      category_id created_at customers_can_hold description duration duration_unit except_offering_types
      expiration_date for_sale id ignore_no_shows incomplete_reasons limits max_allowed_age max_hold_days_per_year
      max_holds_per_year min_allowed_age name new_customers_only offering_types one_time_fee_minor
      purchasable_only_by_provider shareable shared_with_families sort_order start_date type updated_at
      use_prorate visible_to_customers
    `,
  },
  membership_category: { own: 'created_at id name sort_order updated_at' },
  membership_limit: { own: 'id max_uses membership_id membership_type period roll_over' },
  membership_limit_offering_type: { own: 'is_extra max_uses membership_limit_id offering_type_id' },
  membership_payment_plan: {
    own: `
      billing_period_length billing_period_unit cancellation_notice_days commitment_expiration_scheme
      committed_billing_periods created_at fixed_billing_day_of_month fixed_billing_day_of_week id joining_fee_id
      membership_id membership_type price_minor status updated_at
    `,
  },
  membership_registration_grant: {
    own: 'created_at id membership_id offering_type_id on_allotment_price_minor updated_at',
  },
  membership_terms: { own: 'base_terms created_at id membership_id plan_id updated_at version' },
  membership_terms_version: { own: 'base_terms created_at id membership_terms_id updated_at version' },
  terms_consent: {
    own: `
      actor agreed_at by_customer_id by_staff_id created_at customer_id how id membership_terms_id
      terms_version_id updated_at version
    `,
  },
  // invoices
  invoice: {
    own: `
      about_id about_object billed_minor created_at credit_minor credits_invoice_id customer_id discount_code
      discount_code_id discount_code_name discount_minor due_on fees_minor id included_minor issued_on
      legacy_invoice_key list_minor paid_at paid_minor parties pre_tax_minor reason reduced_minor reduces_minor
      refunded_minor reminded_at rounding_minor sequence series status to_credit_minor to_refund_minor total_minor
      updated_at void_explanation voided_at
    `,
  },
  invoice_charge: { own: 'amount_minor created_at id invoice_id payment_id payment_processor_id' },
  invoice_credit: { own: 'amount_minor created_at id invoice_id' },
  invoice_line: {
    own: `
      account_entry_id billed_id billed_name billed_object credited_minor credits_line_id customer_id description
      discount_minor fees_minor id included_minor invoice_id list_minor period_end period_start position pre_tax_minor
      quantity returned_minor rounding_minor total_minor type
    `,
  },
  invoice_line_fee: {
    own: 'amount_minor explanation id invoice_id is_taxable kind line_id name percentage purchase_fee_id',
  },
  invoice_series: { own: 'last_number series' },
  invoice_settings: { own: 'created_at legal_name note reminder_days tax_number updated_at' },
  // customer_memberships
  customer_membership: {
    own: `
      billed_price_minor billing_anchor billing_day billing_length billing_unit bought_on cancellation_reason
      cancelled_by_customer created_at customer_id end_before_cancellation ended_at expiration_date id is_set_for_cancellation
      membership_id membership_type payment_plan_id renews_on replaced_by_id shared_with_family
      sold_with_id start_date status unpaid_invoice_id updated_at
    `,
  },
  customer_membership_hold: {
    own: `
      begins_at charge_entry_id created_at credit_entry_id customer_membership_id days_to_add disable_prorates
      end_date ended_at extend_expirations extended_days held_at id made_by over_at previous_expiration_date
      prorate_usage resolution resumed_at start_date updated_at
    `,
  },
  customer_membership_share: { own: 'created_at customer_id customer_membership_id' },
  entitlement_entry: {
    own: `
      amount at attendance_id customer_id customer_membership_id event_starts_on id offering_type_id open reason
      reverses_id
    `,
  },
  // ledger
  accounting_period: {
    own: 'closed_at created_at debits_minor end_on id reopen_reason reopened_at start_on transactions updated_at',
  },
  accounting_period_total: { own: 'account accounting_period_id credits_minor debits_minor detail opening_minor' },
  customer_balance: { own: 'account amount_minor customer_id' },
  ledger_account_code: { own: 'account code detail' },
  ledger_check: { own: 'checked_at checked_on differences' },
  ledger_line: { own: 'account amount_minor customer_id detail id transaction_id' },
  ledger_transaction: { own: 'explanation id kind object object_id posted_at posted_on' },
  // applications
  application: {
    own: 'client_id created_at deleted_at direct_auth_use_case domain id is_public name scopes updated_at',
    reset: {
      first_party: { to: () => false, said: 'application of the operator (first-party): people are asked for consent' },
      installation_wide: {
        to: () => false,
        said: 'application with access to every business: it reaches its own only',
      },
      direct_auth_status: {
        to: ({ direct_auth_status: status }) => (status === 'none' ? 'none' : 'requested'),
        said: 'decision about an application that takes passwords: it waits for yours',
      },
      direct_auth_reason: { to: () => null, said: null },
      direct_auth_decided_at: { to: () => null, said: null },
    },
    checked: { allowed_callback_urls: CALLBACKS },
  },
  application_secret: {
    own: 'application_id created_at expires_at id kind secret_hash secret_hint',
    without: { row: ({ kind }) => kind === 'direct_auth', said: 'key of an application that takes passwords' },
  },
  // images
  image: { own: 'created_at fallback height id key original_height original_width updated_at user_id width widths' },
  // offerings
  offering_type: {
    own: `
      allows_dropins background_color cancellation_notice_interval category_id color created_at
      customer_visibility default_venue_id description dropin_price_minor external_id id image_id max_allowed_age
      min_allowed_age name registrations_close_interval registrations_open_interval room_uniformity schedule_type
      slot_buffer_after slot_buffer_before slot_duration slot_increments sort_order status updated_at waitlist_max
    `,
  },
  offering_type_category: { own: 'created_at external_id id image_id name updated_at' },
  offering_type_instructor: { own: 'instructor_id offering_type_id' },
  offering_type_registration_timeline: { own: 'offering_type_id registration_timeline_id' },
  offering_type_room: { own: 'offering_type_id venue_room_id' },
  registration_timeline: {
    own: `
      audience_type calendar_opens_interval cancellation_notice_interval created_at id image_id name
      registrations_close_interval registrations_open_interval updated_at
    `,
  },
  registration_timeline_customer: { own: 'customer_id registration_timeline_id' },
  registration_timeline_membership: { own: 'membership_id registration_timeline_id' },
  // schedule
  attendance: {
    own: `
      attended_at booking_application_id booking_application_name calendar_revision cancelled_at comped created_at customer_id
      event_id id registered_at status updated_at
    `,
  },
  checkin: { own: 'checkin_date comped created_at customer_id customer_membership_id id venue_id' },
  event: {
    own: `
      attending_count buffer_after buffer_before calendar_opens_at calendar_revision cancelled_at category_id created_at description
      ends_at external_id held_count id local_ends_at local_starts_at max_occupancy name occupancy_revision
      offering_type_id reopened_at room_exclusive series_id series_local_starts_at starts_at status updated_at venue_id
      venue_room_id waiting_count waitlist_max_override
    `,
    checked: { timezone: ZONE },
  },
  event_instructor: { own: 'active during event_id instructor_id' },
  event_registration_timeline: { own: 'event_id registration_timeline_id' },
  event_series: {
    own: 'created_at duration_minutes exceptions first_local_starts_at id made_until status template updated_at',
    checked: { timezone: ZONE, rrule: RULE },
  },
  seat_hold: {
    own: 'created_at customer_id event_id expires_at held_for held_for_id id paying spot_expires_at updated_at',
  },
  waitlist_spot: {
    own: `
      added_at customer_id end_reason ended_at event_id id promote_after_cutoff reserved_spot_expires_at
      spot_reserved_at status
    `,
  },
  // kernel
  audit_entry: { own: 'action actor after application_id at before id mode object object_id request_id user_id' },
  feed_item: { own: 'id kind object object_id occurred_at payload seq' },
  feed_item_set_aside: { own: 'again attempts error reader seq set_aside_at' },
  feed_position: { own: 'gone_seq last_seq read_seq' },
  feed_reader_position: { own: 'attempts error fails_by last_seq reader retry_at' },
  row_count: { own: 'n relation stripe' },
  test_clock: {
    own: 'failure is_test',
    reset: {
      advances_from: { to: () => null, said: 'advance of a test clock that was under way' },
      advances_to: { to: () => null, said: null },
    },
    checked: { ahead_ms: { holds: (ms) => ms <= MAX_AHEAD_MS, must: 'is more than fifty years' } },
  },
  // staff
  instructor: {
    own: 'archived calendar_revision created_at description id staff_id updated_at',
    reset: { name: name('name', 256, '?') },
    checked: { picture_url: WEB },
  },
  staff: {
    own: 'archived created_at id permissions updated_at user_id venue_ids',
    reset: {
      email: address('email'),
      first_name: name('first_name', 128, '?'),
      last_name: name('last_name', 128, '?'),
    },
  },
  // hours
  availability_override: { own: 'availability availability_schedule_id date' },
  availability_schedule: {
    own: `
      created_at default_friday default_monday default_saturday default_sunday default_thursday default_tuesday
      default_wednesday id instructor_id name schedule_type updated_at valid_from valid_until venue_id
    `,
  },
  availability_schedule_offering_type: { own: 'availability_schedule_id created_at id offering_type_id updated_at' },
  availability_schedule_offering_type_room: { own: 'availability_schedule_offering_type_id venue_room_id' },
  blocked_time: { own: 'applicable_to blocked_times created_at date id instructor_id updated_at venue_id' },
  // payments
  payment: {
    own: `
      amount_minor attempts cancel_asked_at created_at customer_id description external failed_at failure
      hurried_at id next_at payee payee_id payment_method_id payment_processor_id refunded_minor save_method
      scenario status succeeded_at taken trouble updated_at
    `,
    checked: { action_url: WEB, cancel_to: WEB, return_to: WEB },
  },
  payment_dispute: {
    own: 'amount_minor answer_by closed_at created_at external id payment_id reason status updated_at',
  },
  payment_message: { own: 'external id news payment_processor_id received_at type waits_for' },
  payment_method: {
    own: `
      attempts bank_name brand created_at customer_id email expiration_month expiration_year forgotten_at holder
      id last_four next_at owner_token payment_processor_id removed_at token type updated_at
    `,
  },
  payment_processor: { own: 'created_at disabled_at id kind name sealed secrets settings updated_at' },
  payment_refund: {
    own: `
      amount_minor attempts created_at explanation external failed_at failure id next_at payment_id retries_id
      status succeeded_at trouble updated_at
    `,
  },
  sandbox_charge: {
    own: 'amount_minor created_at description holder id keeps_method key processor_id scenario state why',
    checked: { cancel_to: WEB, return_to: WEB },
  },
  sandbox_dispute: { own: 'amount_minor charge_id created_at id state' },
  sandbox_message: { own: 'attempts body created_at id next_at processor_id' },
  sandbox_refund: { own: 'amount_minor charge_id created_at id key state' },
  // billing
  billing_collection: {
    own: `
      block_at blocked created_at customer_membership_id end_at failures hold_id invoice_id next_at payment_id
      release_at state updated_at
    `,
  },
  billing_period: {
    own: `
      created_at customer_membership_id due_at first id invoice_id period_end period_start price_minor state
      updated_at
    `,
  },
  billing_settings: {
    own: `
      after_last_retry card_expiry_days created_at grace_days invoice_charges payment_days retry_days updated_at
      use_account_credit
    `,
  },
  payment_subscription: { own: 'created_at customer_membership_id id payment_method_id updated_at' },
  // discount_codes
  discount_code: {
    own: `
      allowed_uses allowed_uses_per_customer applicable_billing_cycles code created_at discount_minor
      discount_percent discount_type group_id id name reserved_uses status updated_at
      usable_by_default_for_purchase_types usable_by_new_customers_only usable_end_date usable_purchase_types
      usable_start_date uses
    `,
  },
  discount_code_applicability: {
    own: `
      allow_use course_id created_at discount_code_id event_id id membership_id offering_type_id store_product_id
      updated_at
    `,
  },
  discount_code_group: { own: 'created_at id name updated_at' },
  discount_code_plan: {
    own: `
      billing_cycles created_at customer_membership_id discount_code_id discount_minor discount_percent id
      updated_at
    `,
  },
  discount_code_use: {
    own: 'amount_minor checkout_id created_at customer_id discount_code_id id state updated_at used_at',
  },
  // checkouts
  booking_payment: {
    own: `
      account_entry_id attendance_id checkout_item_id created_at credit_note_id given_back given_back_at id settled_at updated_at
    `,
  },
  checkout: {
    own: `
      address_suffices created_at credit_minor customer_id discount_code discount_code_error discount_code_id
      discount_minor ended_at ending expires_at id invoice_id list_price_minor payment_error payment_id
      pre_tax_price_minor secret_hash status taken_along total_minor updated_at use_account_credit
    `,
    checked: { return_to: WEB },
  },
  checkout_item: {
    own: `
      account_entry_id checkout_id course_date_series_id created_at credit_minor customer_id
      customer_membership_id customer_membership_item_id description event_id gift_amount_minor gift_deliver_on
      gift_image_id gift_name gift_recipient_id id item_type joining_fee_id membership_id payment_plan_id price
      quantity quick_amount_minor quick_name quick_purchase_type quick_venue_id recurring_price_minor result_id
      result_object slot standard_recurring_price_minor standard_unit_price_minor store_order_item_id
      store_product_variant_id total_minor unit_price_minor updated_at with_item_id
    `,
    reset: { gift_email: address('gift_email') },
  },
  // courses
  course: { own: 'created_at id name offering_type_id published updated_at' },
  course_date: { own: 'cancelled_gives course_date_series_id course_id event_id position' },
  course_date_series: {
    own: `
      cancellation_refunds cancelled_at cancelled_session_gives course_id created_at id late_join_limit late_price
      make_up_days max_occupancy name price_minor single_price_minor status updated_at venue_id
    `,
  },
  course_enrollment: {
    own: `
      account_entry_id cancelled_at course_date_series_id created_at customer_id customer_membership_id enrolled_at id invoice_id
      paid_by price_minor status updated_at
    `,
  },
  course_enrollment_date: {
    own: `
      added_at added_entry_id course_enrollment_id credit_minor credit_note_id credit_reason credited_at event_id
    `,
  },
  course_make_up: {
    own: 'course_enrollment_id created_at customer_id event_id given_up id missed_event_id pays updated_at',
  },
  course_waitlist_spot: {
    own: 'added_at course_date_series_id created_at customer_id id offered_until status updated_at',
  },
  // store
  stock_hold: {
    own: 'created_at expires_at held_for held_for_id id paying quantity store_product_variant_id updated_at',
  },
  store_inventory_adjustment: {
    own: 'created_at id note quantity reason staff_id store_order_item_id store_product_variant_id updated_at',
  },
  store_order: {
    own: `
      cancelled_at cancelling created_at customer_id delivery_address delivery_fee_minor fulfilled_at id
      invoice_id locked_at locked_for_id note paid_at status updated_at
    `,
  },
  store_order_item: {
    own: `
      created_at delivered_at delivered_by_id delivery_method id name quantity returned_quantity store_order_id
      store_product_variant_id unit_price_minor updated_at
    `,
  },
  store_product: {
    own: `
      category created_at delivery_methods description for_sale id name price_minor sort_order updated_at
      visible_to_customers
    `,
  },
  store_product_attribute: { own: 'created_at id name store_product_id updated_at' },
  store_product_attribute_value: { own: 'sort_order store_product_attribute_id value' },
  store_product_image: { own: 'image_id position store_product_id' },
  store_product_variant: {
    own: `
      barcode combination created_at for_sale held_count id low_stock_threshold price_minor sku stock_count
      store_product_id track_stock updated_at
    `,
  },
  store_product_variant_image: { own: 'image_id position store_product_variant_id' },
  store_product_variant_value: { own: 'store_product_attribute_id store_product_id store_product_variant_id value' },
  store_settings: {
    own: `
      created_at delivery_fee_minor delivery_instructions free_delivery_from_minor is_open low_stock_threshold
      pickup_instructions updated_at
    `,
  },
  // broadcasts
  broadcast_exclusion: { own: 'broadcast_message_id customer_id reason' },
  broadcast_message: {
    own: `
      cancelled_at channel counted_at created_at defer_at defer_local failure html id message next_at quota_period
      quota_taken recipient_counts scheduled_at sent_at sent_by_id status subject target_recipients updated_at
      use_case written written_to
    `,
  },
  // bulk
  bulk_action: { own: 'created_at id job_id parameters type venue_ids' },
  bulk_action_result: { own: 'bulk_action_id error_message id primary_object status' },
  job: {
    own: 'asked_by complete_items created_at id state total_items',
    checked: { result_path: PATH },
  },
  // closures
  membership_price_change: {
    own: `amount_minor announcement_id applies_on created_at id membership_id message payment_plan_id percent_hundredths
      price_edit_id price_minor status updated_at`,
  },
  business_closure: { own: 'bulk_action_id closure_date created_at id reason updated_at venue_id' },
  business_closure_event: { own: 'business_closure_id event_id' },
  // notices
  calendar_entry: { own: 'customer_id event_id sequence' },
  event_reminder: { own: 'customer_id due_at event_id' },
  notification_type_setting: { own: 'body email_enabled sms_body sms_enabled subject type updated_at' },
  // calendars
  calendar_feed: {
    own: 'created_at customer_id earlier_hashes generation id instructor_id kind updated_at venue_room_id',
  },
  external_calendar: {
    own: `
      account_id content_hash created_at due_at etag expanded_at failing_since failures id is_active is_primary
      last_error last_modified leased_until name read_at source_id told_at updated_at
      warnings
    `,
    checked: { timezone: ZONE },
  },
  external_calendar_account: { own: 'calendar_source created_at id sealed staff_id updated_at username' },
  external_calendar_event: {
    own: `
      calendar_id during id is_all_day is_busy location_name source_created_at source_event_id source_updated_at
      status title visibility
    `,
    checked: { timezone: ZONE },
  },
  staff_calendar_setting: {
    own: `
      calendar_id constrain_only_busy created_at id is_destination_for_service_events is_source_for_busy_periods
      push_only_if_event_has_attendees reminder_number_of_minutes_prior set_external_reminders_for_pushed_events
      updated_at
    `,
  },
  // counter
  cash_movement: {
    own: 'amount_minor cash_session_id created_at id kind payment_id payment_refund_id reason staff_id updated_at',
  },
  cash_session: {
    own: `
      closed_at closed_by_id counted_minor created_at denominations difference_reason id opened_by_id
      opening_float_minor paid_in_minor paid_out_minor payment_processor_id payments_minor refunds_minor
      updated_at venue_id
    `,
  },
  counter_payment: { own: 'amount_minor counter_sale_id created_at id payment_id tendered_minor updated_at' },
  counter_sale: {
    own: `
      checkout_id created_at credit_minor id invoice_id is_walk_in paid_minor staff_id total_minor updated_at
      venue_id
    `,
  },
  counter_settings: { own: 'cash_sessions_required created_at updated_at' },
  // messages
  communication_settings: {
    own: 'push_notifications reminder_hours sms_quiet_hours_end sms_quiet_hours_start updated_at',
  },
  message: {
    own: `
      about_customer_id attempts broadcast_id button calendar carrier_reference channel confirmed customer_id
      delivered_at error failed_at fixed_recipient handed_at id key kind language purpose queued_at recipient
      sealed send_at sent_at staff_id subject token_hash unsubscribe_hash
    `,
    // Texts and headers of messages come only from the program's templates: those in a file are not sent in its name.
    reset: {
      status: {
        to: (row) => (isUnsent(row) ? 'skipped' : row.status),
        said: 'message that waited to be sent: it is not sent',
      },
      reason: { to: (row) => (isUnsent(row) ? 'outdated' : row.reason), said: null },
      claimed_by: { to: (row) => (isUnsent(row) ? null : row.claimed_by), said: null },
      text_part: { to: (row) => (isUnsent(row) && row.sealed ? null : row.text_part), said: null },
      html_part: { to: (row) => (isUnsent(row) ? '' : row.html_part), said: null },
      headers: { to: (row) => (isUnsent(row) ? null : row.headers), said: null },
    },
  },
  message_bounce: {
    own: 'at code hard id message_id',
    reset: { address: address('address') },
  },
  notification_preference: { own: 'customer_id email_enabled sms_enabled type updated_at' },
  sms_account: {
    own: 'country created_at customer_id enabled full_number phone_number updated_at',
    reset: {
      verified_at: { to: () => null, said: 'phone number that has to be verified again' },
      // The author of the file knows its codes, so they are replaced.
      code_hash: { to: () => null, said: null },
      code_expires_at: { to: () => null, said: null },
      code_tries: { to: () => 0, said: null },
      codes: { to: () => 0, said: null },
      codes_since: { to: () => null, said: null },
    },
  },
  suppression: {
    own: 'channel created_at id message_id note reason updated_at',
    reset: { address: address('address') },
  },
  // fees
  fee_version: { own: 'version' },
  purchase_fee: {
    own: `
      amount_minor archived_at created_at description id is_taxable kind max_amount_minor min_amount_minor name
      percentage purchase_types type updated_at
    `,
  },
  purchase_fee_venue: { own: 'purchase_fee_id venue_id' },
  // gift_cards
  gift_card: {
    own: `
      amount_minor code_hash created_at deliver_on delivered_at delivery_asked_at delivery_failed_at
      delivery_problem expired_at expires_after_days id image_id last_sent_at mail_hash printed_at purchased_at
      purchaser_id recipient_id redeem_by redeemed_at redeemed_by_id updated_at void_explanation
      voided_at with_id
    `,
    reset: { recipient_email: address('recipient_email'), recipient_name: name('recipient_name', 200) },
  },
  gift_card_image_choice: { own: 'image_id position' },
  gift_card_settings: {
    own: `
      amounts body created_at expires expires_after_days largest_amount smallest_amount sold_by_staff
      sold_to_customers subject updated_at
    `,
  },
  // imports
  import: {
    own: `
      changed_count columns created_at created_count date_format dates_unclear delimiter done_count done_line
      encoding file_name finished_at format id job_id kind product rejected_count row_count rows_deleted_at source
      status unchanged_count updated_at
    `,
  },
  import_row: { own: 'cells fate id import_id issues line object_id own_key shared_key' },
  imported_object: { own: 'external_id object object_id source' },
  // instructor_pay
  instructor_pay_item: {
    own: `
      calculated_at counted created_at event_id explanation id instructor_id instructor_pay_period_id
      instructor_pay_rate_id pay_minor rate_version terms updated_at
    `,
  },
  instructor_pay_period: { own: 'approved_at created_at id reopened_at sessions through total_minor updated_at' },
  instructor_pay_progress: { own: 'calculated_until' },
  instructor_pay_rate: {
    own: `
      archived base_minor counted_statuses counts_comped created_at ends_on id maximum_minor minimum_minor name
      pays_empty_sessions starts_on tiers type updated_at version
    `,
  },
  instructor_pay_rate_instructor: { own: 'instructor_id instructor_pay_rate_id' },
  instructor_pay_rate_offering_type: { own: 'instructor_pay_rate_id offering_type_id' },
  instructor_pay_rate_venue: { own: 'instructor_pay_rate_id venue_id' },
  // identity
  machine_token: { own: 'created_at expires_at id last_used_at name revoked_at token_hash token_hint' },
  // penalties
  membership_penalty: {
    own: `
      amount_minor charged_at created_at customer_membership_id due_on id message_ids rule_id skipped updated_at
      voided_at
    `,
  },
  membership_penalty_message: { own: 'body created_at id subject trigger_type updated_at' },
  membership_penalty_message_system: { own: 'membership_penalty_message_id membership_penalty_system_id' },
  membership_penalty_rule: {
    own: `
      applies_to created_at days ended_at id max_infractions membership_penalty_system_id price_minor updated_at
    `,
  },
  membership_penalty_system: { own: 'archived_at created_at deferred_charge_days id name status updated_at' },
  membership_penalty_system_membership: {
    own: 'counts_from membership_id membership_penalty_system_id system_status',
  },
  membership_strike: {
    own: `
      attendance_id created_at customer_membership_id end_reason ended_at expires_at id message_ids note
      occurred_at penalty_id rule_id sequence_position times type updated_at
    `,
  },
  // open
  open_change: { own: 'last' },
  open_session: { own: 'ends_at event_id modified' },
  // reservations
  recurring_reservation: {
    own: `
      by_customer by_slot comped created_at customer_id customer_membership_id end_date end_reason ended_at
      follows_series id instructor_id local_time moved_dates offering_type_id on_conflict skipped_dates start_date
      status times updated_at venue_id venue_room_id weekday
    `,
  },
  recurring_reservation_date: {
    own: 'created_at event_id id local_date opens_at outcome reasons recurring_reservation_id starts_at updated_at',
  },
  recurring_reservation_series: { own: 'event_series_id recurring_reservation_id' },
  recurring_reservation_settings: { own: 'created_at customers_can_create customers_max_weeks updated_at' },
  // referrals
  referral: {
    own: `
      cancel_reason cancelled_at confirmed_at confirmed_by confirms_on created_at customer_credit_minor
      customer_id customer_membership_id discount_code_id id promised_minor referrer_credit_minor referrer_id
      signed_up_as signup_promised_minor status updated_at withheld
    `,
  },
  referral_settings: {
    own: `
      bonus_minor confirmed_by created_at enabled reward_type rewards_a_year signup_credit_minor
      signup_discount_percent signup_membership_id updated_at
    `,
  },
  // report_checks
  report_check: { own: 'checked_at checked_on differences taken_until' },
  // reports
  report_schedule: {
    own: `
      asked created_at day_of_month day_of_week form format frequency id last_run_at next_run_at owner_id
      recipient_ids report status status_reason time updated_at
    `,
  },
  // slots
  slot_instructor_limit: { own: 'daily_limit instructor_id' },
  slot_settings: {
    own: `
      created_at daily_limit horizon_days late_reschedule minimum_notice slot_expires_after travel_minutes
      updated_at
    `,
  },
  slot_travel_time: { own: 'minutes other_venue_id venue_id' },
  // substitutions
  substitute_offer: { own: 'instructor_id substitute_request_id' },
  substitute_request: {
    own: 'answer created_at ended_at event_id id instructor_id message status substitute_id updated_at',
  },
  substitute_settings: { own: 'created_at needs_approval updated_at' },
  // terminologies
  terminology: { own: 'article locale plural singular word' },
  // webhooks
  webhook_attempt: {
    own: 'delivery_id duration_ms error id response_body response_headers response_status started_at',
  },
  webhook_delivery: {
    own: 'attempts body created_at destination_id ended_at failures id kind message_id next_attempt_at seq status',
  },
  webhook_destination: {
    own: 'created_at deleted_at description feed_item_types id status status_reason updated_at',
    checked: { url: WEB },
  },
  webhook_lane: { own: 'destination_id failing_since failures leased_by leased_until not_before served_at slow' },
  webhook_secret: { own: 'created_at destination_id expires_at id sealed' },
};

export const arrivingIn = ({ readers }: Pick<Registry, 'readers'>): Arriving => ({
  tables: ARRIVING_TABLES,
  jobs: JOBS,
  readers: [...readers.keys()],
});
