/**
 * Next steps after a refusal, by its code: get what is missing, choose something else, or ask the business. Every code
 * that pages show is listed here. Pure.
 */
import { REFUSALS } from '../../memberships/customer-memberships/index.ts';

/** A page that a refusal leads to; `form`: the form that was sent, once more; `ask`: the ways to reach the business. */
export type Step =
  | 'form'
  | 'owed'
  | 'account'
  | 'memberships'
  | 'timetable'
  | 'book'
  | 'courses'
  | 'shop'
  | 'gift-cards'
  | 'ask';

const FORM: readonly Step[] = ['form'];
const ASK: readonly Step[] = ['ask'];
const OTHERS: readonly Step[] = ['timetable', 'ask'];
const MINE: readonly Step[] = ['account', 'ask'];
const BUY: readonly Step[] = ['memberships', 'ask'];
const TIMES: readonly Step[] = ['book', 'ask'];
const COURSES: readonly Step[] = ['courses', 'ask'];
const SHOP: readonly Step[] = ['shop', 'ask'];
const CARDS: readonly Step[] = ['gift-cards', 'ask'];

export const STEPS: Readonly<Record<string, readonly Step[]>> = {
  // Something is missing.
  ...Object.fromEntries(REFUSALS.map((code) => [code, BUY])),
  membership_unpaid: ['owed', 'ask'],
  payment_required: BUY,
  not_registered: MINE,
  // Another time is possible.
  event_full: OTHERS,
  event_cancelled: OTHERS,
  event_started: OTHERS,
  registration_not_open: OTHERS,
  registration_closed: OTHERS,
  waitlist_full: OTHERS,
  no_online_places: OTHERS,
  instructor_taken: TIMES,
  room_taken: TIMES,
  slot_taken: TIMES,
  slot_expired: TIMES,
  // Only the business can help.
  registration_blocked: ASK,
  registration_not_allowed: ASK,
  age_too_high: OTHERS,
  age_too_low: OTHERS,
  age_unknown: ASK,
  customer_not_participating: ASK,
  reschedule_too_late: MINE,
  // They cancel, and book the other place.
  other_price: MINE,
  quota_exceeded: ASK,
  permission_denied: ASK,
  cash_session_required: ASK,
  conflict: ASK,
  // It is already done.
  already_registered: MINE,
  already_cancelled: MINE,
  already_ended: MINE,
  already_enrolled: MINE,
  already_paid: MINE,
  attendance_already_marked: MINE,
  not_on_waitlist: MINE,
  waitlist_not_needed: OTHERS,
  checkout_not_open: MINE,
  checkout_empty: OTHERS,
  checkout_expired: OTHERS,
  // Courses, products and gift cards have pages of their own.
  course_enrollment_required: COURSES,
  course_full: COURSES,
  course_not_open: COURSES,
  course_payment_required: COURSES,
  course_session_payment_required: COURSES,
  course_sessions_booked: MINE,
  course_waitlist_not_needed: COURSES,
  not_for_sale: SHOP,
  out_of_stock: SHOP,
  order_not_open: MINE,
  store_closed: SHOP,
  locked: SHOP,
  gift_card_expired: CARDS,
  gift_card_not_paid: ['owed', 'ask'],
  gift_card_redeemed: MINE,
  gift_card_voided: ASK,
  // The form shows what to change.
  gift_card_code_invalid: ['form', 'ask'],
  price_changed: FORM,
  rate_limited: FORM,
  requirements_missing: FORM,
  discount_code_invalid: FORM,
  discount_code_limit_reached: FORM,
  discount_code_new_customers_only: FORM,
  discount_code_not_applicable: FORM,
  discount_code_not_valid_today: FORM,
  discount_code_used_up: FORM,
};

/** Returns the steps for a refusal; null or an unlisted code: only the business can help. */
export const stepsAfter = (code: string | null): readonly Step[] => (code === null ? ASK : (STEPS[code] ?? ASK));
