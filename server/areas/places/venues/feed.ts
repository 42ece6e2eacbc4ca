import { id, listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const venueCreated = feedItemKind('venue.created', {
  object: 'venue',
  description: 'A venue was created.',
  payload: { venue: id() },
});

export const venueUpdated = feedItemKind('venue.updated', {
  object: 'venue',
  description: 'A venue was updated. `changed` lists the properties.',
  payload: { venue: id(), changed: listOf(text()) },
});

export const venueRoomCreated = feedItemKind('venue_room.created', {
  object: 'venue_room',
  description: 'A room was created.',
  payload: { venue_room: id(), venue: id() },
});

export const venueRoomUpdated = feedItemKind('venue_room.updated', {
  object: 'venue_room',
  description: 'A room was updated. `changed` lists the properties.',
  payload: { venue_room: id(), changed: listOf(text()) },
});
