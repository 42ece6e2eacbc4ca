/** Addresses of an event's page and of the pages that belong to it. */
import { eventPath } from '../../scheduling/schedule/index.ts';
import type { Business } from './business.ts';

/**
 * Returns the page on the booking site: `/harbour-lane/events/7`. For a business without a site, it is the address that
 * emails use.
 */
export const eventPageOf = ({ id, slug }: Pick<Business, 'id' | 'slug'>, event: number): string =>
  slug === null ? eventPath(id, event) : `/${slug}/events/${event}`;

/** Returns the page where people without an account book it. */
export const guestPageOf = (business: Pick<Business, 'id' | 'slug'>, event: number): string =>
  `${eventPageOf(business, event)}/guest`;

/** Returns the page where the same class is booked for several weeks. */
export const seriesPageOf = (business: Pick<Business, 'id' | 'slug'>, event: number): string =>
  `${eventPageOf(business, event)}/series`;
