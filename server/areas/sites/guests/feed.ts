import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { ref, text } from '../../../kernel/base/fields/kinds.ts';

export const guestFeed = feedKinds(
  'customer',
  {
    customer: ref('customer'),
    event: ref('event').nullable(),
    course_date_series: ref('course_date_series').nullable(),
  },
  {
    guest_booking_held: {
      description:
        'Somebody without an account booked an event or a course that is free. The places are held until `held_until`, and booked once the email address is confirmed.',
      payload: { held_until: text() },
    },
    guest_booking_confirmed:
      'Somebody without an account confirmed their email address, and was booked on what they had asked for, or put on its waitlist.',
    guest_booking_expired:
      'Somebody without an account did not confirm their email address in time. The places were released.',
  },
);

export const GUEST_FEED = [guestFeed];
