import { claimStaff } from './claim.ts';
import { changeInstructors } from './change-instructors.ts';
import { changeStaff } from './change-staff.ts';
import { findStaff } from './find-staff.ts';
import { instructor } from './instructor.ts';
import { instructorFeed, staffFeed } from './feed.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { PERMISSION_KINDS } from './permissions.ts';
import { staffMember } from './staff-member.ts';
import { imageUses } from '../../platform/images/index.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { instructor } from './instructor.ts';
export { lockInstructors, lockStaffByEmail } from './lock.ts';
export { PERMISSIONS, type StaffPermission } from './permissions.ts';
export { createOwner, type NewOwner } from './owner.ts';
export { permissions } from './staff-member.ts';
export { permissionFlags } from './rules/permissions.ts';
export { takeBackStaff } from './take-back.ts';
export { changeStaffMember, createInstructor, createStaffMember } from './writes.ts';

const taken = (field: string, message: string) => () =>
  new Problem('already_exists', `${field}: ${message}`, { [field]: [message] });

export const staff: Area = {
  name: 'staff',
  description: 'People who work at the business: what they may do, and which of them teach.',
  tables: TABLES,
  claims: { staff: claimStaff },
  resources: [staffMember, instructor],
  endpoints: [...findStaff, ...changeStaff, ...changeInstructors],
  permissions: PERMISSION_KINDS,
  feed: [staffFeed, instructorFeed],
  fills: [
    imageUses.with({
      name: 'instructor.picture_url',
      description: 'The picture of an instructor, by its address.',
      resource: 'instructor',
      used: (image) =>
        raw(
          `EXISTS (SELECT FROM instructor i WHERE i.provider_id = ${image}.provider_id AND position(${image}.key IN i.picture_url) > 0)`,
        ),
    }),
  ],
  constraints: {
    staff_email: taken('email', 'Another staff member has this email address.'),
    staff_admin_everywhere: () => invalid('venues', 'A super admin can’t be limited to venues.'),
    staff_venues_exist: () => invalid('venues', 'At least one of these ids is not the id of a venue.'),
    instructor_provider_id_staff_id_key: taken('staff', 'This staff member is already an instructor.'),
  },
};
