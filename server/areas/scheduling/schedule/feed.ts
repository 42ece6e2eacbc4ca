import { id, listOf, oneOf, ref, refs, text } from '../../../kernel/base/fields/kinds.ts';
import { PLACES } from './rules/booking.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

const booking = { attendance: id(), event: id(), customer: id() };
/** Reasons why a booking is not restored with its event. */
const NOT_RESTORED = ['booked_elsewhere', 'cannot_pay', 'paid_back', 'not_allowed'] as const;
export type NotRestored = (typeof NOT_RESTORED)[number];

export const eventFeed = feedKinds(
  'event',
  { event: id() },
  {
    created: 'An event was created.',
    changed: {
      description:
        'An event was changed; `changed` names the properties. `message` is for the people who booked, if staff wrote one.',
      payload: { changed: listOf(text()), notify: text({ blank: true }).nullable() },
    },
    instructors_changed: {
      description:
        'Somebody else teaches an event: `removed` no longer do, `added` do now. `notify` is the message to the people who booked, if staff wrote one.',
      payload: { removed: refs('instructor'), added: refs('instructor'), notify: text().nullable() },
    },
    cancelled: { description: 'An event was cancelled.', payload: { notify: text({ blank: true }).nullable() } },
    reopened: {
      description:
        'A cancelled event takes place after all. Each booking and each spot on the waitlist that came back has its own feed item.',
      payload: { notify: text().nullable() },
    },
  },
);

export const eventRegistrationFeed = feedKinds(
  'event_registration',
  booking,
  {
    created: {
      description:
        'A customer booked an event, got a place from the waitlist, has a recurring reservation for it, or is booked again because it takes place after all. `from` is `course` for each session of a course that is booked whole, and `moved` if the booking replaces one of another event.',
      payload: {
        from: oneOf([
          'registration',
          'waitlist',
          'claim',
          'recurring_reservation',
          'course',
          'reopened',
          'moved',
          'partner',
        ]),
      },
    },
    not_restored: {
      description:
        'A customer who had booked a cancelled event that takes place after all is not booked again. `because` says why, for staff.',
      payload: { reason: oneOf(NOT_RESTORED), because: text(), notify: text().nullable() },
    },
    cancelled: {
      description:
        'A booking was cancelled in time, or together with its event. `reason` is `course` if a whole course was cancelled, `moved` if another event was booked instead, and `import_undone` if its import was undone.',
      payload: { reason: oneOf(['customer', 'staff', 'event_cancelled', 'course', 'moved', 'import_undone']) },
    },
    moved: {
      description:
        'Staff moved a booking to this event. What ended and what was booked have their own feed items; this one connects them.',
      payload: { from_event: id(), from_attendance: id() },
    },
    switched: {
      description:
        'A booking switched between the venue and online. `place` is where the customer takes part now. `from` is `waitlist` if they waited for it.',
      payload: { place: oneOf(PLACES), from: oneOf(['request', 'waitlist']) },
    },
    late_cancelled: 'A booking was cancelled after the cut-off.',
  },
  { object: 'attendance' },
);

export const attendanceFeed = feedKinds('attendance', booking, {
  attended: 'A customer was marked as present.',
  no_show: 'A customer was marked as absent.',
  corrected: 'Staff removed an attendance mark.',
  deleted: 'The link between a customer and an event was removed, because another record of the same person is kept.',
});

export const waitlistFeed = feedKinds(
  'waitlist',
  { waitlist_spot: id(), attendance: id(), event: id(), customer: id() },
  {
    joined: 'A customer joined the waitlist.',
    left: 'A customer left the waitlist.',
    promoted: 'A customer on the waitlist got a freed place.',
    offered: {
      description: 'A freed place is kept for a customer on the waitlist until `expires_at`.',
      payload: { expires_at: text() },
    },
    expired: 'A kept place was not claimed in time.',
    rejected: 'A customer on the waitlist is no longer allowed to book the event.',
    ended: {
      description:
        'A customer is no longer on the waitlist: the customer booked a place or claimed the one that was kept, or the event was cancelled.',
      payload: { reason: oneOf(['registered', 'claimed', 'event_cancelled']) },
    },
    restored: 'A customer is on the waitlist again, because the event takes place after all.',
  },
  { object: 'waitlist_spot' },
);
export const eventWaitlistFeed = feedKinds(
  'waitlist',
  { event: id(), customers: refs('customer') },
  {
    broadcast: 'A place is free for the first person to book it. Everyone on the waitlist is notified.',
  },
  { object: 'event' },
);

export const eventSeriesFeed = feedKinds(
  'event_series',
  { event_series: id() },
  {
    created: {
      description:
        'A recurring plan was created. Each of its events has its own feed item. `split_from` is the series that it continues.',
      payload: { split_from: ref('event_series').nullable() },
    },
    changed: {
      description:
        'A recurring plan was changed, from a certain event on or as a whole; `changed` names the properties.',
      payload: { changed: listOf(text()) },
    },
    ended: 'A recurring plan creates no more events.',
  },
);

export const checkinFeed = feedKinds(
  'checkin',
  { checkin: id(), customer: id(), venue: id() },
  {
    created: 'A customer checked in at a venue.',
    deleted:
      'A check-in was removed, because another record of the same person has one on the same day at the same venue.',
  },
);

export const scheduleFeed = [
  eventFeed,
  eventRegistrationFeed,
  attendanceFeed,
  waitlistFeed,
  eventWaitlistFeed,
  eventSeriesFeed,
  checkinFeed,
];
