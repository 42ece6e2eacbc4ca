/** The owner of a business: a staff member with all permissions. */
import { createStaffMember } from './writes.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface NewOwner {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** their account; absent: they have none yet, and are invited */
  readonly userId?: number;
}

/** Creates the owner and returns the id of the staff member. */
export async function createOwner(work: Work, { email, firstName, lastName, userId }: NewOwner): Promise<number> {
  const id = await createStaffMember(work, {
    ...(userId !== undefined && { user_id: userId }),
    first_name: firstName,
    last_name: lastName,
    email,
    permissions: { super_admin: true },
  });
  work.audit({
    action: 'create_owner',
    object: 'staff',
    objectId: id,
    before: null,
    after: { email, permissions: ['super_admin'] },
  });
  return id;
}
