/** Settings of individual areas of the interface, each with an operation of its own. */
import { amounts, choice, flag, images, long, minutes, money, number, numbers, one, percent, rows } from './setting.ts';
import { text, time, type FormOf } from './setting.ts';

const admin = ['super_admin'] as const;

export const billing: FormOf = {
  name: 'billing',
  read: 'GET /billing_settings',
  write: 'PATCH /billing_settings',
  needs: admin,
  settings: [
    flag('use_account_credit'),
    flag('invoice_charges'),
    number('payment_days'),
    numbers('retry_days'),
    number('grace_days', { nullable: true }),
    choice('after_last_retry', ['none', 'pause', 'cancel']),
    number('card_expiry_days', { nullable: true }),
  ],
};

export const credit: FormOf = {
  name: 'credit',
  read: 'GET /account_credit_settings',
  write: 'PATCH /account_credit_settings',
  needs: admin,
  settings: [number('expires_after_days', { nullable: true }), number('notice_days', { nullable: true })],
};

export const invoices: FormOf = {
  name: 'invoices',
  read: 'GET /invoice_settings',
  write: 'PATCH /invoice_settings',
  needs: admin,
  settings: [
    text('legal_name', { nullable: true }),
    text('tax_number', { nullable: true }),
    long('note', { nullable: true }),
    number('reminder_days', { nullable: true }),
  ],
};

export const counter: FormOf = {
  name: 'counter',
  read: 'GET /counter_settings',
  write: 'PATCH /counter_settings',
  needs: admin,
  settings: [flag('cash_sessions_required')],
};

export const checkins: FormOf = {
  name: 'checkins',
  read: 'GET /checkins/settings',
  write: 'PATCH /checkins/settings',
  needs: admin,
  settings: [flag('enabled'), choice('granularity', ['business', 'venue'])],
};

export const reservations: FormOf = {
  name: 'reservations',
  read: 'GET /recurring_reservations/settings',
  write: 'PATCH /recurring_reservations/settings',
  needs: admin,
  settings: [flag('customers_can_create'), number('customers_max_weeks', { nullable: true })],
};

export const substitutes: FormOf = {
  name: 'substitutes',
  read: 'GET /substitute_requests/settings',
  write: 'PATCH /substitute_requests/settings',
  needs: admin,
  settings: [flag('needs_approval')],
};

export const slots: FormOf = {
  name: 'slots',
  read: 'GET /slots/settings',
  write: 'PATCH /slots/settings',
  needs: ['super_admin', 'manage_events'],
  settings: [
    minutes('minimum_notice'),
    number('horizon_days'),
    number('slot_expires_after'),
    choice('late_reschedule', ['refuse', 'late_cancel', 'allow']),
    number('daily_limit', { nullable: true }),
    rows('instructor_limits', [one('instructor', 'instructors'), number('daily_limit')]),
    number('travel_minutes'),
    rows('travel_times', [one('venue', 'venues'), one('other_venue', 'venues'), number('minutes')]),
  ],
};

export const store: FormOf = {
  name: 'store',
  read: 'GET /store/settings',
  write: 'PATCH /store/settings',
  needs: ['super_admin', 'store'],
  settings: [
    flag('is_open'),
    long('pickup_instructions', { nullable: true }),
    long('delivery_instructions', { nullable: true }),
    money('delivery_fee', { nullable: true }),
    money('free_delivery_from', { nullable: true }),
    number('low_stock_threshold', { nullable: true }),
  ],
};

export const giftCards: FormOf = {
  name: 'gift_cards',
  read: 'GET /gift_cards/config',
  write: 'PATCH /gift_cards/config',
  needs: ['super_admin', 'store', 'pos'],
  wholes: ['amount_range', 'redemption_email_template'],
  settings: [
    flag('is_enabled_provider_site'),
    flag('is_enabled_customer_site'),
    amounts('amount_choices'),
    money('amount_range.smallest', { nullable: true }),
    money('amount_range.largest', { nullable: true }),
    flag('do_gift_cards_expire'),
    number('redemption_expiration_days'),
    text('redemption_email_template.subject'),
    long('redemption_email_template.body'),
    images('image_choices'),
  ],
};

export const referrals: FormOf = {
  name: 'referrals',
  read: 'GET /providers/{id}/customer_referral_settings',
  write: 'PATCH /providers/{id}/customer_referral_settings',
  versioned: true,
  needs: admin,
  settings: [
    flag('enabled'),
    choice('referral_reward_type', ['nothing', 'account_credit']),
    money('referral_bonus_credit'),
    choice('confirmed_by', ['first_visit', 'first_purchase']),
    number('max_rewards_per_year', { nullable: true }),
    one('signup_free_membership', 'memberships', { nullable: true }),
    money('signup_bonus_credit'),
    percent('signup_discount_percentage', { nullable: true }),
  ],
};

export const messaging: FormOf = {
  name: 'messaging',
  read: 'GET /communication/settings',
  write: 'PATCH /communication/settings',
  needs: admin,
  wholes: ['sms_quiet_hours'],
  settings: [
    number('reminder_hours'),
    flag('push_notifications'),
    time('sms_quiet_hours.start', { nullable: true }),
    time('sms_quiet_hours.end', { nullable: true }),
  ],
};
