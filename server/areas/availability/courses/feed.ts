import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id, listOf, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';

const changed = listOf(text());
const series = { course_date_series: id(), course: id() };
const enrollment = { course_enrollment: id(), course_date_series: id(), customer: ref('customer') };
const spot = { course_waitlist_spot: id(), course_date_series: id(), customer: ref('customer') };

export const courseCreated = feedItemKind('course.created', {
  object: 'course',
  description: 'A course was created, as a draft or published.',
  payload: { course: id() },
});
export const courseUpdated = feedItemKind('course.updated', {
  object: 'course',
  description: 'A course was changed; `changed` names the properties.',
  payload: { course: id(), changed },
});
export const seriesCreated = feedItemKind('course_date_series.created', {
  object: 'course_date_series',
  description: 'A date series was added to a course, with its sessions.',
  payload: series,
});
export const seriesUpdated = feedItemKind('course_date_series.updated', {
  object: 'course_date_series',
  description: 'A date series was changed; `changed` names the properties.',
  payload: { ...series, changed },
});
export const seriesCancelled = feedItemKind('course_date_series.cancelled', {
  object: 'course_date_series',
  description: 'A date series was cancelled, with all sessions that had not begun.',
  payload: series,
});
export const enrolled = feedItemKind('course_enrollment.created', {
  object: 'course_enrollment',
  description: 'A customer enrolled in a date series.',
  payload: enrollment,
});
export const enrollmentCancelled = feedItemKind('course_enrollment.cancelled', {
  object: 'course_enrollment',
  description: 'An enrolment was cancelled: by the customer, by staff, or with its date series.',
  payload: { ...enrollment, reason: oneOf(['customer', 'staff', 'series_cancelled']) },
});
export const sessionsCredited = feedItemKind('course_enrollment.credited', {
  object: 'course_enrollment',
  description: 'Sessions of an enrolment were given back as account credit, with a credit note.',
  payload: { ...enrollment, invoice: ref('invoice') },
});
export const sessionMadeUp = feedItemKind('course_make_up.created', {
  object: 'course_make_up',
  description: 'A customer attends a session, `event`, in place of one that they missed, `missed_event`.',
  payload: {
    course_make_up: id(),
    course_enrollment: id(),
    customer: ref('customer'),
    event: ref('event'),
    missed_event: ref('event'),
  },
});
const waiting = (name: string, description: string) =>
  feedItemKind(`course_waitlist.${name}`, { object: 'course_waitlist_spot', payload: spot, description });
export const waitlistJoined = waiting('joined', 'A customer joined the waitlist of a date series.');
export const waitlistLeft = waiting('left', 'A customer left the waitlist of a date series.');
export const waitlistOffered = waiting('offered', 'A place in a date series is kept for a customer who waits for it.');
export const waitlistEnded = waiting('ended', 'A wait for a date series ended: by enrolling, or because it is over.');

export const FEED = [
  courseCreated,
  courseUpdated,
  seriesCreated,
  seriesUpdated,
  seriesCancelled,
  enrolled,
  enrollmentCancelled,
  sessionsCredited,
  sessionMadeUp,
  waitlistJoined,
  waitlistLeft,
  waitlistOffered,
  waitlistEnded,
];
