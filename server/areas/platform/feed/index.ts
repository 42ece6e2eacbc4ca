import { findFeedItems } from './find-feed-items.ts';
import { FEED_PROBLEMS } from './problems.ts';
import { listTypes } from './find-types.ts';
import { streamFeedItems } from './stream-feed-items.ts';
import type { Area } from '../../../kernel/api/area.ts';

/** Read-only: items are recorded by the areas in which something happens, and numbered by the worker. */
export const feed: Area = {
  name: 'feed',
  description: 'Everything that happened, in order, to follow a business without comparing all data.',
  problems: FEED_PROBLEMS,
  endpoints: [...findFeedItems, listTypes, streamFeedItems],
};
