/** Writes of staff and instructors, for the endpoints of this area, the importer and the demo. */
import { PERMISSIONS, type StaffPermission } from './permissions.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { changedPermissions } from './rules/permissions.ts';
import { instructorFeed, staffFeed } from './feed.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type PermissionChanges = { readonly [P in StaffPermission]?: boolean };

interface NewStaffMember {
  first_name: string;
  last_name: string;
  email: string;
  permissions?: PermissionChanges;
  /** venues to which venue-related permissions are limited; empty: all */
  venue_ids?: readonly number[];
  /** account of the person */
  user_id?: number;
}

interface NewInstructor {
  /** id of the staff member */
  staff: number;
  name: string;
  description?: string;
  picture_url?: string;
}

/** Creates a staff member and returns the id. */
export async function createStaffMember(
  work: Work,
  { permissions = {}, venue_ids = [], ...values }: NewStaffMember,
): Promise<number> {
  const id = await insertRow(work, 'staff', {
    ...values,
    venue_ids: sorted(venue_ids),
    permissions: changedPermissions(PERMISSIONS, [], permissions),
  });
  work.record(staffFeed.created, id, { staff: id });
  return id;
}

/** Changes a staff member. `permissions` and `venues` each replace the whole list. */
export async function changeStaffMember(
  work: Work,
  id: number,
  { venues, ...values }: Record<string, unknown> & { venues?: readonly number[] },
): Promise<void> {
  if (await updateRow(work, 'staff', id, { ...values, venue_ids: venues && sorted(venues) })) {
    work.record(staffFeed.updated, id, { staff: id, changed: changedNames({ ...values, venues }) });
  }
}

/** Returns each id once, sorted: equal limits are equal rows. */
const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b);

/** Creates an instructor and returns the id. */
export async function createInstructor(work: Work, { staff, ...values }: NewInstructor): Promise<number> {
  const id = await insertRow(work, 'instructor', { ...values, staff_id: staff });
  work.record(instructorFeed.created, id, { instructor: id, staff });
  return id;
}

export async function changeInstructor(work: Work, id: number, values: Record<string, unknown>): Promise<void> {
  if (await updateRow(work, 'instructor', id, values))
    work.record(instructorFeed.updated, id, { instructor: id, changed: changedNames(values) });
}
