import { attempt, delivery } from './delivery.ts';
import { changeDestinations } from './change-destinations.ts';
import { destination } from './destination.ts';
import { findWebhooks } from './find-webhooks.ts';
import { kinds } from './feed.ts';
import { OWNER_NOTICES, ownerReader } from './notify-owner.ts';
import { reader } from './deliveries.ts';
import { replayJob } from './replay.ts';
import { sweepWebhooks } from './sweep.ts';
import { webhookEngine } from './engine/engine.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { createDestination } from './writes.ts';

export const webhooks: Area = {
  name: 'webhooks',
  description: 'URLs that get notified of what happens at the business, and the result of each delivery.',
  tables: TABLES,
  resources: [destination, delivery, attempt],
  endpoints: [...changeDestinations, ...findWebhooks],
  feed: kinds,
  staffNotices: Object.values(OWNER_NOTICES),
  readers: [reader, ownerReader],
  jobs: [replayJob],
  engines: [webhookEngine],
  underWay: {
    'webhooks being sent':
      'SELECT count(*) FROM webhook_lane WHERE provider_id = $1 AND leased_until > clock_timestamp()',
  },
  sweep: sweepWebhooks,
  sweepTimes: [],
};
