import { get, STAFF } from '../../../kernel/api/endpoint.ts';
import { bulkActionFeed } from './feed.ts';
import { bulkAction, bulkActionResult, job } from './bulk-action.ts';
import { cancelJob } from './jobs.ts';
import { listResults } from './results.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { bulkAction } from './bulk-action.ts';
export { progressJob, startJob, type Progress } from './jobs.ts';
export { bulkJob, startBulkAction, type BulkKind } from './run-bulk-action.ts';

export const bulk: Area = {
  name: 'bulk',
  description: 'Bulk actions: one action on many objects, its progress and its results.',
  tables: TABLES,
  resources: [job, bulkAction, bulkActionResult],
  endpoints: [
    get(job, { path: '/jobs/{id}', summary: 'Get the progress of a job', who: STAFF }),
    get(bulkAction, { path: '/bulk_actions/{id}', summary: 'Get a bulk action', who: STAFF }),
    cancelJob,
    listResults,
  ],
  feed: [bulkActionFeed],
};
