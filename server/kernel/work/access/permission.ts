/**
 * A permission of staff members. An area declares the existing permissions, and every permission in a declaration is
 * checked against them at startup. `super_admin` includes all others.
 */
export type Permission = string;

export interface PermissionKind {
  readonly permission: Permission;
  /** what it allows staff to do, in words; operations and properties declare the permissions that they require */
  readonly means: string;
  /**
   * It concerns venues and events there. For a staff member who is limited to venues, it applies only at these, and not
   * to objects of the whole business.
   */
  readonly atVenues?: boolean;
}
