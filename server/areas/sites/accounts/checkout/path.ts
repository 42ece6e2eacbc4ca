/** Where the page of a checkout is. */
import { at } from '../entrance.ts';

/** Where a form of its page is sent to. The ticket is part of the address, so that somebody whose session has ended comes back. */
export const checkoutForm = (site: { readonly id: number }, name: string, ticket: string): string =>
  `${at(site, `checkout/${name}`)}?ticket=${encodeURIComponent(ticket)}`;

export const checkoutPath = (site: { readonly id: number }, ticket: string): string =>
  `${at(site, 'checkout')}?ticket=${encodeURIComponent(ticket)}`;
