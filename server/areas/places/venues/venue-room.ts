import { raw } from '../../../kernel/base/db/sql.ts';
import { shownImage } from '../../platform/images/index.ts';
import { boolean, id, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { atVenue, resource } from '../../../kernel/api/resource.ts';

export const venueRoom = resource('venue_room', {
  description: 'A room of a venue. One event at a time can use it, unless it allows double booking.',
  fields: {
    id: id(),
    name: text({ max: 64 }),
    status: oneOf(['active', 'archived']),
    venue: ref('venue'),
    thumbnail: shownImage().nullable().describe('A picture of it.'),
    allows_double_booking: boolean().describe('Whether several events can use the room at the same time.'),
  },
  visible: {
    provider: true,
    customer: (t) => raw(`${t}.status = 'active'`),
    unregistered: (t) => raw(`${t}.status = 'active'`),
  },
  place: atVenue('venue_id', 'public'),
});
