import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, ref } from '../../../kernel/base/fields/kinds.ts';

export const contentCollectionFeed = feedKinds(
  'content_collection',
  { content_collection: id() },
  {
    created: 'A content collection was created.',
    updated: 'A content collection was changed; `changed` names the properties.',
    deleted: 'A content collection without content was deleted.',
  },
);

export const contentFilterFeed = feedKinds(
  'content_filter',
  { content_filter: id() },
  {
    created: 'A content filter was created.',
    updated: 'A content filter was changed; `changed` names the properties.',
    deleted: 'A content filter was deleted, with its tags.',
  },
);

export const contentTagFeed = feedKinds(
  'content_tag',
  { content_tag: id(), content_filter: ref('content_filter') },
  {
    created: 'A content tag was created.',
    updated: 'A content tag was changed; `changed` names the properties.',
    deleted: 'A content tag was deleted.',
  },
);

export const contentFileFeed = feedKinds(
  'content_file',
  { content_file: id() },
  {
    created: 'A file for the library was uploaded.',
  },
);

export const contentFeed = feedKinds(
  'content',
  { content: id() },
  {
    created: 'Content was created.',
    updated: 'Content was changed; `changed` names the properties.',
    deleted: 'Content that nobody had opened was deleted.',
  },
);

export const contentUseFeed = feedKinds(
  'content_use',
  { content: ref('content'), customer: ref('customer') },
  {
    viewed: 'A customer opened content.',
    favorited: 'A customer made content a favorite.',
    unfavorited: 'Content is no longer a favorite of a customer.',
  },
  { object: 'content' },
);

export const FEED = [
  contentCollectionFeed,
  contentFilterFeed,
  contentTagFeed,
  contentFileFeed,
  contentFeed,
  contentUseFeed,
];
