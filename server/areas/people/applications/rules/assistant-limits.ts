/** Limits that a person sets for an assistant when they connect it: it never has more than the person. Pure. */

/** Permissions of staff, as people choose among them. */
const PERMISSIONS_BY_GROUP = {
  classes: ['attendances', 'manage_events', 'instructor_attendances', 'instructor_manage_events'],
  customers: ['customers'],
  money: ['revenue', 'customer_payments', 'discount_codes', 'store', 'pos'],
  everything: ['super_admin', 'developer', 'email_notifications'],
} as const;

export type AssistantGroup = keyof typeof PERMISSIONS_BY_GROUP;
export const ASSISTANT_GROUPS = Object.keys(PERMISSIONS_BY_GROUP) as AssistantGroup[];

/** Null: no limit but those of the person. */
export interface AssistantLimits {
  readonly permissions: readonly string[] | null;
  readonly venues: readonly number[] | null;
}

export const UNLIMITED: AssistantLimits = { permissions: null, venues: null };

/** Returns the groups in which a staff member has permissions. */
export const groupsAmong = (permissions: readonly string[]): AssistantGroup[] =>
  ASSISTANT_GROUPS.filter((group) => {
    const own: readonly string[] = PERMISSIONS_BY_GROUP[group];
    return permissions.includes('super_admin') || own.some((permission) => permissions.includes(permission));
  });

/** Returns the permissions of the chosen groups; null if everything was chosen. */
export const permissionsFor = (groups: readonly AssistantGroup[]): readonly string[] | null =>
  groups.includes('everything') ? null : groups.flatMap((group) => PERMISSIONS_BY_GROUP[group]);

/**
 * Returns what is left of a staff member's permissions and venues; null if nothing is, because they no longer work at
 * any of the chosen venues. A super admin has every permission, at every venue.
 */
export function withinLimits<P extends string>(
  own: { readonly permissions: readonly P[]; readonly venues: readonly number[] | null },
  limits: AssistantLimits,
): { readonly permissions: readonly P[]; readonly venues: readonly number[] | null } | null {
  const isSuper = own.permissions.includes('super_admin' as P);
  // A super admin is never limited to venues, so an assistant that is has every other permission instead.
  const all = Object.values(PERMISSIONS_BY_GROUP)
    .flat()
    .filter((permission) => permission !== 'super_admin');
  const chosen = limits.permissions ?? (limits.venues === null ? null : all);
  const permissions =
    chosen === null
      ? own.permissions
      : isSuper
        ? (chosen as readonly P[])
        : own.permissions.filter((p) => chosen.includes(p));
  if (limits.venues === null) return { permissions, venues: isSuper ? null : own.venues };
  const reached = isSuper ? null : own.venues;
  const venues = limits.venues.filter((venue) => reached === null || reached.includes(venue));
  return venues.length === 0 ? null : { permissions, venues };
}
