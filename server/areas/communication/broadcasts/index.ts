import { BROADCAST } from './audience.ts';
import { broadcastEngine } from './engine.ts';
import { broadcastFeed } from './feed.ts';
import { broadcastMessage } from './broadcast-message.ts';
import { changeBroadcasts } from './change-broadcasts.ts';
import { customerFilters } from './customer-filters.ts';
import { LISTS } from './target.ts';
import { findBroadcasts } from './find-broadcasts.ts';
import { previewEndpoints } from './preview.ts';
import { uses } from './named.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { createBroadcast } from './writes.ts';

export const broadcasts: Area = {
  name: 'broadcasts',
  description: 'Messages to many customers: who gets them, when, and whether they arrived.',
  tables: TABLES,
  resources: [broadcastMessage],
  endpoints: [...findBroadcasts, ...changeBroadcasts, ...previewEndpoints],
  filters: { '/customers': customerFilters },
  lists: LISTS,
  notices: [BROADCAST],
  feed: broadcastFeed,
  engines: [broadcastEngine],
  uses,
};
