/** Whose eyes a request looks through, once its credential, mode and business are settled. */
import { raw, param, sql, type Sql } from '../../base/db/sql.ts';
import type { Permission } from './permission.ts';

export type Mode = 'provider' | 'customer' | 'unregistered' | 'operator';

export interface Viewer {
  readonly mode: Mode;
  readonly providerId: number;
  /** who acts, as the audit names it: `machine_token:7`, `staff:3`, `customer:12`, `anonymous` */
  readonly actor: string;
  /** the person, and the application it uses, where there are */
  readonly userId: number | null;
  readonly applicationId: number | null;
  readonly applicationName: string | null;
  readonly permissions: ReadonlySet<Permission>;
  readonly staffId: number | null;
  readonly customerId: number | null;
  /** venues at which the permissions hold; null: everywhere */
  readonly venues: readonly number[] | null;
  /** the businesses that a list without one of them is about */
  readonly reached?: readonly number[];
  /** equal for viewers that may be served by the same SQL text */
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

/** The program itself at work for a business: a job, an import; `actor` says which. */
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

/** What a statement built for a shape of request is filled from. */
export interface Input {
  readonly viewer: Viewer;
  readonly now: number;
  readonly query: Record<string, any>;
  /** id of the one object asked for */
  readonly id?: number;
  /** parents whose children are asked for */
  readonly parents?: readonly number[];
  readonly offset?: number;
}

/** The holes that every statement over business tables uses. */
export const provider = param<Input>((i) => i.viewer.providerId);
export const reachedBusinesses = param<Input>((i) => i.viewer.reached);
export const viewingCustomer = param<Input>((i) => i.viewer.customerId);
export const viewingStaff = param<Input>((i) => i.viewer.staffId);
export const viewingVenues = param<Input>((i) => i.viewer.venues);
export const nowInstant = param<Input>((i) => new Date(i.now).toISOString());
/** For what only staff may read of a row that others see too: the same SQL text for every mode. */
export const viewedByStaff = param<Input>((i) => i.viewer.mode === 'provider');

/** The venue that this column names is one where the permissions of the viewer hold. */
export const atMyVenues = (column: string): Sql =>
  sql`(${viewingVenues}::bigint[] IS NULL OR ${raw(column)} = ANY(${viewingVenues}::bigint[]))`;
