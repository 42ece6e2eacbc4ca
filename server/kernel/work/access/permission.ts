/**
 * What a staff member may be allowed. Which permissions there are is declared by an area, and every one that a
 * declaration names is held against that at the start. `super_admin` includes every other one.
 */
export type Permission = string;

export interface PermissionKind {
  readonly permission: Permission;
  /** what it lets staff do, in words; which operations and properties that is, is declared where they are */
  readonly means: string;
  /**
   * It is about venues and what happens there. Of a staff member who is limited to venues it holds at these only, and
   * says nothing of what belongs to the whole business.
   */
  readonly atVenues?: boolean;
}
