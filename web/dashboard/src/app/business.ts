/** The business at which a person works, and their permissions there. */
import { createContext, use } from 'react';

export interface Business {
  readonly id: number;
  readonly name: string;
  /** IANA name */
  readonly timezone: string;
  /** ISO 4217 */
  readonly currency: string;
  /** ISO 3166 alpha-2 */
  readonly country: string;
  /** of its booking site; null if it has none */
  readonly slug: string | null;
  /** a business for testing: no real money, and its clock can be moved */
  readonly isTest: boolean;
  readonly staff: { readonly id: number; readonly name: string; readonly email: string };
  readonly permissions: ReadonlySet<string>;
}

export const BusinessContext = createContext<Business | null>(null);

export function useBusiness(): Business {
  const business = use(BusinessContext);
  if (!business) throw new Error('This must be inside a business.');
  return business;
}

/** A screen of the navigation, whether the person may use it or not. */
export interface NavigableScreen {
  readonly title: string;
  /** any of these permissions; empty: everybody who works here */
  readonly needs: readonly string[];
}

/** All screens of the navigation, for pages that show who can see which; the shell provides them. */
export const ScreensContext = createContext<readonly NavigableScreen[]>([]);

/** Returns true if the person has one of these permissions. Super admins have all of them. */
export const may = ({ permissions }: Pick<Business, 'permissions'>, ...needed: string[]): boolean =>
  permissions.has('super_admin') || needed.some((one) => permissions.has(one));
