import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';

export const courseFeed = feedKinds(
  'course',
  { course: id() },
  {
    created: 'A course was created, as a draft or published.',
    updated: 'A course was changed; `changed` names the properties.',
  },
);
export const courseDateSeriesFeed = feedKinds(
  'course_date_series',
  { course_date_series: id(), course: id() },
  {
    created: 'A date series was added to a course, with its sessions.',
    updated: 'A date series was changed; `changed` names the properties.',
    cancelled: 'A date series was cancelled, with all sessions that had not begun.',
  },
);
export const courseEnrollmentFeed = feedKinds(
  'course_enrollment',
  { course_enrollment: id(), course_date_series: id(), customer: ref('customer') },
  {
    created: 'A customer enrolled in a date series.',
    cancelled: {
      description: 'An enrolment was cancelled: by the customer, by staff, or with its date series.',
      payload: { reason: oneOf(['customer', 'staff', 'series_cancelled']) },
    },
    credited: {
      description: 'Sessions of an enrolment were given back as account credit, with a credit note.',
      payload: { invoice: ref('invoice') },
    },
  },
);
export const courseMakeUpFeed = feedKinds(
  'course_make_up',
  {
    course_make_up: id(),
    course_enrollment: id(),
    customer: ref('customer'),
    event: ref('event'),
    missed_event: ref('event'),
  },
  {
    created: 'A customer attends a session, `event`, in place of one that they missed, `missed_event`.',
  },
);
export const courseWaitlistFeed = feedKinds(
  'course_waitlist',
  { course_waitlist_spot: id(), course_date_series: id(), customer: ref('customer') },
  {
    joined: 'A customer joined the waitlist of a date series.',
    left: 'A customer left the waitlist of a date series.',
    offered: 'A place in a date series is kept for a customer who waits for it.',
    ended: 'A wait for a date series ended: by enrolling, or because it is over.',
  },
  { object: 'course_waitlist_spot' },
);

export const FEED = [courseFeed, courseDateSeriesFeed, courseEnrollmentFeed, courseMakeUpFeed, courseWaitlistFeed];
