import type { AccountReason } from '../../money/account-entries/index.ts';

/** Not `once`: a charge that is reduced before it is invoiced is voided, and another one takes its place. */
export const ENROLLMENT = {
  name: 'course_enrollment',
  description: 'The price of a course in which staff enrolled a customer without a payment.',
  subject: 'course_enrollment',
  revenue: 'course',
} as const satisfies AccountReason;

export const ADDED_SESSION = {
  name: 'course_session_added',
  description: 'The charge for a session that was added to a course after the customer enrolled.',
  subject: 'course_enrollment',
  revenue: 'course',
} as const satisfies AccountReason;
