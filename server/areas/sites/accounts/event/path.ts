/** Where the page of an event is, and what belongs to it. */
import { eventPath } from '../../../scheduling/schedule/index.ts';
import type { Business } from '../business.ts';

/** On the booking site: `/harbour-lane/events/7`. A business without one shows it where mails lead, and mails lead here. */
export const eventPageOf = ({ id, slug }: Pick<Business, 'id' | 'slug'>, event: number): string =>
  slug === null ? eventPath(id, event) : `/${slug}/events/${event}`;

/** Where somebody without an account books it. */
export const guestPageOf = (business: Pick<Business, 'id' | 'slug'>, event: number): string =>
  `${eventPageOf(business, event)}/guest`;

/** Where the same class is booked for several weeks. */
export const seriesPageOf = (business: Pick<Business, 'id' | 'slug'>, event: number): string =>
  `${eventPageOf(business, event)}/series`;
