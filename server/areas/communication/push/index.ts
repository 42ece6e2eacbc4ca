import { pushEngine } from './engine.ts';
import { pushFeed } from './feed.ts';
import { pushNotificationToken } from './push-notification-token.ts';
import { TABLES } from './tables.ts';
import { tokenEndpoints } from './tokens.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { queuePush, type PushMessage } from './queue.ts';

export const push: Area = {
  name: 'push',
  description: 'Push notifications: the devices on which customers agreed to get them, and sending.',
  tables: TABLES,
  resources: [pushNotificationToken],
  endpoints: tokenEndpoints,
  feed: pushFeed,
  engines: [pushEngine],
};
