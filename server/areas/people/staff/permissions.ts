/** Permissions of staff members: a fixed list in the API, for all areas. */
import type { PermissionKind } from '../../../kernel/work/access/permission.ts';

const kind = <P extends string>(permission: P, means: string, atVenues = false) => ({ permission, means, atVenues });

export const PERMISSION_KINDS = [
  kind(
    'super_admin',
    'do everything. Only super admins manage staff, venues, settings, applications and tokens, and read the audit log',
  ),
  kind(
    'customers',
    'see customers’ contact details and dates of birth, change customers and add children, and manage their memberships, notes, tasks and messages',
  ),
  kind('attendances', 'book, cancel, manage waitlists, mark attendance and check people in', true),
  kind(
    'manage_events',
    'manage events and series, offering types, categories and registration timelines, and upload images',
    true,
  ),
  kind('instructor_attendances', 'book and mark attendance for the events that they teach', true),
  kind(
    'instructor_manage_events',
    'book for the events that they teach, manage their waitlists, and request substitutes',
    true,
  ),
  kind(
    'revenue',
    'see what customers pay, read the ledger and export it, close accounting periods, and see and approve what instructors are paid',
  ),
  kind(
    'customer_payments',
    'see what customers pay, charge their accounts and give them account credit, and take, cancel and refund payments',
  ),
  kind('discount_codes', 'manage discount codes and what they can be used for'),
  kind('store', 'manage the store: products, stock and orders; upload images, and see invoices'),
  kind(
    'pos',
    'book and check people in at the front desk, sell at the counter, run checkouts, see invoices, and take, cancel and refund payments',
  ),
  kind('developer', 'manage webhook destinations, and read the feed and the schedule for integrations'),
  kind('email_notifications', 'nothing yet: no messages are sent to staff because of it'),
] satisfies readonly PermissionKind[];

export type StaffPermission = (typeof PERMISSION_KINDS)[number]['permission'];

/** Returns the table of all permissions in Markdown. */
export function permissionsTable(): string {
  const rows = PERMISSION_KINDS.map(({ permission, means }) => `| \`${permission}\` | ${means.replaceAll('’', "'")} |`);
  return ['| permission | lets staff |', '| --- | --- |', ...rows].join('\n');
}

export const PERMISSIONS: readonly StaffPermission[] = PERMISSION_KINDS.map(({ permission }) => permission);
