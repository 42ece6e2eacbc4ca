/** The callers of an endpoint: the modes, and the permissions for staff. */
import { may, type Viewer } from '../work/access/viewer.ts';
import type { Permission } from '../work/access/permission.ts';

export interface Who {
  /** `true`: every staff member; a list: staff with any of the permissions; `false`: none */
  readonly provider: boolean | readonly Permission[];
  readonly customer: boolean;
  /** anonymous callers and people without a profile at the business */
  readonly unregistered: boolean;
  /** people who run the installation */
  readonly operator?: boolean;
}

export const OPERATOR: Who = { provider: false, customer: false, unregistered: false, operator: true };
export const EVERYONE: Who = { provider: true, customer: true, unregistered: true };
export const STAFF: Who = { provider: true, customer: false, unregistered: false };
export const staffWith = (...permissions: Permission[]): Who => ({
  provider: permissions,
  customer: false,
  unregistered: false,
});

/** Returns true if the caller may call an endpoint for these callers; its venues are checked when it is called. */
export function allows({ provider, operator = false, ...modes }: Who, viewer: Viewer): boolean {
  if (viewer.mode === 'provider') return provider === true || (provider !== false && may(viewer, ...provider));
  return viewer.mode === 'operator' ? operator : modes[viewer.mode];
}
