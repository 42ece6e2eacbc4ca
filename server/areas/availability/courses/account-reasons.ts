import type { AccountReason } from '../../money/account-entries/index.ts';

export const ADDED_SESSION = {
  name: 'course_session_added',
  description: 'The charge for a session that was added to a course after the customer enrolled.',
  subject: 'course_enrollment',
  revenue: 'course',
} as const satisfies AccountReason;
