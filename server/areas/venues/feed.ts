import { id, listOf, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

export const venueCreated = feedItemKind('venue.created', {
  object: 'venue',
  description: 'The business has a new venue.',
  payload: { venue: id() },
});

export const venueUpdated = feedItemKind('venue.updated', {
  object: 'venue',
  description: 'Something about a venue changed; `changed` names the properties.',
  payload: { venue: id(), changed: listOf(text()) },
});

export const venueRoomCreated = feedItemKind('venue_room.created', {
  object: 'venue_room',
  description: 'A venue has a new room.',
  payload: { venue_room: id(), venue: id() },
});

export const venueRoomUpdated = feedItemKind('venue_room.updated', {
  object: 'venue_room',
  description: 'Something about a room changed; `changed` names the properties.',
  payload: { venue_room: id(), changed: listOf(text()) },
});
