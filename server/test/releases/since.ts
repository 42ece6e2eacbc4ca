/** Differences to kept states of earlier releases that are intended, each with its reason. */

/** Tables and addresses of the interface that later releases removed. */
export const GONE: {
  readonly tables: Readonly<Record<string, string>>;
  readonly addresses: Readonly<Record<string, string>>;
} = { tables: {}, addresses: {} };

/** Tables without rows in a kept state, by the reason. */
const EMPTY: Readonly<Record<string, readonly string[]>> = {
  'only with several cells': [
    'account_clash',
    'account_news',
    'account_part',
    'cell',
    'cell_business',
    'cell_move',
    'cell_name',
  ],
  'its rows live for minutes or days, while somebody logs in, signs up or repeats a call': [
    'domain_session',
    'gift_card_attempt',
    'idempotency_key',
    'oidc_record',
    'passkey_challenge',
    'pending_login',
    'refresh_token',
    'sign_up',
    'sign_up_code',
    'user_session',
  ],
  'only an operator makes rows': ['backup_record', 'operator_token', 'restore_test'],
  'only time or a failure makes rows, and the studio had none': [
    'accounting_period_total',
    'archived_month',
    'event_reminder',
    'feed_item_set_aside',
    'message_bounce',
    'sms_quota_use',
  ],
  'no call of the tests over all declarations makes a row': [
    'account_entry_fee',
    'app_authorization',
    'app_consent',
    'broadcast_exclusion',
    'business_closure_event',
    'calendar_entry',
    'customer_field_choice',
    'customer_staff_assignment',
    'discount_code_use',
    'gift_card_image_choice',
    'guest_booking',
    'guest_purchase',
    'imported_object',
    'passkey',
    'push_message',
    'recovery_code',
    'registration_timeline_customer',
    'registration_timeline_membership',
    'sandbox_dispute',
    'sandbox_refund',
    'signing_key',
    'slot_instructor_limit',
    'slot_travel_time',
    'user_event',
  ],
};

export const MAY_BE_EMPTY: ReadonlySet<string> = new Set(Object.values(EMPTY).flat());
