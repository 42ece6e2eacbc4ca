/** What the area declares of sharing, and of changes of many at once. */
import { bulkEditPrices } from './bulk-edit-prices.ts';
import { bulkExtend } from './bulk-extend.ts';
import { bulkJob } from '../../platform/bulk/index.ts';
import { editPrices } from './price-edit.ts';
import { share, shareStatus, showShareStatus, unshare } from './sharing.ts';
import { shareEach, shareWithFamilies } from './share-with-families.ts';
import { SHARING_FEED } from './sharing-feed.ts';

export const SHARING = {
  resources: [shareStatus],
  endpoints: [bulkEditPrices, bulkExtend, share, unshare, showShareStatus, shareWithFamilies],
  feed: SHARING_FEED,
  jobs: [bulkJob(editPrices), bulkJob(shareEach)],
} as const;
