/** The viewer of a request: its caller, after credential, mode and business are resolved. */
import { raw, param, sql, type Sql } from '../../base/db/sql.ts';
import type { Permission } from './permission.ts';

export type Mode = 'provider' | 'customer' | 'unregistered' | 'operator';

export interface Viewer {
  readonly mode: Mode;
  readonly providerId: number;
  /** the actor, as the audit names it: `machine_token:7`, `staff:3`, `customer:12`, `anonymous` */
  readonly actor: string;
  /** the person, and the application that they use, if any */
  readonly userId: number | null;
  readonly applicationId: number | null;
  readonly applicationName: string | null;
  readonly permissions: ReadonlySet<Permission>;
  readonly staffId: number | null;
  readonly customerId: number | null;
  /** venues at which the permissions apply; null: everywhere */
  readonly venues: readonly number[] | null;
  /** the businesses that a list across businesses contains */
  readonly reached?: readonly number[];
  /** equal for viewers that the same SQL text can serve */
  readonly key: string;
}

export const may = (viewer: Viewer, ...anyOf: Permission[]): boolean =>
  viewer.permissions.has('super_admin') || anyOf.some((p) => viewer.permissions.has(p));

type Whose = 'userId' | 'applicationId' | 'applicationName';

export function viewer(of: Omit<Viewer, 'key' | Whose> & Partial<Pick<Viewer, Whose>>): Viewer {
  const permissions = of.permissions.has('super_admin') ? 'all' : [...of.permissions].toSorted().join('+');
  return {
    userId: null,
    applicationId: null,
    applicationName: null,
    ...of,
    key: `${of.mode}:${permissions}${of.venues ? ':venues' : ''}`,
  };
}

/** Returns the viewer for the program's own work for a business, such as a job or an import; `actor` names it. */
export const ownViewer = (providerId: number, actor: string): Viewer =>
  viewer({
    mode: 'provider',
    providerId,
    actor,
    permissions: new Set(['super_admin']),
    staffId: null,
    customerId: null,
    venues: null,
  });

/** The values that fill the statement for a shape of request. */
export interface Input {
  readonly viewer: Viewer;
  readonly now: number;
  readonly query: Record<string, any>;
  /** id of the requested object */
  readonly id?: number;
  /** parents whose children are requested */
  readonly parents?: readonly number[];
  readonly offset?: number;
}

/** Parameters that every statement on business tables uses. */
export const provider = param<Input>((i) => i.viewer.providerId);
export const reachedBusinesses = param<Input>((i) => i.viewer.reached);
export const viewingCustomer = param<Input>((i) => i.viewer.customerId);
export const viewingStaff = param<Input>((i) => i.viewer.staffId);
export const viewingVenues = param<Input>((i) => i.viewer.venues);
export const nowInstant = param<Input>((i) => new Date(i.now).toISOString());
/** Allows staff to read parts of a row that others see too: the same SQL text for every mode. */
export const viewedByStaff = param<Input>((i) => i.viewer.mode === 'provider');

/** Returns a condition: the permissions of the viewer apply at the venue in this column. */
export const atMyVenues = (column: string): Sql =>
  sql`(${viewingVenues}::bigint[] IS NULL OR ${raw(column)} = ANY(${viewingVenues}::bigint[]))`;
