/** Tables of the areas in `scheduling`. */
import { RULE, ZONE } from './rules.ts';
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const SCHEDULING: Readonly<Record<string, ArrivingTable>> = {
  // offerings
  offering_type: {
    own: `
      allows_dropins background_color cancellation_notice_interval category_id color created_at
      customer_visibility default_venue_id description dropin_price_minor external_id id image_id max_allowed_age
      min_allowed_age name online_dropin_price_minor registrations_close_interval registrations_open_interval
      room_uniformity schedule_type
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
      event_id id place registered_at status updated_at
    `,
  },
  checkin: { own: 'checkin_date comped created_at customer_id customer_membership_id id venue_id' },
  event: {
    own: `
      attending_count buffer_after buffer_before calendar_opens_at calendar_revision cancelled_at category_id created_at description
      ends_at external_id held_count id local_ends_at local_starts_at max_occupancy name occupancy_revision
      offering_type_id online_attending_count online_held_count online_max_occupancy online_venue_id online_waiting_count
      reopened_at room_exclusive series_id series_local_starts_at starts_at status updated_at venue_id
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
    own: 'created_at customer_id event_id expires_at held_for held_for_id id paying place spot_expires_at updated_at',
  },
  waitlist_spot: {
    own: `
      added_at customer_id end_reason ended_at event_id id place promote_after_cutoff reserved_spot_expires_at
      spot_reserved_at status
    `,
  },
  // instructor pay
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
};
