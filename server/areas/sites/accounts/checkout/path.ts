/** Where the page of a checkout is. */
import { at } from '../entrance.ts';

export const checkoutPath = (site: { readonly id: number }, ticket: string): string =>
  `${at(site, 'checkout')}?ticket=${encodeURIComponent(ticket)}`;
