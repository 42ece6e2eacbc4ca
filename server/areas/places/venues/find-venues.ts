import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { choice, EVERYONE, filter, get, list } from '../../../kernel/api/endpoint.ts';
import { venue } from './venue.ts';
import { venueRoom } from './venue-room.ts';

const status = oneOf(['active', 'archived']);

export const findVenues = [
  list(venue, {
    path: '/venues',
    summary: 'List venues',
    description: 'Customers and visitors see only those that are not archived.',
    who: EVERYONE,
    filters: {
      status: choice(status, { active: (t) => raw(`NOT ${t}.archived`), archived: (t) => raw(`${t}.archived`) }),
    },
  }),
  get(venue, { path: '/venues/{id}', summary: 'Get a venue', who: EVERYONE }),
  list(venueRoom, {
    path: '/venue_rooms',
    summary: 'List the rooms of venues',
    description: 'Customers and visitors see only those that are not archived.',
    who: EVERYONE,
    filters: {
      status: choice(status, {
        active: (t) => raw(`${t}.status = 'active'`),
        archived: (t) => raw(`${t}.status = 'archived'`),
      }),
      venue: filter(
        listOf(id()).describe('Comma-separated list of ids.'),
        (t, venues) => sql`${raw(t)}.venue_id = ANY(${venues}::bigint[])`,
      ),
    },
  }),
  get(venueRoom, { path: '/venue_rooms/{id}', summary: 'Get a room', who: EVERYONE }),
];
