import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { choice, EVERYONE, filter, listAndGet } from '../../../kernel/api/endpoint.ts';
import { venue } from './venue.ts';
import { venueRoom } from './venue-room.ts';

const status = oneOf(['active', 'archived']);

export const findVenues = [
  ...listAndGet(venue, {
    path: '/venues',
    summary: 'List venues',
    get: 'Get a venue',
    description: 'Customers and visitors see only those that are not archived.',
    who: EVERYONE,
    filters: {
      status: choice(status, { active: (t) => raw(`NOT ${t}.archived`), archived: (t) => raw(`${t}.archived`) }),
    },
  }),
  ...listAndGet(venueRoom, {
    path: '/venue_rooms',
    summary: 'List the rooms of venues',
    get: 'Get a room',
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
];
