import { bulkExtend } from './bulk-extend.ts';
import { bulkEditPrices } from './bulk-edit-prices.ts';
import { bulkJob } from '../bulk/index.ts';
import { editPrices } from './price-edit.ts';
import { share, shareStatus, showShareStatus, unshare } from './sharing.ts';
import { shareEach, shareWithFamilies } from './share-with-families.ts';
import { SHARING_FEED } from './sharing-feed.ts';
import type { Area } from '../../kernel/api/registry.ts';

export const members: Area = {
  name: 'members',
  description: 'Changes of what customers hold: prices, last days, and with whom it is shared.',
  resources: [shareStatus],
  endpoints: [bulkEditPrices, bulkExtend, share, unshare, showShareStatus, shareWithFamilies],
  feed: SHARING_FEED,
  jobs: [bulkJob(editPrices), bulkJob(shareEach)],
};
