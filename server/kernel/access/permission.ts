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

/** What each lets staff do, in words; which operations and properties that is, is declared where they are. */
export const MEANS: Readonly<Record<Permission, string>> = {
  super_admin:
    'do everything. Only super admins manage staff, venues, settings, applications and tokens, and read the audit log',
  customers:
    'see customers’ contact details and dates of birth, add and change customers, and manage their memberships, notes, tasks and messages',
  attendances: 'book, cancel, manage waitlists, mark attendance and check people in',
  manage_events: 'manage events and series, offering types, categories and registration timelines',
  instructor_attendances: 'book and mark attendance for the events that they teach',
  instructor_manage_events: 'manage the bookings and series of the events that they teach',
  revenue: 'see what customers pay for their memberships',
  customer_payments: 'see what customers pay for their memberships',
  discount_codes: 'nothing yet: there are no discounts',
  store: 'nothing yet: there is no store',
  pos: 'book and check people in at the front desk',
  developer: 'manage webhook destinations, and read the feed and the schedule for integrations',
  email_notifications: 'nothing yet: no messages are sent to staff because of it',
};

/**
 * Those about places and what happens there. Of a staff member who is limited to venues they hold at these only, and
 * say nothing of what belongs to the whole business.
 */
export const PLACE_PERMISSIONS: readonly Permission[] = [
  'attendances',
  'manage_events',
  'instructor_attendances',
  'instructor_manage_events',
];
