/** Where people log in: at a business, or at the installation, from where they go on to the dashboard. */
import { PLAIN } from '../../../kernel/pages/layout.ts';
import type { Site, Visit } from '../../../kernel/pages/visit.ts';
import type { Tenant } from '../../../kernel/work/unit/work.ts';
import type { Business } from './business.ts';

export interface Entrance extends Site {
  /** null: that of the installation */
  readonly id: number | null;
  readonly slug: string | null;
  readonly tenant: Tenant | null;
  /** people may log in by a link that is mailed */
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

export const isOfBusiness = (visit: Visit<Entrance>): visit is Visit<Business> => visit.site.id !== null;

/** Where a page is, of a business or of the installation. */
export const at = ({ id }: Pick<Entrance, 'id'>, page: string): string =>
  id === null ? `/${page}` : `/account/${id}/${page}`;

/** Where people are when they have logged in and came from nowhere. */
export const insideOf = (site: Pick<Entrance, 'id'>): string => (site.id === null ? '/dashboard' : at(site, 'profile'));

/** The dashboard of a business. It is at the address of the installation alone, not under names of businesses. */
export const dashboardOf = ({ baseUrl }: { readonly baseUrl: string }, { id }: { readonly id: number }): string =>
  `${baseUrl}/dashboard/${id}`;

const ofDashboard = (path: string): boolean => path === '/dashboard' || path.startsWith('/dashboard/');

/** A path that people may be led back to from here: the dashboard, or pages of the accounts or the booking site of the business. */
export const leadsBackTo = ({ id, slug }: Pick<Entrance, 'id' | 'slug'>, path: string): boolean =>
  ofDashboard(path) ||
  (id !== null && path.startsWith(at({ id }, ''))) ||
  (slug !== null && (path === `/${slug}` || path.startsWith(`/${slug}/`)));
