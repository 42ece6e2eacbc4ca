/** Permissions of a staff member: flags on the wire, a list inside. Pure. */

/**
 * Returns the list after a change: named flags are set or removed, all others remain. In the order of `all`, each once.
 */
export function changedPermissions<P extends string>(
  all: readonly P[],
  before: readonly P[],
  changes: { readonly [K in P]?: boolean },
): P[] {
  return all.filter((p) => changes[p] ?? before.includes(p));
}

/** Returns flags for the granted permissions. `super_admin` includes the others without setting their flags. */
export function permissionFlags<P extends string>(all: readonly P[], granted: readonly P[]): Record<P, boolean> {
  return Object.fromEntries(all.map((p) => [p, granted.includes(p)])) as Record<P, boolean>;
}

export interface Reaches {
  readonly permissions: readonly string[];
  /** ids; empty: everywhere */
  readonly venues: readonly number[];
}

/** Returns true if a person with all permissions would be limited to venues, which can't be intended. */
export const limitsAdmin = ({ permissions, venues }: Reaches): boolean =>
  venues.length > 0 && permissions.includes('super_admin');

interface Administers {
  readonly permissions: readonly string[];
  readonly archived: boolean;
}

/** Returns true if the change removes a super admin from the business, which must not be its last one. */
export function losesAdmin(before: Administers, after: Administers): boolean {
  const administers = ({ permissions, archived }: Administers) => !archived && permissions.includes('super_admin');
  return administers(before) && !administers(after);
}
