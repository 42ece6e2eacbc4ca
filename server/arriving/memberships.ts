/** Tables of the areas in `memberships`. */
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const MEMBERSHIPS: Readonly<Record<string, ArrivingTable>> = {
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
  // customer memberships
  customer_membership: {
    own: `
      awaits_approval billed_price_minor billing_anchor billing_day billing_length billing_unit bought_on cancellation_reason
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
};
