/** Tables of the areas in `commerce`. */
import { address, message, name, WEB } from './rules.ts';
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const COMMERCE: Readonly<Record<string, ArrivingTable>> = {
  // library
  content: {
    own: `
      content_collection_id content_file_id created_at description duration_minutes id image_id name position published
      type updated_at
    `,
    checked: { url: WEB },
  },
  content_collection: { own: 'access created_at description id image_id name position published updated_at' },
  content_collection_course: { own: 'content_collection_id course_id' },
  content_collection_membership: { own: 'content_collection_id membership_id' },
  content_collection_product: { own: 'content_collection_id store_product_id' },
  content_content_tag: { own: 'content_id content_tag_id' },
  content_favorite: { own: 'content_id created_at customer_id' },
  content_file: { own: 'created_at id key media_type name size updated_at' },
  content_filter: { own: 'created_at id name position updated_at' },
  content_instructor: { own: 'content_id instructor_id' },
  content_tag: { own: 'content_filter_id created_at id name position updated_at' },
  content_view: { own: 'content_id customer_id id viewed_at' },
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
  // discount codes
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
      gift_image_id gift_name gift_recipient_id id item_type joining_fee_id membership_id payment_plan_id place price
      quantity quick_amount_minor quick_name quick_purchase_type quick_venue_id recurring_price_minor result_id
      result_object slot standard_recurring_price_minor standard_unit_price_minor store_order_item_id
      store_product_variant_id total_minor unit_price_minor updated_at with_item_id
    `,
    reset: { gift_email: address('gift_email'), gift_message: message('gift_message') },
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
  // gift cards
  gift_card: {
    own: `
      amount_minor brought_forward code_hash created_at deliver_on delivered_at delivery_asked_at
      delivery_failed_at delivery_problem expired_at expires_after_days id image_id last_sent_at mail_hash
      printed_at purchased_at purchaser_id recipient_id redeem_by redeemed_at redeemed_by_id updated_at
      void_explanation voided_at with_id
    `,
    reset: {
      recipient_email: address('recipient_email'),
      recipient_name: name('recipient_name', 200),
      message: message('message'),
    },
  },
  gift_card_image_choice: { own: 'image_id position' },
  gift_card_settings: {
    own: `
      amounts body created_at expires expires_after_days largest_amount smallest_amount sold_by_staff
      sold_to_customers subject updated_at
    `,
  },
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
  // partners
  partner: {
    own: `
      admits checks_in created_at deleted_at id kind name opens_minutes_before places_per_event sealed status updated_at
      venue_id
    `,
  },
  partner_booking: { own: 'attendance_id partner_id registered_at' },
  partner_message: {
    own: `
      attendance_id body_hash customer_id event_id external_id id is_accepted message partner_id reason received_at status
      type
    `,
  },
  partner_person: { own: 'created_at customer_id external_id partner_id' },
};
