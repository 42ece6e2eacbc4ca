import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const venueFeed = feedKinds(
  'venue',
  { venue: id() },
  {
    created: 'A venue was created.',
    updated: 'A venue was updated. `changed` lists the properties.',
  },
);

export const venueRoomFeed = feedKinds(
  'venue_room',
  { venue_room: id() },
  {
    created: { description: 'A room was created.', payload: { venue: id() } },
    updated: 'A room was updated. `changed` lists the properties.',
  },
);
