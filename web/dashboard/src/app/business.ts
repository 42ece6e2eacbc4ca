/** Where somebody works, and what they may do there. */
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
  /** of its booking site; null: it has none */
  readonly slug: string | null;
  /** a business to try things with: no real money, and its clock can be moved */
  readonly isTest: boolean;
  readonly staff: { readonly id: number; readonly name: string; readonly email: string };
  readonly permissions: ReadonlySet<string>;
}

export const BusinessContext = createContext<Business | null>(null);

export function useBusiness(): Business {
  const business = use(BusinessContext);
  if (!business) throw new Error('This stands outside of a business.');
  return business;
}

/** A screen of the navigation, whoever may use it. */
export interface NavigableScreen {
  readonly title: string;
  /** any of these permissions; none: everybody who works here */
  readonly needs: readonly string[];
}

/** All screens of the navigation, for those who ask who sees what; the shell knows them. */
export const ScreensContext = createContext<readonly NavigableScreen[]>([]);

/** Whether somebody has one of these permissions. Super admins have all of them. */
export const may = ({ permissions }: Pick<Business, 'permissions'>, ...needed: string[]): boolean =>
  permissions.has('super_admin') || needed.some((one) => permissions.has(one));
