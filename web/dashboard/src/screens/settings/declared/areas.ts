/** Settings of individual areas of the interface, each with an operation of its own. */
import { form } from './setting.ts';

export const billing = form({
  name: 'billing',
  read: 'GET /billing_settings',
  write: 'PATCH /billing_settings',
  fields: 'use_account_credit invoice_charges payment_days retry_days grace_days after_last_retry card_expiry_days',
});

export const credit = form({
  name: 'credit',
  read: 'GET /account_credit_settings',
  write: 'PATCH /account_credit_settings',
});

export const invoices = form({
  name: 'invoices',
  read: 'GET /invoice_settings',
  write: 'PATCH /invoice_settings',
});

export const counter = form({
  name: 'counter',
  read: 'GET /counter_settings',
  write: 'PATCH /counter_settings',
});

export const checkins = form({
  name: 'checkins',
  read: 'GET /checkins/settings',
  write: 'PATCH /checkins/settings',
});

export const reservations = form({
  name: 'reservations',
  read: 'GET /recurring_reservations/settings',
  write: 'PATCH /recurring_reservations/settings',
});

export const substitutes = form({
  name: 'substitutes',
  read: 'GET /substitute_requests/settings',
  write: 'PATCH /substitute_requests/settings',
});

export const slots = form({
  name: 'slots',
  read: 'GET /slots/settings',
  write: 'PATCH /slots/settings',
  fields: 'minimum_notice horizon_days slot_expires_after late_reschedule daily_limit instructor_limits',
});

export const store = form({
  name: 'store',
  read: 'GET /store/settings',
  write: 'PATCH /store/settings',
  fields: 'is_open pickup_instructions delivery_instructions delivery_fee free_delivery_from',
});

export const giftCards = form({
  name: 'gift_cards',
  read: 'GET /gift_cards/config',
  write: 'PATCH /gift_cards/config',
  wholes: ['amount_range', 'redemption_email_template'],
  more: { amount_range: { nullable: true } },
});

export const referrals = form({
  name: 'referrals',
  read: 'GET /providers/{id}/customer_referral_settings',
  write: 'PATCH /providers/{id}/customer_referral_settings',
  versioned: true,
  fields: 'enabled referral_reward_type referral_bonus_credit confirmed_by max_rewards_per_year signup_free_membership',
});

export const messaging = form({
  name: 'messaging',
  read: 'GET /communication/settings',
  write: 'PATCH /communication/settings',
  wholes: ['sms_quiet_hours'],
  fields: 'reminder_hours push_notifications',
  more: { sms_quiet_hours: { nullable: true } },
});
