/** Tables of the areas in `availability`. */
import { ZONE } from './rules.ts';
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const AVAILABILITY: Readonly<Record<string, ArrivingTable>> = {
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
  // closures
  membership_price_change: {
    own: `amount_minor announcement_id applies_on created_at id membership_id message payment_plan_id percent_hundredths
      price_edit_id price_minor status updated_at`,
  },
  business_closure: { own: 'bulk_action_id closure_date created_at id reason updated_at venue_id' },
  business_closure_event: { own: 'business_closure_id event_id' },
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
};
