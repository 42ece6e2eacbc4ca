import { id, listOf, oneOf, ref, refs, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

const booking = { attendance: id(), event: id(), customer: id() };
/** Reasons why a booking is not restored with its event. */
export const NOT_RESTORED = ['booked_elsewhere', 'cannot_pay', 'paid_back', 'not_allowed'] as const;
export type NotRestored = (typeof NOT_RESTORED)[number];

const waiting = { waitlist_spot: id(), attendance: id(), event: id(), customer: id() };

export const eventCreated = feedItemKind('event.created', {
  object: 'event',
  description: 'An event was created.',
  payload: { event: id() },
});

export const eventChanged = feedItemKind('event.changed', {
  object: 'event',
  description:
    'An event was changed; `changed` names the properties. `message` is for the people who booked, if staff wrote one.',
  payload: { event: id(), changed: listOf(text()), notify: text({ blank: true }).nullable() },
});

export const eventInstructorsChanged = feedItemKind('event.instructors_changed', {
  object: 'event',
  description:
    'Somebody else teaches an event: `removed` no longer do, `added` do now. `notify` is the message to the people who booked, if staff wrote one.',
  payload: { event: id(), removed: refs('instructor'), added: refs('instructor'), notify: text().nullable() },
});

export const eventCancelled = feedItemKind('event.cancelled', {
  object: 'event',
  description: 'An event was cancelled.',
  payload: { event: id(), notify: text({ blank: true }).nullable() },
});

export const eventReopened = feedItemKind('event.reopened', {
  object: 'event',
  description:
    'A cancelled event takes place after all. Each booking and each spot on the waitlist that came back has its own feed item.',
  payload: { event: id(), notify: text().nullable() },
});

export const registrationCreated = feedItemKind('event_registration.created', {
  object: 'attendance',
  description:
    'A customer booked an event, got a place from the waitlist, has a recurring reservation for it, or is booked again because it takes place after all. `from` is `course` for each session of a course that is booked whole.',
  payload: {
    ...booking,
    from: oneOf(['registration', 'waitlist', 'claim', 'recurring_reservation', 'course', 'reopened']),
  },
});

export const registrationNotRestored = feedItemKind('event_registration.not_restored', {
  object: 'attendance',
  description:
    'A customer who had booked a cancelled event that takes place after all is not booked again. `because` says why, for staff.',
  payload: { ...booking, reason: oneOf(NOT_RESTORED), because: text(), notify: text().nullable() },
});

export const registrationCancelled = feedItemKind('event_registration.cancelled', {
  object: 'attendance',
  description:
    'A booking was cancelled in time, or together with its event. `reason` is `course` if a whole course was cancelled.',
  payload: { ...booking, reason: oneOf(['customer', 'staff', 'event_cancelled', 'course']) },
});

export const registrationLateCancelled = feedItemKind('event_registration.late_cancelled', {
  object: 'attendance',
  description: 'A booking was cancelled after the cut-off.',
  payload: booking,
});

export const attendanceAttended = feedItemKind('attendance.attended', {
  object: 'attendance',
  description: 'A customer was marked as present.',
  payload: booking,
});
export const attendanceNoShow = feedItemKind('attendance.no_show', {
  object: 'attendance',
  description: 'A customer was marked as absent.',
  payload: booking,
});
export const attendanceCorrected = feedItemKind('attendance.corrected', {
  object: 'attendance',
  description: 'Staff removed an attendance mark.',
  payload: booking,
});

export const attendanceDeleted = feedItemKind('attendance.deleted', {
  object: 'attendance',
  description: 'What connected a customer and an event was removed, because another record of the same person is kept.',
  payload: booking,
});

export const waitlistJoined = feedItemKind('waitlist.joined', {
  object: 'waitlist_spot',
  description: 'A customer joined the waitlist.',
  payload: waiting,
});
export const waitlistLeft = feedItemKind('waitlist.left', {
  object: 'waitlist_spot',
  description: 'A customer left the waitlist.',
  payload: waiting,
});
export const waitlistPromoted = feedItemKind('waitlist.promoted', {
  object: 'waitlist_spot',
  description: 'A customer on the waitlist got a freed place.',
  payload: waiting,
});
export const waitlistOffered = feedItemKind('waitlist.offered', {
  object: 'waitlist_spot',
  description: 'A freed place is kept for a customer on the waitlist until `expires_at`.',
  payload: { ...waiting, expires_at: text() },
});
export const waitlistExpired = feedItemKind('waitlist.expired', {
  object: 'waitlist_spot',
  description: 'A kept place was not claimed in time.',
  payload: waiting,
});
export const waitlistRejected = feedItemKind('waitlist.rejected', {
  object: 'waitlist_spot',
  description: 'A customer on the waitlist is no longer allowed to book the event.',
  payload: waiting,
});
export const waitlistEnded = feedItemKind('waitlist.ended', {
  object: 'waitlist_spot',
  description:
    'A customer is no longer on the waitlist: the customer booked a place or claimed the one that was kept, or the event was cancelled.',
  payload: { ...waiting, reason: oneOf(['registered', 'claimed', 'event_cancelled']) },
});
export const waitlistRestored = feedItemKind('waitlist.restored', {
  object: 'waitlist_spot',
  description: 'A customer is on the waitlist again, because the event takes place after all.',
  payload: waiting,
});
export const waitlistBroadcast = feedItemKind('waitlist.broadcast', {
  object: 'event',
  description: 'A place is free for the first person to book it. Everyone on the waitlist is notified.',
  payload: { event: id(), customers: refs('customer') },
});

export const seriesCreated = feedItemKind('event_series.created', {
  object: 'event_series',
  description:
    'A recurring plan was created. Each of its events has its own feed item. `split_from` is the series that it continues.',
  payload: { event_series: id(), split_from: ref('event_series').nullable() },
});
export const seriesChanged = feedItemKind('event_series.changed', {
  object: 'event_series',
  description: 'A recurring plan was changed, from a certain event on or as a whole; `changed` names the properties.',
  payload: { event_series: id(), changed: listOf(text()) },
});
export const seriesEnded = feedItemKind('event_series.ended', {
  object: 'event_series',
  description: 'A recurring plan creates no more events.',
  payload: { event_series: id() },
});

export const checkinCreated = feedItemKind('checkin.created', {
  object: 'checkin',
  description: 'A customer checked in at a venue.',
  payload: { checkin: id(), customer: id(), venue: id() },
});

export const checkinDeleted = feedItemKind('checkin.deleted', {
  object: 'checkin',
  description:
    'A check-in was removed, because another record of the same person has one on the same day at the same venue.',
  payload: { checkin: id(), customer: id(), venue: id() },
});

export const scheduleFeed = [
  eventInstructorsChanged,
  eventCreated,
  eventChanged,
  eventCancelled,
  eventReopened,
  registrationNotRestored,
  registrationCreated,
  registrationCancelled,
  registrationLateCancelled,
  attendanceAttended,
  attendanceNoShow,
  attendanceCorrected,
  attendanceDeleted,
  waitlistJoined,
  waitlistLeft,
  waitlistPromoted,
  waitlistOffered,
  waitlistExpired,
  waitlistRejected,
  waitlistEnded,
  waitlistRestored,
  waitlistBroadcast,
  seriesCreated,
  seriesChanged,
  seriesEnded,
  checkinCreated,
  checkinDeleted,
];
