import { bulkClose } from './bulk-close.ts';
import { bulkJob } from '../../platform/bulk/index.ts';
import { businessClosure } from './business-closure.ts';
import { closedDays, returning } from '../../scheduling/schedule/index.ts';
import { closedEvents, closureDays } from './fill.ts';
import { closeEvents } from './closing.ts';
import { businessClosureFeed } from './feed.ts';
import { extendMemberships } from './extending.ts';
import { fillSeries } from './filling.ts';
import { findClosures } from './find-closures.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { venueProperties } from './of-venues.ts';
import { reopenClosed, undoing } from './undoing.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { closedDates, closedOn } from './closed-dates.ts';

export const closures: Area = {
  name: 'closures',
  description: 'Days on which the business is closed: what they touch, and how they are undone.',
  tables: TABLES,
  resources: [businessClosure],
  endpoints: [...findClosures, bulkClose, ...undoing],
  feed: [businessClosureFeed],
  jobs: [bulkJob(closeEvents), bulkJob(extendMemberships), bulkJob(fillSeries), bulkJob(reopenClosed)],
  constraints: {
    business_closure_once: () => new Problem('already_exists', 'One of these days has just been closed. Try again.'),
  },
  properties: { venue: venueProperties },
  fills: [closedDays.with(closureDays), returning.with(closedEvents)],
};
