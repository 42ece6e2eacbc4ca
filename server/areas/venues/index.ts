import { EVERYONE, get, list } from '../../kernel/api/endpoint.ts';
import { venue, venueRoom } from './venue.ts';
import type { Area } from '../../kernel/api/registry.ts';

export const venues: Area = {
  name: 'venues',
  description: 'Places and their rooms.',
  resources: [venue, venueRoom],
  endpoints: [
    list(venue, { path: '/venues', summary: 'List venues', who: EVERYONE }),
    get(venue, { path: '/venues/{id}', summary: 'Get a venue', who: EVERYONE }),
  ],
};
