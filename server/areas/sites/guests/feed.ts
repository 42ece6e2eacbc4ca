import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { ref, text } from '../../../kernel/base/fields/kinds.ts';

const of = {
  customer: ref('customer'),
  event: ref('event').nullable(),
  course_date_series: ref('course_date_series').nullable(),
};
const object = 'customer';

export const guestBookingHeld = feedItemKind('customer.guest_booking_held', {
  object,
  description:
    'Somebody without an account booked an event or a course that is free. The places are held until `held_until`, and booked once the email address is confirmed.',
  payload: { ...of, held_until: text() },
});
export const guestBookingConfirmed = feedItemKind('customer.guest_booking_confirmed', {
  object,
  description:
    'Somebody without an account confirmed their email address, and was booked on what they had asked for, or put on its waitlist.',
  payload: of,
});
export const guestBookingExpired = feedItemKind('customer.guest_booking_expired', {
  object,
  description: 'Somebody without an account did not confirm their email address in time. The places were released.',
  payload: of,
});

export const GUEST_FEED = [guestBookingHeld, guestBookingConfirmed, guestBookingExpired];
