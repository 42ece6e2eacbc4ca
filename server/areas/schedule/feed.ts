import { id, listOf, oneOf, ref, refs, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

const booking = { attendance: id(), event: id(), customer: id() };
const waiting = { waitlist_spot: id(), attendance: id(), event: id(), customer: id() };

export const eventCreated = feedItemKind('event.created', { object: 'event', description: 'An event was put into the schedule.', payload: { event: id() } });

export const eventChanged = feedItemKind('event.changed', {
  object: 'event',
  description: 'Something about an event changed; `changed` names the properties. `message` is for those who booked, where staff wrote one.',
  payload: { event: id(), changed: listOf(text()), notify: text().nullable() },
});

export const eventCancelled = feedItemKind('event.cancelled', { object: 'event', description: 'An event was cancelled.', payload: { event: id(), notify: text().nullable() } });

export const registrationCreated = feedItemKind('event_registration.created', {
  object: 'attendance',
  description: 'A customer booked an event, or got a place from the waitlist.',
  payload: { ...booking, from: oneOf(['registration', 'waitlist', 'claim']) },
});

export const registrationCancelled = feedItemKind('event_registration.cancelled', {
  object: 'attendance',
  description: 'A booking was cancelled in time, or with its event.',
  payload: { ...booking, reason: oneOf(['customer', 'staff', 'event_cancelled']) },
});

export const registrationLateCancelled = feedItemKind('event_registration.late_cancelled', {
  object: 'attendance',
  description: 'A booking was cancelled after the cut-off.',
  payload: booking,
});

export const attendanceAttended = feedItemKind('attendance.attended', { object: 'attendance', description: 'A visit was marked.', payload: booking });
export const attendanceNoShow = feedItemKind('attendance.no_show', { object: 'attendance', description: 'An absence was marked.', payload: booking });
export const attendanceCorrected = feedItemKind('attendance.corrected', { object: 'attendance', description: 'Staff took a mark back.', payload: booking });

export const attendanceDeleted = feedItemKind('attendance.deleted', {
  object: 'attendance',
  description: 'What stood between a customer and an event was taken out, because another record of the same person stays.',
  payload: booking,
});

export const waitlistJoined = feedItemKind('waitlist.joined', { object: 'waitlist_spot', description: 'A customer began to wait for a place.', payload: waiting });
export const waitlistLeft = feedItemKind('waitlist.left', { object: 'waitlist_spot', description: 'A customer stopped waiting.', payload: waiting });
export const waitlistPromoted = feedItemKind('waitlist.promoted', { object: 'waitlist_spot', description: 'A waiting customer got a freed place.', payload: waiting });
export const waitlistOffered = feedItemKind('waitlist.offered', {
  object: 'waitlist_spot',
  description: 'A freed place is kept for a waiting customer until `expires_at`.',
  payload: { ...waiting, expires_at: text() },
});
export const waitlistExpired = feedItemKind('waitlist.expired', { object: 'waitlist_spot', description: 'A kept place was not claimed in time.', payload: waiting });
export const waitlistRejected = feedItemKind('waitlist.rejected', { object: 'waitlist_spot', description: 'A waiting customer may no longer book the event.', payload: waiting });
export const waitlistEnded = feedItemKind('waitlist.ended', {
  object: 'waitlist_spot',
  description: 'A customer waits no longer: it booked a place, claimed the one that was kept, or the event was cancelled.',
  payload: { ...waiting, reason: oneOf(['registered', 'claimed', 'event_cancelled']) },
});
export const waitlistBroadcast = feedItemKind('waitlist.broadcast', {
  object: 'event',
  description: 'A place is free for whoever comes first; those who wait are told.',
  payload: { event: id(), customers: refs('customer') },
});

export const seriesCreated = feedItemKind('event_series.created', {
  object: 'event_series',
  description: 'There is a new recurring plan; its events are told each for itself. `split_from` is the series that it goes on from.',
  payload: { event_series: id(), split_from: ref('event_series').nullable() },
});
export const seriesChanged = feedItemKind('event_series.changed', {
  object: 'event_series',
  description: 'A recurring plan changed, from some event on or as a whole; `changed` names the properties.',
  payload: { event_series: id(), changed: listOf(text()) },
});
export const seriesEnded = feedItemKind('event_series.ended', {
  object: 'event_series',
  description: 'A recurring plan makes no more events.',
  payload: { event_series: id() },
});

export const checkinCreated = feedItemKind('checkin.created', {
  object: 'checkin',
  description: 'A customer checked in at a venue.',
  payload: { checkin: id(), customer: id(), venue: id() },
});

export const checkinDeleted = feedItemKind('checkin.deleted', {
  object: 'checkin',
  description: 'A check-in was taken out, because another record of the same person has one of the same day and venue.',
  payload: { checkin: id(), customer: id(), venue: id() },
});

export const scheduleFeed = [
  eventCreated, eventChanged, eventCancelled, registrationCreated, registrationCancelled, registrationLateCancelled,
  attendanceAttended, attendanceNoShow, attendanceCorrected, attendanceDeleted,
  waitlistJoined, waitlistLeft, waitlistPromoted, waitlistOffered, waitlistExpired, waitlistRejected, waitlistEnded, waitlistBroadcast, seriesCreated, seriesChanged, seriesEnded, checkinCreated, checkinDeleted,
];
