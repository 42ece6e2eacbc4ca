/** Tables of the areas in `platform`. */
import { randomUUID } from 'node:crypto';
import { HOSTS, PATH, SLUG, WEB, ZONE } from './rules.ts';
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const PLATFORM: Readonly<Record<string, ArrivingTable>> = {
  // providers
  provider: {
    own: `
      address bookings_without_membership brand_color brand_font brand_heading_font brand_heading_size
      cancellation_notice_interval checkin_enabled checkin_granularity contact_email contact_phone_number country
      created_at currency customers_pay_at_desk description is_listed is_marketing_preference_on_customer_forms
      is_test joining_marks_attendance language log_in_links name prices_include_tax publishes_open_data quiet_hours_end quiet_hours_start
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
  // images
  image: { own: 'created_at fallback height id key original_height original_width updated_at user_id width widths' },
  // bulk
  bulk_action: { own: 'created_at id job_id parameters type venue_ids' },
  bulk_action_result: { own: 'bulk_action_id error_message id primary_object status' },
  job: {
    own: 'asked_by complete_items created_at id state total_items',
    checked: { result_path: PATH },
  },
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
