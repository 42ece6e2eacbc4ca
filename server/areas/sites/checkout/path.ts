/** Addresses of a checkout's page. */
import { at } from '../frame/index.ts';

/**
 * Returns the address of a form. It contains the ticket, so that somebody whose session has expired returns to the
 * page.
 */
export const checkoutForm = (site: { readonly id: number }, name: string, ticket: string): string =>
  `${at(site, `checkout/${name}`)}?ticket=${encodeURIComponent(ticket)}`;

export const checkoutPath = (site: { readonly id: number }, ticket: string): string =>
  `${at(site, 'checkout')}?ticket=${encodeURIComponent(ticket)}`;
