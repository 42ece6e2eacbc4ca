import { changeVenueRooms } from './change-venue-rooms.ts';
import { changeVenues } from './change-venues.ts';
import { findVenues } from './find-venues.ts';
import { venue } from './venue.ts';
import { venueRoom } from './venue-room.ts';
import { venueFeed, venueRoomFeed } from './feed.ts';
import { VENUE_PROBLEMS } from './problems.ts';
import { imageUses, usedIn } from '../../platform/images/index.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { VENUE_PROBLEMS } from './problems.ts';
export { insertVenues } from './import.ts';
export { addressLine, mapOf } from './map.ts';
export { venue } from './venue.ts';
export { holdVenues, lockVenueRooms, usesRoomAlone, venuesToClose, venueZone } from './lock.ts';
export { eventsInWords } from './in-words.ts';
export { createVenue, createVenueRoom } from './writes.ts';
export { venueRoom } from './venue-room.ts';

export const venues: Area = {
  name: 'venues',
  description: 'Venues and their rooms.',
  tables: TABLES,
  resources: [venue, venueRoom],
  endpoints: [...findVenues, ...changeVenues, ...changeVenueRooms],
  problems: VENUE_PROBLEMS,
  feed: [venueFeed, venueRoomFeed],
  fills: [imageUses.with(usedIn('venue_room', 'venue_room', 'The picture of a room.'))],
};
