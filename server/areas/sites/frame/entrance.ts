/** The places where people log in: at a business, or at the installation, from where they continue to the dashboard. */
import { PLAIN } from '../../../kernel/pages/layout.ts';
import type { Site } from '../../../kernel/pages/visit.ts';
import type { Tenant } from '../../../kernel/work/unit/work.ts';

export interface Entrance extends Site {
  /** null for the installation */
  readonly id: number | null;
  readonly slug: string | null;
  readonly tenant: Tenant | null;
  /** people may log in by a link in an email */
  readonly logInLinks: boolean;
}

/** The installation itself, without any business. */
export const INSTALLATION: Entrance = {
  ...PLAIN,
  id: null,
  slug: null,
  tenant: null,
  logInLinks: false,
};

/** Returns the path of a page of the business or the installation. */
export const at = ({ id }: Pick<Entrance, 'id'>, page: string): string =>
  id === null ? `/${page}` : `/account/${id}/${page}`;

/** Returns the page after a log-in without a return address. */
export const pageAfterLogIn = (site: Pick<Entrance, 'id'>): string =>
  site.id === null ? '/dashboard' : at(site, 'profile');

/**
 * Returns the address of a business's dashboard. It exists only at the address of the installation, not under host
 * names of businesses.
 */
export const dashboardOf = ({ baseUrl }: { readonly baseUrl: string }, { id }: { readonly id: number }): string =>
  `${baseUrl}/dashboard/${id}`;

const ofDashboard = (path: string): boolean => path === '/dashboard' || path.startsWith('/dashboard/');

/**
 * Returns true for a path to which people may be led back from here: the dashboard, or a page of the business's
 * accounts or booking site.
 */
export const leadsBackTo = ({ id, slug }: Pick<Entrance, 'id' | 'slug'>, path: string): boolean =>
  ofDashboard(path) ||
  (id !== null && path.startsWith(at({ id }, ''))) ||
  (slug !== null && (path === `/${slug}` || path.startsWith(`/${slug}/`)));
