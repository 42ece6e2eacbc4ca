/** The kind of place that the address of an event's page is about. */
import type { At } from '../frame/index.ts';
import type { Place } from '../../scheduling/schedule/index.ts';

/** Returns undefined for the kind of the person's booking or spot, or else a place at the venue. */
export const placeIn = ({ query }: Pick<At, 'query'>): Place | undefined =>
  query.get('place') === 'online' ? 'online' : undefined;

/** Returns what follows the path of the event's page, or of a form on it. */
export const askedFor = (place: Place | undefined): string => (place === 'online' ? '?place=online' : '');
