/** What a staff member may be allowed. `super_admin` includes every other one. */
export const PERMISSIONS = [
  'super_admin',
  'customers',
  'attendances',
  'manage_events',
  'instructor_attendances',
  'instructor_manage_events',
  'revenue',
  'customer_payments',
  'discount_codes',
  'store',
  'pos',
  'developer',
  'email_notifications',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/**
 * Those about places and what happens there. Of a staff member who is limited to venues they hold at these only, and say
 * nothing of what belongs to the whole business.
 */
export const PLACE_PERMISSIONS: readonly Permission[] = ['attendances', 'manage_events', 'instructor_attendances', 'instructor_manage_events'];
