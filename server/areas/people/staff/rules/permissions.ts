/** What a staff member may do, as flags on the wire and as a list inside. Pure. */

/** The list after a change: named flags are set or taken, the others stay. In the order of `all`, each once. */
export function changedPermissions<P extends string>(
  all: readonly P[],
  before: readonly P[],
  changes: { readonly [K in P]?: boolean },
): P[] {
  return all.filter((p) => changes[p] ?? before.includes(p));
}

/** Flags of what was granted. `super_admin` includes the others without setting their flags. */
export function permissionFlags<P extends string>(all: readonly P[], granted: readonly P[]): Record<P, boolean> {
  return Object.fromEntries(all.map((p) => [p, granted.includes(p)])) as Record<P, boolean>;
}

export interface Reaches {
  readonly permissions: readonly string[];
  /** ids; empty: everywhere */
  readonly venues: readonly number[];
}

/** Whether somebody who may do everything would be limited to venues, which nobody could mean. */
export const limitsAdmin = ({ permissions, venues }: Reaches): boolean =>
  venues.length > 0 && permissions.includes('super_admin');

export interface Administers {
  readonly permissions: readonly string[];
  readonly archived: boolean;
}

/** Whether the change takes a super admin away from the business, which must not be its last one. */
export function losesAdmin(before: Administers, after: Administers): boolean {
  const administers = ({ permissions, archived }: Administers) => !archived && permissions.includes('super_admin');
  return administers(before) && !administers(after);
}
